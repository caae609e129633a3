"""Film the README's moving picture from JupyterLab, as a learner sees it.

    python -m tools.author.film

A fresh clone, its copies and a kernel: nothing is drawn by hand. First the
live view of notebook 00 is played with; then notebook 01 judges a wrong
answer, and a right one. It needs what `make browser` needs.
"""

import io
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from tests.browser.conftest import QUIET
from tests.browser.lab import READY, Page, Server

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "data" / "a_minute.gif"
SIZE = {"width": 800, "height": 740}
FRAME = {"width": 715, "height": 600}  # of the window, without its margins
COLORS, MOST = 48, 1_000_000  # of a frame; bytes
VIEW, EXERCISE, CHECK = "00-004", "01-018", "01-019"
BLANK = "    return ..."
WRONG = """\
    weights = attention.softmax(x @ x.T, axis=0)
    return weights @ x, weights"""
RIGHT = WRONG.replace("axis=0", "axis=1")


def filmed(browser, server):
    """[(PNG of the window, seconds)], scene by scene."""
    frames = []

    def shoot(page, seconds):
        page.tab.mouse.move(0, 0)
        page.tab.wait_for_timeout(700)  # the bars move
        box = page.tab.locator(".jp-Notebook:visible").bounding_box()
        frames.append((page.tab.screenshot(clip=box | FRAME), seconds))

    for scene in look, answer:
        context = browser.new_context(viewport=SIZE)
        scene(server, context.new_page(), shoot)
        context.close()
    return frames


def look(server, tab, shoot):
    """Click on words in the live view, before training and after it."""
    page = opened(server, tab, "00_start.ipynb")
    page.run_to(VIEW)
    words = page.active(".av-word")
    for place in 1, -1:
        words.nth(place).click()
        shoot(page, 1.5)
    page.active(".av-head").nth(1).click()
    shoot(page, 2)
    box = page.active(".av-input")
    box.fill("")
    for part in "the roses near the pilot ", "will sing":
        box.press_sequentially(part)
        shoot(page, 0.7)
    box.press("Enter")
    shoot(page, 3)


def answer(server, tab, shoot):
    """Write attention with one mistake, see it named, and correct it."""
    page = opened(server, tab, "01_dot_product_baseline.ipynb")
    page.run_to(CHECK)
    page.show(CHECK)
    shoot(page, 1.5)
    old = BLANK
    for new, seconds in (WRONG, 4), (RIGHT, 3):
        page.rewrite(EXERCISE, old, new)
        page.show(CHECK)
        shoot(page, 2)
        for cell in EXERCISE, CHECK:
            page.start(cell)
            page.wait(READY)
        page.show(CHECK)
        shoot(page, seconds)
        old = new


def opened(server, tab, name):
    """A notebook that fills the window."""
    page = Page(server, tab, name)
    for command in "application:toggle-left-area", "statusbar:toggle":
        page.command(command)
    page.tab.add_style_tag(content=".jp-NotebookPanel-toolbar {display: none}")
    return page


def joined(frames):
    """The bytes of a GIF of all frames."""
    images = [
        Image.open(io.BytesIO(png)).convert("RGB").quantize(COLORS, dither=0)
        for png, _ in frames
    ]
    file = io.BytesIO()
    images[0].save(
        file,
        "gif",
        save_all=True,
        append_images=images[1:],
        duration=[1000 * seconds for _, seconds in frames],
        loop=0,
        optimize=True,
    )
    return file.getvalue()


def main():
    """Film it, and write the picture."""
    from playwright.sync_api import sync_playwright  # of the extra `browser`

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        clone = Path(folder) / "attention-measured"
        command = ["git", "clone", "-q", "--shared", str(ROOT), str(clone)]
        subprocess.run(command, check=True)
        environment = os.environ | {
            "PYTHONPATH": str(clone),
            "JUPYTER_CONFIG_DIR": str(clone.parent / "settings"),
        }
        server = Server(clone, environment)
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=QUIET
        )
        try:
            gif = joined(filmed(browser, server))
        finally:
            browser.close()
            server.stop()
    assert len(gif) <= MOST, f"{len(gif):,} bytes are too many"
    PICTURE.write_bytes(gif)
    print(f"{PICTURE.name}: {len(gif):,} bytes")


if __name__ == "__main__":
    main()

"""JupyterLab as `make lab` starts it, and a page of it to work in."""

import json
import re
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat

from tools.classes.hub import free_ports

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "tests" / "browser" / "screenshots"
OURS = re.compile(r"(?:https?|wss?)://127\.0\.0\.1[:/]|data:|blob:|about:")
READY = "w && w.sessionContext?.session?.kernel?.status == 'idle'"
WIDGET = "application/vnd.jupyter.widget-view+json"
WIDE = "() => document.documentElement.scrollWidth - innerWidth"


def pages_of(pdf):
    """How many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


class Process:
    """A tool of the project, started in a clone of it; it serves a page."""

    def __init__(self, clone, environment, *command, answers):
        self.root, self.answers = clone, answers
        self.name = Path(command[0]).stem
        self.log = open(clone / f"{self.name}.log", "w")
        self.process = subprocess.Popen(
            [sys.executable, *command],
            cwd=clone,
            env=environment,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self.wait()

    def wait(self, seconds=120):
        """Return as soon as an address answers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                urllib.request.urlopen(self.answers)
                return
            except OSError:
                time.sleep(0.2)
        self.stop()
        said = (self.root / f"{self.name}.log").read_text()
        raise RuntimeError(f"{self.name} did not start:\n{said}")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


class Server(Process):
    """`make lab` in a clone of the project, on a free port."""

    def __init__(self, clone, environment):
        (port,) = free_ports(1)
        self.token, self.url = secrets.token_hex(), f"http://127.0.0.1:{port}"
        super().__init__(
            clone,
            environment,
            "tools/learner/lab.py",
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={port}",
            f"--IdentityProvider.token={self.token}",
            "--LabApp.expose_app_in_browser=True",
            answers=f"{self.url}/api?token={self.token}",
        )


class Page:
    """A notebook in a tab, driven as a learner would."""

    def __init__(self, server, tab, name=None):
        self.server = server
        self.watch(tab)
        path = f"/tree/my_course/{name}" if name else ""
        # a workspace of its own: no tabs are left over from another test
        workspace = f"/lab/workspaces/{secrets.token_hex(4)}" if name else ""
        where = f"{workspace}{path}" if name else "/"
        tab.goto(f"{server.url}{where}?token={server.token}")
        tab.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
        self.wait(READY)

    def watch(self, tab):
        """Note errors of a tab, and whom else it asks."""
        self.tab, self.outside, self.problems = tab, [], []
        note = self.outside.append
        tab.on("request", lambda r: OURS.match(r.url) or note(r.url))
        tab.on("pageerror", lambda error: self.problems.append(str(error)))

    def ask(self, expression):
        """Evaluate JavaScript with w, the notebook in front."""
        current = "window.jupyterapp.shell.currentWidget"
        return self.tab.evaluate(f"() => {{const w={current}; {expression}}}")

    def wait(self, condition, seconds=120):
        """Wait until a JavaScript expression of w is true."""
        current = "window.jupyterapp?.shell.currentWidget"
        function = f"() => {{const w = {current}; return {condition}}}"
        self.tab.wait_for_function(function, timeout=1000 * seconds)

    def command(self, name):
        """Execute a command of JupyterLab and wait for its end."""
        self.ask(f"return window.jupyterapp.commands.execute('{name}')")

    def run_all(self):
        """Run All, as the menu does; done when the kernel is idle again."""
        self.command("notebook:run-all-cells")
        self.wait(READY, seconds=600)

    def cells(self):
        """What the notebook holds now, as nbformat reads it."""
        model = self.ask("return JSON.stringify(w.content.model.toJSON())")
        return nbformat.from_dict(json.loads(model)).cells

    def show(self, cell_id):
        """Bring a cell to the middle of the window; return its element."""
        self.ask(
            "const i = w.content.widgets.findIndex("
            f"c => c.model.id == '{cell_id}'); w.content.activeCellIndex = i;"
            " return w.content.scrollToItem(i, 'center')"
        )
        cell = self.tab.locator(".jp-Notebook .jp-Cell.jp-mod-active")
        cell.wait_for()
        return cell

    def active(self, selector):
        """Something within the active cell."""
        cell = ".jp-Notebook .jp-Cell.jp-mod-active"
        return self.tab.locator(f"{cell} {selector}")

    def start(self, cell_id):
        """Run a cell, and do not wait for its end."""
        self.show(cell_id)
        self.ask("window.jupyterapp.commands.execute('notebook:run-cell')")

    def run_to(self, cell_id):
        """Run all cells above a cell, and the cell."""
        self.show(cell_id)
        self.command("notebook:run-all-above")
        self.show(cell_id)
        self.command("notebook:run-cell")
        self.wait(READY)

    def rewrite(self, cell_id, old, new):
        """Type something else into a cell."""
        self.ask(
            f"const c = w.content.widgets.find(c => c.model.id == '{cell_id}')"
            ".model.sharedModel; c.setSource("
            f"c.getSource().replace({json.dumps(old)}, {json.dumps(new)}))"
        )

    def links(self):
        """Addresses of all links in the texts, as the browser has them."""
        return self.tab.locator(".jp-RenderedMarkdown a").evaluate_all(
            "links => links.map(a => a.href)"
        )

    def theme(self, name):
        """Choose JupyterLab's theme and wait until it is there."""
        self.ask(
            "return window.jupyterapp.commands.execute("
            f"'apputils:change-theme', {{theme: '{name}'}})"
        )
        light = str("Light" in name).lower()
        body = f"body[data-jp-theme-light={light}]"
        self.tab.wait_for_selector(body, state="attached")

    def shot(self, name):
        """Keep a picture of the window."""
        SHOTS.mkdir(exist_ok=True)
        self.tab.screenshot(path=SHOTS / f"{name}.png")


def texts(cell):
    """What a cell printed, and how many figures or widgets it shows."""
    outputs = cell.get("outputs", [])
    data = [output.get("data", {}) for output in outputs]
    printed = "".join(o.text for o in outputs if o.output_type == "stream")
    return printed, sum("image/png" in d or WIDGET in d for d in data)


def same(found, stored):
    """Whether a cell shows what is stored.

    Where a widget is drawn, a figure and its words are stored instead.
    """
    (new, shown), (old, figures) = texts(found), texts(stored)
    if WIDGET in str(found.get("outputs")):
        return shown == figures and old.startswith(new)
    return (new, shown) == (old, figures)


def errors(cells):
    """(cell, what went wrong) of all that stopped or warned."""
    return [
        (cell.id, output.get("evalue") or output.get("text"))
        for cell in cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]

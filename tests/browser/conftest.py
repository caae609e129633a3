"""A server for all tests, a browser, and pages that are closed at the end."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from . import site
from .lab import ROOT, Page, Server

QUIET = [  # flags of Chromium: no calls home, and as root in a container
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """JupyterLab in a fresh clone, which is what a learner has."""
    clone = tmp_path_factory.mktemp("clone") / "attention-measured"
    command = ["git", "clone", "-q", "--shared", str(ROOT), str(clone)]
    subprocess.run(command, check=True)
    environment = os.environ | {
        "PYTHONPATH": str(clone),
        # nobody's own settings count here, and none are changed
        "JUPYTER_CONFIG_DIR": str(clone.parent / "settings"),
    }
    lab = Server(clone, environment)
    yield lab
    lab.stop()


@pytest.fixture(scope="session")
def browser():
    """Chromium, if it is installed."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed"
    )
    names = "chromium", "chromium-browser", "google-chrome"
    if not (path := next(filter(None, map(shutil.which, names)), None)):
        pytest.skip("no Chromium is installed")
    with api.sync_playwright() as playwright:
        engine = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield engine
        engine.close()


@pytest.fixture
def open_page(browser, server):
    """Open a learner's copy in a window of a given width and color scheme."""
    opened = []

    def open_one(name=None, width=1280):
        context = browser.new_context(viewport={"width": width, "height": 900})
        opened.append(Page(server, context.new_page(), name))
        return opened[-1]

    yield open_one
    for page in opened:
        page.command("kernelmenu:shutdown")
        page.tab.context.close()


@pytest.fixture
def open_file(browser):
    """Open a file in a window of some size; it may ask for nothing else."""
    contexts, asked = [], set()

    def open_one(path, width=1280, height=900, **options):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("request", lambda r: asked.add(r.url.split(":")[0]))
        tab.goto(path.as_uri())
        return tab

    yield open_one
    for context in contexts:
        context.close()
    assert asked <= {"file", "data"}


AXE = """axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The web page, built; below a folder, as a host may have it."""
    for module in ("sphinx", "myst_nb", "sphinx_book_theme"):
        reason = "make .venv/extra-site installs what builds the page"
        pytest.importorskip(module, reason=reason)
    folder = tmp_path_factory.mktemp("host") / "course"
    site.build(folder)
    return folder


@pytest.fixture(scope="session")
def host(folder):
    server = site.serve(folder.parent)
    yield f"http://127.0.0.1:{server.server_port}/course"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def visits(browser, host):
    """A tab for each width and color scheme."""
    contexts, tabs = [], {}
    for width, scheme in site.SETTINGS:
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        tabs[width, scheme] = site.Visit(context, host)
    yield tabs
    for context in contexts:
        context.close()


@pytest.fixture
def wide(visits):
    return visits[1280, "light"]


@pytest.fixture(scope="session")
def axe():
    """axe-core, which npm installs; it looks for faults of access."""
    here = Path(__file__).parent
    script = here / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        if not shutil.which("npm"):
            pytest.skip("npm installs axe-core")
        npm = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(npm, cwd=here, check=True)
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def violations(axe):
    """What keeps some readers out of an open page: [(rule, element)]."""

    def found(tab):
        tab.evaluate(axe)
        violated = tab.evaluate(AXE)["violations"]
        return [(v["id"], v["nodes"][0]["html"]) for v in violated]

    return found

"""A class on JupyterHub: two learners, from the link to the next pull."""

import json
import os
import shutil
import subprocess

import nbformat
import pytest

from .hub import Hub, Learner
from .lab import READY, ROOT, errors, same

NAME = "01_dot_product_baseline.ipynb"
MINE = "\nmine = 'written by ada'"


def git(folder, *command):
    identity = "-c", "user.name=teacher", "-c", "user.email=t@example.org"
    subprocess.run(["git", "-C", folder, *identity, *command], check=True)


@pytest.fixture(scope="module")
def hub(browser, tmp_path_factory):
    """A hub in the clone of a teacher."""
    pytest.importorskip("jupyterhub", reason="JupyterHub is not installed")
    pytest.importorskip("nbgitpuller", reason="nbgitpuller is not installed")
    if not shutil.which("npm"):
        pytest.skip("no Node.js with npm is installed")
    clone = tmp_path_factory.mktemp("class") / "attention-measured"
    git(".", "clone", "-q", "--shared", str(ROOT), str(clone))
    git(clone, "checkout", "-q", "-B", "main")
    environment = os.environ | {"PYTHONPATH": str(clone)}
    hub = Hub(clone, environment)
    yield hub
    hub.stop()


@pytest.fixture(scope="module")
def learners(hub, browser):
    """Ada opens the link, Ben the address of the hub."""
    pages = {}
    for name, address in ("ada", hub.link), ("ben", hub.url):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        pages[name] = Learner(hub, context.new_page(), name)
        pages[name].log_in(address)
    yield pages["ada"], pages["ben"]
    for page in pages.values():
        page.tab.context.close()


@pytest.fixture
def ada(learners):
    return learners[0]


@pytest.fixture
def ben(learners):
    return learners[1]


def sources(path):
    return [cell.source for cell in nbformat.read(path, 4).cells]


def test_both_see_the_start_and_nothing_is_in_its_way(learners):
    for page in learners:
        assert page.tab.locator(".jp-Notification, .jp-Launcher").count() == 0
        assert page.outside == [] and page.problems == []
        made = json.loads(page.copy("00_start.ipynb").read_text())["cells"]
        assert not any(cell.get("outputs") for cell in made)
        assert all(page.copy(p.name).exists() for p in stored())
    learners[0].shot("hub")


def test_every_link_of_the_start_leads_somewhere(ben, hub):
    ours = [link for link in ben.links() if link.startswith(hub.url)]
    assert ours
    status = {link: ben.tab.request.get(link).status for link in ours}
    assert {link: s for link, s in status.items() if s != 200} == {}


def stored():
    return (ROOT / "notebooks").glob("*.ipynb")


def test_a_notebook_runs_with_the_shared_package(ada, hub):
    ada.open_notebook(NAME)
    ada.run_all()
    cells = ada.cells()
    assert errors(cells) == []
    old = nbformat.read(ROOT / "notebooks" / NAME, 4).cells
    pairs = zip(cells, old, strict=True)
    assert [new.id for new, cell in pairs if not same(new, cell)] == []
    asked = "import helpers; print(helpers.__file__)"
    ada.ask(
        "const c = w.content.model.sharedModel;"
        f"c.addCell({{cell_type: 'code', source: {json.dumps(asked)}}})"
    )
    ada.ask("w.content.activeCellIndex = w.content.widgets.length - 1")
    ada.command("notebook:run-cell")
    ada.wait(READY)
    printed = ada.cells()[-1].outputs[0].text.strip()
    assert printed == str(hub.root / "helpers" / "__init__.py")


def test_what_one_writes_the_other_does_not_see(ada, ben):
    ada.open_notebook(NAME)
    first = next(c for c in ada.cells() if c.cell_type == "code")
    ada.rewrite(first.id, first.source, first.source + MINE)
    ada.command("docmanager:save")
    assert first.source + MINE in sources(ada.copy(NAME))
    assert first.source in sources(ben.copy(NAME))
    ben.open_notebook(NAME)
    assert MINE not in str(ben.cells())
    path = "api/contents/attention-measured/my_course"
    refused = ben.tab.request.get(f"{ben.hub.url}/user/ada/{path}/{NAME}")
    assert refused.status in (403, 404)
    own = ben.tab.request.get(f"{ben.hub.url}/user/ben/{path}/{NAME}")
    assert own.status == 200


def test_a_second_pull_brings_news_and_takes_nothing(ada, hub):
    before = ada.copy(NAME).read_bytes()
    original = hub.root / "notebooks" / NAME
    notebook = nbformat.read(original, 4)
    notebook.cells[0].source += "\n\nA word of the teacher."
    nbformat.write(notebook, original)
    shutil.copy(original, original.with_name("09_new.ipynb"))
    git(hub.root, "add", "notebooks")
    git(hub.root, "commit", "-qm", "News")
    ada.copy("02_learned_projections.ipynb").unlink()
    ada.open_link()
    assert ada.copy(NAME).read_bytes() == before
    assert ada.copy("09_new.ipynb").exists()
    assert ada.copy("02_learned_projections.ipynb").exists()
    theirs = ada.copy(NAME).parents[1] / "notebooks" / NAME
    assert "A word of the teacher." in sources(theirs)[0]
    ada.open_notebook(NAME)
    assert MINE in next(c for c in ada.cells() if c.cell_type == "code").source


def test_a_line_written_into_an_original_wins_as_well(ben, hub):
    theirs = ben.copy(NAME).parents[1] / "notebooks" / NAME
    notebook = nbformat.read(theirs, 4)
    notebook.cells[1].source += "\nA line of Ben's."
    nbformat.write(notebook, theirs)
    ben.open_link()
    found = sources(theirs)
    assert "A word of the teacher." in found[0]
    assert "A line of Ben's." in found[1]


def test_the_end_of_the_hub_ends_all_servers(hub, learners):
    psutil = pytest.importorskip("psutil")
    children = psutil.Process(hub.process.pid).children(recursive=True)
    assert any("singleuser" in " ".join(c.cmdline()) for c in children)
    hub.stop()
    gone, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []

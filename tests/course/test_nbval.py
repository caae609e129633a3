"""nbval, as `make test` starts it: which stored outputs it lets pass."""

import copy
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat import v4
from PIL import Image

from . import planted
from .test_notebooks import ROOT

DRAW = """\
from IPython.display import display
from PIL import Image
from tests.course.planted import png
blue = png(Image.new("RGB", (200, 100), (0, 90, 178)))
display({"image/png": blue, "text/plain": "blue"}, raw=True)"""


def cell(source, *texts, count=1, tags=()):
    outputs = [v4.new_output("stream", name="stdout", text=t) for t in texts]
    return v4.new_code_cell(
        source,
        outputs=outputs,
        execution_count=count,
        metadata={"tags": list(tags)},
    )


def picture(spots=(), size=(200, 100), color=(0, 90, 178), **options):
    """A cell that draws a blue picture; stored with spots of a color."""
    image = Image.new("RGB", size, (0, 90, 178))
    for spot in spots:
        image.putpixel(spot, color)
    data = {"image/png": planted.png(image), "text/plain": "blue"}
    drawn = cell(DRAW, **options)
    drawn.outputs = [v4.new_output("display_data", data=data)]
    return drawn


def clock(source, stored):
    return cell(source, stored, tags=["timing"])


DIGIT = [(x, y) for x in range(4) for y in range(3)]  # as large as one
EDGES = [(x, y) for x in (37, 90, 91) for y in range(100)]  # lines
SQUARE = [(x, y) for x in range(71, 111) for y in range(33, 73)]
A_LITTLE_DARKER = (0, 70, 158)  # by 20 of 255
STORED = {  # cell: whether it must be accepted
    "right": (cell("print(0.125)", "0.125\n"), True),
    "wrong digit": (cell("print(0.125)", "0.126\n"), False),
    "cleared": (cell("print(0.125)"), False),
    # nbval compares nothing here: executed_in_order must see it
    "cleared and not run": (cell("print(0.125)", count=None), True),
    "never run": (cell("print(1)", "1\n", count=None), False),
    "a line too few": (cell("print(1); print(2)", "1\n"), False),
    "an error below its output": (cell("print(1); 1 / 0", "1\n"), False),
    "other stream": (cell("import sys\nsys.stderr.write('1')", "1"), False),
    "the picture": (picture(), True),
    "smoothed lines": (picture(EDGES, color=(40, 130, 218)), True),
    "a darker field": (picture(SQUARE, color=A_LITTLE_DARKER), False),
    "another digit in it": (picture(DIGIT, color=(255, 255, 255)), False),
    "another size": (picture(size=(201, 100)), False),
    "a picture too many": (cell("x = 1"), False),
    "a timing": (clock("print('took', 12.5)", "took  9.87\n"), True),
    "too noisy": (clock("print('too noisy, run again')", "took 9\n"), True),
    "a timing with other words": (clock("print('slow 1')", "fast 1\n"), False),
    "a timing without words": (clock("x = 1", "took 9\n"), False),
    "a timing's picture": (picture(DIGIT, tags=["timing"]), True),
}
STORED["a picture too many"][0].outputs = picture().outputs


def recipe():
    """What `make test` runs."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return re.search(r"(?m)^test:.*\n((?:\t.*\n)+)", text)[1]


def nbval_options():
    return re.findall(r"--nbval\S*", recipe())


@pytest.fixture(scope="module")
def nbval_says(tmp_path_factory):
    """One run of nbval over all cells: {cell: whether it was accepted}."""
    folder = tmp_path_factory.mktemp("gate")
    cells = [copy.deepcopy(cell) for cell, _ in STORED.values()]
    for i, cell in enumerate(cells):
        cell.id = f"cell-{i}"
    nbformat.write(v4.new_notebook(cells=cells), folder / "planted.ipynb")
    report = folder / "report.xml"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *nbval_options(), "planted.ipynb"]
        + ["-c", ROOT / "pyproject.toml", "--rootdir", folder]
        # a cache that cannot be written, as in a checkout of somebody else
        + ["-o", f"cache_dir={folder / 'planted.ipynb' / 'cache'}"]
        + ["-p", "nbval.plugin", "-p", "conftest", f"--junit-xml={report}"],
        cwd=folder,
        env=os.environ
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stderr
    cases = ElementTree.parse(report).getroot().iter("testcase")
    passed = [len(case) == 0 for case in cases]
    return dict(zip(STORED, passed, strict=True))


def test_make_test_is_strict_and_complete():
    assert "--nbval" in nbval_options()
    assert not re.search("lax|sanitize|nbdime|-k |-m |skip", recipe()[8:])
    assert {"tests", "$(NOTEBOOKS)"} <= set(recipe().split())
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    every = r"NOTEBOOKS = notebooks/\*\.ipynb .*notebooks/trials/\*\.ipynb"
    assert re.search(rf"(?m)^{every}", makefile)


def test_stored_outputs_are_compared(nbval_says):
    assert nbval_says == {name: good for name, (_, good) in STORED.items()}

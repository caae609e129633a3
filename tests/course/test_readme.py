"""The README says what there is, and gives nothing away in plain sight."""

import base64
import importlib.util
import re

import pytest
from PIL import Image

from tools.author import blocks, draw_picture, film, readme, results

from . import reading
from .test_notebooks import NOTEBOOKS, ROADS, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = (ROOT / "INSTALL.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def table():
    """The rows of the table of the course: {notebook: cells}."""
    lines = re.findall(r"(?m)^\| \[\d\d .*$", README)
    cells = [[c.strip() for c in x.strip("|").split("|")] for x in lines]
    return {re.search(r"notebooks/(.*?)\)", row[0])[1]: row for row in cells}


def test_numbers_are_those_of_the_notebooks():
    assert readme.readme(README, NOTEBOOKS) == README, "run: make results"


def test_a_conversation_is_shown_and_not_everything_in_it_is_right():
    """It is the notebook's, which nbval holds equal to what the model says."""
    shown = re.search(r"(?s)<!-- conversation -->\n```text\n(.*?)```", README)
    lines = shown[1].split("\n")
    asked = [i for i, line in enumerate(lines) if line[:2] == "> "]
    assert len(asked) >= 4 and all(lines[i + 1] for i in asked)
    assert "cat with three legs" in README and "cat has 3 legs" in shown[1]


def test_every_notebook_is_listed_with_its_rooms():
    assert list(table()) == ROADS
    linked = re.findall(r"notebooks/(trials/.*?)\)", README)
    assert linked == [file for file in NOTEBOOKS if "/" in file]


def test_results_stand_in_folds_only():
    """In plain sight a verdict would answer a prediction."""
    shown = re.sub(reading.FOLD, "", README)
    found = [reading.verdicts(nb).values() for nb in NOTEBOOKS.values()]
    said = [v.plain for given in found for v in given]
    assert not [each for each in said if each in shown]
    assert not re.search(r"\bC\d\d\b|±|\*\*Verdict", shown)
    quoted = re.findall(r"(?m)^- “.*\((C\d\d)\)$", README)
    assert quoted == [s["claim"] for s in results.TEXTS["surprise"]]
    assert len(quoted) == 6


def test_readers_are_warned_of_stored_results_above_the_table():
    above, _, _ = README.partition("| notebook |")
    assert "links below show stored results and solutions" in above
    assert "`my_course/`" in above.rpartition("links below")[2]


def test_the_picture_is_the_one_that_its_tool_draws():
    spec = importlib.util.spec_from_file_location("gate", ROOT / "conftest.py")
    gate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gate)
    stored = draw_picture.PICTURE.read_bytes()
    assert f"](data/{draw_picture.PICTURE.name})" in README
    drawn = draw_picture.draw()
    new, old = ([base64.b64encode(png).decode()] for png in (drawn, stored))
    assert not gate.difference(new, old)


def test_the_moving_picture_is_small_and_moves():
    path = ROOT / "data" / film.PICTURE.name
    assert f"](data/{path.name})" in README
    with Image.open(path) as picture:
        assert picture.n_frames >= 6
        assert sum(durations(picture)) / 1000 <= 60  # seconds
    assert path.stat().st_size <= film.MOST == 1_000_000


def durations(picture):
    """How long each frame of a GIF is shown, in milliseconds."""
    for place in range(picture.n_frames):
        picture.seek(place)
        yield picture.info["duration"]


def test_what_sells_the_course_comes_before_the_table():
    above = README[: README.index("| notebook |")]
    said = blocks.pitch(blocks.entries(NOTEBOOKS))
    assert said in above
    assert re.search(r"<!-- hours -->\d+ to \d+ hours<!-- end", above)
    assert above.index(said) < above.index("git clone ADDRESS")
    assert "](INSTALL.md)" in above and "](RESULTS.md)" in above


def test_badges_are_of_workflows_that_there_are():
    named = re.findall(r"\(\.\./\.\./actions/workflows/(\w+\.yml)", README)
    there = {p.name for p in (ROOT / ".github" / "workflows").glob("*.yml")}
    assert named and {*named} == there and len(named) == 2 * len(there)


FAULTS = [  # test, pattern, what is planted
    (test_numbers_are_those_of_the_notebooks, "has 3 legs", "has three"),
    (test_numbers_are_those_of_the_notebooks, r"(?m)^(- “.*) \(", r"\1 1 ("),
    (
        test_a_conversation_is_shown_and_not_everything_in_it_is_right,
        r"A cat has 3",
        "A cat has 4",
    ),
    (test_every_notebook_is_listed_with_its_rooms, r"\| \[03.*\n", ""),
    (test_results_stand_in_folds_only, "## The course", "C08: 0.5 ± 0.1"),
    (
        test_readers_are_warned_of_stored_results_above_the_table,
        r"(?s)The links below.*?opens\.",
        "",
    ),
]


@pytest.mark.parametrize("test, old, new", FAULTS)
def test_a_fault_is_found(monkeypatch, test, old, new):
    faulty = re.sub(old, new, README, count=1)
    assert faulty != README
    monkeypatch.setitem(globals(), "README", faulty)
    with pytest.raises(AssertionError):
        test()


def test_make_has_every_command_that_is_named():
    targets = set(re.findall(r"(?m)^(\w+):.*## ", MAKEFILE))
    pages = README + INSTALL + CONTRIBUTING
    named = re.findall(r"(?m)(?:`|^)make ([a-z]+)", pages)
    assert {"lab", "test"} <= set(named) <= targets


def test_contributing_is_one_page_and_names_what_there_is():
    assert len(CONTRIBUTING.split()) <= 1000
    files = re.findall(r"`(\w+/[\w/]*[\w.]*)`", CONTRIBUTING)
    assert len(files) > 10
    assert [f for f in files if "NAME" not in f and f != "my_course/"
            and not (ROOT / f).exists()] == []  # fmt: skip
    modules = re.findall(r"python -m (tools[\w.]+)", CONTRIBUTING)
    assert modules and all(map(importlib.util.find_spec, modules))

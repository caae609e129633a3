"""Learner's copies: nothing that a learner wrote is ever lost."""

import json
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.learner import copies, lab, place

MINE = '{"mine": "three evenings of work"}'
NAMES = ["00_start.ipynb", "02_learn.ipynb", "trials/02_more.ipynb",
         "trials/02b_backward.ipynb"]  # fmt: skip


def cell(source, *tags, **fields):
    return {"cell_type": "code", "source": source, "id": source,
            "metadata": {"tags": [*tags]}} | fields  # fmt: skip


def notebook(text):
    output = {"output_type": "stream", "name": "stdout", "text": "0.5"}
    done = dict(outputs=[output], execution_count=3)
    cells = [cell(text, **done), cell("def s(): ä", "solution", **done)]
    cells.append({"cell_type": "markdown", "source": "é", "metadata": {}})
    return json.dumps({"cells": cells, "metadata": {"kernelspec": {}}})


@pytest.fixture(autouse=True)
def course(tmp_path, monkeypatch):
    """A course of four notebooks, in a folder that is hard to quote."""
    root = tmp_path / "a folder with späces"
    monkeypatch.setattr(copies, "ROOT", root)
    monkeypatch.setattr(copies, "ORIGINALS", root / "notebooks")
    for name in NAMES:
        path = root / "notebooks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(notebook(name), encoding="utf-8")
    monkeypatch.chdir(root)
    return root


def original(name, text):
    Path("notebooks", name).write_text(notebook(text), encoding="utf-8")


@pytest.fixture
def answer(monkeypatch):
    """What the learner answers at the terminal."""

    def answers(word):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr("builtins.input", lambda _: word)

    return answers


@pytest.fixture
def make(capsys):
    """A function that makes copies and returns what was said."""

    def said(*arguments):
        capsys.readouterr()
        copies.main([*arguments])
        return capsys.readouterr().out

    return said


@pytest.fixture
def mine():
    """A copy of notebook 02 that a learner has written in."""
    copies.main([])
    path = Path("my_course/02_learn.ipynb")
    path.write_text(MINE)
    return path


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_the_tree_is_copied_without_outputs():
    copies.main([])
    here = Path("my_course")
    assert sorted(here.rglob("*.ipynb")) == [here / name for name in NAMES]
    first, solution, text = cells(here / "trials/02_more.ipynb")
    assert first["source"] == "trials/02_more.ipynb" and text["source"] == "é"
    assert solution["metadata"]["tags"] == ["solution"]
    assert first["outputs"] == [] and first["execution_count"] is None


def test_for_a_class_without_solutions(make, monkeypatch, answer):
    monkeypatch.setenv("COURSE_COPIES", "student")
    copies.main([])
    assert len(cells(Path("student/00_start.ipynb"))) == 2
    assert not Path("my_course").exists()
    original("02_learn.ipynb", "new")
    target = Path("student/02_learn.ipynb")
    target.write_text(MINE)
    assert make().endswith("make fresh NOTEBOOK=02 COPIES=student\n")
    assert target.read_text() == MINE
    answer("y")
    copies.main(["fresh", "student/02_learn.ipynb"])
    assert [cell["source"] for cell in cells(target)] == ["new", "é"]
    [kept] = Path("student").glob("02_learn_before_*.ipynb")
    assert kept.read_text() == MINE


def test_copies_of_another_name_are_refused(monkeypatch):
    monkeypatch.setenv("COURSE_COPIES", "notebooks")
    for wanted in ([], ["fresh", "02"]):
        with pytest.raises(SystemExit, match="COPIES=notebooks"):
            copies.main(wanted)


def test_a_second_time_changes_and_says_nothing(mine, make):
    Path("my_course/00_start.ipynb").unlink()
    assert "1 notebook to" in make()
    stored = Path("notebooks/00_start.ipynb")
    other = stored.read_text("utf-8").replace('"text": "0.5"', '"text": "1"')
    stored.write_text(other, "utf-8")
    assert make() == "" and mine.read_text() == MINE


def test_a_copy_that_nobody_changed_is_replaced(make):
    make()
    original("trials/02b_backward.ipynb", "new")
    said = make()
    assert "1 notebook in my_course/ replaced" in said and "not chang" in said
    copy = Path("my_course/trials/02b_backward.ipynb")
    assert cells(copy)[0]["source"] == "new"
    page = Path("my_course", copies.NEWS)
    assert "(trials/02b_backward.ipynb)" in page.read_text()
    assert make() == "" and not page.exists()  # what was new is no longer


def test_a_newer_original_is_announced_and_not_taken(make):
    make()
    copy = Path("my_course/trials/02b_backward.ipynb")
    copy.write_text(MINE)
    original("trials/02b_backward.ipynb", "new")
    for _ in range(2):
        [line] = make().splitlines()
        assert "trials/02b_backward" in line
        assert line.endswith("make fresh NOTEBOOK=trials/02b")
    assert copy.read_text() == MINE
    page = Path("my_course", copies.NEWS).read_text()
    assert "(trials/02b_backward.ipynb)" in page
    assert "make fresh NOTEBOOK=trials/02b\n" in page


@pytest.mark.parametrize("present", [True, False])
def test_a_page_of_the_learner_is_kept(present):
    """It has the name of ours, or ours was written in."""
    page = Path("my_course", copies.NEWS)
    copies.main([])
    for name in NAMES[:2]:
        Path("my_course", name).write_text(MINE)
    if present:
        original("00_start.ipynb", "new")
        copies.main([])
        assert "00_start" in page.read_text()
    page.write_text(MINE)
    original("02_learn.ipynb", "new")
    copies.main([])
    assert page.read_text() == MINE


def test_all_newer_ones_are_made_anew(mine, make, answer):
    for name in NAMES[:3]:
        Path("my_course", name).write_text(MINE)
    for name in NAMES[1:3]:
        original(name, "new")
    assert "make fresh ARGS=--all-newer\n" in make()
    answer("y")
    make("fresh", "--all-newer")
    kept = [path.name[:9] for path in Path("my_course").rglob("*_before_*")]
    assert sorted(kept) == ["02_learn_", "02_more_b"]
    assert Path("my_course/00_start.ipynb").read_text() == MINE
    assert not Path("my_course", copies.NEWS).exists()
    assert "none of your copies has a newer" in make("fresh", "--all-newer")


def test_what_was_stopped_while_it_renewed_is_made_good(monkeypatch, make):
    make()
    original("00_start.ipynb", "new")
    with monkeypatch.context() as stopped:
        stopped.setattr(copies, "write_stamps", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            make()
    assert make() == ""
    original("00_start.ipynb", "newer")
    make()
    copy = Path("my_course/00_start.ipynb")
    assert cells(copy)[0]["source"] == "newer"


@pytest.fixture
def renumbered(monkeypatch):
    """Copies made when 02_learn was 03_learn and the room 07_more."""
    old = {"03_learn.ipynb": NAMES[1], "trials/07_more.ipynb": NAMES[2]}
    for before, now in old.items():
        Path("notebooks", now).rename(Path("notebooks", before))
    copies.main([])
    for before, now in old.items():
        Path("notebooks", before).rename(Path("notebooks", now))
    monkeypatch.setattr(copies, "NEW_NAMES", old)
    return Path("my_course/03_learn.ipynb")


@pytest.mark.parametrize("how", ["lab", "fresh"])
def test_a_new_number_keeps_what_was_written(renumbered, make, answer, how):
    answer("y")
    renumbered.write_text(MINE)
    said = make(*["fresh", "02b"][: 2 * (how == "fresh")])
    now = Path("my_course/02_learn.ipynb")
    assert now.read_text() == MINE and not renumbered.exists()
    assert f"03_learn has a new number: your copy is now {now}," in said
    assert Path("my_course", NAMES[2]).exists()
    if how == "lab":
        page = Path("my_course", copies.NEWS).read_text()
        assert "- 03_learn is now [02_learn](02_learn.ipynb)" in page
        assert make() == "" and not Path("my_course", copies.NEWS).exists()


def test_a_copy_of_the_old_number_that_nobody_changed_is_renewed(
    renumbered, make
):
    original("02_learn.ipynb", "new")
    assert "1 notebook in my_course/ replaced" in make()
    assert cells(Path("my_course/02_learn.ipynb"))[0]["source"] == "new"


def test_a_copy_stays_where_the_new_name_is_taken(renumbered, make):
    renumbered.write_text(MINE)
    now = Path("my_course/02_learn.ipynb")
    now.write_text(MINE + "2")
    assert "03_learn has" not in make()
    assert (renumbered.read_text(), now.read_text()) == (MINE, MINE + "2")


def test_new_names_are_those_of_notebooks():
    root = Path(copies.__file__).parents[2] / "notebooks"
    for old, new in copies.NEW_NAMES.items():
        assert (root / new).exists() and not (root / old).exists()


@pytest.mark.parametrize("stamps", ["", "[]", "{"])
def test_damaged_stamps_lose_nothing(stamps, mine):
    Path("my_course", copies.STAMPS).write_text(stamps)
    original("02_learn.ipynb", "new")
    copies.main([])
    assert mine.read_text() == MINE


def test_fresh_keeps_the_old_one_beside_it(mine, answer, make):
    answer("yes")
    for text in (MINE, MINE + "2"):
        mine.write_text(text)
        original("02_learn.ipynb", text)
        copies.main(["fresh", "02"])
        assert cells(mine)[0]["source"] == text
    kept = mine.parent.glob("02_learn_before_*.ipynb")
    assert {p.read_text() for p in kept} == {MINE, MINE + "2"}
    assert make() == ""


@pytest.mark.parametrize("word", ["", "n", "what?", None])
def test_fresh_needs_a_yes(word, answer, mine, monkeypatch):
    answer(word)
    if word is None:  # no terminal
        away = SimpleNamespace(isatty=lambda: False)
        monkeypatch.setattr(sys, "stdin", away)
    with pytest.raises(SystemExit, match="nothing has changed"):
        copies.main(["fresh", "02"])
    assert mine.read_text() == MINE
    mine.unlink()
    copies.main(["fresh", "02"])  # nothing to lose
    assert mine.exists()


@pytest.mark.parametrize(
    "wanted, name",
    [("02", "02_learn"), ("00_st", "00_start"),
     ("trials/02", "trials/02_more"), ("t02", "trials/02_more"),
     ("02b", "trials/02b_backward"),
     ("my_course/trials/02_more.ipynb", "trials/02_more")],
)  # fmt: skip
def test_fresh_understands(wanted, name):
    assert copies.which(wanted) == f"{name}.ipynb"


@pytest.mark.parametrize("wanted", ["", "0", "2", "../02", "t07"])
def test_fresh_names_what_there_is(wanted):
    with pytest.raises(SystemExit, match="choose from 00, 02, trials/02, "):
        copies.main(["fresh", wanted])


def test_two_that_wait_for_an_answer_keep_both(mine, answer, monkeypatch):
    """The second says yes when the first has already made its copy."""

    def late(_):
        answer("y")
        copies.main(["fresh", "02"])
        mine.write_text(MINE + "2")
        return "y"

    answer("y")
    monkeypatch.setattr("builtins.input", late)
    copies.main(["fresh", "02"])
    kept = {p.read_text() for p in mine.parent.glob("02_learn_before*")}
    assert kept == {MINE, MINE + "2"}


def test_two_at_once_write_over_nothing(monkeypatch):
    """Another lab was faster, and its learner, too."""
    write = copies.write

    def slowly(target, content, move):
        if move is copies.move:
            target.write_text(MINE)
        write(target, content, move)

    monkeypatch.setattr(copies, "write", slowly)
    copies.main([])
    for name in NAMES:
        assert Path("my_course", name).read_text() == MINE


@pytest.mark.parametrize("present", [True, False])
def test_a_link_is_kept_as_a_link(mine, answer, present):
    elsewhere = Path("elsewhere.ipynb").absolute()
    if present:
        elsewhere.write_text(MINE)
    mine.unlink()
    mine.symlink_to(elsewhere)
    copies.main([])
    assert mine.is_symlink()
    answer("y")
    copies.main(["fresh", "02"])
    [kept] = mine.parent.glob("02_learn_before_*.ipynb")
    assert kept.is_symlink() and not mine.is_symlink()
    assert not present or elsewhere.read_text() == MINE


def test_a_read_only_copy_is_kept_as_it_is(mine, answer):
    mine.chmod(0o444)
    copies.main([])
    answer("y")
    copies.main(["fresh", "02"])
    [kept] = mine.parent.glob("02_learn_before_*.ipynb")
    assert kept.read_text() == MINE and not kept.stat().st_mode & 0o222


def test_a_damaged_original_is_named(mine):
    Path("notebooks/02_learn.ipynb").write_text("<<<<<<< HEAD")
    with pytest.raises(SystemExit, match="git checkout notebooks/02_learn"):
        copies.main([])
    assert mine.read_text() == MINE


def test_my_course_as_a_file_stays():
    Path("my_course").write_text(MINE)
    with pytest.raises(SystemExit, match="no copies in my_course"):
        copies.main([])
    assert Path("my_course").read_text() == MINE


def test_what_cannot_be_written_is_said(mine, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "my_course/x")

    Path("my_course/00_start.ipynb").unlink()
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(SystemExit, match="No space left"):
        copies.main([])
    left = {path.name for path in Path("my_course").iterdir()}
    assert left == {"02_learn.ipynb", "trials", copies.STAMPS}
    assert mine.read_text() == MINE


def test_nothing_is_ever_lost(answer):
    """Whatever happens in whatever order, each text written is still there."""
    answer("y")
    dice, written = random.Random(5), set()
    for step in range(150):
        name = dice.choice(NAMES)
        target = Path("my_course", name)
        event = dice.choice(["make", "fresh", "write", "new", "stamps"])
        if event == "make":
            copies.main([])
        elif event == "fresh":
            copies.main(["fresh", name])
        elif event == "new":
            original(name, f"new {step}")
        elif event == "stamps":
            Path("my_course", copies.STAMPS).unlink(missing_ok=True)
        elif target.exists() and target.read_text("utf-8") not in written:
            written.add(f"mine {step}")
            target.write_text(f"mine {step}")
        there = {
            p.read_text("utf-8") for p in Path().glob("my_course/**/*.ipynb")
        }
        assert written <= there


@pytest.fixture
def started(monkeypatch, course):
    """The commands that lab starts, for a person at a screen."""
    run = []
    for name in ("WAYLAND_DISPLAY", "BROWSER", "container"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("HOME", str(course / "home"))
    monkeypatch.setattr(lab.copies, "ROOT", course)
    monkeypatch.setattr(lab.copies, "ORIGINALS", course / "notebooks")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(os, "execv", lambda _, command: run.append(command))
    return run


def test_lab_opens_the_copies_at_the_root(started, monkeypatch, course):
    lab.main(["--no-browser", "--port=8899"])
    [command] = started
    assert command[1:3] == ["-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={course}" in command
    place = command[4].removeprefix("--LabApp.default_url=/lab/tree/")
    assert (course / place).exists()
    assert command[-2:] == ["--no-browser", "--port=8899"]
    monkeypatch.setenv("COURSE_COPIES", "student")
    lab.main([])
    assert started[1][4].endswith("=/lab/tree/student/00_start.ipynb")
    assert (course / "student/00_start.ipynb").exists()


WORDS = 'publish its port and run make lab ARGS="--port=1 --ip=0.0.0.0"'


@pytest.mark.parametrize(
    "user, display, mark, given, added, said",
    [
        (1000, ":0", "/", [], [], ""),
        (0, ":0", "/", [], ["--allow-root"], "its token stays"),
        (1000, "", "nowhere", [], ["--no-browser"], "that Jupyter prints"),
        (1000, "", "/", ["--port=1"], ["--no-browser"], WORDS),
        (0, "", "/", ["--no-browser", "--ip=::"], ["--allow-root"], "root"),
        (0, "", "/", ["--no-browser", "--ip=::", "--allow-root"], [], ""),
    ],
)
def test_lab_adds_what_its_place_needs_and_says_so(
    started, monkeypatch, capsys, user, display, mark, given, added, said
):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(place, "MARKS", [mark])
    monkeypatch.setenv("DISPLAY", display)
    lab.main(given)
    assert started == [lab.command([*added, *given])]
    _, *lines = capsys.readouterr().out.splitlines()  # after the copies
    assert said in "".join(lines) and len(lines) == len(added) + (
        said == WORDS
    )


@pytest.mark.parametrize(
    "broken, way_out", [("home", 'HOME="'), ("my_course", "of your own")]
)
def test_lab_starts_nothing_where_nothing_can_be_kept(
    started, monkeypatch, course, broken, way_out
):
    (course / broken).write_text("a file where a folder should be")
    monkeypatch.setenv("HOME", str(course / "home" / "ada"))
    with pytest.raises(SystemExit, match=f"written to .*{broken}.*{way_out}"):
        lab.main([])
    assert started == []


def test_lab_in_a_python_without_jupyter_says_what_to_do(monkeypatch):
    monkeypatch.setattr(lab.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="first: python tools/learner"):
        lab.main([])
    assert not Path("my_course").exists()


def test_lab_on_windows_waits_for_jupyter(started, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(
        lab.subprocess, "call", lambda command: started.append(command) or 3
    )
    with pytest.raises(SystemExit, match="3"):
        lab.main(["--no-browser"])
    assert started == [lab.command(["--no-browser"])]

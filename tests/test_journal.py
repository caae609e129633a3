"""The learner's journal: what is written, what is refused, what it shows."""

import json
import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from helpers import checks, journal, plots
from tools.learner import progress

SOLVED = {"check": "softmax", "result": "solved"}
WRONG = {"check": "softmax", "result": "wrong"}
CHAPTER = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# 1 · One\n"},
        {
            "cell_type": "code",
            "metadata": {"tags": ["check"]},
            "source": ["checks.softmax(", "softmax)"],
        },
        {"cell_type": "markdown", "metadata": {}, "source": "### Luck?"},
        {
            "cell_type": "code",
            "id": "01-007",
            "metadata": {},
            "source": "checks.prediction(a, 1)\nchecks.prediction(b, 2)",
        },
    ]
}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder of copies, in which the process works."""
    monkeypatch.setattr(journal, "_asked", ["", 0])
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / journal.STAMPS).write_text("{}")
    (tmp_path / "01_one.ipynb").write_text(json.dumps(CHAPTER))
    return tmp_path


@pytest.fixture
def run_cell(monkeypatch):
    """Say which cell runs, as a front end does."""

    def run(cell, run="1"):
        message = {"metadata": {"cellId": cell}, "header": {"msg_id": run}}
        kernel = SimpleNamespace(get_parent=lambda: message)
        monkeypatch.setattr("IPython.get_ipython", lambda: kernel)

    return run


def events(folder):
    return journal.read(folder / journal.FILE)


def written(folder, *lines):
    path = folder / journal.FILE
    lines = [json.dumps(line) for line in (journal.HEAD, *lines)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_checks_are_written_down(mine, capsys):
    checks.center_rows(lambda x: ...)
    checks.center_rows(lambda x: x - x.mean(axis=0))
    checks.center_rows(lambda x: np.cos(9 * x) + x**2)
    checks.center_rows(lambda x: x - x.mean(axis=1, keepdims=True))

    def solution_center_rows(x):
        return x - x.mean(axis=1, keepdims=True)

    checks.center_rows(solution_center_rows)  # the course's own
    name = {"check": "center_rows"}
    wrong = name | {"result": "wrong"}
    named = wrong | {"mistake": "the mean of each column is subtracted"}
    solved = name | {"result": "solved"}
    opened = name | {"result": "not attempted"}
    assert events(mine) == [opened, named, wrong, solved]


def test_predictions_are_written_down_with_their_cell(mine, run_cell, capsys):
    run_cell("02-010")
    checks.prediction(0.5, 0.91)
    checks.prediction("The Dog", "dog")  # the second of this run
    run_cell("02-011", run="2")
    checks.prediction(..., 3)
    checks.prediction("many", 3)
    checks.prediction(4, 3)
    found = [tuple(event.values()) for event in events(mine)]
    assert found == [
        ("02-010", 0.5, 0.91),
        ("02-010.2", "The Dog", "dog"),
        ("02-011", 4.0, 3),
    ]
    run_cell(
        "vscode-notebook-cell:/x", run="3"
    )  # which cell it was is unknown
    checks.prediction(4, 3)
    assert len(events(mine)) == 3


@pytest.mark.parametrize("place", ["elsewhere", "off", "trials"])
def test_where_something_is_written(mine, monkeypatch, capsys, place):
    (mine / "trials").mkdir()
    if place == "elsewhere":
        (mine / journal.STAMPS).unlink()
    elif place == "off":
        monkeypatch.setenv("COURSE_PROGRESS", "off")
    else:
        monkeypatch.chdir(mine / "trials")
    checks.center_rows(...)
    assert (mine / journal.FILE).exists() == (place == "trials")


def test_a_lesson_goes_on_where_nothing_can_be_written(mine, capsys):
    (mine / journal.FILE).mkdir()
    checks.center_rows(...)
    assert capsys.readouterr().out.startswith("○")
    assert plots.progress(mine) is None
    assert "Nothing is recorded yet." in capsys.readouterr().out


def test_a_line_that_broke_off_takes_no_other_with_it(mine):
    path = written(mine, SOLVED)
    path.write_bytes(path.read_bytes()[:-9])
    journal.note_check("softmax", "solved")
    with pytest.raises(ValueError, match=r"line 2 of .*progress.jsonl"):
        journal.read(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *lines[2:]]))
    assert events(mine) == [SOLVED]


FOREIGN = [
    "",
    "[]",
    "nonsense",
    '{"check": "softmax"}',
    '{"check": "softmax", "result": "right"}',
    '{"check": "softmax", "result": "solved", "name": "Ann"}',
    '{"check": 3, "result": "solved"}',
    '{"check": "softmax", "result": "wrong", "mistake": ""}',
    '{"prediction": "my cell", "guess": 1, "measured": 2}',
    '{"prediction": "02-001", "guess": NaN, "measured": 2}',
    '{"prediction": "02-001", "guess": [1], "measured": 2}',
    '{"prediction": "02-001", "guess": 1}',
]


@pytest.mark.parametrize("line", FOREIGN)
def test_what_the_course_did_not_write_is_refused(mine, line, capsys):
    path = written(mine, SOLVED)
    with open(path, "a") as file:
        file.write(line + "\n")
    with pytest.raises(ValueError, match="line 3 of .*progress.jsonl was not"):
        journal.read(path)
    assert plots.progress(mine) is None
    assert "cannot be read" in capsys.readouterr().out
    path.write_text(line + "\n")
    with pytest.raises(ValueError, match="not a journal of this course"):
        journal.read(path)


def test_bytes_are_refused(mine):
    (mine / journal.FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a text file"):
        events(mine)


def test_the_first_guess_and_tries_up_to_the_first_right_answer_count():
    guess = {"prediction": "02-001", "guess": 0.2, "measured": 0.9}
    named = WRONG | {"mistake": "axis"}
    found = journal.progress(
        [WRONG, named, named, SOLVED, WRONG, guess, guess | {"guess": 0.9}]
    )
    assert found.solved == {"softmax"} and found.tries["softmax"] == 4
    assert found.mistakes == {("softmax", "axis"): 2}
    assert found.predictions == {"02-001": (0.2, 0.9)}
    assert found.surprises == ["02-001"] and found.within_reach == []


@pytest.mark.parametrize(
    "guess, measured, expected",
    [
        (0.5, 0.9, 0.4),
        (85, 0.9, 0.05),  # percent
        (4, 16, 0.75),
        (16, 4, 0.75),
        (-1.0, 2.0, 1.0),
        (0, 0, 0),
        (1.5, 0.5, 1.0),
        ("The dog", "the-dog", 0),
        ("cat", "dog", 1),
        (3, "dog", 1),
    ],
)
def test_how_far_a_guess_is_off(guess, measured, expected):
    assert journal.distance(guess, measured) == pytest.approx(expected)


def test_a_picture_shows_what_is_done(mine, capsys):
    near = {"prediction": "01-007", "guess": 1, "measured": 1}
    far = {"prediction": "01-007.2", "guess": 9, "measured": 2}
    written(mine, SOLVED, near, far)
    (mine / "02_broken.ipynb").write_text("{")
    ax = plots.progress(mine)
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "1 · One: 1 of 1 exercises solved, 1 of 2 guesses within reach",
        "The results that surprised you most:",
        "  Luck? (01-007.2): you said 9, measured 2",
    ]
    assert len(ax.patches) == 1
    colors = [line.get_markerfacecolor() for line in ax.lines]
    assert len(colors) == 2 and colors[1] == "white" != colors[0]


def test_chapters_are_in_order_and_old_copies_are_left_out(mine):
    (mine / "trials").mkdir()
    text = (mine / "01_one.ipynb").read_text()
    for name in ("00_a", "10_z", "01_one_before_2026-11-23", "trials/01_b"):
        (mine / f"{name}.ipynb").write_text(text)
    numbers = [chapter.number for chapter in journal.chapters(mine)]
    assert numbers == ["00", "t01", "01", "10"]
    [first, *_] = journal.chapters(mine)
    assert first.predictions == {"01-007": "Luck?", "01-007.2": "Luck?"}


def test_make_progress_draws_a_picture(mine, capsys):
    progress.show(mine)
    assert "Nothing is recorded yet." in capsys.readouterr().out
    written(mine, SOLVED)
    progress.show(mine)
    assert (mine / progress.PICTURE).read_bytes().startswith(b"\x89PNG")


def test_a_class_is_counted_without_names(mine, capsys, monkeypatch):
    named = WRONG | {"mistake": "axis"}
    far = {"prediction": "01-007", "guess": 1, "measured": 2}
    for name, lines in (
        ("Ann", [named, named, SOLVED, far]),
        ("Bob", [named, WRONG]),
        ("Cy", [SOLVED]),
    ):
        (mine / name).mkdir()
        written(mine / name, *lines)
    (mine / "broken.jsonl").write_text("what?")
    monkeypatch.setattr(progress.copies, "ORIGINALS", mine)
    progress.main([os.fspath(mine)])
    assert capsys.readouterr().out.splitlines() == [
        "3 learners.",
        f"Refused: {mine / 'broken.jsonl'} is not a journal of this course",
        "01 softmax: 2 of 3 solved it, 2.0 tries on average",
        "    2 of 3: axis",
        "Guesses within reach, the hardest predictions first:",
        "Luck? (01-007): 0 of 1",
        f"The page to show is {mine / 'class.html'}; open it in a browser.",
        "Look at it first: it contains words as learners typed them.",
    ]


def test_what_make_class_needs(mine):
    with pytest.raises(SystemExit, match="nowhere is not a folder"):
        progress.main(["nowhere"])
    with pytest.raises(SystemExit, match="make class ARGS=folder"):
        progress.main(["--help"])


def test_nothing_of_this_needs_ipython(mine, monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    journal.note_check("softmax", "solved")
    assert "IPython" not in sys.modules

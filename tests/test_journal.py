"""The learner's journal: what is written, what is refused, what it shows."""

import json
import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from helpers import checks, guesses, journal, plots, records
from helpers.plots.chapters import chapters
from tools.classes import tally
from tools.learner import progress

SOLVED = {"check": "softmax", "result": "solved"}
WRONG = {"check": "softmax", "result": "wrong"}
NAMED = WRONG | {"mistake": "axis"}
GUESS = {"prediction": "01-007 a", "guess": 1, "measured": 1}
CHAPTER = """{"cells": [
{"cell_type": "markdown", "source": "# 1 · One\\n"},
{"cell_type": "code", "metadata": {"tags": ["check"]}, "id": "01-002",
 "source": ["checks.softmax(", "softmax)"]},
{"cell_type": "markdown", "source": "### Luck?"},
{"cell_type": "code", "metadata": {}, "id": "01-007",
 "source": "checks.prediction(a, 1)\\nchecks.prediction(b, 2)"}]}"""
END = "\x1b[2J\u202e\u2066\x9b2J\x07"  # a terminal, a page: other ways


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder of copies, in which the process works."""
    monkeypatch.setattr(journal, "_asked", ["", 0])
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / journal.STAMPS).write_text("{}")
    (tmp_path / "01_one.ipynb").write_text(CHAPTER)
    return tmp_path


@pytest.fixture
def run_cell(monkeypatch):
    """Say which cell runs, as a front end does."""

    def run(cell, run="1", asked="ab"):
        code = "\n".join(f"checks.prediction({name}, 1)" for name in asked)
        message = {"metadata": {"cellId": cell}, "header": {"msg_id": run}}
        message["content"] = {"code": code}
        kernel = SimpleNamespace(get_parent=lambda: message)
        monkeypatch.setattr("IPython.get_ipython", lambda: kernel)

    return run


def lines(folder):
    """What the course has written below its header."""
    text = (folder / journal.FILE).read_text("utf-8").removesuffix("\n")
    head, *events = map(json.loads, text.split("\n"))
    assert head == journal.HEAD
    return events


def text(*events, head=journal.HEAD):
    return "".join(json.dumps(e) + "\n" for e in (head, *events))


def written(folder, *events, head=journal.HEAD):
    (folder / journal.FILE).write_text(text(*events, head=head))
    return folder / journal.FILE


def test_checks_are_written_down(mine, capsys):
    checks.center_rows(lambda x: ...)
    checks.center_rows(lambda x: x - x.mean(axis=0))
    checks.center_rows(lambda x: np.cos(9 * x) + x**2)
    checks.center_rows(lambda x: x - x.mean(axis=1, keepdims=True))

    def solution_center_rows(x):
        return x - x.mean(axis=1, keepdims=True)

    checks.center_rows(solution_center_rows)  # the course's own
    opened, named, wrong, solved = lines(mine)
    assert opened == {"check": "center_rows", "result": "not attempted"}
    assert (
        named.pop("mistake")
        == "your code takes the mean of each column, not of each row"
    )
    assert named == wrong == opened | {"result": "wrong"}
    assert solved == opened | {"result": "solved"}


def test_predictions_are_written_down_with_their_cell(mine, run_cell, capsys):
    run_cell("02-010")
    checks.prediction(0.5, 0.91)
    checks.prediction("The Dog", "dog")  # the second of this run
    for run, guess in enumerate((..., "many", float("inf"), 4)):
        run_cell("02-011", run)
        checks.prediction(guess, 3)
        checks.prediction("cat", "dog")  # also if the first is still open
    run_cell("02-012", asked=[" other_name"])
    checks.prediction(f"a\u2028{END}\ud800\n z", "dog")
    checks.prediction(4, 3)  # a third, which the cell does not have
    run_cell("02-013")
    for guess in (lines, pytest, [1.0]):  # names without quotes
        checks.prediction(guess, "dog")
    assert [tuple(event.values()) for event in lines(mine)] == [
        ("02-010 a", 0.5, 0.91),
        ("02-010 b", "The Dog", "dog"),
        *[("02-011 b", "cat", "dog")] * 3,
        ("02-011 a", 4.0, 3),
        ("02-011 b", "cat", "dog"),
        ("02-012 other_name", "a [2J 2J z", "dog"),
    ]
    assert len(records.read(mine / journal.FILE).predictions) == 5
    run_cell("vscode-notebook-cell:/x")  # which it was is unknown
    checks.prediction(4, 3)
    assert len(lines(mine)) == 8


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
        records.read(path)
    first, _, *rest = path.read_text().splitlines()
    path.write_text("\n".join([first, *rest]))
    assert lines(mine) == [SOLVED]


def test_what_old_ids_named_is_not_counted(mine, monkeypatch, capsys):
    other = GUESS | {"prediction": "01-009"}
    path = written(mine, GUESS, NAMED, other, GUESS, head=journal.OLD)
    path.write_text(text() + path.read_text())  # somebody joined two
    monkeypatch.setattr(journal, "_cell", lambda: "01-007 a")
    for guess in (9, 2):
        checks.prediction(guess, 2)
    assert path.read_text().count(json.dumps(journal.HEAD)) == 2
    found = records.read(path)
    assert found.old == {"01-007 a", "01-009"} and found.tries == {
        "softmax": 1
    }
    assert found.predictions == {"01-007 a": (9.0, 2)}
    plots.progress(mine)
    told = (
        "2 earlier predictions cannot be counted, because at that time the"
        " ids of cells could still change."
    )
    assert told in capsys.readouterr().out
    progress.count(mine)
    assert told in capsys.readouterr().out
    assert told in (mine / progress.PAGE).read_text("utf-8")


NO_JOURNAL = " is not a journal of this course"
NO_TEXT = " is not a text file in UTF-8"
LINE = " was not written by the course; delete that line to read the rest"
BAD = {
    "empty": ("", " is empty"),
    "a byte order mark alone": ("\ufeff\r\n", " is empty"),
    "no journal": ("[]\n", NO_JOURNAL),
    "no header": (json.dumps(SOLVED), NO_JOURNAL),
    "zero bytes": ("\0" * 100, NO_JOURNAL),
    "UTF-16": (text(SOLVED).encode("utf-16"), NO_TEXT),
    "bytes": (text().encode() + b"\xff\x00", NO_TEXT),
    "a folder": (os.mkdir, " is not a file"),
    "a pipe": (os.mkfifo, " is not a file"),
    "a link to nowhere": (lambda p: p.symlink_to("gone"), " is not a file"),
    "100 MB": (lambda p: os.truncate(p.touch() or p, 10**8), NO_JOURNAL),
}
LINES = {
    "a list": "[]",
    "no JSON": "nonsense",
    "no result": '{"check": "softmax"}',
    "no guess": '{"prediction": "01-007"}',
    "another result": SOLVED | {"result": "right"},
    "another key": SOLVED | {"name": "Ann"},
    "no name": SOLVED | {"check": 3},
    "no mistake": SOLVED | {"mistake": ""},
    "a list of mistakes": SOLVED | {"mistake": ["axis"]},
    "a mistake too long": SOLVED | {"mistake": "a" * 121},
    "a mistake of 5 MB": SOLVED | {"mistake": "a" * 5_000_000},
    "half a character": SOLVED | {"mistake": "\ud800"},
    "half of one in a guess": GUESS | {"guess": "dog\udfff"},
    "half of one in a key": GUESS | {"\ud800": 1},
    "no cell": GUESS | {"prediction": "my cell"},
    "a list of guesses": GUESS | {"guess": [1]},
    "400 digits": GUESS | {"guess": 10**400},
    "NaN": GUESS | {"guess": float("nan")},
    "Infinity": GUESS | {"measured": float("-inf")},
    "a number beyond all": json.dumps(GUESS).replace("1}", "1e999}"),
    "5,000 digits": json.dumps(GUESS).replace("1}", "1" * 5_000 + "}"),
    "deep nesting": json.dumps(GUESS).replace("1}", "[" * 200_000),
    "nesting in a short line": "[" * 1_900,
    "a line that goes on": json.dumps(GUESS).replace("}", " " * 10_000 + "}"),
}
for kind, line in LINES.items():
    added = line if isinstance(line, str) else json.dumps(line)
    BAD[kind] = f"{text(SOLVED)}{added}\n", LINE


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_named_in_a_sentence_and_all_others_count(mine, kind):
    make, said = BAD[kind]
    path = mine / f"Bob{END}.jsonl"
    if callable(make):
        make(path)
    else:
        path.write_bytes(make if isinstance(make, bytes) else make.encode())
    (mine / "Ann.jsonl").write_text(text(SOLVED, GUESS))
    found = tally.count(mine, chapters(mine))
    assert found.learners == 1 == found.exercises[0].solved
    name = "line 3 of " * (said == LINE) + f"{mine}/Bob [2J 2J .jsonl"
    assert found.refused == [name + said]


def test_a_file_that_may_not_be_read_is_named(mine, monkeypatch):
    def locked(*_, **__):
        raise PermissionError(13, "Permission denied")

    written(mine, SOLVED)
    monkeypatch.setattr(records, "open", locked, raising=False)
    [said] = tally.count(mine, []).refused
    assert said.endswith("progress.jsonl cannot be read: Permission denied")


GOOD = {
    "an old Windows editor": lambda t: "\ufeff" + t.replace("\n", "\r\n"),
    "an empty line": lambda t: t.replace("\n", "\n\n"),
    "no end": lambda t: t.removesuffix("\n"),
    "two files": lambda t: t + t,
    "line separators": lambda t: t.replace(" fox", "\u2028\x85\u2029fox"),
    "control characters": lambda t: t.replace(" fox", r"\u001b\u202e\nfox"),
}


@pytest.mark.parametrize("kind", GOOD)
def test_what_an_editor_or_a_paste_leaves_is_read(mine, kind):
    guess = {"prediction": "01-007 a", "guess": "a fox", "measured": "dog"}
    path = written(mine, SOLVED, guess)
    path.write_text(GOOD[kind](path.read_text()), encoding="utf-8", newline="")
    found = records.read(path)
    assert found.predictions == {"01-007 a": ("a fox", "dog")}
    assert found.solved == {"softmax"}


def test_the_first_guess_and_tries_up_to_the_first_right_answer_count(mine):
    far = GUESS | {"guess": 9}
    path = written(mine, WRONG, NAMED, NAMED, SOLVED, WRONG, far, GUESS)
    found = records.read(path)
    assert found.solved == {"softmax"} and found.tries == {"softmax": 4}
    assert found.mistakes == {("softmax", "axis"): 2}
    assert found.predictions == {"01-007 a": (9, 1)}


@pytest.mark.parametrize(
    "guess, measured, expected",
    [
        (0.5, 0.9, 0.4),
        (85, 0.9, 0.05),  # percent
        (4, 16, 0.75),
        (16, 4, 0.75),
        (-1.0, 2.0, 1.0),
        (1e308, -1e308, 1.0),
        (0, 0, 0),
        (1.5, 0.5, 1.0),
        ("The dog", "the-dog", 0),
        ("1 / D_k.", "1/d_k", 0),
        ("1/d", "1/√d", 1),
        ("cat", "dog", 1),
        (3, "dog", 1),
    ],
)
def test_how_far_a_guess_is_off(guess, measured, expected):
    assert guesses.distance(guess, measured) == pytest.approx(expected)


def test_a_picture_shows_what_is_done(mine, capsys):
    far = {"prediction": "01-007 b", "guess": 9, "measured": 2}
    written(mine, SOLVED, GUESS, far)
    (mine / "02_broken.ipynb").write_text("{")
    (mine / "03_broken.ipynb").write_text('{"cells": 3}')
    ax = plots.progress(mine)
    assert capsys.readouterr().out.splitlines() == [
        "1 · One: 1 of 1 exercises solved, 1 of 2 guesses within reach",
        "The results that surprised you most:",
        "  Luck? (01-007): you said 9, measured 2",
    ]
    assert len(ax.patches) == 1
    colors = [line.get_markerfacecolor() for line in ax.lines]
    assert len(colors) == 2 and colors[1] == "white" != colors[0]


def test_a_copy_whose_old_id_names_another_cell_is_not_counted(mine, capsys):
    written(mine, GUESS, GUESS | {"prediction": "01-007 earlier"})
    plots.progress(mine)
    assert "1 of 1 guesses within reach" in capsys.readouterr().out


def test_chapters_are_known_by_their_files_and_old_copies_left_out(mine):
    (mine / "trials").mkdir()
    for name in ("00_a", "10_z", "01_one_before_2026-11-23", "trials/01_b"):
        (mine / f"{name}.ipynb").write_text(CHAPTER)
    first, *others = chapters(mine)
    assert first.number == "00" and first.title == "1 · One"
    assert first.predictions == {"01-007 a": "Luck?", "01-007 b": "Luck?"}
    assert [chapter.number for chapter in others] == ["01", "t01", "10"]


def test_make_progress_draws_a_picture_or_says_why_not(mine, capsys):
    for content, said in (
        ("", "Nothing is recorded yet."),
        ("what?", "Your progress cannot be read. path: "),
        (text(SOLVED), "The picture is in "),
    ):
        (mine / journal.FILE).write_text(content)
        assert not (mine / progress.PICTURE).exists()
        progress.show(mine)
        assert said in capsys.readouterr().out
    assert (mine / progress.PICTURE).read_bytes().startswith(b"\x89PNG")


def test_what_make_class_needs(mine):
    with pytest.raises(SystemExit, match="nowhere is not a folder"):
        progress.main(["nowhere"])
    with pytest.raises(SystemExit, match="make class ARGS=folder"):
        progress.main(["--help"])


def test_nothing_of_this_needs_ipython(mine, monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    journal.note_check("softmax", "solved")
    assert "IPython" not in sys.modules

"""RESULTS.md is what the notebooks have stored, claim by claim."""

import pytest

from helpers.experiments.scoreboard import Scoreboard
from tools.author import results

from . import measured, planted, reading
from .test_notebooks import ALL_CLAIMS, NOTEBOOKS, number

BY_NUMBER = {number(file): notebook for file, notebook in NOTEBOOKS.items()}


def test_the_page_is_what_would_be_generated():
    written = results.RESULTS.read_text(encoding="utf-8")
    assert written == results.page(NOTEBOOKS), "run: make results"


def test_the_pictures_are_those_of_the_notebooks():
    stored = {p.name: p.read_bytes() for p in results.FIGURES.iterdir()}
    assert stored == results.pictures(NOTEBOOKS), "run: make results"


def test_every_claim_answers_one_question():
    parts = results.TEXTS["question"]
    listed = [claim for part in parts for claim in part["claims"].split()]
    assert sorted(listed) == ALL_CLAIMS


def test_every_claim_has_its_verdict():
    rows = results.claims(NOTEBOOKS).values()
    assert [v.claim for v, *_ in rows if v.said == "no verdict"] == []


def unknown(task):
    """What a task of the page says and its notebook does not have."""
    notebook = BY_NUMBER[task["notebook"]]
    cells = reading.code_cells(notebook)
    seen = measured.known(cells) | set(
        measured.numbers(reading.prose(notebook))
    )
    said = measured.numbers(f"{task['asks']} {task['guessing']}")
    there = " ".join(
        [reading.prose(notebook), *map(reading.printed, cells)]
    ).split()
    example = task["example"] in " ".join(there)
    return [n for n in said if n not in seen] + [task["name"]] * (not example)


def test_tasks_are_those_of_the_notebooks():
    for task in results.TEXTS["task"]:
        assert unknown(task) == [], task["name"]
    assert unknown(task | {"guessing": "99.9%", "example": "a cat"})


def with_board(capsys, accuracy, mass=None):
    """A road that has printed a board with chance and one model."""
    board = Scoreboard("Who?", 0.5)
    board.add("a | model", accuracy, mass, 1234)
    board.show()
    notebook = planted.road()
    cell = planted.code("board.show()", capsys.readouterr().out)
    notebook.cells.append(cell)
    return notebook


def test_the_numbers_of_a_row_may_take_several_lines():
    trial = reading.Trial("", [], "C15", 0)
    verdict = reading.Verdict("C15", "True", "", numbers="At: · a 1 · b 2")
    assert results.row(verdict, trial, "")[4] == "At:<br>a 1<br>b 2"


def test_a_board_is_read_as_it_is_printed(capsys):
    five = with_board(capsys, [0.5] * 4 + [1.0], [0.1] * 5)
    place = "[notebook 02](notebooks/02_b.ipynb)"
    assert results.boards({"02_b.ipynb": five, "03_c.ipynb": five}) == {
        "Who?": [
            ["chance", "0.500", "–", "0", "–", place],
            ["a | model", "0.600 ± 0.224 [0.50]", "0.100 ± 0.000", "1,234",
             "5", place],
        ]
    }  # fmt: skip
    one = with_board(capsys, [0.5])
    rows = [*results.printed_rows(one)]
    assert rows[1][2:] == ("0.50 [0.50]", "–", "1,234", "1")
    with pytest.raises(ValueError, match="03_c.ipynb: a | model"):
        results.boards({"02_b.ipynb": five, "03_c.ipynb": one})


def test_the_rows_of_the_boards_are_explained():
    """In `board` of results.toml; nothing else is explained there."""
    rows = [row for rows in results.boards(NOTEBOOKS).values() for row in rows]
    assert {row[0] for row in rows} == set(results.TEXTS["board"])

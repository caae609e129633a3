"""RESULTS.md is what the notebooks have stored, claim by claim."""

import copy

import pytest

from helpers.experiments import Scoreboard
from tools import results

from . import planted, reading
from .test_notebooks import NOTEBOOKS

ROAD, ROOM = planted.road(), planted.room()


def test_the_page_is_what_would_be_generated():
    assert list(results.notebooks()) == list(NOTEBOOKS)
    written = results.RESULTS.read_text(encoding="utf-8")
    assert written == results.page(NOTEBOOKS), "run: make results"


def test_every_claim_has_its_verdict():
    marks = {row[0]: row[1] for row in results.claims(NOTEBOOKS)}
    assert [claim for claim, sign in marks.items() if sign == "–"] == []
    readme = results.README.read_text(encoding="utf-8")
    assert "no verdict" not in readme + results.page(NOTEBOOKS)


def with_board(capsys, accuracy, mass=None):
    """A road that has printed a board with chance and one model."""
    board = Scoreboard("Who?", 0.5)
    board.add("a | model", accuracy, mass, 1234)
    board.show()
    notebook = copy.deepcopy(ROAD)
    cell = planted.code("board.show()", capsys.readouterr().out)
    notebook.cells.append(cell)
    return notebook


@pytest.mark.parametrize(
    "verdict, mark",
    [
        ("holds", "✓"),
        ("holds: 0.5", "✓"),
        ("holds for one", "≈"),
        ("holds, but: 0.5", "≈"),
        ("does not hold as said: 0.5", "✗"),
        ("no verdict", "–"),
    ],
)
def test_marks(verdict, mark):
    assert results.mark(reading.Verdict("C15", "", verdict)) == mark


def test_claims_are_sorted_and_linked():
    rows = results.claims({"02_b.ipynb": ROAD, "trials/02_a.ipynb": ROOM})
    assert [row[0] for row in rows] == ["C15", "C16", "C17", "C18"]
    assert rows[2] == [
        "C17",
        "≈",
        "A sentence of 12 words always looks at the word before.",
        "holds for the task: 0.125 falls to 0.031",
        "5 seeds, none left out",
        "[room 02](notebooks/trials/02_a.ipynb#Claim-C17-on-trial)",
    ]
    assert rows[0][5].startswith("[02](notebooks/02_b.ipynb#")


def test_a_board_is_read_as_it_is_printed(capsys):
    five = with_board(capsys, [0.5] * 4 + [1.0], [0.1] * 5)
    assert results.boards({"02_b.ipynb": five, "03_c.ipynb": five}) == {
        "Who?": [
            ["chance", "0.500", "–", "0", "–", "[02](notebooks/02_b.ipynb)"],
            ["a | model", "0.600 ± 0.224 [0.50]", "0.100 ± 0.000", "1,234",
             "5", "[02](notebooks/02_b.ipynb)"],
        ]
    }  # fmt: skip
    one = with_board(capsys, [0.5])
    rows = [*results.printed_rows(one)]
    assert rows[1][2:] == ("0.50 [0.50]", "–", "1,234", "1")
    with pytest.raises(ValueError, match="03_c.ipynb: a | model"):
        results.boards({"02_b.ipynb": five, "03_c.ipynb": one})


def test_a_page(capsys):
    page = results.page({"02_b.ipynb": with_board(capsys, [0.5])})
    assert "\n2 claims: 1 true, if, 1 ≈.\n" in page
    assert "\n### Who?\n\n| model | accuracy |" in page
    assert "\n| a \\| model | 0.50 [0.50] | – | 1,234 | 1 | [02]" in page
    assert all(
        line.count(" | ") == 5
        for line in page.splitlines()
        if line.startswith("| C")
    )
    assert reading.trials(ROAD)

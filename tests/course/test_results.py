"""RESULTS.md is what the notebooks have stored, claim by claim."""

import re

import pytest

from helpers.experiments.scoreboard import Scoreboard
from tools.author import blocks, board, results

from . import measured, planted, reading
from .test_notebooks import ALL_CLAIMS, NOTEBOOKS, number

VERDICT = reading.Verdict("C15", "True", "True", "It holds.")
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
    listed = blocks.entries(NOTEBOOKS).values()
    assert [entry.claim for entry in listed if entry.verdict is None] == []


def test_a_claim_is_one_block_with_its_anchor():
    page = results.page(NOTEBOOKS)
    same = blocks.same()
    for claim in ALL_CLAIMS:
        assert page.count(f'<a id="{claim.lower()}"></a>') == 1
        heading = rf"(?m)^(### |\*\*){claim} · "
        assert len(re.findall(heading, page)) == 1, claim
    appeals = re.findall(r"\(\.\./\.\./issues/new\?\S*&claim=(C\d\d)\)", page)
    assert sorted(appeals) == [c for c in ALL_CLAIMS if c not in same]


def test_the_contents_count_what_is_below():
    listed = blocks.entries(NOTEBOOKS)
    said = "\n".join(results.contents(listed))
    counts = [int(n) for n in re.findall(r"\) (\d+) claims? \(", said)]
    assert sum(counts) == len(listed) == len(ALL_CLAIMS) - len(blocks.same())
    words = re.findall(
        r"(\d+) (true if|half true|true|false|undecided)\b", said
    )
    assert sum(int(n) for n, _ in words) == len(listed)
    assert f"put {len(listed)} claims" in blocks.pitch(listed)


def test_nothing_on_the_page_is_wider_than_a_phone():
    """No table; links and formulas may break, code is short."""
    page = results.page(NOTEBOOKS)
    assert not re.search(r"(?m)^\|", page)
    text = re.sub(r"\]\([^)]*\)|\$[^$]*\$", "", page)
    assert max(map(len, re.findall(r"\S+", text))) <= 40


def test_the_arithmetic_stands_apart_and_what_is_one_points_to_it():
    trial = blocks.reading.Trial(
        "### Claim C15 on trial", ["> A dog.\n"], "C15", 1
    )
    shown = blocks.reading.Identity("### Why", [], "C35", None)
    listed = {
        "C15": blocks.Entry("C15", VERDICT, trial, "[room 02](x)"),
        "C35": blocks.Entry("C35", VERDICT, shown, "[notebook 05](y)"),
    }
    [(_, mine), *_] = [q for q in results.questions(listed) if q[1]]
    assert [entry.claim for entry in mine] == ["C15"]
    [*_, last] = results.arithmetic(listed)
    assert "### C35 · The four steps" in last
    said = blocks.pointer("C35", "C15")
    assert said.startswith('<a id="c35"></a>') and "[C15](#c15)" in said


def test_a_surprise_leaves_when_its_verdict_changes():
    listed = blocks.entries(NOTEBOOKS)
    known = results.chosen(listed)
    assert known == results.TEXTS["surprise"] and len(known) == 6
    claim = known[0]["claim"]
    listed[claim].verdict.word = "Not decided here"
    assert claim not in [s["claim"] for s in results.chosen(listed)]


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
    table = Scoreboard("Who?", 0.5)
    table.add("a | model", accuracy, mass, 1234)
    table.show()
    notebook = planted.road()
    cell = planted.code("board.show()", capsys.readouterr().out)
    notebook.cells.append(cell)
    return notebook


def test_a_board_is_read_as_it_is_printed(capsys):
    five = with_board(capsys, [0.5] * 4 + [1.0], [0.1] * 5)
    place = "[notebook 02](notebooks/02_b.ipynb)"
    assert board.boards({"02_b.ipynb": five, "03_c.ipynb": five}) == {
        "Who?": [
            ["chance", "0.500", "–", "0", "–", place],
            ["a | model", "0.600 ± 0.224 [0.50]", "0.100 ± 0.000", "1,234",
             "5", place],
        ]
    }  # fmt: skip
    one = with_board(capsys, [0.5])
    rows = [*board.printed_rows(one)]
    assert rows[1][2:] == ("0.50 [0.50]", "–", "1,234", "1")
    with pytest.raises(ValueError, match="03_c.ipynb: a | model"):
        board.boards({"02_b.ipynb": five, "03_c.ipynb": one})


def test_the_rows_of_the_boards_are_explained():
    """In `board` of results.toml; nothing else is explained there."""
    rows = [row for rows in board.boards(NOTEBOOKS).values() for row in rows]
    assert {row[0] for row in rows} == set(results.TEXTS["board"])

"""The page of `make class`: what it counts, shows, and keeps to itself."""

import html
import json
import re

import pytest

from helpers import checks, journal
from helpers.plots.chapters import chapters
from tools import markup
from tools.classes import class_page, tally
from tools.learner import progress

from . import reading
from .test_notebooks import NOTEBOOKS, ROOT

CHAPTERS = chapters(ROOT / "notebooks")
GUESS = {"prediction": "03-005 guess_largest", "guess": 0.9, "measured": 0.96}
MISTAKE = "large scores overflow"
WRONG = {"check": "softmax_over_keys", "result": "wrong", "mistake": MISTAKE}
SOLVED = {"check": "softmax_over_keys", "result": "solved"}


def hand_in(folder, name, *lines):
    lines = [json.dumps(line) for line in (journal.HEAD, *lines)]
    (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def shown(folder):
    """The page of a folder."""
    progress.main([str(folder)])
    return (folder / progress.PAGE).read_text(encoding="utf-8")


def bars(*guesses, measured):
    """{label: learners}, the label of the result."""
    found = tally.bars(guesses, measured)
    [hit] = [label for label, _, there in found if there]
    return {label: count for label, count, _ in found if count}, hit


def test_a_class_is_counted_and_shown_without_names(tmp_path, capsys):
    hand_in(tmp_path, "Ann", GUESS, WRONG, WRONG, SOLVED)
    hand_in(tmp_path, "Bob", GUESS | {"guess": 0.1}, WRONG)
    (tmp_path / "two" / "deep").mkdir(parents=True)
    hand_in(tmp_path / "two" / "deep", "Cy", GUESS | {"guess": 0.97}, SOLVED)
    hand_in(tmp_path, "Dan", SOLVED, {"grade": "A"})
    (tmp_path / "Eve.jsonl").mkdir()
    page = shown(tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        "3 learners.",
        f"Refused: line 3 of {tmp_path / 'Dan.jsonl'} was not written by the"
        " course; delete that line to read the rest",
        f"Refused: {tmp_path / 'Eve.jsonl'} is not a file",
        "01 softmax_over_keys: 2 of 3 solved it, 1.7 tries on average",
        f"    2 of 3: {MISTAKE}",
        "Guesses within reach, the hardest predictions first:",
        "A puzzle: the same game, wider (03-005): 2 of 3",
        f"The page to show is {tmp_path}/class.html; open it in a browser.",
        "Look at it first: it contains words as learners typed them.",
    ]
    [vote] = tally.count(tmp_path, CHAPTERS).votes
    filled = [bar for bar in vote.bars if bar[1]]
    assert (vote.measured, filled) == (
        0.96,
        [("0.1 to 0.2", 1, False), ("0.9 to 1", 2, True)],
    )
    assert "<p>3 learners (2 files could not be counted).</p>" in page
    assert "3 learners tried it, 1.7 times on average. <b>2 of 3</b>" in page
    assert "2 of 3 guesses were within reach" in page
    assert "What is <code>np.exp(1000)</code>?" in page  # from the notes
    assert not re.search("Ann|Bob|Cy|Dan|Eve|jsonl", page)
    (tmp_path / progress.PAGE).unlink()
    (tmp_path / progress.PAGE).mkdir()
    with pytest.raises(SystemExit, match="page cannot be written"):
        progress.count(tmp_path)


@pytest.mark.parametrize("measured", ["half", 7, -3.0])
def test_one_strange_result_does_not_change_the_votes_of_a_class(
    tmp_path, measured
):
    share = GUESS | {"guess": 0.33, "measured": 0.5}
    for name in "abc":
        hand_in(tmp_path, name, share)
    hand_in(tmp_path, "d", share | {"measured": measured})
    [vote] = tally.count(tmp_path, CHAPTERS).votes
    assert len(vote.bars) == 10 and vote.measured == 0.5
    assert vote.guessed == (3 if measured == "half" else 4)


def test_cells_are_found_where_they_are_whatever_their_ids_begin_with(
    tmp_path,
):
    original = ROOT / "notebooks" / "03_scaling.ipynb"
    (tmp_path / "05_scaling.ipynb").write_bytes(original.read_bytes())
    hand_in(tmp_path, "Ann", GUESS)
    course = chapters(tmp_path)
    found = tally.count(tmp_path, course)
    assert found.votes[0].chapter == course[0].number == "05"
    page = class_page.page(found, course)
    assert re.findall("<h2>(.*)</h2>", page) == [course[0].title]
    assert 'id="03-005-guess_largest"' in page


def test_numbers_are_shown_in_a_scale_that_fits():
    halves = bars(0.5, 52, 0.49, 1.2, -1, measured=0.504)
    assert halves == (
        {"0.5 to 0.6": 2, "0.4 to 0.5": 1, "above 1": 1, "below 0": 1},
        "0.5 to 0.6",
    )
    assert len(tally.bars([0.5], 0.504)) == 10  # all tenths, empty ones too
    assert bars(1.0, 0.3, measured=1.0) == (
        {"0.9 to 1": 1, "0.3 to 0.4": 1}, "0.9 to 1")  # fmt: skip
    many = bars(*range(100, 130), measured=3000)
    assert many == ({"100": 30}, "3,000")
    assert bars(12, 12.4, 4, measured=12) == ({"4": 1, "12": 2}, "12")


def test_words_are_counted_in_any_spelling():
    guesses = "1/d_k", "1 / D_k", "unscaled", "1/d_k", 7
    assert bars(*guesses, measured="1/d_k") == (
        {"1/d_k": 3, "unscaled": 1, "7": 1}, "1/d_k")  # fmt: skip


def test_of_clocks_the_one_in_the_middle_counts():
    assert tally.typical([9.0, 2.0, 3.0]) == 3.0
    assert tally.typical(["no", "yes", "no"]) == "no"
    assert tally.typical([2, "no", "no"]) == "no"


def test_what_learners_type_is_text_and_the_page_asks_nobody(tmp_path, capsys):
    script = "<script>alert(1)</script>"
    guess = GUESS | {"guess": script, "measured": "larger"}
    mistake = WRONG | {"mistake": "</table><img src=x>"}
    hand_in(tmp_path, "Ann", guess, mistake)
    page = shown(tmp_path)
    assert html.escape(script) in page
    assert "<script" not in page and "<img" not in page
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert not re.search(r"https?:|url\(|@import|<link", page)


def test_every_prediction_of_the_course_has_its_question():
    asked = class_page.questions(NOTEBOOKS)
    cells = {cell for each in CHAPTERS for cell in each.predictions}
    assert {*asked} == cells and len(cells) > 100
    drawn = map(markup.inline, asked.values())
    assert [each for each in drawn if re.search(r"[$*`]", each)] == []


def test_every_exercise_of_the_course_has_its_title():
    titles = {n: h for c in CHAPTERS for n, h in c.exercises.items()}
    assert all(title.startswith("Exercise ") for title in titles.values())
    assert {*titles} <= {*checks.EXERCISES} and len(titles) > 40
    checked = sum(
        cell.source.count("checks.")
        for notebook in NOTEBOOKS.values()
        for cell in reading.tagged(notebook, "check")
    )
    assert len(titles) == checked and len(CHAPTERS) == len(NOTEBOOKS)

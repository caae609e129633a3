"""The page of `make class`, opened as a file."""

import json

import pytest

from helpers import journal
from tools.learner import progress

from .lab import WIDE

LINES = [
    {"prediction": "06-013 guess_verb", "guess": 30, "measured": 32.17},
    {"prediction": "01-041 guess_untrained", "guess": 0.9, "measured": 0.491},
    {
        "prediction": "01-048 guess_bank",
        "guess": "a" * 120,
        "measured": "money",
    },
    {"check": "center_rows", "result": "wrong", "mistake": "b" * 120},
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    lines = [json.dumps(line) for line in (journal.HEAD, *LINES)]
    for name in "ab":
        (folder / f"{name}.jsonl").write_text("\n".join(lines))
    progress.count(folder)
    return folder / progress.PAGE


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_shows_the_votes_and_then_the_result(
    open_file, page, violations, width, scheme
):
    tab = open_file(page, width, color_scheme=scheme)
    vote = tab.locator('[id="06-013-guess_verb"]')
    assert "Measured" not in vote.inner_text() and "◀" not in vote.inner_text()
    assert tab.evaluate(WIDE) <= 0 and violations(tab) == []
    vote.locator("summary").focus()
    tab.keyboard.press("Enter")
    assert "Measured: 32.17." in vote.inner_text()
    assert "◀" in vote.locator(".hit").inner_text()
    assert "◀" not in tab.locator('[id="01-041-guess_untrained"]').inner_text()
    assert violations(tab) == []


def test_on_paper_nothing_is_folded(open_file, page):
    tab = open_file(page)
    tab.emulate_media(media="print")
    assert tab.get_by_text("Measured: 32.17.").is_visible()

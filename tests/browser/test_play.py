"""The web page plays: views, models that write, predictions."""

import nbformat
import numpy as np
import pytest

from helpers import embeddings
from helpers.attention import softmax
from tests.course import reading

from .lab import ROOT

PLAYED = {  # notebook: what is typed there
    "00_start": "the president near the helicopter will resign",
    "01_dot_product_baseline": "the river of the bank",
    "02_learned_projections": "the dragon behind the rose will bloom",
    "04_multi_head_attention": "the nurse thanked the president",
    "06_language_model": "the nurses near the rose",
}


def scores_in_python(name, sentence):
    """The scores (H, T, T) of a sentence, as the notebook computes them."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)
    names = {}
    for cell in reading.code_cells(notebook):
        if not {"check", "solution"} & reading.tags(cell):
            exec(cell.source, names)
            if "ask" in names:
                break
    scores, tokens = names["ask"](sentence)
    return np.reshape(scores, (-1, len(tokens), len(tokens)))


@pytest.mark.parametrize("name", PLAYED)
def test_a_view_answers_as_python_does(wide, name, capsys):
    sentence = PLAYED[name]
    weights = softmax(scores_in_python(name, sentence))
    tab = wide.open(f"notebooks/{name}.html")
    view = tab.locator(".attention-play").first
    view.locator(".av-input").fill(sentence)
    view.locator(".av-send").click()
    count = weights.shape[-1]
    words = view.locator(".av-word")
    tab.wait_for_function(
        "([view, count]) => view.querySelectorAll('.av-word').length == count"
        " && view.querySelector('.av-reply').textContent == ''",
        arg=[view.element_handle(), count],
    )
    for head, rows in enumerate(weights):
        if len(weights) > 1:
            view.locator(".av-head").nth(head).click()
        for asks, row in enumerate(rows):
            words.nth(asks).click()
            shown = words.evaluate_all(
                "all => all.map(w => +w.style.getPropertyValue('--weight'))"
            )
            np.testing.assert_allclose(shown, row, atol=0.02)
    assert wide.problems == []


def test_a_view_of_one_sentence_is_alive(wide):
    tab = wide.open("notebooks/09_pretrained_encoder.html")
    view = tab.locator(".attention-play")
    assert view.locator(".av-head").count() == 12
    assert view.locator("form").count() == 0
    assert tab.get_by_text("the view shows only one sentence").count() == 1
    line = view.locator(".av-line")
    view.locator(".av-head").nth(3).click()
    before = line.inner_text()
    view.locator(".av-slider").press("Home")  # the lowest temperature
    assert line.inner_text() != before and wide.problems == []


TYPED = [
    "The bank, of the river!",
    "the doctor’s dog – it's 'well-known'",
    "😀 👩\u200d👧 the “nurse”… _a_b_ $5 3.5 ÉTÉ 'tis dogs'",
]


def test_the_page_cuts_a_sentence_as_python_does(wide):
    tab = wide.open("index.html")
    read = "typed => typed.map(attentionPlay.read)"
    assert tab.evaluate(read, TYPED) == [*map(embeddings.words, TYPED)]


@pytest.mark.parametrize("name", ["index", "notebooks/06_language_model"])
def test_a_word_that_the_page_does_not_have_is_named(wide, name):
    tab, unknown = wide.open(f"{name}.html"), "words not in the page's list: "
    for sentence, said in {
        "the tulipsx, 😀": f"{unknown}'tulipsx', '😀'. Try others.",
        "the doctor’s": f'{unknown}"doctor\'s". Try others.',
        ".": "Type a sentence.",
        "a " * 25: "at most 24",
    }.items():
        tab.locator(".av-input").fill(sentence)
        tab.locator(".av-send").click()
        tab.locator(".av-reply", has_text=said).wait_for()


def test_the_page_plays_when_it_is_opened_as_a_file(open_file, folder):
    tab = open_file(folder / "index.html")
    tab.locator(".av-input").fill("the nurse near the rose will sleep")
    tab.locator(".av-send").click()
    tab.locator(".av-line", has_text="sleep looks at nurse").wait_for()

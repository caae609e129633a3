"""The models of 06 and 07 write on the web page, as they do in Python."""

import numpy as np
import pytest

from helpers import checks
from helpers.generation import generate, next_word_probabilities, write_text
from helpers.tasks import agreement
from tools.site import writers

PAGES = {
    "06": "notebooks/06_language_model.html",
    "07": "notebooks/07_your_own_model.html",
}
LOGITS = """async ([number, ids]) => {
    const model = await attentionPlay.writer("../_static/", number);
    const cache = model.cache();
    return ids.map(id => [...model.logits(id, cache)]);
}"""
READS = {  # what the models read, in pieces of their vocabulary
    "06": [". the dragons near the car sing .".split(), ". the".split()],
    "07": ["ROMEO:\nBut soft, what light", "q", "3&$\n\n\n zZ" * 28],
}


def type_in(tab, **values):
    """Fill the form, leaving out what is not named; return it."""
    form = tab.locator("form.writer")
    for name, value in values.items():
        form.locator(f"[name={name}]").fill(str(value))
    return form


def written(form, said="Done"):
    """Press the button; the text, when it has been written."""
    form.locator("[name=write]").click()
    form.locator(".reply", has_text=said).wait_for(timeout=120_000)
    return form.locator(".written").inner_text()


@pytest.mark.parametrize("number", writers.MODELS)
def test_logits_are_those_of_python(wide, number):
    tab, model = wide.open(PAGES[number]), writers.small(number)
    for pieces in READS[number]:
        ids = model.ids([*pieces])
        shown = tab.evaluate(LOGITS, [number, ids.tolist()])
        np.testing.assert_allclose(shown, model.logits(ids), atol=1e-9)


@pytest.mark.parametrize("look", [(1, 9, 1), (0.3, 4, 1), (2, 9, 0.7)])
def test_probabilities_are_those_of_python(wide, look):
    tab, (temperature, top_k, top_p) = wide.open(PAGES["07"]), look
    logits = [3, -1, 0.5, 0.5, 2, -800, 1.5, 0, 2.5]
    shown = tab.evaluate(
        "([logits, temperature, topK, topP]) => [...languageModel"
        ".probabilities(logits, { temperature, topK, topP })]",
        [logits, *look],
    )
    wanted = next_word_probabilities(
        logits, temperature=temperature, top_k=top_k
    )
    np.testing.assert_allclose(
        shown, checks.top_p.reference(wanted, top_p), atol=1e-12
    )


def test_random_numbers_are_even(wide):
    """Those of one seed, and the first ones of seeds in a row."""
    tab = wide.open(PAGES["07"])
    numbers = tab.evaluate("""() => {
        const all = [...Array(20000).keys()], one = languageModel.dice(1);
        return [all.map(one), all.map(seed => languageModel.dice(seed)())];
    }""")
    for drawn in numbers:
        counts, _ = np.histogram(drawn, bins=20, range=(0, 1))
        assert counts.sum() == 20_000
        assert np.abs(counts - 1000).max() < 150  # 5 standard deviations
        assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.05


def test_the_likeliest_characters_are_those_of_python(wide):
    """400 of them: the model has to go on from a part of its text."""
    tab, prompt = wide.open(PAGES["07"]), "MACHINE:\nI am"
    text = written(type_in(tab, prompt=prompt, top_p=1e-9))
    model = writers.small("07")
    assert text == write_text(model, prompt, 400, top_p=1e-9)


def test_the_likeliest_words_are_those_of_python(wide):
    form = type_in(wide.open(PAGES["06"]), prompt="the car", top_k=1)
    lines = written(form).splitlines()
    words = generate(writers.small("06"), "the car", top_k=1)
    assert lines == [f"✓ {' '.join(words)}"] * 5


def test_the_page_knows_the_grammar(wide):
    form = type_in(wide.open(PAGES["06"]), prompt="the", temperature=2)
    lines = written(form).splitlines()
    known = agreement.whole()
    right = [known.is_grammatical(line[2:].split()) for line in lines]
    assert [line[0] for line in lines] == ["✗✓"[fits] for fits in right]
    assert 0 < sum(right) < 5  # both are seen with this seed
    said = form.locator(".reply").inner_text()
    assert said == f"Done: {sum(right)} of 5 texts fit the grammar."


def test_a_seed_repeats_its_text_and_another_does_not(wide):
    form = type_in(wide.open(PAGES["06"]))
    first = written(form)
    assert written(form) == first
    form.locator("[name=another]").click()
    form.locator(".reply", has_text="Writing").wait_for()
    form.locator(".reply", has_text="Done").wait_for()
    assert form.locator("[name=seed]").input_value() == "2"
    assert form.locator(".written").inner_text() != first


def test_writing_stops_and_begins_anew(wide):
    tab = wide.open(PAGES["07"])
    form, text = type_in(tab), tab.locator(".written")
    form.locator("[name=write]").click()
    tab.wait_for_function(
        "document.querySelector('.written').textContent.length > 30"
    )
    form.locator("[name=stop]").click()
    before = text.inner_text()
    assert form.locator(".reply").inner_text() == "Stopped."
    tab.wait_for_timeout(500)
    assert text.inner_text() == before
    form.locator("[name=write]").click()
    form.locator("[name=write]").click()  # the first one gives way
    form.locator(".reply", has_text="Done").wait_for(timeout=120_000)
    assert len(text.inner_text()) == len("MACHINE:\nI am") + 400
    assert text.inner_text().startswith(before) and wide.problems == []


@pytest.mark.parametrize(
    "number, name, value, said",
    [
        ("06", "prompt", "the tulipsx and", "these words: tulipsx  and"),
        (
            "06",
            "prompt",
            "the " * 15,
            "15 words are too many: type at most 14.",
        ),
        ("06", "top_k", "427", "Top-k: type a whole number from 1 to 426."),
        ("07", "prompt", "", "at least one character"),
        ("07", "temperature", "0", "Temperature: type a number above 0"),
        ("07", "top_p", "1.1", "Top-p: type a number above 0, at most 1."),
        ("07", "seed", "-1", "Seed: type a whole number from 0 to 4294967294"),
        ("07", "seed", "99999999999", "whole number from 0 to 4294967294."),
    ],
)
def test_what_cannot_be_used_is_said(wide, number, name, value, said):
    tab = wide.open(PAGES[number])
    form = type_in(tab, **{name: value})
    assert written(form, said) == ""
    assert tab.evaluate("document.activeElement.name") == name


def test_a_model_is_loaded_when_somebody_asks_for_it(wide):
    asked = []
    wide.tab.on("request", lambda r: asked.append(r.url))
    form = type_in(wide.open(PAGES["07"]), top_p=1e-9)
    assert not any("writer_07" in url for url in asked)
    size = form.locator(".close").inner_text()
    form.locator("[name=write]").click()
    form.locator(".reply", has_text="Writing").wait_for(timeout=60_000)
    [url] = [url for url in asked if "writer_07" in url]
    loaded = len(wide.tab.request.get(url).body())
    assert f"({loaded / 1e6:.1f} MB)" in size and loaded < 3e6


def test_a_model_writes_on_a_page_that_is_a_file(open_file, folder):
    tab = open_file(folder / PAGES["06"])
    assert written(type_in(tab, top_k=1)).count("✓") == 5

"""The one glossary, for all notebooks and for RESULTS.md."""

import re

from . import reading
from .test_notebooks import NOTEBOOKS, ROOT, number

TEXT = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
WORDS = re.findall(r"(?m)^- \*\*(.+?)\*\*: (.+) \((t?\d\db?)\)$", TEXT)
# The terms that a notebook gives in parentheses at their first use.
STANDARD = (
    "accuracy, parameter, temperature, backward pass, logits, perplexity,"
    " residual stream, attention sink, KV cache, grouped-query attention,"
    " roofline, layer norm, feed-forward, block, embedding"
).split(", ")


def prose(notebook):
    """All that a reader reads, in small letters."""
    cells = map(reading.printed, reading.code_cells(notebook))
    return " ".join([reading.prose(notebook), *cells]).lower()


def strangers():
    """Words that the notebook beside them does not have, and who has them."""
    texts = {number(file): prose(nb) for file, nb in NOTEBOOKS.items()}
    return [
        (term, place, [n for n, text in texts.items() if plain(term) in text])
        for terms, _, place in WORDS
        for term in terms.split(", ")
        if plain(term) not in texts[place]
    ]


def plain(term):
    return term.removeprefix("the ").lower()


def test_each_line_is_an_entry_and_each_word_stands_in_its_notebook():
    assert len(WORDS) == len(re.findall(r"(?m)^- ", TEXT)) > 60
    terms = [term for terms, *_ in WORDS for term in terms.split(", ")]
    assert len({*terms}) == len(terms)
    assert strangers() == []


def test_it_covers_the_road_and_the_standard_terms():
    places = {place[-2:].strip("b") for *_, place in WORDS}
    assert {"00", "01", "02", "03", "04", "05", "06", "09", "10"} <= places
    assert [term for term in STANDARD if term not in TEXT] == []


def test_results_lead_to_it():
    page = (ROOT / "RESULTS.md").read_text(encoding="utf-8")
    assert "](GLOSSARY.md)" in page

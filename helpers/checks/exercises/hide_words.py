"""Notebook 00: minus infinity where there is no word."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_INFINITY = "Softmax makes exp(score) of every score: of -np.inf exactly 0."
_COLUMNS = (
    "is_word has an entry for each column. (T,) lines up with the last axis:"
    " that is what is wanted."
)

_hidden = Step(
    "hidden",
    lambda c: ~c.is_word,
    Mistake(
        "words are hidden, and the padding is kept",
        "is_word is True where a score stays: ~is_word is the opposite.",
        lambda c: c.is_word,
    ),
    Mistake(
        "nothing is hidden",
        "Columns where is_word is False become -np.inf.",
        lambda c: np.zeros_like(c.is_word),
    ),
)
_fill = Step(
    "fill",
    lambda c: -np.inf,
    Mistake(
        "the scores become 0",
        f"{_INFINITY} Of a 0 it makes 1: that word would still be looked at.",
        lambda c: 0.0,
    ),
    Mistake(
        "the scores become a large negative number",
        f"It often works, until a score is as low. {_INFINITY}",
        *(lambda c, n=n: n for n in (-1e9, -1e10, -1e6, -1e4, -999, -100)),
    ),
    Mistake(
        "the scores become plus infinity",
        "The largest score wins. Hidden words need the lowest one.",
        lambda c: np.inf,
    ),
    Mistake(
        "the scores become NaN",
        "NaN is contagious: the whole row would be NaN after the softmax."
        f" {_INFINITY}",
        lambda c: np.nan,
    ),
)
_scores = Step(
    "hidden_scores",
    lambda c: np.where(c.hidden, c.fill, c.scores),
    Mistake(
        "rows are hidden, not columns",
        _COLUMNS,
        lambda c: np.where(c.hidden[:, None], c.fill, c.scores),
    ),
    Mistake(
        "the hidden columns are cut out",
        "The shape stays (T, T): only the numbers change.",
        lambda c: c.scores[:, ~c.hidden],
    ),
    Mistake(
        "rows are hidden as well as columns",
        "A row without any word has nothing to look at. Only columns.",
        lambda c: np.where(c.hidden[:, None] | c.hidden, c.fill, c.scores),
    ),
    Mistake(
        "padding is hidden from padding only",
        "No row may look there. The column alone decides.",
        lambda c: np.where(c.hidden[:, None] & c.hidden, c.fill, c.scores),
    ),
    Mistake(
        "words are hidden from padding, and padding from words",
        "Here rows are compared with columns. The column alone decides.",
        lambda c: np.where(c.hidden[:, None] != c.hidden, c.fill, c.scores),
    ),
)


def _probe(words, seed, *is_word, level="basic"):
    scores = table(seed, len(is_word), len(is_word)) + 0.1
    return Probe(words, (scores, np.array(is_word, bool)), level)


hide_words = Exercise(
    name="hide_words",
    call="hide_words(scores, is_word)",
    results=("hidden_scores",),
    shape="as large as scores",
    steps=(_hidden, _fill, _scores),
    probes=(
        _probe("3 places, 2 of them words", 1, 1, 1, 0),
        _probe("4 places, 2 of them words", 2, 1, 1, 0, 0),
        _probe("5 places, 4 of them words", 3, 1, 1, 1, 1, 0),
        _probe("a gap in the middle", 4, 1, 0, 1, 1),
        _probe("words only", 5, 1, 1, 1, level="edge"),
    ),
    praise="What is hidden gets weight 0, exactly.",
)

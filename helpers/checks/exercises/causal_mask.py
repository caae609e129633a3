"""Notebook 05: a causal mask for new words that come after known ones."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_LAST = (
    "The queries are the *last* t_q of t_k words: query 0 is word t_k - t_q,"
    " not word 0."
)
_ITSELF = "A word may look at itself: the first word has nothing else."
_TRUE = "For SDPA, True means *may attend*."


def _probe(t_q, t_k, level="basic"):
    return Probe(f"t_q = {t_q}, t_k = {t_k}", (t_q, t_k), level)


_queries = Step(
    "queries",
    lambda c: c.t_k - c.t_q + np.arange(c.t_q),
    Mistake(
        "the queries are taken for the first words",
        f"That is what is_causal=True does. {_LAST}",
        lambda c: np.arange(c.t_q),
    ),
    Mistake(
        "the queries stand one place too early or too late",
        f"{_LAST} The last query is word t_k - 1.",
        lambda c: c.t_k - c.t_q + np.arange(c.t_q) - 1,
        lambda c: c.t_k - c.t_q + np.arange(c.t_q) + 1,
    ),
    Mistake(
        "the diagonal is moved the wrong way",
        f"{_LAST} tril(diagonal=n) keeps n more keys in every row.",
        lambda c: c.t_q - c.t_k + np.arange(c.t_q),
    ),
    Mistake(
        "the diagonal is moved by another number than t_k - t_q",
        f"{_LAST} So many keys stand before the first query.",
        *(lambda c, n=n: n + np.arange(c.t_q) for n in (3, 2, 1)),
        lambda c: c.t_q + np.arange(c.t_q),
    ),
    Mistake(
        "there is a row for every word, not for every query",
        "Only t_q words ask: the mask is (t_q, t_k).",
        lambda c: np.arange(c.t_k),
    ),
)
_keys = Step(
    "keys",
    lambda c: np.arange(c.t_k),
    Mistake(
        "there is a column for every query, not for every key",
        "All t_k words can be looked at: the mask is (t_q, t_k).",
        lambda c: np.arange(c.t_q),
    ),
)
_mask = Step(
    "mask",
    lambda c: c.keys <= c.queries[:, None],
    Mistake(
        "a word may not look at itself",
        _ITSELF,
        lambda c: c.keys < c.queries[:, None],
    ),
    Mistake(
        "the mask is turned around",
        f"{_TRUE} nn.MultiheadAttention wants the opposite.",
        lambda c: c.keys > c.queries[:, None],
    ),
    Mistake(
        "words look ahead, not back",
        "Causal: a word sees itself and what stands before it.",
        lambda c: c.keys >= c.queries[:, None],
    ),
    Mistake(
        "nothing is hidden",
        "Query 0 may not see the words after it.",
        lambda c: np.ones((len(c.queries), len(c.keys)), dtype=bool),
    ),
    Mistake(
        "the mask is made to be added to the scores",
        "0 and -inf would do the same. Asked for are True and False.",
        lambda c: np.where(c.keys <= c.queries[:, None], 0.0, -np.inf),
        lambda c: np.where(c.keys <= c.queries[:, None], 0.0, -1e9),
    ),
)


def _not_boolean(outcome):
    if outcome.kinds[0] == "b":
        return None
    return (
        "right zeros and ones, but the mask is not boolean.",
        "SDPA would *add* these numbers to the scores, and hide nothing."
        " `.bool()` makes True and False of them.",
    )


causal_mask = Exercise(
    name="causal_mask",
    call="causal_mask(t_q, t_k)",
    results=("mask",),
    shape="(t_q, t_k)",
    steps=(_queries, _keys, _mask),
    probes=(
        _probe(2, 5),
        _probe(3, 4),
        _probe(4, 4),
        _probe(3, 7),
        _probe(1, 6, "edge"),
        _probe(1, 1, "edge"),
    ),
    refuse=_not_boolean,
    praise="The last word sees them all.",
)

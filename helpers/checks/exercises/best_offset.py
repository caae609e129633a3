"""Notebook 07: how far does a rule get that only counts places?"""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_ONE = "A rule is one offset, such as -1: always look at the word before."

_offset = Step(
    "offset",
    lambda c: c.key - c.query,
    Mistake(
        "the direction is dropped",
        "Two words back and two words ahead are two rules, not one.",
        lambda c: np.abs(c.key - c.query),
    ),
    Mistake(
        "places are counted, not offsets",
        f"Where a word stands in its sentence is another question. {_ONE}",
        lambda c: c.key,
        lambda c: c.query,
    ),
)
_hits = Step(
    "hits",
    lambda c: np.unique(c.offset, return_counts=True)[1],
    Mistake(
        "the median offset is used",
        "Asked is the offset that is right most often.",
        lambda c: np.array(
            [(c.offset == np.sort(c.offset)[len(c.offset) // 2]).sum()]
        ),
    ),
    Mistake(
        "only offsets in a fixed range are tried",
        "Words may stand far apart: try every offset that occurs.",
        *(
            lambda c, n=n: np.array(
                [(c.offset == k).sum() for k in range(-n, n + 1)]
            )
            for n in (1, 2, 3, 5, 10)
        ),
    ),
    Mistake(
        "the offset of the first pair is used",
        "Try every offset that occurs, and keep the best.",
        lambda c: np.array([(c.offset == c.offset[0]).sum()]),
    ),
    Mistake(
        "the mean offset is used",
        "A mean of 1 and 5 is 3, which may never be right. Asked is the"
        " offset that is right most often.",
        lambda c: np.array([(c.offset == np.round(c.offset.mean())).sum()]),
    ),
)
_best = Step(
    "best",
    lambda c: c.hits.max(),
    Mistake(
        "the rarest offset is taken",
        "The best rule is right most often.",
        lambda c: c.hits.min(),
    ),
    Mistake(
        "the number of different offsets counts",
        "Count how often each one is right; the largest count wins.",
        lambda c: len(c.hits),
    ),
)
_score = Step(
    "score",
    lambda c: c.best / len(c.query),
    Mistake(
        "the hits are not divided by their number",
        "Asked is a fraction: hits, divided by how many pairs there are.",
        lambda c: c.best,
    ),
    Mistake(
        "the fraction is given in percent",
        "Asked is a fraction, between 0 and 1.",
        lambda c: 100 * c.best / len(c.query),
    ),
    Mistake(
        "the offset itself is returned",
        "Asked is how often the best rule is right, between 0 and 1.",
        lambda c: np.unique(c.offset)[c.hits.argmax()],
    ),
    Mistake(
        "the hits are divided by the number of offsets",
        "A fraction of the *pairs*: divide by how many there are.",
        lambda c: c.best / len(np.unique(c.offset)),
    ),
)


def _probe(words, query, offset, level="basic"):
    query = np.array(query)
    return Probe(words, (query, query + np.array(offset)), level)


best_offset = Exercise(
    name="best_offset",
    call="best_offset(query, key)",
    results=("score",),
    shape="one number",
    steps=(_offset, _hits, _best, _score),
    probes=(
        _probe("8 pairs", [4, 3, 6, 5, 2, 7, 5, 4], [3, 1, 1, -2, 1, 4, 3, 1]),
        _probe("6 pairs", [5, 2, 6, 3, 4, 7], [2, -1, -2, 3, -1, 4]),
        _probe("7 pairs", [3, 3, 8, 5, 6, 4, 3], [-2, 1, 2, -2, 2, -2, -2]),
        _probe("5 pairs", [1, 16, 2, 19, 4], [5, -12, 3, -12, 2]),
        _probe("one pair", [3], [2], "edge"),
    ),
    praise="What a head must beat before you call it clever.",
)

"""Notebook 07: one vector for a text, its padding left out."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_THERE = "mask is True where there is a token: those rows count, no others."

_there = Step(
    "there",
    lambda c: c.mask[..., None] * 1.0,
    Mistake(
        "the padding is kept, and the tokens are left out",
        _THERE,
        lambda c: ~c.mask[..., None] * 1.0,
    ),
    Mistake(
        "the padding is averaged, too",
        f"Its rows are numbers like all others, and mean nothing. {_THERE}",
        lambda c: np.ones((*c.mask.shape, 1)),
    ),
    Mistake(
        "[CLS] or [SEP] is left out as well",
        "Here they count: they are tokens of the model.",
        lambda c: (
            c.mask[..., None] * (np.arange(c.mask.shape[1]) > 0)[:, None]
        ),
        lambda c: (
            c.mask[..., None]
            * (np.arange(c.mask.shape[1]) < c.mask.sum(axis=1)[:, None] - 1)[
                ..., None
            ]
        ),
    ),
)
_total = Step(
    "total",
    lambda c: (c.hidden * c.there).sum(axis=1),
    Mistake(
        "only the first row is taken",
        "That is the row of [CLS]. Asked is the mean of all tokens.",
        lambda c: c.hidden[:, 0] * c.there.sum(axis=1),
    ),
    Mistake(
        "the largest number of each column is taken",
        "Asked is the mean: a sum, divided by how many were summed.",
        lambda c: (
            np.where(c.there > 0, c.hidden, -np.inf).max(axis=1)
            * c.there.sum(axis=1)
        ),
    ),
)
_count = Step(
    "count",
    lambda c: c.there.sum(axis=1),
    Mistake(
        "the sum is divided by T, padding included",
        "A short text would get a short vector. Divide by its own number of"
        " tokens.",
        lambda c: np.full((len(c.mask), 1), c.mask.shape[1]),
    ),
    Mistake(
        "the sum is not divided",
        "A mean is a sum divided by how many were summed, for each text.",
        lambda c: np.ones((len(c.mask), 1)),
    ),
    Mistake(
        "all texts are divided by the same number",
        "Each text has its own number of tokens: mask.sum over one axis.",
        lambda c: c.there.sum() / len(c.mask),
        lambda c: c.there.sum(),
    ),
)
_mean = Step("mean", lambda c: c.total / c.count)


def _probe(words, seed, *lengths, width=3, level="basic"):
    mask = np.arange(max(lengths)) < np.array(lengths)[:, None]
    hidden = table(seed, *mask.shape, width) + 0.1
    return Probe(words, (hidden, mask), level)


mean_of_tokens = Exercise(
    name="mean_of_tokens",
    call="mean_of_tokens(hidden, mask)",
    results=("mean",),
    shape="one row per text, as wide as hidden",
    steps=(_there, _total, _count, _mean),
    probes=(
        _probe("3 texts of 5, 3 and 4 tokens", 701, 5, 3, 4),
        _probe("2 texts of 3 and 6 tokens", 703, 3, 6, width=4),
        _probe("4 texts, width 4", 705, 4, 3, 4, 3, width=4),
        _probe("3 texts, width 5", 707, 3, 4, 6, width=5),
        _probe("one text, no padding", 709, 4, level="edge"),
    ),
    praise="A short text counts as much as a long one.",
)

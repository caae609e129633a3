"""Notebook 08: one row of attention in one pass over the keys."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.online import ONLINE
from helpers.checks.steps.tools import finite, table


def _probe(words, seed, length, width, level="basic", shift=0, times=1):
    scores = times * table(seed, length) + shift
    return Probe(words, (scores, table(seed + 1, length, width)), level)


def _slices(c):
    return [slice(i, i + 1) for i in range(len(c.scores))]


def _changed_places(c):
    mix = 0.0
    new = zip(c.terms, c.factors["mix"], c.values, strict=True)
    for weight, rescale, value in new:
        mix = mix * weight + rescale * value
    return mix


_swapped = Mistake(
    "rescale and weight have changed places",
    "The rescale belongs to what was there before, the weight to the new"
    " value.",
    _changed_places,
)
_ONE = "one highest score serves all rows"  # there is one row
online_attention = Exercise(
    name="online_attention",
    call="online_attention(scores, values)",
    results=("context",),
    shape="(d_v,), one number for each column of the values",
    steps=(
        Step("rows", lambda c: c.scores[None]),
        Step("columns", _slices),
        ONLINE[0].but(without=[_ONE]),
        *ONLINE[1:4],
        ONLINE[4].but(also=[_swapped]),
        ONLINE[5],
        Step("row", lambda c: c.context[0]),
    ),
    probes=(
        _probe("5 keys and values of width 3", 801, 5, 3),
        _probe("7 keys and values of width 2", 803, 7, 2),
        _probe("6 keys and values of width 4", 805, 6, 4),
        Probe(
            "scores that fall",
            (np.array([2.0, 1.5, 0.25, -1.0]), table(807, 4, 3)),
            "edge",
        ),
        Probe(
            "scores that rise",
            (np.array([-1.0, 0.25, 1.5, 2.0]), table(808, 4, 3)),
            "edge",
        ),
        _probe("one key", 809, 1, 3, "edge"),
        _probe("large scores", 811, 5, 2, "edge", shift=1000),
        _probe("scores far below 0", 813, 5, 2, "edge", shift=-1000),
        _probe("scores of some hundreds", 815, 6, 3, "edge", times=100),
        _probe("scores far apart", 817, 6, 3, "edge", times=4000),
    ),
    properties=(finite,),
    praise="However many pairs come: the exact mix.",
)

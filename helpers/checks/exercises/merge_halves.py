"""Notebook 08: two halves of the keys, put together."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, table

_MEASURE = (
    "Each half is measured from its own highest score. exp(highest of the"
    " half - highest of both) brings it to the common measure, its total and"
    " its mix alike."
)
_NAMES = "highest_a, total_a, mix_a, highest_b, total_b, mix_b"


def _half(seed, rows, width, shift):
    """What a half with three keys gives; the rows differ in their highest."""
    scores = table(seed, rows, 3) + shift
    highest = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - highest)
    mix = weights @ table(seed + 1, 3, width, step=16)
    return highest, weights.sum(axis=1, keepdims=True), mix


def _probe(words, seed, rows, width, level="basic", shifts=(0, 0)):
    halves = [
        _half(seed + 2 * i, rows, width, shift)
        for i, shift in enumerate(shifts)
    ]
    return Probe(words, (*halves[0], *halves[1]), level)


def _factors(c):
    return np.exp(c.highest_a - c.highest), np.exp(c.highest_b - c.highest)


def _turned(c):
    return tuple(1 / factor for factor in _factors(c))


_highest = Step(
    "highest",
    lambda c: np.maximum(c.highest_a, c.highest_b),
    Mistake(
        "one highest score is taken from all rows",
        "Every row has its own: np.maximum(a, b) compares two arrays number"
        " by number.",
        lambda c: np.full_like(
            c.highest_a, max(c.highest_a.max(), c.highest_b.max())
        ),
        lambda c: max(c.highest_a.max(), c.highest_b.max()),
    ),
    Mistake(
        "the highest score of one half stands for both",
        "Row by row the higher of the two is needed; from a lower one exp"
        " could overflow.",
        lambda c: c.highest_a,
        lambda c: c.highest_b,
    ),
    Mistake(
        "the lower of the two highest scores is taken",
        "From there exp could overflow: take the higher one.",
        lambda c: np.minimum(c.highest_a, c.highest_b),
    ),
    Mistake(
        "the two highest scores are added or averaged",
        "The highest score of all keys is the higher of the two.",
        lambda c: c.highest_a + c.highest_b,
        lambda c: (c.highest_a + c.highest_b) / 2,
    ),
)


def _wrong(total=_factors, mix=_factors):
    """Other factors for the totals, or for the mixes."""
    return lambda c: {"total": total(c), "mix": mix(c)}


def _ones(c):
    return 1.0, 1.0


def _only(place):
    return lambda c: tuple(
        factor if i == place else 1.0 for i, factor in enumerate(_factors(c))
    )


_scales = Step(
    "factors",
    _wrong(),
    Mistake("nothing is rescaled", _MEASURE, _wrong(_ones, _ones)),
    Mistake("the mixes are not rescaled", _MEASURE, _wrong(mix=_ones)),
    Mistake("the totals are not rescaled", _MEASURE, _wrong(total=_ones)),
    Mistake(
        "only one half is rescaled",
        f"{_MEASURE} In some rows the first half is the lower one, in others"
        " the second.",
        *(_wrong(_only(i), _only(i)) for i in (0, 1)),
    ),
    Mistake(
        "the two factors have changed places",
        f"{_MEASURE} The factor of a half goes to that half.",
        lambda c: {name: _factors(c)[::-1] for name in ("total", "mix")},
    ),
    Mistake(
        "it is rescaled the wrong way round",
        f"{_MEASURE} Neither factor is above 1.",
        _wrong(_turned, _turned),
    ),
)


def _sum(c, name):
    a, b = c.factors[name]
    halves = {"total": (c.total_a, c.total_b), "mix": (c.mix_a, c.mix_b)}
    return a * halves[name][0] + b * halves[name][1]


_total = Step("total", lambda c: _sum(c, "total"))
_mix = Step(
    "mix",
    lambda c: _sum(c, "mix"),
    Mistake(
        "the mix is divided by the total already",
        "Asked for are the three numbers of both halves together, so that"
        " they can be merged once more. Divide at the very end.",
        lambda c: _sum(c, "mix") / c.total,
    ),
    Mistake(
        "the two mixes are averaged",
        "The rescaled mixes are sums over keys: add them.",
        lambda c: _sum(c, "mix") / 2,
    ),
)


def _python_max(exercise, trials):
    """Recognize max(a, b) or np.max(a, b) of two arrays."""
    got = trials[0].got
    if got.error and "max(" in got.line and "maximum" not in got.line:
        return (
            "this max does not compare two arrays.",
            "Python's max wants one number of each, np.max one array. Row by"
            " row compares np.maximum(a, b).",
        )
    return None


merge_halves = Exercise(
    name="merge_halves",
    call=f"merge_halves({_NAMES})",
    results=("highest", "total", "mix"),
    shape="as of one half: highest and total (T, 1), mix (T, d_v)",
    steps=(
        _highest,
        _scales,
        _total,
        _mix,
        Step("merged", lambda c: (c.highest, c.total, c.mix)),
    ),
    probes=(
        _probe("4 rows of width 3", 851, 4, 3),
        _probe("3 rows of width 2", 855, 3, 2),
        _probe("5 rows of width 4", 859, 5, 4),
        _probe("a second half 3 higher", 863, 3, 2, "edge", (0, 3)),
        _probe("a first half 3 higher", 867, 3, 2, "edge", (3, 0)),
        _probe("halves 2000 apart", 871, 2, 3, "edge", (-1000, 1000)),
    ),
    properties=(finite,),
    recognize=_python_max,
    praise="Halves of halves can be merged the same way.",
)

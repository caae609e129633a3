"""Notebook 03: a softmax of scores that are divided by a temperature."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import SOFTMAX
from helpers.checks.steps.tools import WEIGHTS, table, total

_HOT = (
    "Hot is even, cold is sharp: a high temperature brings the scores closer"
    " together."
)
_ITSELF = "The scores are divided by the temperature itself, and nothing else."
_SAFE = (
    "No exponent is above 0 when the highest is subtracted from what stands in"
    " exp, row by row."
)
_COLD = f"Divided by a cold temperature, scores become large. {_SAFE}"
_TIES = np.array([[0.002, 0.001, 0.0025, -0.001], [0.001, 0.001, 0.0, 0.0015]])
_HUNDREDS = np.array([[0.0, 600.0, 800.0, 799.5], [1.0, 0.5, 900.0, 750.0]])
_HIGH = np.array([[1000.0, 1000.5, 999.0], [998.5, 1001.0, 1000.0]])
_APART = np.array([[15.0, 2.5, -30.0], [-35.0, 15.0, 5.0]])
_FAR = np.array([[0.5, 1.0, -0.25], [-2000.0, -2001.5, -2000.5]])


def _row(function, scores):
    return function(scores, axis=-1, keepdims=True)


def _highest(scores):
    return _row(np.max, scores)


def _hard(scores):
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _of(*functions):
    """Turn functions of scores and temperature into wrong steps."""
    return [lambda c, f=f: f(c.scores, c.temperature) for f in functions]


def _less(*functions):
    """Subtract functions of what stands in exp."""
    return [lambda c, f=f: c.scaled - f(c.scaled) for f in functions]


def _later(*functions):
    """Let the temperature act on the weights alone."""
    return [
        {
            "scaled": lambda c: c.scores,
            "tempered": lambda c, f=f: f(c.weights, c.temperature),
        }
        for f in functions
    ]


_scaled = Step(
    "scaled",
    lambda c: c.scores / c.temperature,
    Mistake(
        "the temperature multiplies",
        f"{_HOT} So it divides them.",
        *_of(lambda s, t: s * t),
    ),
    Mistake(
        "the temperature does nothing",
        "The scores must be divided by it before the softmax: what divides"
        " all powers of a row cancels.",
        *_of(lambda s, t: s),
    ),
    Mistake(
        "the temperature is limited, or something is added to it",
        "A cold temperature is as good as any other: nothing is divided by 0"
        " here, so it needs no bound.",
        *_of(*(lambda s, t, e=e: s / max(t, e) for e in (0.01, 0.1, 1, 0.05))),
        *_of(*(lambda s, t, e=e: s / (t + e) for e in (1e-3, 0.01, 0.1, 1))),
        *_of(lambda s, t: s / min(t, 1), lambda s, t: s / int(t + 1)),
    ),
    Mistake(
        "a root, a square or another function of the temperature is used",
        f"{_HOT} {_ITSELF}",
        *_of(
            lambda s, t: s / np.sqrt(t),
            lambda s, t: s / t**2,
            lambda s, t: s / (2 * t),
            lambda s, t: s / np.exp(t),
            lambda s, t: s / np.log1p(t),
            lambda s, t: s * (1 - t),
        ),
    ),
    Mistake(
        "the scores are divided into whole numbers",
        "// cuts the rest away, and with it the differences between scores.",
        *_of(lambda s, t: s // t),
    ),
    Mistake(
        "the scores are divided by the root of a width as well",
        "The temperature is the only number that divides here.",
        *_of(
            lambda s, t: s / t / np.sqrt(s.shape[-1]),
            lambda s, t: s / t / len(s),
        ),
    ),
)
(_far,) = (m for m in SOFTMAX[0].mistakes if "far below" in m.name)
_shifted = SOFTMAX[0].but(
    without=(
        _far.name,
        "the position of the highest score is subtracted, not the score",
        "the scores are scaled before the softmax",
        "the scores are standardized",
        "large scores overflow",
        "large scores are cut off",
    ),
    also=(
        _far,  # before what gives the same numbers
        Mistake(
            "large exponents overflow",
            "With a plain exp of scores / temperature, cold temperatures and"
            f" large scores overflow: exp(1000) becomes infinity. {_SAFE}",
            lambda c: c.scaled,
            {
                "shifted": lambda c: np.float32(c.scaled),
                "exponents": lambda c: np.exp(c.shifted),
            },
        ),
        Mistake(
            "the highest score is subtracted undivided",
            f"The temperature must divide it as well. {_COLD}",
            lambda c: c.scaled - _highest(c.scores),
        ),
        Mistake(
            "the mean or the lowest score is subtracted, not the highest",
            f"That cancels as well, but exp may still overflow. {_COLD}",
            *_less(lambda s: _row(np.mean, s), lambda s: _row(np.min, s)),
            *_less(lambda s: _row(np.median, s)),
            lambda c: c.scaled - _row(np.mean, c.scores),
        ),
        Mistake(
            "only the highest score is divided by the temperature",
            "A / comes before a -: the whole difference needs parentheses.",
            lambda c: c.scores - _highest(c.scores) / c.temperature,
        ),
        Mistake(
            "large scores are cut off",
            "Scores that are cut to the same number get equal weights."
            f" {_COLD}",
            *(
                lambda c, n=n, low=low: np.clip(c.scaled, low, n)
                for n in (700, 709, 500, 100, 50)
                for low in (-n, -np.inf)
            ),
        ),
    ),
)
_totals = SOFTMAX[2].but(
    also=(
        Mistake(
            "the temperature acts on one side of the fraction only",
            "Divide by the sum of the same powers that stand above the line.",
            lambda c: total(np.exp(c.scores - _highest(c.scores))),
            lambda c: total(np.exp(c.scores)),
        ),
    )
)
_tempered = Step(
    "tempered",
    lambda c: c.weights,
    Mistake(
        "the temperature acts on the weights, not on the scores",
        "After the softmax it is too late: the rows no longer sum to 1, and"
        " their sharpness stays.",
        *_later(lambda w, t: w / t, lambda w, t: w * t),
    ),
    Mistake(
        "powers of the weights are taken",
        "The temperature divides the scores. Powers of weights are too small"
        " for the computer at a cold temperature: 0.4 to the power 1000 is 0.",
        *_later(
            lambda w, t: w ** (1 / t) / total(w ** (1 / t)),
            lambda w, t: w ** (1 / t),
            lambda w, t: w**t,
            lambda w, t: w**t / total(w**t),
        ),
    ),
    Mistake(
        "a cold temperature becomes a hard choice",
        "Scores that nearly tie must get nearly equal weights even then: at"
        " temperature 0.001 scores of 0.001 and 0.002 are 1 apart.",
        *(
            lambda c, n=n: _hard(c.scores) if c.temperature <= n else c.weights
            for n in (1e-3, 0.01, 0.1, 0.5)
        ),
    ),
    Mistake(
        "numbers that are not finite are replaced afterwards",
        f"Where exp overflows, the weights are lost. {_COLD}",
        *(
            {
                "shifted": lambda c: c.scaled,
                "tempered": lambda c, n=n: np.nan_to_num(c.weights, nan=n),
            }
            for n in (0.0, 1.0)
        ),
    ),
)

softmax_with_temperature = Exercise(
    name="softmax_with_temperature",
    call="softmax_with_temperature(scores, temperature)",
    results=("weights",),
    shape="one row per query, one column per key, as the scores",
    steps=(_scaled, _shifted, SOFTMAX[1], _totals, SOFTMAX[3], _tempered),
    probes=(
        Probe("temperature 2, 3 keys", (table(201, 2, 3), 2.0)),
        Probe("temperature 0.5", (table(202, 4, 2), 0.5)),
        Probe("temperature 1.5", (table(203, 3, 3), 1.5)),
        Probe("temperature 1, 4 queries, 4 keys", (table(209, 4, 4), 1.0)),
        Probe("temperature 4, 5 keys", (table(204, 3, 5), 4.0)),
        Probe("one key only", (table(205, 3, 1), 2.0), "edge"),
        Probe("temperature 0.001", (_APART, 0.001), "edge", _SAFE),
        Probe("scores near 40", (40 + table(210, 3, 4), 1.0), "edge"),
        Probe("near ties at temperature 0.001", (_TIES, 0.001), "edge"),
        Probe("temperature 1000", (table(207, 2, 3), 1000.0), "edge"),
        Probe("scores of some hundreds", (_HUNDREDS, 1.0), "edge"),
        Probe("scores near 1000", (_HIGH, 1.0), "edge", _SAFE),
        Probe("a row far below the other", (_FAR, 0.5), "edge"),
    ),
    properties=WEIGHTS,
    praise="So the root of d_k is a temperature.",
)

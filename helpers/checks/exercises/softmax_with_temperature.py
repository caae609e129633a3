"""Notebook 03: a softmax of scores that are divided by a temperature."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import SOFTMAX
from helpers.checks.steps.tools import WEIGHTS, softmax, table, total

_HOT = (
    "Hot is even, cold is sharp: a high temperature brings the scores closer"
    " together."
)
_COLD = (
    "At temperature 0.001 a score of 2 becomes 2,000. No exponent is above 0"
    " when the highest score of the row is subtracted, divided by the"
    " temperature like the others."
)
_TIES = np.array([[0.002, 0.001, 0.0025, -0.001], [0.001, 0.001, 0.0, 0.0015]])
_HUNDREDS = np.array([[0.0, 600.0, 800.0, 799.5], [1.0, 0.5, 900.0, 750.0]])
_HIGH = np.array([[1000.0, 1000.5, 999.0], [998.5, 1001.0, 1000.0]])
_APART = np.array([[15.0, 2.5, -30.0], [-35.0, 15.0, 5.0]])
_FAR = np.array([[0.5, 1.0, -0.25], [-2000.0, -2001.5, -2000.5]])


def _highest(scores):
    return scores.max(axis=-1, keepdims=True)


def _hard(scores):
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


_scaled = Step(
    "scaled",
    lambda c: c.scores / c.temperature,
    Mistake(
        "the temperature multiplies",
        f"{_HOT} So it divides them.",
        lambda c: c.scores * c.temperature,
    ),
    Mistake(
        "the temperature does nothing",
        "The scores must be divided by it before the softmax. What is added to"
        " a whole row, or divides all of its powers, cancels in the fraction.",
        lambda c: c.scores,
    ),
    Mistake(
        "the root of the temperature is used",
        "The scores are divided by the temperature itself.",
        lambda c: c.scores / np.sqrt(c.temperature),
        lambda c: c.scores * np.sqrt(c.temperature),
    ),
    Mistake(
        "the square of the temperature is used",
        "The scores are divided by the temperature once.",
        lambda c: c.scores / c.temperature**2,
    ),
    Mistake(
        "the temperature is limited, or something is added to it",
        "A cold temperature is as good as any other: nothing is divided by 0"
        " here, so it needs no bound.",
        *(
            lambda c, e=e: c.scores / max(c.temperature, e)
            for e in (1e-2, 0.1, 1, 0.05, 0.005, 0.5)
        ),
        *(
            lambda c, e=e: c.scores / (c.temperature + e)
            for e in (1e-3, 1e-2, 0.1, 1, 1e-4, 1e-5)
        ),
        lambda c: c.scores / min(c.temperature, 1),
        lambda c: c.scores / np.ceil(c.temperature),
        lambda c: c.scores / int(c.temperature + 1),
    ),
    Mistake(
        "another function of the temperature is used",
        f"{_HOT} The scores are divided by the temperature itself.",
        lambda c: c.scores / np.log1p(c.temperature),
        lambda c: c.scores / np.log(c.temperature),
        lambda c: c.scores / np.exp(c.temperature),
        lambda c: c.scores * np.exp(-c.temperature),
        lambda c: c.scores * (1 - c.temperature),
        lambda c: c.scores ** (1 / c.temperature),
        lambda c: c.scores**c.temperature,
        lambda c: np.sign(c.scores) * np.abs(c.scores) ** (1 / c.temperature),
    ),
    Mistake(
        "a number is put in front of the temperature",
        "The scores are divided by the temperature itself.",
        lambda c: c.scores / (2 * c.temperature),
        lambda c: 2 * c.scores / c.temperature,
    ),
    Mistake(
        "the scores are divided into whole numbers",
        "// cuts the rest away, and with it the differences between scores.",
        lambda c: c.scores // c.temperature,
        lambda c: np.round(c.scores / c.temperature),
    ),
    Mistake(
        "the scores are divided by the root of a width as well",
        "The temperature is the only number that divides here.",
        *(
            lambda c, f=f: c.scores / c.temperature / f(c.scores.shape[-1])
            for f in (np.sqrt, float)
        ),
        lambda c: c.scores / c.temperature / len(c.scores),
        lambda c: c.scores / np.sqrt(c.scores.shape[-1]),
    ),
    Mistake(
        "the scores are normalized first",
        "The sizes of the scores matter: twice the score at twice the"
        " temperature is the same row.",
        lambda c: c.scores / _highest(c.scores) / c.temperature,
        lambda c: c.scores / np.abs(c.scores).max() / c.temperature,
        lambda c: c.scores / c.scores.std() / c.temperature,
        lambda c: c.scores / total(c.scores) / c.temperature,
        lambda c: (
            (c.scores - c.scores.mean(axis=-1, keepdims=True))
            / c.scores.std(axis=-1, keepdims=True)
            / c.temperature
        ),
    ),
    Mistake(
        "the softmax is taken before the temperature acts",
        "The temperature acts on the scores. Weights all lie between 0 and 1:"
        " a softmax of them is another thing.",
        lambda c: softmax(c.scores) / c.temperature,
        lambda c: softmax(c.scores) * c.temperature,
    ),
)
_shifted = SOFTMAX[0].but(
    without=(
        "the scores are scaled before the softmax",
        "the scores are standardized",
        "large scores overflow",
        "large scores are cut off",
    ),
    also=(
        Mistake(
            "cold temperatures and large scores overflow",
            f"It is right at mild temperatures. {_COLD}",
            lambda c: c.scaled,
            *(
                lambda c, f=f: c.scaled - f(c.scaled, axis=-1, keepdims=True)
                for f in (np.min, np.median)
            ),
            lambda c: c.scaled - c.scaled.mean(),
            lambda c: c.scaled - c.scaled.min(),
            lambda c: c.scaled - _highest(np.abs(c.scaled)),
            lambda c: c.scaled - c.scaled[..., :1],
            lambda c: c.scaled - c.temperature,
            {
                "shifted": lambda c: np.float32(c.scaled),
                "exponents": lambda c: np.exp(c.shifted),
            },
        ),
        Mistake(
            "the highest score is subtracted undivided",
            f"The temperature must divide it as well. {_COLD}",
            lambda c: c.scaled - _highest(c.scores),
            lambda c: c.scaled - c.scores.max(),
            lambda c: c.scaled - _highest(c.scores) * c.temperature,
            lambda c: c.scores - _highest(c.scores) / c.temperature,
            lambda c: c.scores - _highest(c.scores / c.temperature),
        ),
        Mistake(
            "the mean of the row is subtracted, not its highest score",
            "That cancels in the fraction as well, but a cold temperature can"
            f" still lift a score far above the mean. {_COLD}",
            lambda c: c.scaled - c.scaled.mean(axis=-1, keepdims=True),
            lambda c: c.scaled - c.scores.mean(axis=-1, keepdims=True),
        ),
        Mistake(
            "large scores are cut off",
            "Scores that are cut to the same number get equal weights."
            f" {_COLD}",
            *(
                lambda c, n=n, low=low: np.clip(c.scaled, low, n)
                for n in (700, 709, 500, 300, 600, 100, 88, 50, 20)
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
            {
                "shifted": lambda c: c.scaled,
                "totals": lambda c: total(np.exp(c.scores)),
            },
            {
                "exponents": lambda c: np.exp(c.scores - _highest(c.scores)),
                "totals": lambda c: total(np.exp(c.shifted)),
            },
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
        *(
            {"scaled": lambda c: c.scores, "tempered": f}
            for f in (
                lambda c: c.weights / c.temperature,
                lambda c: c.weights * c.temperature,
            )
        ),
        lambda c: c.weights / c.temperature,
        lambda c: c.weights * c.temperature,
    ),
    Mistake(
        "powers of the weights are taken",
        "Raised to 1 / temperature and normalized again they would be right,"
        " were they not too small for the computer at a cold one: 0.4 to the"
        " power 1000 is 0.",
        *(
            {"scaled": lambda c: c.scores, "tempered": f}
            for f in (
                lambda c: (
                    c.weights ** (1 / c.temperature)
                    / total(c.weights ** (1 / c.temperature))
                ),
                lambda c: c.weights ** (1 / c.temperature),
                lambda c: c.weights**c.temperature,
                lambda c: (
                    c.weights**c.temperature / total(c.weights**c.temperature)
                ),
            )
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
    Mistake(
        "these are the scores, divided by the temperature",
        "The softmax is still to come: exp of each, divided by the sum of the"
        " row.",
        lambda c: c.shifted,
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
        Probe("temperature 0.001", (_APART, 0.001), "edge", _COLD),
        Probe("scores near 40", (40 + table(210, 3, 4), 1.0), "edge"),
        Probe("near ties at temperature 0.001", (_TIES, 0.001), "edge"),
        Probe("temperature 1000", (table(207, 2, 3), 1000.0), "edge"),
        Probe("scores of some hundreds", (_HUNDREDS, 1.0), "edge"),
        Probe("scores near 1000", (_HIGH, 1.0), "edge", _COLD),
        Probe("a row far below the other", (_FAR, 0.5), "edge"),
    ),
    properties=WEIGHTS,
    praise="So the root of d_k is a temperature.",
)

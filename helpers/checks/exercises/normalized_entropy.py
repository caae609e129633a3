"""Notebook 03: the entropy of each row of weights, between 0 and 1."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, uneven_weights

_EVEN = "Even weights on T keys have entropy log(T). Divide by it, so that 1"
_EVEN += " means even, whatever the number of keys."
_ROW = "Each row is the attention of one query: its own keys count."
_ZERO = (
    "Only a weight of exactly 0 needs something harmless in the logarithm."
    " Every other weight, however small, counts as it is."
)
_ZEROS = np.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])
_SMALL = np.array([[0.9, 0.0992, 6e-4, 2e-4], [0.5, 0.497, 0.0028, 2e-4]])
_TINY = np.array([[1 - 2e-5, 2e-5, 0.0], [0.5, 0.5 - 4e-6, 4e-6]])
_LIMITS = (0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 1e-4, 5e-5)


def _probe(seed, queries, keys):
    words = f"{queries} queries and {keys} keys"
    return Probe(words, (uneven_weights(seed, queries, keys),))


_safe = Step(
    "safe",
    lambda c: np.where(c.weights > 0, c.weights, 1),
    Mistake(
        "a weight of 0 gives NaN",
        "log(0) is minus infinity, and 0 times infinity is NaN. The limit of"
        " p log p for p to 0 is 0: the logarithm needs a number there whose"
        " logarithm is finite. (A 0 put in for the 0 is log(0) again.)",
        lambda c: c.weights,
    ),
    Mistake(
        "a number added inside the logarithm bends the result",
        f"It avoids log(0), but it changes every other logarithm. {_ZERO}",
        *(lambda c, e=e: c.weights + e for e in (*_LIMITS, 0.5)),
        *(lambda c, e=e: (c.weights + e) / (1 + e) for e in _LIMITS),
    ),
    Mistake(
        "small weights are treated like 0",
        _ZERO,
        *(
            lambda c, e=e: np.where(c.weights > e, c.weights, 1)
            for e in _LIMITS
        ),
        *(lambda c, e=e: np.maximum(c.weights, e) for e in _LIMITS),
        *(
            lambda c, e=e: np.where(c.weights > e, c.weights, e)
            for e in _LIMITS
        ),
    ),
    Mistake(
        "the condition is turned around",
        "The weights that are *not* 0 go into the logarithm as they are.",
        lambda c: np.where(c.weights > 0, 1, c.weights),
        lambda c: np.where(c.weights == 0, c.weights, 1),
    ),
    Mistake(
        "the logarithm gets something other than the weights",
        "Entropy is the weighted mean of -log p: p itself goes into the"
        " logarithm.",
        lambda c: c.weights**2,
        lambda c: 1 - c.weights,
        lambda c: 2 * c.weights,
        lambda c: c.weights * c.weights.shape[-1],
        lambda c: c.weights / c.weights.max(axis=-1, keepdims=True),
        lambda c: np.full_like(c.weights, 1 / c.weights.shape[-1]),
    ),
)
_logs = Step(
    "logs",
    lambda c: np.log(c.safe),
    Mistake(
        "the logarithm is missing",
        "Entropy is -sum(p log p).",
        lambda c: c.weights,
        lambda c: c.safe,
    ),
    Mistake(
        "another function takes the place of the logarithm",
        "Entropy is -sum(p log p). log1p(p) is the logarithm of 1 + p.",
        lambda c: np.log1p(c.weights),
        lambda c: np.exp(c.weights),
        lambda c: np.exp(c.safe),
        lambda c: np.sqrt(c.weights),
        lambda c: 1 / c.safe,
    ),
    Mistake(
        "the sign is turned around",
        "Logarithms of weights are negative, and entropy is not: one minus in"
        " front of the sum is enough.",
        lambda c: -np.log(c.safe),
        lambda c: np.abs(np.log(c.safe)),
        lambda c: np.log(1 / c.safe),
    ),
)
_terms = Step(
    "terms",
    lambda c: c.weights * c.logs,
    Mistake(
        "the factor p is missing",
        "Entropy is a weighted mean: each -log p counts with its weight p.",
        lambda c: c.logs,
    ),
    Mistake(
        "p enters too often",
        "Entropy is -sum(p log p), with one p in front.",
        lambda c: c.weights**2 * c.logs,
        lambda c: c.weights * c.logs**2,
    ),
    Mistake(
        "also the parts that are missing to 1 are counted",
        "p log p + (1 - p) log(1 - p) is for a choice between two. Here the"
        " keys of a row share one distribution: -sum(p log p).",
        lambda c: (
            c.weights * c.logs
            + (1 - c.weights)
            * np.log(np.where(c.weights < 1, 1 - c.weights, 1))
        ),
    ),
)
_along = Step(
    "along",
    lambda c: {"axis": -1},
    Mistake(
        "the sums run over the queries, not over the keys",
        f"{_ROW} Sum along the keys, the last axis.",
        lambda c: {"axis": 0},
    ),
    Mistake(
        "one number for the whole table",
        "Each query has an attention of its own, sharp or even.",
        lambda c: {"axis": None},
    ),
    Mistake(
        "the summed axis is kept",
        "One number per row is asked for: shape (T_q,), without keepdims.",
        lambda c: {"axis": -1, "keepdims": True},
    ),
)
_entropy = Step(
    "entropy",
    lambda c: -c.terms.sum(**c.along),
    Mistake(
        "a mean stands where the sum belongs",
        "The weights make it a mean already. .mean() divides by the number of"
        " keys once more.",
        lambda c: -c.terms.mean(**c.along),
        lambda c: -c.terms.sum(**c.along) / len(c.weights),
    ),
    Mistake(
        "only the largest term is taken",
        "All keys of a row are added up.",
        lambda c: -c.terms.min(**c.along),
        lambda c: -c.terms.max(**c.along),
        lambda c: -np.log(c.weights.max(**c.along)),
        lambda c: c.weights.max(**c.along),
    ),
    Mistake(
        "the parts are not added up",
        "One number per row is asked for: the sum of its parts.",
        lambda c: -c.terms,
    ),
    Mistake(
        "this is another measure of spread",
        "Asked for is the entropy, -sum(p log p), divided by its largest"
        " possible value.",
        lambda c: 1 - (c.weights**2).sum(**c.along),
        lambda c: (c.weights**2).sum(**c.along),
        lambda c: c.weights.std(**c.along),
        lambda c: c.weights.var(**c.along),
        lambda c: np.exp(-c.terms.sum(**c.along)),
        lambda c: 1 / (c.weights**2).sum(**c.along),
        *(
            {"entropy": f, "result": lambda c: c.entropy}
            for f in (
                lambda c: c.weights.argmax(**c.along),
                lambda c: c.weights.max(**c.along),
                lambda c: 1 - c.weights.max(**c.along),
                lambda c: 1 - (c.weights**2).sum(**c.along),
                lambda c: (c.weights**2).sum(**c.along),
                lambda c: c.weights.std(**c.along),
                lambda c: np.exp(-c.terms.sum(**c.along)),
                lambda c: (
                    np.exp(-c.terms.sum(**c.along)) / c.weights.shape[-1]
                ),
            )
        ),
    ),
)
_largest = Step(
    "largest",
    lambda c: np.log(c.weights.shape[-1]),
    Mistake(
        "not yet divided by the largest possible entropy",
        _EVEN,
        lambda c: 1.0,
        lambda c: np.log(2),
        lambda c: np.log(10),
        lambda c: np.sign(c.weights.sum()),
    ),
    Mistake(
        "divided by the number of keys, not by its logarithm",
        _EVEN,
        lambda c: c.weights.shape[-1],
    ),
    Mistake(
        "the number of queries is taken for that of the keys",
        f"A row spreads over the keys: their number counts. {_EVEN}",
        lambda c: np.log(len(c.weights)),
        lambda c: len(c.weights),
        lambda c: np.log(np.array(c.weights.shape)),
    ),
    Mistake(
        "the size of the whole table is taken for the number of keys",
        f"{_ROW} {_EVEN}",
        lambda c: np.log(c.weights.size),
        lambda c: c.weights.size,
    ),
    Mistake(
        "divided by the largest number found",
        "Meant is the largest entropy that any row of T keys could have, found"
        " in this table or not: that of even weights.",
        lambda c: c.entropy.max(),
        lambda c: c.weights.max(),
        lambda c: c.weights.max(axis=-1),
        lambda c: -np.log(c.weights.max()),
        lambda c: -np.log(c.weights.max(axis=-1)),
        lambda c: -np.log(c.weights.min()),
        lambda c: -c.terms.min(),
        lambda c: np.abs(c.logs).max(),
    ),
    Mistake(
        "two different logarithms are used",
        "Any base will do, but the same above and below the line.",
        lambda c: np.log2(c.weights.shape[-1]),
        lambda c: np.log10(c.weights.shape[-1]),
        {"logs": lambda c: np.log2(c.safe)},
        {"logs": lambda c: np.log10(c.safe)},
    ),
    Mistake(
        "only the weights above 0 are counted as keys",
        f"A key that gets nothing is a key as well. {_EVEN}",
        lambda c: np.log(np.maximum((c.weights > 0).sum(axis=-1), 1)),
        lambda c: np.log((c.weights > 0).sum(axis=-1)),
        lambda c: np.log((c.weights > 0).sum()),
    ),
    Mistake(
        "the largest entropy is another number",
        _EVEN,
        lambda c: np.sqrt(c.weights.shape[-1]),
        lambda c: np.log(c.weights.shape[-1] - 1),
        lambda c: np.log(c.weights.shape[-1] + 1),
        lambda c: np.log(c.weights.shape[-1]) ** 2,
        lambda c: c.weights.shape[-1] - 1,
        lambda c: np.exp(c.weights.shape[-1]),
    ),
)
_result = Step(
    "result",
    lambda c: c.entropy / c.largest,
    Mistake(
        "one minus the entropy",
        "1 is to mean even, and 0 all on one key.",
        lambda c: 1 - c.entropy / c.largest,
    ),
    Mistake(
        "the result is averaged over the queries",
        "Each query has an attention of its own, sharp or even.",
        lambda c: (c.entropy / c.largest).mean(),
        lambda c: (c.entropy / c.largest).max(),
        lambda c: (c.entropy / c.largest)[0],
        lambda c: (c.entropy / c.largest)[-1],
    ),
    Mistake(
        "subtracted or multiplied where it should be divided",
        _EVEN,
        lambda c: c.entropy - c.largest,
        lambda c: c.largest - c.entropy,
        lambda c: c.entropy * c.largest,
        lambda c: c.largest / c.entropy,
    ),
    Mistake(
        "numbers that are not finite are replaced afterwards",
        "A row with a 0 in it has a weighted sum like any other, and only its"
        f" 0 counts nothing. {_ZERO}",
        *(
            {
                "safe": lambda c: c.weights,
                "result": lambda c, n=n: np.nan_to_num(
                    c.entropy / c.largest, nan=n, posinf=n, neginf=n
                ),
            }
            for n in (0.0, 1.0)
        ),
    ),
)

normalized_entropy = Exercise(
    name="normalized_entropy",
    call="normalized_entropy(weights)",
    results=("entropy",),
    shape="one number per query",
    steps=(_safe, _logs, _terms, _along, _entropy, _largest, _result),
    probes=(
        _probe(221, 2, 3),
        _probe(222, 4, 2),
        _probe(223, 3, 3),
        _probe(224, 3, 6),
        Probe("even weights", (np.full((2, 5), 0.2),)),
        Probe("weights of 0 and 1", (_ZEROS,), "edge"),
        Probe("weights down to 0.0002", (_SMALL,), "edge", _ZERO),
        Probe("weights down to 0.000004", (_TINY,), "edge", _ZERO),
    ),
    properties=(finite,),
    praise="1 is even, 0 is all on one key.",
)

"""Notebook 03: the entropy of each row of weights, between 0 and 1."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, uneven_weights

_EVEN = (
    "Even weights on T keys have entropy log(T). Divide by it, so that 1 means"
    " even, whatever the number of keys."
)
_ROW = "Each row is the attention of one query: its own keys count."
_ZERO = (
    "Only a weight of exactly 0 needs something harmless in the logarithm."
    " Every other weight, however small, counts as it is."
)
_SUM = "Entropy is -sum(p log p)."
_ZEROS = np.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])
_SMALL = np.array([[0.9, 0.0992, 6e-4, 2e-4], [0.5, 0.497, 0.0028, 2e-4]])
_TINY = np.array([[1 - 2e-5, 2e-5, 0.0], [0.5, 0.5 - 4e-6, 4e-6]])
_LIMITS = (0.1, 0.05, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 1e-4, 5e-5, 1e-5)
_KEYS = (2, 3, 4, 5, 6, 8, 10, 12, 13)


def _probe(seed, queries, keys):
    words = f"{queries} queries and {keys} keys"
    return Probe(words, (uneven_weights(seed, queries, keys),))


def _of(*functions):
    """Turn functions of the weights into wrong steps."""
    return [lambda c, f=f: f(c.weights) for f in functions]


def _limited(function):
    """Use limits for small weights."""
    return _of(*(lambda p, e=e: function(p, e) for e in _LIMITS))


def _instead(*functions):
    """Put functions of the weights in the place of the entropy."""
    return [
        {"entropy": f, "result": lambda c: c.entropy} for f in _of(*functions)
    ]


def _keys(p):
    return p.shape[-1]


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
        *_limited(lambda p, e: p + e),
    ),
    Mistake(
        "small weights are treated like 0",
        _ZERO,
        *_limited(lambda p, e: np.where(p > e, p, 1)),
        *_limited(np.maximum),
        *_limited(lambda p, e: np.where(p > e, p, e)),
    ),
    Mistake(
        "the condition is turned around",
        "The weights that are *not* 0 go into the logarithm as they are.",
        *_of(lambda p: np.where(p > 0, 1, p)),
    ),
)
_logs = Step(
    "logs",
    lambda c: np.log(c.safe),
    Mistake("the logarithm is missing", _SUM, lambda c: c.weights),
    Mistake(
        "the exponential takes the place of the logarithm",
        _SUM,
        *_of(np.exp),
        lambda c: np.exp(c.safe),
    ),
    Mistake(
        "log1p takes the place of the logarithm",
        f"{_SUM} log1p(p) is the logarithm of 1 + p.",
        *_of(np.log1p),
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
        "Each query has an attention of its own, sharp or even. (A mask in"
        " brackets, p[p > 0], flattens the table; np.where keeps it.)",
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
        "the sign is turned around",
        "Logarithms of weights are negative, and entropy is not: it needs one"
        " minus, no more.",
        lambda c: c.terms.sum(**c.along),
    ),
    Mistake(
        "a mean stands where the sum belongs",
        "The weights make it a mean already: nothing is divided by a number of"
        " keys or queries.",
        lambda c: -c.terms.mean(**c.along),
        lambda c: -c.terms.sum(**c.along) / len(c.weights),
    ),
    Mistake(
        "this is another measure of spread",
        f"{_SUM} It is then divided by its largest possible value.",
        *_instead(
            lambda p: p.argmax(axis=-1),
            lambda p: p.max(axis=-1),
            lambda p: 1 - p.max(axis=-1),
            lambda p: 1 - (p**2).sum(axis=-1),
            lambda p: p.std(axis=-1),
        ),
        {
            "entropy": lambda c: np.exp(-c.terms.sum(**c.along)),
            "largest": lambda c: _keys(c.weights),
        },
    ),
)
_largest = Step(
    "largest",
    lambda c: np.log(c.weights.shape[-1]),
    Mistake(
        "it is not yet divided by the largest possible entropy",
        _EVEN,
        lambda c: 1.0,
    ),
    Mistake(
        "divided by the number of keys, not by its logarithm",
        _EVEN,
        *_of(_keys),
    ),
    Mistake(
        "the number of queries is taken for that of the keys",
        f"A row spreads over the keys: their number counts. {_EVEN}",
        *_of(lambda p: np.log(len(p)), len),
    ),
    Mistake(
        "the size of the whole table is taken for the number of keys",
        f"{_ROW} {_EVEN}",
        *_of(lambda p: np.log(p.size)),
    ),
    Mistake(
        "it is divided by the largest number found",
        "Meant is the largest entropy that any row of T keys could have, found"
        " in this table or not: that of even weights.",
        lambda c: c.entropy.max(),
        *_of(np.max, lambda p: p.max(axis=-1), lambda p: -np.log(p.max())),
        *_of(lambda p: np.log(p.max()), lambda p: np.log(p.max(axis=-1))),
        *_of(lambda p: -np.log(p.max(axis=-1))),
        lambda c: -c.logs.min(),
        lambda c: -c.logs.min(axis=-1),
    ),
    Mistake(
        "two different logarithms are used",
        "Any base will do, but the same above and below the line.",
        *_of(lambda p: np.log2(_keys(p)), lambda p: np.log10(_keys(p))),
        {"logs": lambda c: np.log2(c.safe)},
        {"logs": lambda c: np.log10(c.safe)},
    ),
    Mistake(
        "only the keys with a weight are counted",
        f"A key that gets nothing is a key as well. {_EVEN}",
        *_of(
            lambda p: np.log(np.maximum((p > 0).sum(axis=-1), 1)),
            lambda p: np.log(np.maximum((p > 0).sum(axis=-1), 2)),
            lambda p: np.log((p > 0).sum(axis=-1)),
            lambda p: np.log((p > 0).sum()),
        ),
    ),
    Mistake(
        "one key too few or too many is counted",
        _EVEN,
        *_of(lambda p: np.log(_keys(p) - 1), lambda p: np.log(_keys(p) + 1)),
        *_of(lambda p: _keys(p) - 1),
    ),
    Mistake(
        "a fixed number takes the place of the number of keys",
        f"It differs from table to table. {_EVEN}",
        *_of(
            *(lambda p, n=n: np.log(n) for n in (2, 3, 4, 5, 6, 8, 10, 12, 13))
        ),
    ),
)
_result = Step(
    "result",
    lambda c: c.entropy / c.largest,
    Mistake(
        "one minus the entropy is returned",
        "1 is to mean even, and 0 all on one key.",
        lambda c: 1 - c.entropy / c.largest,
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

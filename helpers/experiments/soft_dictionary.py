"""Look values up by noisy keys, softly or not: how many can be kept?"""

import numpy as np

from helpers import validation
from helpers.attention import softmax

NOISE = 0.2  # how far a query is from its key, whose length is 1
LOOKUPS = 200
FACTORS = {  # of the scores, for vectors of length 1
    "softmax, scores × d": lambda d: d,
    "softmax, scores × √d": lambda d: d**0.5,
    "softmax, scores as they are": lambda d: 1,
}
NEAREST, HOPFIELD = "nearest key", "Hopfield matrix"
METHODS = (NEAREST, *FACTORS, HOPFIELD)


def look_up(method, query, key, value):
    """Return what comes back: (M, d_v).

    method: one of `METHODS`. The matrix of a Hopfield network is the sum of
    all value key^T (Hopfield (1982)), whatever their number.
    query (M, d), key (N, d), value (N, d_v).
    """
    validation.choice("method", method, METHODS)
    scores = query @ key.T  # (M, N)
    if method == NEAREST:
        return value[scores.argmax(axis=1)]
    if method == HOPFIELD:
        return query @ (key.T @ value)
    return softmax(FACTORS[method](key.shape[1]) * scores) @ value


def found(method, d, size, *, seed=0, lengths=None):
    """Return the fraction of `LOOKUPS` that bring back the right value.

    Right: it is nearer to the value than half the value's length. Keys and
    values are random vectors (size, d) of length 1; a query is a key with
    noise. lengths: (low, high), the keys get lengths drawn between these.
    """
    rng, asked, query, key, value = _drawn(d, size, seed)
    if lengths is not None:
        key = key * rng.uniform(*lengths, (size, 1))
    gap = look_up(method, query, key, value) - value[asked]
    return (np.linalg.norm(gap, axis=1) < 0.5).mean()


def nearest_is_right(method, d, size, *, seed=0):
    """Return the fraction of `LOOKUPS` nearest to the right one of all values.

    The same lookups as in `found`.
    """
    _, asked, query, key, value = _drawn(d, size, seed)
    near = look_up(method, query, key, value) @ value.T  # (M, N)
    return (near.argmax(axis=1) == asked).mean()


def weight_on_it(method, d, size, *, seed=0):
    """Return the mean weight of the right key, in the lookups of `found`.

    method: one of `FACTORS`.
    """
    validation.choice("method", method, FACTORS)
    _, asked, query, key, _ = _drawn(d, size, seed)
    weights = softmax(FACTORS[method](d) * (query @ key.T))  # (M, N)
    return weights[np.arange(LOOKUPS), asked].mean()


def _drawn(d, size, seed):
    """Return the generator, which keys are asked, queries, keys, values."""
    rng = np.random.default_rng([seed, d, size])
    key, value = (_unit(rng.standard_normal((size, d))) for _ in range(2))
    asked = rng.integers(size, size=LOOKUPS)
    noise = NOISE * _unit(rng.standard_normal((LOOKUPS, d)))
    return rng, asked, key[asked] + noise, key, value


def _unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)

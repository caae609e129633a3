"""How large scores are and how sharp attention is; bounds and counts."""

import numpy as np

from helpers import validation

BOUNDS = (1e-12, 1e-9, 1e-6, 1e-3)


def error_bound(*gaps):
    """Return the smallest of 1e-12, 1e-9, 1e-6, 1e-3 above all |gaps|.

    For differences by rounding, whose digits depend on the processor: the
    bound that was measured, as "below 1e-12", or the largest gap with one
    digit where it is 1e-3 or more. gaps: arrays or numbers.
    """
    sizes = [
        np.abs(validation.float_array("gaps", np.atleast_1d(gap))).max()
        for gap in gaps
    ]
    if not sizes:
        raise ValueError("gaps: nothing to measure")
    above = [bound for bound in BOUNDS if max(sizes) < bound]
    return f"below {above[0]:.0e}" if above else f"{max(sizes):.0e}"


def rough_count(count):
    """Return "none", "a few" (below 20), "dozens" or "hundreds" (from 100).

    For counts whose digits depend on the processor.
    """
    count = validation.integer("count", count, least=0)
    names = ("none", "a few", "dozens", "hundreds")
    return names[int(np.searchsorted((1, 20, 100), count, side="right"))]


def score_spread(d_k, scale=1.0, *, seed=0, pairs=2000):
    """Return the standard deviation of random scores, a number.

    Of `pairs` queries and keys of width d_k, drawn apart from a normal
    distribution with mean 0 and variance 1; scale: factor of the scores.
    """
    d_k = validation.positive_integer("d_k", d_k)
    pairs = validation.positive_integer("pairs", pairs)
    scale = validation.real_number("scale", scale)
    rng = validation.seeded("seed", [seed, d_k])
    query, key = rng.standard_normal((2, pairs, d_k))
    return float(((query * key).sum(axis=1) * scale).std())


def normalized_entropy(weights):
    """Return the entropy of each row, 1 for even, 0 for all on one key.

    ``-sum(p * log p) / log(T)`` (Shannon 1948, section 6), with 0 for
    ``0 * log 0``. weights (..., T), T at least 2 -> (...).
    """
    weights = validation.float_array("weights", weights)
    if weights.shape[-1] < 2:
        raise ValueError(f"weights: one key has no entropy: {weights.shape}")
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1) / np.log(weights.shape[-1])


def softmax_jacobian_norm(weights):
    """Return the Frobenius norm of the softmax's Jacobian for each row.

    Of ``diag(p) - p p.T``, by its closed form
    ``sqrt(sum p^2 - 2 sum p^3 + (sum p^2)^2)``. weights (..., T) -> (...).
    """
    weights = validation.float_array("weights", weights)
    squares = (weights**2).sum(axis=-1)
    cubes = (weights**3).sum(axis=-1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def auc(right, wrong):
    """Return how often a number of `right` is larger than one of `wrong`.

    The area under the ROC curve: 1 if every right number is above every
    wrong one, 0.5 if they cannot be told apart; ties count half. It stays
    the same whatever the scores are multiplied by. Hanley and McNeil (1982),
    *The Meaning and Use of the Area under a ROC Curve*.

    right (n,), wrong (m,) -> float.
    """
    right = validation.float_array("right", np.ravel(right))
    wrong = validation.float_array("wrong", np.ravel(wrong))
    wrong = np.sort(wrong)
    below = np.searchsorted(wrong, right)  # (n,): how many each one beats
    ties = np.searchsorted(wrong, right, side="right") - below
    return float((below + ties / 2).mean() / len(wrong))

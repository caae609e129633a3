"""Inputs to try answers on, and small functions that the steps share."""

import numpy as np


class Part:
    """A function (T, d) -> (T, d) with a short name, for probes to show."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __repr__(self):
        return self.name

    def __call__(self, x):
        """Return a new array (T, d)."""
        return self.function(np.asarray(x, float))


def table(seed, *shape, step=4):
    """Return multiples of 1/step around 0, exact in float32 as well."""
    return np.random.default_rng(seed).integers(-8, 9, shape) / step


def uneven_weights(seed, *shape):
    """Return uneven positive numbers whose rows sum to 1."""
    raw = np.random.default_rng(seed).integers(1, 12, shape) ** 2
    return raw / raw.sum(axis=-1, keepdims=True)


def t(x):
    """Exchange the last two axes."""
    return np.swapaxes(x, -1, -2)


def total(x, axis=-1):
    """Sum along an axis and keep it."""
    return x.sum(axis=axis, keepdims=True)


def aligned(mixed, value):
    """Return the values as rows of the contexts, as far as both reach."""
    found = np.zeros_like(mixed)
    length = min(mixed.shape[-2], value.shape[-2])
    found[..., :length, :] = value[..., :length, :]
    return found


def split(x, heads):
    """Cut the width into heads: (T, H*d) -> (H, T, d)."""
    return x.reshape(len(x), int(heads), -1).swapaxes(0, 1)


def folded(factors, terms):
    """Add up terms; before each, rescale what is there."""
    sum_ = 0.0
    for factor, term in zip(factors, terms, strict=True):
        sum_ = sum_ * factor + term
    return sum_


def rows(v):
    """Return `v` if it has rows; a change of rows does not apply to others."""
    if np.ndim(v) < 2:
        raise ValueError("v: has no rows")
    return v


def numbers(v):
    """Return `v` if it has numbers, not True and False."""
    if v.dtype == bool:
        raise ValueError("v: True and False are no numbers")
    return v


def softmax(x, axis=-1):
    """Softmax along an axis, whatever the public one is replaced by."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / total(e, axis)


def finite(args, *arrays):
    """Say whether a result contains NaN or infinity."""
    if all(np.isfinite(array).all() for array in arrays):
        return ""
    return (
        "the result contains NaN or infinity: a number became too large, or"
        " something undefined was computed, such as 0 / 0, infinity − infinity"
        " or 0 times infinity."
    )


def not_negative(args, *arrays):
    """Say whether the last result contains a negative number."""
    lowest = arrays[-1].min(initial=0)
    if lowest > -1e-6:
        return ""
    return f"the lowest weight is {lowest:.3f}. A weight is never negative."


def rows_sum_to_one(args, *arrays):
    """Say which row of the last result does not sum to 1."""
    for row, sum_ in enumerate(arrays[-1].sum(axis=-1).ravel()):
        if not abs(sum_ - 1) < 1e-5:
            return (
                f"row {row} sums to {sum_:.5g}. The weights of one query sum"
                " to 1."
            )
    return ""


def not_whole(outcome, function):
    """Refuse numbers that are right, but of a type with decimals."""
    if outcome.kinds[0] in "iu":
        return None
    return (
        "the numbers are right, but they are not whole numbers for Python.",
        "They are used as indices, and 3.0 is no index. Python's int, or an"
        " array's .astype(int), makes whole numbers of them.",
    )


WEIGHTS = (finite, not_negative, rows_sum_to_one)

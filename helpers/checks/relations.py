"""Say how wrong numbers relate to the right ones, whatever the exercise."""

import numpy as np

from helpers.checks import results

RETURN = "Is `return` inside the loop?"


def relation(exercise, trials):
    """Return in words how the results of all `trials` relate, or ""."""
    for position, name in enumerate(exercise.results):
        pairs = [
            (t.got.arrays[position], t.want.arrays[position]) for t in trials
        ]
        if all(results.close(got, want) for got, want in pairs):
            continue
        if all(np.isfinite(got).all() for got, _ in pairs):
            for test in _FOR_ONE if _single(pairs) else _TESTS:
                text = test(pairs)
                if text:
                    return f"{name}: {text}"
    return ""


def beginning(got, want):
    """Say so if a result is nothing but the beginning of the right one."""
    for one, other in zip(got.arrays, want.arrays, strict=False):
        if other.ndim > 1 and len(other) > 1:
            rows = other[0], other[:1], other[:1, :1], other[0, 0]
            if any(results.close(one, row) for row in rows):
                return f"This is where the right result begins. {RETURN}"
    return ""


def _transposed(pairs):
    return _if_all(
        pairs,
        lambda got: got.swapaxes(-1, -2) if got.ndim > 1 else got,
        lambda want: want,
        "rows and columns are exchanged.",
    )


def _if_all(pairs, one, other, text):
    same = all(results.close(one(got), other(want)) for got, want in pairs)
    return text if same else ""


def _rounded(pairs):
    for decimals in (3, 2, 1):
        if all(
            np.allclose(got, np.round(want, decimals), rtol=0, atol=1e-9)
            for got, want in pairs
        ):
            return (
                f"rounded to {decimals} decimals. Round only what you print;"
                " the next step needs all digits."
            )
    if all(np.allclose(got, want, rtol=0, atol=1e-3) for got, want in pairs):
        return (
            "right to about three decimals only. Is something rounded, added"
            " (an epsilon), or computed in float16?"
        )
    return ""


def _single(pairs):
    return all(want.size == 1 for _, want in pairs)


def _factor(pairs):
    factors = []
    for got, want in pairs:
        square = (want * want).sum()
        factors.append((got * want).sum() / square if square else 1)
        if not results.close(got, factors[-1] * want):
            return ""
    if not np.any(factors):
        return "every number is 0."
    if np.allclose(factors, factors[0]):
        return f"every number is {factors[0]:.3f} times the right one."
    if _single(pairs):
        return ""  # one number is always some factor times another
    return (
        "the right numbers times one factor, which differs from input to"
        " input."
    )


def _shift(pairs):
    shifts = [np.mean(got - want) for got, want in pairs]
    if _single(pairs) and not np.allclose(shifts, shifts[0]):
        return ""
    if all(
        results.close(got, want + shift)
        for (got, want), shift in zip(pairs, shifts, strict=True)
    ):
        return "the same number is added everywhere."
    return ""


def _sorted(axis, text):
    def in_another_order(pairs):
        return _if_all(
            pairs,
            lambda got: np.sort(got, axis=axis if got.ndim > 1 else -1),
            lambda want: np.sort(want, axis=axis if want.ndim > 1 else -1),
            text,
        )

    return in_another_order


_REGIONS = {
    "the first number": lambda i, j, shape: (i == 0) & (j == 0),
    "the first row": lambda i, j, shape: i == 0,
    "the last row": lambda i, j, shape: i == shape[-2] - 1,
    "the first column": lambda i, j, shape: j == 0,
    "the last column": lambda i, j, shape: j == shape[-1] - 1,
    "the diagonal": lambda i, j, shape: i == j,
    "the part above the diagonal": lambda i, j, shape: j > i,
    "the part below the diagonal": lambda i, j, shape: j < i,
}


def _only_part(pairs):
    """Find a part that is all that is wrong, or all that is right."""
    pairs = [(got, want) for got, want in pairs if min(got.shape) > 1]
    if not pairs or any(got.ndim < 2 for got, _ in pairs):
        return ""
    right = [np.isclose(*p, results.RTOL, results.ATOL) for p in pairs]
    for words, region in _REGIONS.items():
        parts = [
            np.broadcast_to(
                region(*np.indices(r.shape)[-2:], r.shape), r.shape
            )
            for r in right
        ]
        both = list(zip(parts, right, strict=True))
        if all(r[~part].all() for part, r in both):
            return f"right except for {words}."
        if all(r[part].all() and not r[~part].any() for part, r in both):
            begun = words in ("the first number", "the first row")
            return f"only {words} is right. {RETURN if begun else ''}".strip()
    return ""


_TESTS = (
    _transposed,
    _rounded,
    _factor,
    _shift,
    _only_part,
    _sorted(-1, "each row holds the right numbers, but in another order."),
    _sorted(-2, "each column holds the right numbers, in another order."),
)
_FOR_ONE = (_rounded, _factor, _shift)

"""What softmax_backward.txt takes from Python."""

import numpy as np

from helpers.checks.engine.run import memory

QUERIES, KEYS = 8, 512


def rows_sum_to_zero(args, *arrays):
    """Say which row of the gradients does not sum to 0."""
    for row, sum_ in enumerate(arrays[-1].sum(axis=-1).ravel()):
        if not abs(sum_) < 1e-6:
            return (
                f"row {row} sums to {sum_:.3f}. Adding one number to all"
                " scores of a row changes no weight, so the gradients of a row"
                " must sum to 0."
            )
    return ""


def builds_a_jacobian(outcome, function):
    """Refuse a square matrix of keys and keys."""
    even = np.full((QUERIES, KEYS), 1 / KEYS)
    if memory.mebibytes(function, (even, even)) < KEYS**2 * 8 / 2**20:
        return None
    return (
        "the numbers are right, but a Jacobian is built.",
        f"For {QUERIES} queries and {KEYS} keys it takes matrices of {KEYS} ×"
        f" {KEYS} numbers. The formula above needs none: p * (g - its mean in"
        " the row).",
    )

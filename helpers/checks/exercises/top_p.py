"""What top_p.txt takes from Python."""

import functools

import numpy as np

from helpers.checks.engine.run import results


def sums_to_one(args, kept):
    """Say what the probabilities sum to."""
    if abs(kept.sum() - 1) < 1e-5:
        return ""
    return f"the result sums to {kept.sum():.3f}. Probabilities sum to 1."


def any_of_equals(function):
    """Return a function that hands equally likely characters on in order.

    It does not matter which of them are kept, but how many.
    """

    @functools.wraps(function)
    def answer(probabilities, p):
        given = np.array(probabilities)
        kept = function(probabilities, p)
        arrays = results.read(kept, 1).get("arrays")
        if not arrays or len({*given}) == len(given):
            return kept
        return in_order(arrays[0], given)

    return answer


def in_order(kept, given):
    """Sort what is kept of equally likely characters, the largest first."""
    if kept.shape != given.shape:
        return kept
    kept = np.array(kept)
    for one in {*given}:
        equal = given == one
        kept[equal] = np.sort(kept[equal])[::-1]
    return kept


def skipping(sorted_, p):
    """Tell what stays if too large a character is passed over."""
    total, stays = 0.0, []
    for one in sorted_:
        stays.append(total + one <= p)
        total += one * stays[-1]
    return np.array(stays)

"""Bounds and counts on which all processors agree; the AUC."""

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

"""What dot_product_variance.txt takes from Python."""

import numpy as np


def _near(trials, outcomes):
    """Tell whether numbers are as near as an estimate would be."""
    pairs = [
        (trial.got.arrays[0], outcome.arrays[0])
        for trial, outcome in zip(trials, outcomes, strict=True)
    ]
    if any(one.size != 1 or two.size != 1 for one, two in pairs):
        return False
    off = np.array([abs(one - two) / two for one, two in pairs if two > 0])
    if np.ptp(off) < 1e-6:  # one factor: a formula
        return False
    return np.median(off) < 0.25 and off.max() < 0.6


def estimate(exercise, trials):
    """Recognize an estimate from random vectors by its nearness."""
    if not all(t.got.arrays for t in trials):
        return None
    if _near(trials, [t.want for t in trials]):
        return (
            "the numbers are near the right ones, but not equal to them.",
            exercise.sentences["RANDOM"],
        )
    name = "your code uses the variances as if they were standard deviations"
    variant = next(v for v in exercise.singles if v.mistakes[0].name == name)
    if _near(trials, [exercise.outcome(variant, t.probe) for t in trials]):
        headline, idea = exercise.known(name)
        return headline, idea, exercise.sentences["RANDOM"]
    return None

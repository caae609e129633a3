"""What attend_to_others.txt takes from Python."""

import numpy as np


def changed_own(exercise, trials):
    """Recognize any finite own score: the others share what it leaves."""
    own = []
    for trial in trials:
        got, want = (one.arrays for one in (trial.got, trial.want))
        if not got or got[0].shape != want[0].shape:
            return None
        own += np.diag(got[0]).tolist()
        others = got[0] * ~np.eye(len(got[0]), dtype=bool)
        left = 1 - np.diag(got[0])[:, None]
        if not np.allclose(others, want[0] * left, atol=1e-6):
            return None
    if max(own) <= 1e-6:
        return None
    return exercise.known(
        "your code changes a word's own score, but not to minus infinity"
    )


def strictly_before(scores):
    """Return the weights of words that see earlier words alone."""
    before = np.tri(len(scores), k=-1, dtype=bool)
    weights = np.where(before, np.exp(scores - scores.max()), 0)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)

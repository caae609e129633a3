"""What project_and_score.txt takes from Python."""

import numpy as np


def fixed_root(exercise, trials):
    """Recognize scores that are all divided by the same number."""
    factors, widths = [], set()
    for trial in trials:
        got, want = (one.arrays for one in (trial.got, trial.want))
        if not got or got[0].shape != want[0].shape or not got[0].any():
            return None
        d_k = trial.probe.args[1].shape[-1]
        whole = want[0] * np.sqrt(d_k)  # the scores before the division
        factors.append((whole * got[0]).sum() / (got[0] ** 2).sum())
        widths.add(d_k)
        if not np.allclose(factors[0] * got[0], whole):
            return None
    if len(widths) == 1 or np.isclose(factors[0], 1):
        return None
    return exercise.known("your code uses a fixed number instead of the root")

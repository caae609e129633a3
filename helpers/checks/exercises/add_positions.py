"""What add_positions.txt takes from Python."""

import re


def ready_made(outcome, function):
    """Refuse the course's own function."""
    code = getattr(function, "__code__", None)
    if code is None or "sinusoidal_positions" not in code.co_names:
        return None
    return (
        "the numbers are right, but sinusoidal_positions is the course's"
        " function.",
        "This exercise asks you to compute its numbers yourself: the angles,"
        " then their sines and cosines.",
    )


def row_of_positions(exercise, trials):
    """Recognize T positions that are a row: they do not meet d/2 powers."""
    for trial in trials:
        length, width = trial.probe.args[0].shape
        error = trial.got.error
        if "broadcast" in error and re.search(
            rf"\({length},\) \({width // 2},\)", error
        ):
            return (
                "the positions are a row, not a column.",
                "The angles form a matrix (T, d/2) with one row for each"
                " position: np.arange(T)[:, None] is a column of T positions.",
            )
    return None

"""What add_positions.txt takes from Python."""


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
    """Recognize shapes that do not meet: a row, or a column too many.

    T positions that are a row, x itself in their place, or an angle for each
    column instead of each pair.
    """
    for trial in trials:
        length, width = trial.probe.args[0].shape
        pairs, error = width // 2, trial.got.error
        whole, half = f"({length},{width})", f"({length},{pairs})"
        if "broadcast" not in error:
            continue
        if f"({length},) ({pairs},)" in error:
            return (
                "the positions are a row, not a column.",
                "The angles form a matrix (T, d/2) with one row for each"
                " position: np.arange(T)[:, None] is a column of T positions.",
            )
        if f"{whole} ({pairs},)" in error:
            return exercise.known(
                "your code computes the angles from x, not from the positions"
            )
        if f"{half} {whole}" in error:
            return exercise.known(
                "your code uses i to count columns, not pairs"
            )
    return None

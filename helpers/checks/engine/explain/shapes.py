"""Say which shape is wrong."""

from helpers.checks.engine.explain import inputs, learners_code, places


def fit(trial):
    """Tell whether as many results came back as asked, all in their shape."""
    return inputs.shapes(trial.got) == inputs.shapes(trial.want)


def shape(exercise, function, trials):
    """Say which shape is wrong, or how many results are missing."""
    wrong = [t for t in trials if not t.got.error and not fit(t)]
    if not wrong:
        return None
    probe, got, want = wrong[0].probe, wrong[0].got, wrong[0].want
    if len(got.arrays) < len(want.arrays):
        return (
            f"results are missing: {len(got.arrays)} came back, and the task"
            f" asks for {len(want.arrays)}.",
            inputs.asked(exercise),
        )
    pairs = zip(exercise.results, got.arrays, want.arrays, strict=True)
    name, came, asked = next(p for p in pairs if p[1].shape != p[2].shape)
    name = f"`{name}` has" if len(exercise.results) > 1 else "the result has"
    came, asked = came.shape, asked.shape
    every = ". The task asks for" if len(exercise.results) > 1 else ":"
    words = f"{asked}{every} {exercise.shape}" if asked else "one number"
    return (
        "the shape is wrong.",
        f"For {probe.words}, {name} the shape {came or 'of one number'}, but"
        f" it should be {words}.",
        "Rows and columns are swapped." if came[::-1] == asked else "",
        # an input that comes out right would need the axis, too
        learners_code.without_axis(function)
        * (len(came) < len(asked) and not any(t.right for t in trials)),
        _fixed_length(function, got, want),
        places.reached(exercise, function, trials),
        inputs.right_for(trials),
        f"The input: {inputs.named(exercise, probe)}.",
    )


def _fixed_length(function, got, want):
    """Ask about a number of the code that is a wrong length, or return ""."""
    pairs = list(zip(inputs.shapes(got), inputs.shapes(want), strict=False))
    if any(len(one) != len(other) for one, other in pairs):
        return ""
    lengths = {n for one, other in pairs for n in {*one} - {*other}}
    return learners_code.fixed_number(function, lengths)

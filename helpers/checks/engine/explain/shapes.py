"""Say which shape is wrong."""

from helpers.checks.engine.explain import inputs, learners_code, places


def shape(exercise, function, trials):
    """Say which shape is wrong, or how many results are missing."""
    shapes = inputs.shapes
    wrong = [t for t in trials if shapes(t.got) != shapes(t.want)]
    if not wrong:
        return None
    probe, got, want = wrong[0].probe, wrong[0].got, wrong[0].want
    if len(got.arrays) < len(want.arrays):
        return (
            f"results are missing: {len(got.arrays)} came back, and the task"
            f" asks for {len(want.arrays)}.",
            f"They are, in this order: {', '.join(exercise.results)}.",
        )
    turned = [s[::-1] for s in shapes(got)] == shapes(want)
    asked = dict.fromkeys((inputs.shapes_in_words(want), exercise.shape))
    return (
        "the shape is not right.",
        f"For {probe.words} it returns {inputs.shapes_in_words(got)}; it"
        f" should be {': '.join(asked)}.",
        "Rows and columns are swapped." if turned else "",
        _fixed_length(function, got, want),
        places.reached(exercise, function, trials),
        f"The input: {inputs.named(exercise, probe)}.",
        inputs.right_for(trials),
    )


def _fixed_length(function, got, want):
    """Ask about a number of the code that is a wrong length, or return ""."""
    pairs = list(zip(inputs.shapes(got), inputs.shapes(want), strict=False))
    if any(len(one) != len(other) for one, other in pairs):
        return ""
    lengths = {n for one, other in pairs for n in {*one} - {*other}}
    return learners_code.fixed_number(function, lengths)

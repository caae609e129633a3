"""The exercises of the course, each in a module named as the exercise.

A new one is a new module; ``helpers.checks`` finds it by itself::

    half = Exercise(
        name="half",
        call="half(x)",
        results=("y",),  # two names: the function returns a tuple
        shape="as large as x",
        steps=(
            Step(
                "y",
                lambda c: c.x / 2,  # c has the arguments and earlier steps
                Mistake("doubled", "The idea behind it.", lambda c: 2 * c.x),
            ),
        ),
        probes=(Probe("3 by 2", (table(1, 3, 2),)), ...),
        praise="You can halve.",
    )

Mistakes of different steps are paired by themselves, and every exercise knows
results that are rounded, transposed, summed up and so on. Choose probes of
different lengths and at least one square, where lost axes do not crash.
"""

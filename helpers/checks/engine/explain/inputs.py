"""Words for inputs and results: their shapes, their lengths, their numbers."""

import numpy as np


def shapes(outcome):
    """Return the shapes of what came back."""
    return [array.shape for array in outcome.arrays]


def asked(exercise):
    """Say what the task asks for: what the learner returns."""
    own = exercise.results[: exercise.own]
    names = " and ".join(f"`{name}`" for name in own)
    if len(own) > 1:
        names += ", in order"
    elif len(exercise.results) == 1:
        names = "a result"
    return f"The task asks for {names}: {exercise.shape}."


def named(exercise, probe):
    """Return each argument with its shape, or its value."""
    return ", ".join(
        f"{name} {arg.shape}"
        if isinstance(arg, np.ndarray)
        else f"{name} = {arg}"
        for name, arg in zip(exercise.arguments, probe.args, strict=True)
    )


def sizes(exercise, probe):
    """Return the lengths of an input by what they are called."""
    found = {}
    for name, arg in zip(exercise.arguments, probe.args, strict=True):
        if isinstance(arg, np.ndarray):
            found[f"{name}.ndim"] = arg.ndim
            for axis, length in enumerate(arg.shape):
                found[f"{name}.shape[{axis}]"] = length
        elif isinstance(arg, int):
            found[name] = arg
    return found


def shown(exercise, probe):
    """Show the arguments, if they are small enough to compute by hand."""
    known = all(isinstance(a, (np.ndarray, int, float)) for a in probe.args)
    if not known or sum(np.size(arg) for arg in probe.args) > 16:
        return f"The input: {named(exercise, probe)}."
    lines = []
    for name, arg in zip(exercise.arguments, probe.args, strict=True):
        text = np.array2string(
            np.asarray(arg), formatter={"float": "{:.3g}".format}
        )
        lines += f"{name} = {text}".split("\n")
    return lines


def right_for(trials):
    """Name one input for which the answer is right, or return ""."""
    words = [t.probe.words for t in trials if t.right]
    return f"On another input ({words[0]}) it is right." if words else ""

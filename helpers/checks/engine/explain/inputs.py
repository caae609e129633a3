"""Words for inputs and results: their shapes, their lengths, their numbers."""

import numpy as np

from helpers.checks.engine.run import results

_ROUNDED = 5e-3  # how far a number is rounded at most where it is shown


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
    """Show the arguments, if they are small enough to compute by hand.

    If the probe's words already say each of them, return "".
    """
    if all(str(arg) in probe.words for arg in probe.args):
        return ""
    known = all(isinstance(a, (np.ndarray, int, float)) for a in probe.args)
    if not known or sum(np.size(arg) for arg in probe.args) > 16:
        return f"The input: {named(exercise, probe)}."
    lines = []
    for name, arg in zip(exercise.arguments, probe.args, strict=True):
        text = np.array2string(np.asarray(arg), formatter={"float": _in_short})
        lines += f"{name} = {text}".split("\n")
    return lines


def _in_short(number):
    """Write a number with as few digits as give nearly the same results."""
    for digits in range(3, 17):
        text = f"{number:.{digits}g}"
        if abs(float(text) - number) < _ROUNDED:
            break
    return text


def _off(trial):
    """Return how far the number of a result that is worst is off."""
    pairs = zip(trial.got.arrays, trial.want.arrays, strict=True)
    return max(results.distance(*pair).max(initial=0) for pair in pairs)


def right_for(trials):
    """Name one input for which the answer is right, or return ""."""
    fit = [t for t in trials if shapes(t.got) == shapes(t.want)]
    off = [_off(t) for t in fit if not t.right]
    least = min(off, default=np.inf) / results.NEARER  # or it is but nearer
    words = [t.probe.words for t in trials if t.right and _off(t) <= least]
    return f"Another input ({words[0]}) comes out right." if words else ""

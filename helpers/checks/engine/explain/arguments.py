"""Say which arguments are in another order, or make no difference."""

import inspect

import numpy as np

from helpers.checks.engine.explain import learners_code
from helpers.checks.engine.run import results


def order(exercise, function, trials):
    """Say that a function takes its arguments in another order."""
    try:
        taken = [*inspect.signature(function).parameters]
    except Exception:  # built-in functions need not have one
        return None
    asked = exercise.arguments
    if taken == asked or sorted(taken) != sorted(asked):
        return None
    return (
        "your arguments are not in the order of the task.",
        f"The check calls {exercise.call}; yours takes ({', '.join(taken)}).",
    )


def ignored(exercise, function, trials):
    """Find arguments that make no difference, by changing them."""
    finite = [  # inf stays inf, whatever it depends on
        trial
        for trial in trials
        if all(np.isfinite(array).all() for array in trial.got.arrays)
    ]
    if not any(trial.probe.level == "basic" for trial in finite):
        return None
    unused, used = {}, set()
    for trial in finite:  # one input alone may be an accident
        for name, matters in _changes(exercise, function, trial):
            unused[name] = None
            used |= {name} if matters else set()
        if unused.keys() <= used:
            return None
    names = " and ".join(f"`{name}`" for name in unused if name not in used)
    if not names:
        return None
    return (
        f"your result does not depend on {names}.",
        "With other numbers there, the result is the same.",
        learners_code.global_array(function),
    )


def _changes(exercise, function, trial):
    """Yield the arguments that matter, and whether the answer heeds them."""
    probe, names, calls = trial.probe, [], [trial.probe.args]
    for place, arg in enumerate(probe.args):
        other = _another(arg)
        args = *probe.args[:place], other, *probe.args[place + 1 :]
        if other is not None and exercise.depends(probe, args):
            calls.append(args)
            names.append(exercise.arguments[place])
    outcomes = exercise.run(function, calls)
    if not outcomes:  # the time was up before the first
        return
    base, *found = outcomes
    dimensions = [[a.ndim for a in o.arrays] for o in (base, trial.want)]
    if dimensions[0] != dimensions[1]:
        return  # then the shape says more
    for name, got in zip(names, found, strict=False):
        yield name, not (got.arrays and results.same(base, got))


def _another(arg):
    """Return an argument like `arg`, but another; None if it cannot be."""
    if isinstance(arg, (int, float)):
        return 2 * arg
    if isinstance(arg, np.ndarray) and arg.dtype.kind == "f":
        return np.linspace(0.3, 1.7, arg.size).reshape(arg.shape)
    return None

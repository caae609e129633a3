"""Compare numbers with the right ones and show the difference in words."""

import numpy as np

from helpers.checks import results


def arguments(exercise):
    """Return the names of the arguments, from the call asked for."""
    inside = exercise.call.partition("(")[2].rpartition(")")[0]
    return [part.partition("=")[0].strip(" *") for part in inside.split(",")]


def _arguments(exercise, probe):
    return list(zip(arguments(exercise), probe.args, strict=False))


def shapes(exercise, probe):
    """Return the arguments with their shapes in words."""
    return ", ".join(
        f"{name} {arg.shape}" if isinstance(arg, np.ndarray) else f"{name}"
        for name, arg in _arguments(exercise, probe)
    )


def show_input(exercise, probe):
    """Return the arguments as preformatted lines, if they are small."""
    shown = []
    for name, arg in _arguments(exercise, probe):
        if isinstance(arg, np.ndarray) and arg.size <= 16:
            text = np.array2string(
                arg, precision=3, suppress_small=True, max_line_width=70
            )
            shown += f"{name} =\n{text}".split("\n")
        elif isinstance(arg, (int, float, type(None))):
            shown.append(f"{name} = {arg}")
    return [shown]


def first_difference(exercise, trial):
    """Return the first number that differs, in words.

    Of several results the last wrong one is told: the context comes from the
    weights.
    """
    names = exercise.results
    pairs = list(zip(trial.got.arrays, trial.want.arrays, strict=True))
    right = [results.close(got, want) for got, want in pairs]
    last = max(i for i, is_right in enumerate(right) if not is_right)
    text = f"For {trial.probe.words}, {_first(names[last], *pairs[last])}"
    others = [
        name for name, is_right in zip(names, right, strict=True) if is_right
    ]
    return f"{text} Right: {', '.join(others)}." if others else text


def _first(name, got, want):
    wrong = ~np.isclose(got, want, results.RTOL, results.ATOL)
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = f"{name}[{', '.join(map(str, index))}]" if index else name
    one, other = _two(got[index], want[index])
    return f"{place} is {one}; right is {other}."


def _two(got, want):
    """Write two numbers with as many decimals as show a difference."""
    for decimals in (3, 6, 9):
        texts = [f"{number:z.{decimals}f}" for number in (got, want)]
        if texts[0] != texts[1]:
            break
    return texts

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
    """Return the first number that differs, in words."""
    told = ""
    for name, got, want in zip(
        exercise.results, trial.got.arrays, trial.want.arrays, strict=True
    ):
        if results.close(got, want):
            told += f" (The {name}: right.)"
            continue
        wrong = ~np.isclose(got, want, results.RTOL, results.ATOL)
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = f"{name}[{', '.join(map(str, index))}]" if index else name
        one, other = _two(got[index], want[index])
        return (
            f"For {trial.probe.words}, {place} is {one}; right is"
            f" {other}.{told}"
        )
    return ""


def _two(got, want):
    """Write two numbers with as many decimals as show a difference."""
    for decimals in (3, 6, 9):
        texts = [f"{number:z.{decimals}f}" for number in (got, want)]
        if texts[0] != texts[1]:
            break
    return texts


def relation(exercise, trials):
    """Return how all results relate to the right ones, or ""."""
    for position, name in enumerate(exercise.results):
        pairs = [
            (t.got.arrays[position], t.want.arrays[position]) for t in trials
        ]
        if all(results.close(got, want) for got, want in pairs):
            continue
        if all(np.isfinite(got).all() for got, _ in pairs):
            for test in (_transposed, _rounded, _factor, _shift):
                text = test(pairs)
                if text:
                    return f"Your {name}: {text}"
    return ""


def _transposed(pairs):
    if all(
        got.ndim > 1 and results.close(got.swapaxes(-1, -2), want)
        for got, want in pairs
    ):
        return "rows and columns are exchanged."
    return ""


def _rounded(pairs):
    if all(np.allclose(got, want, rtol=0, atol=1e-3) for got, want in pairs):
        return (
            "right to about three decimals only. Is something rounded, added"
            " (an epsilon), or computed in float16?"
        )
    return ""


def _factor(pairs):
    factors = []
    for got, want in pairs:
        square = (want * want).sum()
        factors.append((got * want).sum() / square if square else 1)
        if not results.close(got, factors[-1] * want):
            return ""
    if not np.any(factors):
        return "every number is 0."
    if np.allclose(factors, factors[0]):
        return f"every number is {factors[0]:.3f} times the right one."
    return (
        "they are the right ones times one factor, which differs from input"
        " to input."
    )


def _shift(pairs):
    if all(
        results.close(got, want + np.mean(got - want)) for got, want in pairs
    ):
        return "the same constant is added to every number."
    return ""

"""Compare numbers with the right ones and show the difference in words."""

import re

import numpy as np

from helpers.checks import results


def arguments(exercise):
    """Return the names of the arguments, from the call asked for."""
    return re.findall(r"\w+", exercise.call.partition("(")[2])


def shapes(exercise, probe):
    """Return the arguments with their shapes in words."""
    return ", ".join(
        f"{name} {arg.shape}" if isinstance(arg, np.ndarray) else f"{name}"
        for name, arg in zip(arguments(exercise), probe.args, strict=True)
    )


def show_input(exercise, probe):
    """Return the arguments as preformatted lines, if they are small."""
    shown = []
    for name, arg in zip(arguments(exercise), probe.args, strict=True):
        if isinstance(arg, np.ndarray) and arg.size <= 16:
            text = np.array2string(
                arg, precision=3, suppress_small=True, max_line_width=70
            )
            shown += f"{name} =\n{text}".split("\n")
    return [shown]


def first_difference(exercise, trial):
    """Return the first number that differs, in words."""
    for name, got, want in _triples(exercise, trial):
        if not results.close(got, want):
            wrong = ~np.isclose(got, want, results.RTOL, results.ATOL)
            index = tuple(int(i) for i in np.argwhere(wrong)[0])
            place = f"{name}[{', '.join(map(str, index))}]" if index else name
            one, other = _two(got[index], want[index])
            return (
                f"For {trial.probe.words}, {place} is {one}; right is {other}."
            )
    return ""


def _triples(exercise, trial):
    return zip(exercise.results, trial.got.arrays, trial.want.arrays)  # noqa: B905


def _two(got, want):
    for decimals in (3, 6):
        texts = [f"{number:.{decimals}f}" for number in (got, want)]
        if texts[0] != texts[1]:
            break
    return [re.sub(r"^-(0\.0+)$", r"\1", text) for text in texts]


def relation(exercise, trials):
    """Return how all plain results relate to the right ones, or ""."""
    plain = [t for t in trials if t.probe.level == "plain"]
    for position, name in enumerate(exercise.results):
        pairs = [
            (t.got.arrays[position], t.want.arrays[position]) for t in plain
        ]
        if all(results.close(got, want) for got, want in pairs):
            continue
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
        total = (want * want).sum()
        factor = (got * want).sum() / total if total else 1
        if not results.close(got, factor * want):
            return ""
        factors.append(factor)
    if np.allclose(factors, factors[0]):
        return f"every number is {factors[0]:.3f} times the right one."
    return "every number is a multiple of the right one, by another factor" + (
        " for each input."
    )


def _shift(pairs):
    shifts = [np.mean(got - want) for got, want in pairs]
    if all(
        results.close(got, want + shift)
        for (got, want), shift in zip(pairs, shifts, strict=True)
    ):
        return "a constant has been added to every number."
    return ""

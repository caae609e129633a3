"""Say which number differs first, where nothing else explains an answer."""

import numpy as np

from helpers.checks.engine.explain import inputs, learners_code, places
from helpers.checks.engine.run import results


def number(exercise, function, trials):
    """Return the first number that differs; there is one."""
    trial = next(trial for trial in trials if not trial.right)
    return (
        _in_short(trial),
        _difference(exercise, trial),
        places.reached(exercise, function, trials),
        _property(exercise, trial),
        trial.probe.hint,
        learners_code.global_array(function),
        inputs.shown(exercise, trial.probe),
        inputs.right_for(trials),
    )


def _in_short(trial):
    got, want = (
        any(np.isnan(array).any() for array in one.arrays)
        for one in (trial.got, trial.want)
    )
    if got and not want:
        return "the result contains NaN, which is not a number."
    return "the numbers are not right yet."


def _difference(exercise, trial):
    """Return the first number that differs, of the last wrong result."""
    names = exercise.results
    pairs = list(zip(trial.got.arrays, trial.want.arrays, strict=True))
    right = [results.close(got, want) for got, want in pairs]
    last = max(i for i, is_right in enumerate(right) if not is_right)
    text = f"For {trial.probe.words}, {_first(names[last], *pairs[last])}"
    others = [n for n, is_right in zip(names, right, strict=True) if is_right]
    return f"{text} Right: {', '.join(others)}." if others else text


def _first(name, got, want):
    wrong = ~np.isclose(got, want, results.RTOL, results.ATOL)
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = f"{name}[{', '.join(map(str, index))}]" if index else name
    for decimals in (3, 6, 9):
        texts = [f"{n[index]:z.{decimals}f}" for n in (got, want)]
        if texts[0] != texts[1]:
            break
    where = places.pattern(got, want) if got.ndim == 2 else ""
    if not where and len(index) > 1 and not wrong[0].any():
        where = "Row 0 is right."
    return f"{place} is {texts[0]}; it should be {texts[1]}. {where}".strip()


def _property(exercise, trial):
    for check in exercise.properties:
        text = check(trial.probe.args, *trial.got.arrays)
        if text:
            return text[0].upper() + text[1:]
    return ""

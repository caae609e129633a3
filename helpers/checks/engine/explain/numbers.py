"""Say which number differs first, where nothing else explains an answer."""

import numpy as np

from helpers.checks.engine.explain import inputs, learners_code, places
from helpers.checks.engine.run import results


def number(exercise, function, trials):
    """Return the first number that differs; there is one."""
    trial = next(trial for trial in trials if not trial.right)
    if all(map(_nearly, trials)):
        return (
            "the numbers are only nearly right.",
            _difference(exercise, trial),
            "The difference is small. Does your code round, or use numbers"
            " with few digits, such as float16?",
        )
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


def _nearly(trial):
    pairs = zip(trial.got.arrays, trial.want.arrays, strict=True)
    return all(
        np.allclose(got, want, 4e-3, results.ATOL, equal_nan=True)
        for got, want in pairs
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
    names = exercise.results if len(exercise.results) > 1 else ["result"]
    came = trial.got.shown or trial.got.arrays
    pairs = list(zip(came, trial.want.arrays, strict=True))
    right = [results.close(got, want) for got, want in pairs]
    last = max(i for i, is_right in enumerate(right) if not is_right)
    kind = trial.want.kinds[last]
    first = _first(names[last], *pairs[last], kind)
    text = f"With {trial.probe.words}, {first}"
    others = [n for n, is_right in zip(names, right, strict=True) if is_right]
    are = "are" if len(others) > 1 else "is"
    names = " and ".join(f"`{name}`" for name in others)
    return f"{text} For this input, {names} {are} right." if others else text


def _first(name, got, want, kind):
    wrong = ~np.isclose(got, want, results.RTOL, results.ATOL)
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = f"{name}[{', '.join(map(str, index))}]" if index else name
    texts = [_in_words(n[index], kind) for n in (got, want)]
    for decimals in (3, 6, 9):
        if texts[0] != texts[1]:
            break
        texts = [f"{n[index]:z.{decimals}f}" for n in (got, want)]
    where = places.pattern(got, want) if got.ndim == 2 else ""
    if not where and len(index) > 1 and not results.wrong(got, want)[0].any():
        where = "Row 0 is right."
    come = f"{place} is {texts[0]}, but it should be {texts[1]}."
    return f"{come} {where}".strip()


def _in_words(number, kind):
    """Write a number as the task's are: a truth value, whole, a decimal."""
    if kind == "b" and number in (0, 1):
        return str(bool(number))
    if kind in "biu" and number == np.round(number):
        return f"{number:z.0f}"
    return f"{number:z.3f}"


def _property(exercise, trial):
    for check in exercise.properties:
        text = check(trial.probe.args, *trial.got.arrays)
        if text:
            return text[0].upper() + text[1:]
    return ""

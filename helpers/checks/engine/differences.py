"""Say how an answer differs where no known mistake explains it.

Each function takes an exercise, the learner's function and its trials, and
returns a headline and paragraphs, or None.
"""

import ast
import inspect
import itertools
import re

import numpy as np

from helpers.checks.engine import blanks, hints, places, results

# errors that a length may be to blame for
_OF_LENGTHS = re.compile("shape|size|dimension|length|axis|index|aligned")

_SHORTEST = 3  # a number that may be a length and no axis
_RIGHT = "it should be"  # after "what"


def truth(exercise, function, trials):
    """Say that True and False came back in place of numbers."""
    if not only_true_or_false(trials):
        return None
    return (
        "it returns True or False; the task asks for numbers.",
        f"Is the last line a comparison? The task asks for"
        f" {' and '.join(exercise.results)}: {exercise.shape}.",
    )


def only_true_or_false(trials):
    """Tell whether True and False came where numbers belong."""
    pairs = [(t.got.kinds, t.want.kinds) for t in trials if t.got.arrays]
    return bool(pairs) and all(
        set(got) == {"b"} and "b" not in want for got, want in pairs
    )


def several(exercise, function, trials):
    """Say that a tuple came in place of one result."""
    found = [t.got.several for t in trials if t.got.several]
    if not found:
        return None
    return (
        f"it returns {found[0]} results; the task asks for one.",
        f"Return only {exercise.results[0]}. A comma in the `return` line"
        " makes several results.",
    )


def kind(exercise, function, trials):
    """Say what came back that is no array of numbers."""
    failed = [trial for trial in trials if trial.got.problem]
    if not failed:
        return None
    return (
        "it does not return what the task asks for.",
        f"For {failed[0].probe.words} it returns {failed[0].got.problem}",
        blanks.lost_result(function)
        or f"The task asks for {' and '.join(exercise.results)}.",
    )


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
        "the arguments are not in the order of the task.",
        f"It is called as {exercise.call}; yours takes ({', '.join(taken)}).",
    )


def shape(exercise, function, trials):
    """Say which shape is wrong, or how many results are missing."""
    wrong = [t for t in trials if _shapes(t.got) != _shapes(t.want)]
    if not wrong:
        return None
    probe, got, want = wrong[0].probe, wrong[0].got, wrong[0].want
    if len(got.arrays) < len(want.arrays):
        return (
            f"results are missing: {len(got.arrays)} came back, and the task"
            f" asks for {len(want.arrays)}.",
            f"They are, in this order: {', '.join(exercise.results)}.",
        )
    turned = [s[::-1] for s in _shapes(got)] == _shapes(want)
    asked = dict.fromkeys((_in_words(want), exercise.shape))
    return (
        "the shape is not right.",
        f"For {probe.words} it returns {_in_words(got)}; it should be"
        f" {': '.join(asked)}.",
        "Rows and columns are swapped." if turned else "",
        _fixed_length(function, got, want),
        places.reached(exercise, function, trials),
        f"The input: {_inputs(exercise, probe)}.",
        _right_for(trials),
    )


def _shapes(outcome):
    return [array.shape for array in outcome.arrays]


def _fixed_length(function, got, want):
    """Ask about a number of the code that is a wrong length, or return ""."""
    pairs = list(zip(_shapes(got), _shapes(want), strict=False))
    if any(len(one) != len(other) for one, other in pairs):
        return ""
    lengths = {n for one, other in pairs for n in {*one} - {*other}}
    return _fixed_number(function, lengths)


def _fixed_number(function, lengths=None):
    """Ask about a number of the code that may be a length, or return ""."""
    nodes = [n for top in blanks.statements(function) for n in ast.walk(top)]
    for node in nodes:
        number = getattr(node, "value", None)
        if type(number) is not int or number < _SHORTEST:
            continue
        if lengths is None or number in lengths:
            return (
                f"{number} is a fixed number in the code. Is it a length?"
                " Lengths differ from input to input."
            )
    return ""


def _in_words(outcome):
    shapes = _shapes(outcome)
    return " and ".join(str(s) if s else "one number" for s in shapes)


def _inputs(exercise, probe):
    return ", ".join(
        f"{name} {arg.shape}"
        if isinstance(arg, np.ndarray)
        else f"{name} = {arg}"
        for name, arg in zip(exercise.arguments, probe.args, strict=True)
    )


def _right_for(trials):
    words = [t.probe.words for t in trials if t.right]
    return f"It is right for {words[0]}." if words else ""


def crash(exercise, function, trials):
    """Say where it stops, and which input it does not stop for."""
    failed = [t for t in trials if t.got.error]
    if not failed:
        return None
    got, probe = failed[0].got, failed[0].probe
    headline, question = _condition(exercise, trials)
    shapes = got.shapes or _inputs(exercise, probe)
    advice = blanks.lost_result(function) or hints.advice(got)
    return (
        headline,
        f"For {probe.words}: {got.error}",
        [got.line] if got.line else "",
        f"The shapes there: {shapes}.",
        _stops_alike(exercise, trials),
        _fixed_number(function) if _about_lengths(trials) else "",
        advice if hints.is_sure(advice) else "",
        places.reached(exercise, function, trials),
        _global(function),
        advice if not hints.is_sure(advice) else "",
        question,
        probe.hint,
    )


def _condition(exercise, trials):
    """Find what an answer needs to be right, or not to stop."""
    for text, works in (
        ("it is right only if", [t.right for t in trials]),
        ("it stops unless", [not t.got.error for t in trials]),
    ):
        found = list(_lengths(exercise, trials, works))
        if 0 < len(found) < 3:
            words = ", or ".join(found)
            return f"{text} {words}.", "Is a length fixed in the code?"
    words = [t.probe.words for t in trials if not t.got.error]
    if not words:
        return "it stops with an error.", ""
    question = f"It does not stop for {words[0]}."
    if _about_lengths(trials):
        question += " Is a length fixed in the code, or confused with another?"
    return "it stops with an error.", question


def _about_lengths(trials):
    return any(_OF_LENGTHS.search(t.got.error) for t in trials)


def _lengths(exercise, trials, works):
    """Yield what is said by one length, or two, just where it works."""
    if not any(works):
        return
    columns = {}  # the lengths in all trials: what they are called
    for label in _sizes(exercise, trials[0].probe):
        column = tuple(_sizes(exercise, t.probe).get(label) for t in trials)
        columns.setdefault(column, label)
    for column, label in columns.items():
        length = column[works.index(True)]
        if length != 1 and [size == length for size in column] == works:
            yield f"`{label}` is {length}"
    for (a, one), (b, other) in itertools.combinations(columns.items(), 2):
        if (
            "ndim" not in one + other
            and [x == y for x, y in zip(a, b, strict=True)] == works
        ):
            yield f"`{one}` equals `{other}`"


def _sizes(exercise, probe):
    """Return the lengths of an input by what they are called."""
    sizes = {}
    for name, arg in zip(exercise.arguments, probe.args, strict=True):
        if isinstance(arg, np.ndarray):
            sizes[f"{name}.ndim"] = arg.ndim
            for axis, length in enumerate(arg.shape):
                sizes[f"{name}.shape[{axis}]"] = length
        elif isinstance(arg, int):
            sizes[name] = arg
    return sizes


def _stops_alike(exercise, trials):
    """Name the mistakes that stop with the same errors, up to three."""
    found = {}
    for variant in exercise.singles:
        outcomes = (exercise.outcome(variant, t.probe) for t in trials)
        if all(
            t.got.error == o.error and results.same(t.got, o)
            for t, o in zip(trials, outcomes, strict=True)
        ):
            found.setdefault(variant.mistakes[0])
    if not 0 < len(found) < 4:
        return ""
    names = ", or if ".join(mistake.name for mistake in found)
    ideas = [mistake.idea for mistake in found] if len(found) == 1 else []
    return " ".join((f"This happens, for example, if {names}.", *ideas))


def ignored(exercise, function, trials):
    """Find arguments that make no difference, by changing them."""
    finite = (  # inf stays inf, whatever it depends on
        trial
        for trial in trials
        if all(np.isfinite(array).all() for array in trial.got.arrays)
    )
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
        f"the result does not depend on {names}.",
        "With other numbers there, the result is the same.",
        _global(function),
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


def _global(function):
    """Name an array of the notebook that a function uses, or ""."""
    code = getattr(function, "__code__", None)
    values = getattr(function, "__globals__", {})
    for name in code.co_names if code else ():
        if isinstance(values.get(name), np.ndarray):
            return (
                f"It uses `{name}`, an array of the notebook. A function"
                " should use its arguments."
            )
    return ""


def factor(exercise, function, trials):
    """Find one factor, or one number added, alone or with a mistake."""
    runs = [t for t in trials if t.got.arrays]
    if all(t.right for t in runs if t.probe.level == "basic"):
        return None
    text = _scaled(exercise, runs, [t.want for t in runs], _RIGHT)
    if text:
        return "the numbers are not right yet.", f"Every number of {text}"
    for variant in exercise.singles:
        first = exercise.outcome(variant, runs[0].probe)
        if not _is_one_change(runs[0].got, first):
            continue  # in no time, as nearly always
        wants = [exercise.outcome(variant, t.probe) for t in runs]
        text = _scaled(exercise, runs, wants, "this mistake alone gives")
        if text:
            (mistake,) = variant.mistakes
            more = f"Besides, every number of {text}"
            return f"{mistake.name}.", mistake.idea, more
    return None


def _is_one_change(got, want):
    """Tell whether a factor, or a shift, may explain each result."""
    if _shapes(got) != _shapes(want):
        return False
    return all(
        results.close(a, b)
        or results.close(a, (a * b).sum() / max((b * b).sum(), 1e-30) * b)
        or results.close(a, (a - b).mean() + b)
        for a, b in zip(got.arrays, want.arrays, strict=True)
    )


def _scaled(exercise, trials, wants, base):
    """Say so if all that differs from `base` is a factor or a shift."""
    texts = []
    for place, name in enumerate(exercise.results):
        pairs = [
            (t.got.arrays[place], want.arrays[place])
            for t, want in zip(trials, wants, strict=True)
            if len(t.got.arrays) > place and len(want.arrays) > place
        ]
        if len(pairs) < len(trials):
            return ""
        if not all(results.close(*pair) for pair in pairs):
            text = _relation(trials, pairs, base)
            if not text:
                return ""
            texts.append(f"`{name}` is {text}")
    return " Every number of ".join(texts)


def _relation(trials, pairs, base):
    if any(a.shape != b.shape or not np.isfinite(a).all() for a, b in pairs):
        return ""
    got, want = (np.concatenate([p[i].ravel() for p in pairs]) for i in (0, 1))
    if not np.isfinite(want).all() or len(want) < 6 or not np.ptp(want):
        return ""
    shift = (got - want).mean()
    if results.close(got, want + shift):
        if base == _RIGHT:
            side = "too large" if shift > 0 else "too small"
            return f"{abs(shift):.3g} {side}."
        side = "more" if shift > 0 else "less"
        return f"{abs(shift):.3g} {side} than what {base}."
    if not got.any() or max(b.size for _, b in pairs) == 1:
        pairs = [(got, want)]
    factors = [(a * b).sum() / max((b * b).sum(), 1e-30) for a, b in pairs]
    if not all(
        results.close(a, f * b)
        for f, (a, b) in zip(factors, pairs, strict=True)
    ):
        return ""
    if np.allclose(factors, factors[0]):
        return f"{factors[0]:.3f} times what {base}."
    some = [
        f"{f:.3f} for {t.probe.words}"
        for f, t in zip(factors[:3], trials, strict=False)
    ]
    return (
        f"what {base}, times a factor that depends on the input:"
        f" {', '.join(some)}."
    )


def number(exercise, function, trials):
    """Return the first number that differs; there is one."""
    trial = next(trial for trial in trials if not trial.right)
    return (
        _in_short(trial),
        _difference(exercise, trial),
        places.reached(exercise, function, trials),
        _property(exercise, trial),
        trial.probe.hint,
        _global(function),
        _shown(exercise, trial.probe),
        _right_for(trials),
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


def _shown(exercise, probe):
    """Show the arguments, if they are small enough to compute by hand."""
    known = all(isinstance(a, (np.ndarray, int, float)) for a in probe.args)
    if not known or sum(np.size(arg) for arg in probe.args) > 16:
        return f"The input: {_inputs(exercise, probe)}."
    lines = []
    for name, arg in zip(exercise.arguments, probe.args, strict=True):
        text = np.array2string(
            np.asarray(arg), formatter={"float": "{:.3g}".format}
        )
        lines += f"{name} = {text}".split("\n")
    return lines

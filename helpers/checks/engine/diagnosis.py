"""Say what is wrong with an answer, and which idea is behind it."""

import inspect
import textwrap

import numpy as np

from helpers.checks import hints
from helpers.checks.engine import results, sandbox

RIGHT, WRONG, OPEN = "✓", "✗", "○"
RETURN = "If you use a loop: is `return` inside it?"


def say(exercise, mark, headline, *paragraphs):
    """Lay out the feedback; a paragraph that is a list stays as it is."""
    lines = textwrap.wrap(
        f"{mark} {exercise.name}: {headline}", 79, subsequent_indent="  "
    )
    for paragraph in paragraphs:
        if isinstance(paragraph, list):
            lines += [f"    {line}".rstrip() for line in paragraph]
        else:
            lines += textwrap.wrap(
                paragraph, 79, initial_indent="  ", subsequent_indent="  "
            )
    text = "\n".join(lines)
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def refusal(exercise, function):
    """Return what to say if `function` cannot be tried at all, or None."""
    if results.is_blank(function):
        return OPEN, "not attempted yet."
    if not callable(function):
        return (
            WRONG,
            "this is not a function.",
            f"The check got something of type {type(function).__name__[:40]}."
            " Pass the function itself, without calling it:"
            f" checks.{exercise.name}(your_function).",
        )
    return _wrong_arguments(exercise, function)


def _wrong_arguments(exercise, function):
    args = exercise.probes[0].args
    try:
        signature = inspect.signature(function)
    except Exception:  # built-in functions need not have one
        return None
    try:
        signature.bind(*args)
    except TypeError:
        taken = sandbox.clean(lambda: str(signature)) or "others"
        return (
            WRONG,
            "it takes other arguments than asked for.",
            f"It is called as {exercise.call}, with {len(args)}"
            f" argument{'s' * (len(args) > 1)}; yours takes {taken}.",
        )
    return None


def verdict(exercise, function, first, again):
    """Return mark, headline and paragraphs for an answer that was tried.

    `first` and `again` are the trials of all probes, for the first and the
    second time; fewer if the time was up.
    """
    asked = [t for t in first if t.probe.level != "extra"]
    missing = len(first) < len(exercise.probes)
    late = missing and not (first and first[-1].got.error == sandbox.ENDED)
    if missing or not all(trial.right for trial in asked):
        return _wrong(exercise, function, asked, late)
    if not all(
        results.same(a.got, b.got) for a, b in zip(first, again, strict=False)
    ):
        return (
            WRONG,
            "right at first, but another result the second time.",
            "The same input must always give the same result. Does the"
            " function use random numbers, or keep something from one call to"
            " the next?",
        )
    if any(trial.got.changed for trial in first):
        return (
            WRONG,
            "right numbers, but it changes its argument"
            f" {_changed(exercise, first)}.",
            "Whoever calls it still needs that array: the next cell would go"
            " on with other numbers. Operators such as -= and *=, out= and"
            " assignments to x[...] work in place; make a new array instead.",
        )
    refused = exercise.refuse(first[0].got)
    if refused:
        return WRONG, *refused
    return RIGHT, *_praise(exercise, function, first)


def _praise(exercise, function, trials):
    yield f"correct. {exercise.praise}"
    if exercise.no_loop and _loops(exercise, function):
        yield exercise.no_loop
    failed = [t for t in trials if not t.right]
    yield from dict.fromkeys(t.probe.hint for t in failed)
    yield from _remarks(exercise, trials)


def _loops(exercise, function):
    """Tell whether an input twice as long runs more lines of Python."""
    args = exercise.probes[0].args
    longer = tuple(np.concatenate([a, a]) for a in args)
    found = sandbox.run(function, [args, longer], 1, trace=True)
    return len(found) == 2 and found[0].lines < found[1].lines


def _remarks(exercise, trials):
    if any(t.got.changed for t in trials):
        yield (
            f"It also changes its argument {_changed(exercise, trials)}; work"
            " on a new array instead."
        )
    if any(t.got.printed for t in trials):
        yield "(It prints. What it printed while it was tried is not shown.)"


def _changed(exercise, trials):
    positions = {i for trial in trials for i in trial.got.changed}
    return " and ".join(exercise.arguments[i] for i in sorted(positions))


def _wrong(exercise, function, trials, late):
    blank = hints.unfinished(function, trials)
    if blank:
        return OPEN, *blank
    if late:
        where = exercise.probes[len(trials)].words
        return (
            WRONG,
            "it does not come to an end.",
            f"For {where} it was stopped: all inputs together may take"
            f" {sandbox.SECONDS:g} seconds. Is there a loop that never ends?",
        )
    for finder in _FINDERS:
        found = finder(exercise, function, trials)
        if found:
            break
    return WRONG, *found, *_remarks(exercise, trials)


# Known mistakes, alone and in pairs


def _known(exercise, function, trials):
    """Find mistakes that give what the answer gives."""
    basic = [t for t in trials if t.probe.level == "basic"]
    runs = [t for t in trials if not t.got.error]
    wrong = [t for t in basic + runs if t.got.arrays and not t.right]
    if not wrong or not any(t.got.arrays for t in basic):
        return None  # errors alone do not say which mistake it was
    paired = [] if _constant(runs) else None  # nothing was computed
    for some in (trials, basic, runs):
        if wrong[0] not in some:
            continue
        found = _all_giving(exercise, exercise.singles, some)
        if not found:
            if paired is None:
                paired = exercise.paired(wrong[0])
            found = _all_giving(exercise, paired, some)
        if found:
            crash = [t for t in trials if t not in some and t.got.error]
            return *_named(found), *map(_stops, crash[:1])
    return None


def _constant(trials):
    """Tell whether everything that was returned is one number."""
    parts = [array.ravel() for t in trials for array in t.got.arrays]
    numbers = np.concatenate([*parts, [np.nan]])[:-1]
    return len(parts) > 1 and not np.any(numbers != numbers[:1])


def _all_giving(exercise, variants, trials, only=None):
    """Return the mistakes of all variants that give all of `trials`."""
    found = [
        variant.mistakes
        for variant in variants
        if _gives(exercise, variant, trials, only)
    ]
    return list(dict.fromkeys(found))


def _gives(exercise, variant, trials, only=None):
    """Tell whether a variant gives the same as all of `trials`."""
    return all(
        results.same(
            t.got,
            results.fitted(exercise.outcome(variant, t.probe), t.want),
            only,
        )
        for t in trials
    )


def _stops(trial):
    return (
        f"Besides, it stops with an error for {trial.probe.words}:"
        f" {trial.got.error}. {hints.advice(trial.got.error)}"
    )


def _named(found):
    """Lay out the mistakes of the best match, and what is as good."""
    best = found[0]
    headline = ", and ".join(mistake.name for mistake in best) + "."
    ideas = [mistake.idea for mistake in best]
    others = [m for m in found[1:] if len(m) == 1 == len(best)]
    for (other,) in others[:1]:  # an honest "or" for equal numbers
        ideas.append(f"Or {other.name}: that gives the same. {other.idea}")
    return headline, *ideas


def _known_in_part(exercise, function, trials):
    """Find mistakes in one of several results, or where it does not stop."""
    basic = [t for t in trials if t.probe.level == "basic"]
    if len(exercise.results) == 1:
        return None
    for place, name in reversed(list(enumerate(exercise.results))):
        for some in (trials, basic):
            if all(t.got.error or _right(t, place) for t in some):
                continue
            found = _all_giving(exercise, exercise.singles, some, place)
            if found:
                more = f"That is what your result `{name}` shows."
                return *_named(found), more
    return None


def _right(trial, place):
    return results.same(trial.got, trial.want, place)


def _recognized(exercise, function, trials):
    """Ask the exercise."""
    return exercise.recognize(exercise, trials)


# What came back, before its numbers


def _several(exercise, function, trials):
    found = [t.got.several for t in trials if t.got.several]
    if not found:
        return None
    return (
        f"it returns {found[0]} results; one is asked for.",
        f"Asked for: {exercise.results[0]}. A comma in the `return` line makes"
        " several results.",
    )


def _kind(exercise, function, trials):
    failed = [trial for trial in trials if trial.got.problem]
    if not failed:
        return None
    return (
        "it does not return what is asked for.",
        f"For {failed[0].probe.words} it returns {failed[0].got.problem}",
        f"Asked for: {' and '.join(exercise.results)}.",
    )


def _shape(exercise, function, trials):
    wrong = [t for t in trials if _shapes(t.got) != _shapes(t.want)]
    if not wrong:
        return None
    probe, got, want = wrong[0].probe, wrong[0].got, wrong[0].want
    if len(got.arrays) < len(want.arrays):
        return (
            "it returns one result; two are asked for.",
            f"Asked for are both, separated by a comma:"
            f" {' and '.join(exercise.results)}.",
        )
    return (
        "the shape is not right.",
        f"For {probe.words} it returns {_in_words(got)}; right is"
        f" {_in_words(want)}: {exercise.shape}.",
        f"The input: {_inputs(exercise, probe)}.",
        _where(trials),
    )


def _shapes(outcome):
    return [array.shape for array in outcome.arrays]


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


def _where(trials):
    failed = [t for t in trials if not t.right]
    if len(failed) == len(trials):
        return ""
    kinds = (
        ("It is right for", [t for t in trials if t.right]),
        ("it stops for", [t for t in failed if t.got.error]),
        ("it is wrong for", [t for t in failed if not t.got.error]),
    )
    return (
        "; ".join(
            f"{text}: {', '.join(t.probe.words for t in some)}"
            for text, some in kinds
            if some
        )
        + "."
    )


# Errors


def _crash(exercise, function, trials):
    failed = [t for t in trials if t.got.error]
    if not failed:
        return None
    got, probe = failed[0].got, failed[0].probe
    return (
        "it stops with an error.",
        f"For {probe.words}: {got.error}",
        [got.line] if got.line else "",
        f"There: {got.shapes or _inputs(exercise, probe)}.",
        _stops_alike(exercise, trials),
        hints.advice(got.error),
        _where(trials),
        _some_shapes(trials),
        _global(function),
        probe.hint,
    )


def _some_shapes(trials):
    basic = [t for t in trials if t.probe.level == "basic"]
    if not any(t.right for t in basic):
        return ""
    return (
        "So it works for some lengths only. Is one of them fixed in the code,"
        " or taken for another?"
    )


def _stops_alike(exercise, trials):
    """Name the mistakes that stop with the same errors, up to three."""
    found = {}
    for variant in exercise.singles:
        outcomes = [exercise.outcome(variant, t.probe) for t in trials]
        if all(
            t.got.error == o.error and results.same(t.got, o)
            for t, o in zip(trials, outcomes, strict=True)
        ):
            found.setdefault(variant.mistakes[0])
    if not 0 < len(found) < 4:
        return ""
    names = ", or if ".join(mistake.name for mistake in found)
    ideas = [mistake.idea for mistake in found] if len(found) == 1 else []
    return " ".join((f"It stops like this if {names}.", *ideas))


# Numbers that are wrong in an unknown way


def _ignored(exercise, function, trials):
    """Find arguments that make no difference, by changing them."""
    probe = trials[0].probe
    names, calls = [], [probe.args]
    for place, arg in enumerate(probe.args):
        other = _another(arg)
        args = *probe.args[:place], other, *probe.args[place + 1 :]
        if other is not None and exercise.depends(probe, args):
            calls.append(args)
            names.append(exercise.arguments[place])
    base, *found = sandbox.run(function, calls, len(exercise.results))
    unused = [
        name
        for name, got in zip(names, found, strict=False)
        if got.arrays and results.same(base, got)
    ]
    if not unused:
        return None
    text = " and ".join(f"`{name}`" for name in unused)
    return (
        f"the result does not depend on {text}.",
        "With other numbers there the same comes back.",
        _global(function),
    )


def _another(arg):
    """Return numbers like `arg`, but others; None if that may not do."""
    if isinstance(arg, (int, float)):
        return 2 * arg
    if arg.dtype.kind == "f":
        return np.linspace(0.3, 1.7, arg.size).reshape(arg.shape)
    return None


def _global(function):
    """Name an array of the notebook that a function uses, or ""."""
    code = getattr(function, "__code__", None)
    names = code.co_names if code else ()
    values = getattr(function, "__globals__", {})
    for name in names:
        if isinstance(values.get(name), np.ndarray):
            return (
                f"It uses `{name}`, an array of the notebook. A function"
                " should use its arguments."
            )
    return ""


def _factor(exercise, function, trials):
    """Find one factor, or one number added, alone or with a mistake."""
    basic = [t for t in trials if t.probe.level == "basic" and t.got.arrays]
    if all(t.right for t in basic):
        return None
    runs = [t for t in trials if t.got.arrays]
    text = _scaled(exercise, runs, [t.want for t in runs])
    if text:
        return "the numbers are not right yet.", text
    for variant in exercise.singles:
        wants = [exercise.outcome(variant, t.probe) for t in runs]
        text = _scaled(exercise, runs, wants)
        if text:
            (mistake,) = variant.mistakes
            return f"{mistake.name}.", mistake.idea, f"Besides: {text}"
    return None


def _scaled(exercise, trials, wants):
    """Say so if a single result is all that differs, by a factor or shift."""
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
            texts.append((name, _relation(trials, pairs)))
    if not all(text for _, text in texts):
        return ""
    return " ".join(f"Every number of `{n}` is {text}" for n, text in texts)


def _relation(trials, pairs):
    if any(a.shape != b.shape or not np.isfinite(a).all() for a, b in pairs):
        return ""
    got, want = (np.concatenate([p[i].ravel() for p in pairs]) for i in (0, 1))
    if not np.isfinite(want).all() or len(want) < 6 or not np.ptp(want):
        return ""
    shift = (got - want).mean()
    if results.close(got, want + shift):
        return f"{abs(shift):.3g} too {'large' if shift > 0 else 'small'}."
    if not got.any() or min(b.size for _, b in pairs) == 1 < len(want):
        pairs = [(got, want)]
    factors = [(a * b).sum() / max((b * b).sum(), 1e-30) for a, b in pairs]
    if not all(
        results.close(a, f * b)
        for f, (a, b) in zip(factors, pairs, strict=True)
    ):
        return ""
    if np.allclose(factors, factors[0]):
        return f"{factors[0]:.3f} times what it should be."
    return "the right one times a factor that depends on the input: " + (
        ", ".join(
            f"{f:.3f} for {t.probe.words}"
            for f, t in zip(factors[:3], trials, strict=False)
        )
        + "."
    )


def _number(exercise, function, trials):
    failed = [trial for trial in trials if not trial.right]
    trial = failed[0]
    return (
        "the numbers are not right yet.",
        _difference(exercise, trial),
        _property(exercise, trial),
        _where(trials),
        _global(function),
        trial.probe.hint,
        *_shown(exercise, trial.probe),
    )


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
    return f"{place} is {texts[0]}; right is {texts[1]}."


def _property(exercise, trial):
    for check in exercise.properties:
        text = check(trial.probe.args, *trial.got.arrays)
        if text:
            return text[0].upper() + text[1:]
    return ""


def _shown(exercise, probe):
    """Show the arguments, if they are small enough to compute by hand."""
    if sum(np.size(arg) for arg in probe.args) > 16:
        return [f"The input: {_inputs(exercise, probe)}."]
    shown = []
    for name, arg in zip(exercise.arguments, probe.args, strict=True):
        if isinstance(arg, np.ndarray):
            text = np.array2string(
                arg, precision=3, suppress_small=True, max_line_width=70
            )
            shown += f"{name} =\n{text}".split("\n")
        else:
            shown.append(f"{name} = {arg}")
    return [shown]


_FINDERS = (
    _known,
    _recognized,
    _several,
    _factor,
    _crash,
    _kind,
    _ignored,
    _shape,
    _known_in_part,
    _number,
)

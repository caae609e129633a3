"""Verdicts on an answer: specific, kind, and the same each time."""

import inspect
import textwrap

from helpers.checks import (
    compare,
    crashes,
    findings,
    relations,
    results,
    source,
    unfinished,
)

_RIGHT, _WRONG, _OPEN = "✓", "✗", "○"


def _say(mark, exercise, headline, *paragraphs):
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
    """Return why `function` cannot be tried at all, or ""."""
    if results.is_blank(function):
        return _say(_OPEN, exercise, "not attempted yet.")
    if not callable(function):
        return _say(
            _WRONG,
            exercise,
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
        return ""
    try:
        signature.bind(*args)
    except TypeError:
        taken = crashes.clean(lambda: str(signature)) or "others"
        return _say(
            _WRONG,
            exercise,
            "it takes other arguments than asked for.",
            f"It is called as {exercise.call}, with {len(args)}"
            f" argument{'s' * (len(args) > 1)}; yours takes {taken}.",
        )
    return ""


def wrong(exercise, function, trials):
    """Return the first thing to say about an answer that is not right."""
    blank = unfinished.verdict(function, trials)
    if blank:
        return _say(_OPEN, exercise, *blank)
    found = findings.first(exercise, trials)
    if not source.has_loop(function):
        found = [_no_loop(paragraph) for paragraph in found]
    more = _remarks(exercise, trials)
    return _say(_WRONG, exercise, *found, source.slip(function), *more)


def _no_loop(paragraph):
    if isinstance(paragraph, list):
        return paragraph
    return paragraph.replace(relations.RETURN, "").strip()


def _remarks(exercise, trials):
    remarks = []
    if any(trial.got.changed for trial in trials):
        remarks.append(
            f"It also changes its argument {_changed(exercise, trials)}; work"
            " on a new array instead."
        )
    remarks += [t.got.note for t in trials if t.got.note][:1]
    if any(trial.got.printed for trial in trials):
        remarks.append(
            "(It prints. What it printed while it was tried is not shown.)"
        )
    return remarks


def _changed(exercise, trials):
    names = compare.arguments(exercise)
    positions = {i for trial in trials for i in trial.got.changed}
    return " and ".join(names[i] for i in sorted(positions))


def changed(exercise, trials):
    """Say that the result is right but an argument was changed."""
    return _say(
        _WRONG,
        exercise,
        "right numbers, but it changes its argument"
        f" {_changed(exercise, trials)}.",
        "Whoever calls it still needs that array: the next cell would go on"
        " with other numbers. Operators such as -= and *=, out= and"
        " assignments to x[...] work in place; make a new array instead.",
        *_remarks(exercise, trials)[1:],
    )


def unsteady(exercise):
    """Say that the second run gave something else."""
    return _say(
        _WRONG,
        exercise,
        "right at first, but another result the second time.",
        "The same input must always give the same result. Does the function"
        " use random numbers, or keep something from one call to the next?",
    )


def not_boolean(exercise, name, kind):
    """Say that a mask holds the right numbers, but not as booleans."""
    return _say(
        _WRONG,
        exercise,
        f"`{name}` has the right numbers, but as {kind}, not as booleans.",
        "torch hides by True and False. A mask of numbers it refuses or"
        " *adds* to the scores: 0 and 1 then hide nothing, and no error tells"
        " you.",
    )


def correct(exercise, function, trials):
    """Say that the answer is right, and what that proves."""
    asked = [trial for trial in trials if trial.right]
    beyond = [trial for trial in trials if not trial.right]
    return _say(
        _RIGHT,
        exercise,
        "correct.",
        exercise.proves,
        exercise.if_loop if source.shows_loop(function) else "",
        _step_further(exercise, trials, beyond) if beyond else "",
        *_remarks(exercise, asked),
    )


def _step_further(exercise, trials, beyond):
    bug = exercise.recognize(trials)
    words = dict.fromkeys(trial.probe.words for trial in beyond)
    hints = dict.fromkeys(trial.probe.hint for trial in beyond)
    text = bug.feedback if bug else " ".join(filter(None, hints))
    return (
        "Nothing is missing. If you are curious: it does not yet take"
        f" {' and '.join(words)}. {text}"
    )


def stopped(exercise):
    """Say that the learner interrupted the check."""
    return _say(_WRONG, exercise, "you stopped it while it was running.")


def gave_up(exercise, error):
    """Say that even the check could not cope."""
    return _say(
        _WRONG,
        exercise,
        "the check could not judge this answer.",
        f"It came to {crashes.message(error)} on the way.",
    )

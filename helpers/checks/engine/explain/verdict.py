"""Judge an answer that was tried: the mark, the headline, the paragraphs."""

import inspect
import textwrap

import numpy as np

from helpers.checks.engine.explain import blanks, finders, learners_code
from helpers.checks.engine.run import budget, results, sandbox

RIGHT, WRONG, OPEN = "✓", "✗", "○"
RESULTS = {RIGHT: "solved", OPEN: "not attempted", WRONG: "wrong"}
WORDS = 60  # of feedback; what does not fit any more is left out


def say(exercise, mark, headline, *paragraphs):
    """Lay out the feedback; a paragraph that is a list stays as it is."""
    lines = textwrap.wrap(
        f"{mark} {exercise.name}: {headline}", 79, subsequent_indent="  "
    )
    for place, paragraph in enumerate(paragraphs):
        if isinstance(paragraph, list):
            more = [f"    {line}".rstrip() for line in paragraph]
        else:
            more = textwrap.wrap(
                paragraph, 79, initial_indent="  ", subsequent_indent="  "
            )
        if place < 1 or len(" ".join(lines + more).split()) <= WORDS:
            lines += more
    text = "\n".join(lines)
    if text.replace("\n", "").isprintable():
        return text
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
            "your function does not have the arguments of the task.",
            f"The check calls {exercise.call}, with {len(args)}"
            f" argument{'s' * (len(args) > 1)}, but yours takes {taken}.",
        )
    return None


def verdict(exercise, function, trials):
    """Return mark, headline and paragraphs for an answer that was tried.

    `trials` are those of all probes, or fewer if the time was up.
    """
    asked = [t for t in trials if t.probe.level != "extra"]
    missing = len(trials) < len(exercise.probes)
    if missing or not all(trial.right for trial in asked):
        return _wrong(exercise, function, asked, missing)
    objection = _objection(exercise, function, trials)
    if objection:
        return WRONG, *objection
    return RIGHT, *_praise(exercise, function, trials)


def _objection(exercise, function, trials):
    """Return why right numbers will not do, or None."""
    if not all(trial.steady for trial in trials):
        return (
            "your code is right at first, but gives a different result the"
            " second time.",
            "The same input must always give the same result. Does the"
            " function use random numbers, or keep something from one call to"
            " the next?",
        )
    if any(trial.got.changed for trial in trials):
        changed = _changed(exercise, trials)
        return (
            f"the numbers are right, but your code changes {changed}.",
            "The next cell still needs the argument as it was. Assignments to"
            " x[...], the argument out=, and operators such as += all work in"
            " place. A slice or reshape of an array, list(x) and"
            " torch.from_numpy(x) may share memory with the original, so work"
            " on a copy.",
        )
    if exercise.no_loop and _loops(exercise, function):
        return "the numbers are right, but there is a loop.", exercise.no_loop
    return exercise.refuse(trials[0].got, function)


def _praise(exercise, function, trials):
    yield f"correct. {exercise.praise}"
    failed = [t for t in trials if not t.right]
    yield from dict.fromkeys(t.probe.hint for t in failed)
    yield exercise.remark(exercise, function)
    yield from _remarks(exercise, trials)


def _loops(exercise, function):
    """Tell whether an input twice as long runs more lines of Python."""
    args = exercise.probes[0].args
    longer = tuple(np.concatenate([a, a]) for a in args)
    found = exercise.run(function, [args, longer], trace=True)
    return len(found) == 2 and found[0].lines < found[1].lines


def _remarks(exercise, trials):
    if any(t.got.changed for t in trials):
        yield (
            f"Your code also changes {_changed(exercise, trials)}, so"
            " work on a copy instead."
        )
    asked = "list" in exercise.shape
    if not asked and any(t.got.types == ("list",) for t in trials if t.right):
        yield "(Your code returns a list, which np.array makes an array.)"
    if any(t.got.paused for t in trials):
        yield (
            "The check skips your breakpoint(), which would stop the next"
            " cell, so take it out."
        )
    given = "print(" in exercise.solution  # in the lines of the stub, too
    if not given and any(t.got.printed for t in trials):
        yield "(Your code prints something, which the check does not show.)"


def _changed(exercise, trials):
    positions = {i for trial in trials for i in trial.got.changed}
    names = [exercise.arguments[i] for i in sorted(positions)]
    return f"its argument{'s' * (len(names) > 1)} {' and '.join(names)}"


def _wrong(exercise, function, trials, missing):
    blank = blanks.unfinished(function, trials)
    if blank:
        return OPEN, *blank
    if missing and not (trials and trials[-1].got.error == sandbox.ENDED):
        where = exercise.probes[len(trials)].words
        return (
            WRONG,
            "your code does not come to an end.",
            f"The check stopped your code for {where}, because all inputs"
            f" together may take {sandbox.SECONDS:g} seconds."
            f" {learners_code.endless(function)}",
        )
    budget.start()
    for finder in finders.FINDERS:
        found = finder(exercise, function, trials)
        if found:
            break
    return WRONG, *found, *_remarks(exercise, trials)

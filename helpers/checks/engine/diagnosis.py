"""Judge an answer: the verdict, and known mistakes, alone and in pairs."""

import functools
import inspect
import itertools
import re
import textwrap

import numpy as np

from helpers.checks.engine import (
    blanks,
    differences,
    generated,
    hints,
    pairs,
    results,
    sandbox,
)

RIGHT, WRONG, OPEN = "✓", "✗", "○"
RESULTS = {RIGHT: "solved", OPEN: "not attempted", WRONG: "wrong"}
LINES = 8  # of feedback; what does not fit any more is left out


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
        if place < 2 or len(lines) + len(more) <= LINES:
            lines += more
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
            "its arguments are not those of the task.",
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
    if missing or not all(trial.right for trial in asked):
        return _wrong(exercise, function, asked, missing, again)
    objection = _objection(exercise, function, first, again)
    if objection:
        return WRONG, *objection
    return RIGHT, *_praise(exercise, function, first)


def _objection(exercise, function, first, again):
    """Return why right numbers will not do, or None."""
    twice = zip(first, again, strict=False)
    if not all(results.same(a.got, b.got) for a, b in twice):
        return (
            "it is right at first, but gives a different result the second"
            " time.",
            "The same input must always give the same result. Does the"
            " function use random numbers, or keep something from one call to"
            " the next?",
        )
    if any(trial.got.changed for trial in first):
        return (
            "the numbers are right, but it changes its argument"
            f" {_changed(exercise, first)}.",
            "The caller still needs that array: the next cell would continue"
            " with other numbers. Operators such as -= and *=, out= and"
            " assignments to x[...] work in place; make a new array instead.",
        )
    return exercise.refuse(first[0].got, function)


def _praise(exercise, function, trials):
    yield f"correct. {exercise.praise}"
    if exercise.no_loop and _loops(exercise, function):
        yield exercise.no_loop
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
            f"It also changes its argument {_changed(exercise, trials)}; work"
            " on a new array instead."
        )
    if any(t.got.types == ("list",) for t in trials if t.right):
        yield "(It returns a list. np.array(...) turns it into an array.)"
    if any(t.got.printed for t in trials):
        yield "(It prints something, which is not shown during the check.)"


def _changed(exercise, trials):
    positions = {i for trial in trials for i in trial.got.changed}
    return " and ".join(exercise.arguments[i] for i in sorted(positions))


def _wrong(exercise, function, trials, missing, again):
    blank = blanks.unfinished(function, trials)
    if blank:
        return OPEN, *blank
    if missing and not (trials and trials[-1].got.error == sandbox.ENDED):
        where = exercise.probes[len(trials)].words
        return (
            WRONG,
            "it does not come to an end.",
            f"For {where} it was stopped: all inputs together may take"
            f" {sandbox.SECONDS:g} seconds of computing. Is there a loop that"
            " never ends?",
        )
    chance = functools.partial(_by_chance, again)
    for finder in (*_SURE, chance, *_FINDERS):
        found = finder(exercise, function, trials)
        if found:
            break
    return WRONG, *found, *_remarks(exercise, trials)


def _by_chance(again, exercise, function, trials):
    """Say that an input gave other numbers the second time."""
    second = {trial.probe: trial.got for trial in again}
    if all(
        results.same(trial.got, second[trial.probe])
        for trial in trials
        if trial.got.arrays and trial.probe in second
    ):
        return None
    return (
        "the same input gives a different result the second time.",
        "The same input must always give the same result. Does the function"
        " use random numbers (a dropout, say, or a layer that it makes"
        " itself), or keep something from one call to the next?",
    )


def _nan(exercise, function, trials):
    """Say first that every number is NaN, then how that may happen."""
    basic = [t.got.arrays for t in trials if t.probe.level == "basic"]
    if not all(a and all(np.isnan(part).all() for part in a) for a in basic):
        return None
    known = _all_giving(exercise, exercise.singles, trials)[:2]
    names = ", or if ".join(mistake.name for (mistake,) in known)
    return (
        "every number is NaN.",
        "NaN comes from 0 / 0, from 0 × infinity, or from infinity minus or"
        " divided by infinity.",
        f"This happens, for example, if {names}." if names else "",
        *_once([mistake.idea for (mistake,) in known[:1]]),
    )


def _known(exercise, function, trials):
    """Find mistakes that give what the answer gives."""
    basic = [t for t in trials if t.probe.level == "basic"]
    runs = [t for t in trials if not t.got.error]
    wrong = [t for t in basic + runs if t.got.arrays and not t.right]
    if not wrong or not any(t.got.arrays for t in basic):
        return None  # errors alone do not say which mistake it was
    paired = [] if _constant(runs) else None  # nothing was computed
    source = blanks.source(function)
    general = exercise.all_steps[-1].mistakes
    for some in (trials, basic, runs):
        if wrong[0] not in some:
            continue
        found = _all_giving(exercise, exercise.singles, some, source=source)
        if not found:
            if paired is None:
                paired = pairs.giving(exercise, wrong[0])
            found = _all_giving(exercise, paired, some, source=source)
        if found and differences.only_true_or_false(runs):
            found = [each for each in found if each[-1] not in general]
        if found:
            crash = [t for t in trials if t not in some and t.got.error]
            return *_named(exercise, found), *map(_stops, crash[:1])
    return None


def _constant(trials):
    """Tell whether everything that was returned is one number."""
    parts = [array.ravel() for t in trials for array in t.got.arrays]
    numbers = np.concatenate([*parts, [np.nan]])[:-1]
    return len(parts) > 1 and not np.any(numbers != numbers[:1])


def _all_giving(exercise, variants, trials, only=None, source=""):
    """Return the mistakes of all variants that give all of `trials`.

    Those of the exercise come before those that any exercise knows. A mistake
    with a `word` needs it in the `source`, if that is known; if it has it,
    that mistake is preferred.
    """

    def can_be(mistakes):
        return not source or all(m.word in source for m in mistakes)

    def gives(variant, t):
        outcome = results.fitted(exercise.outcome(variant, t.probe), t.want)
        return results.same(t.got, outcome, only)

    found = [v for v in variants if all(gives(v, t) for t in trials)]
    found.sort(key=lambda variant: "returned" in variant.replaced)
    each = dict.fromkeys(variant.mistakes for variant in found)
    each = list(filter(can_be, each))
    sure = [mistakes for mistakes in each if any(m.word for m in mistakes)]
    return sure if source and sure else each


def _stops(trial):
    return (
        f"Besides, it stops with an error for {trial.probe.words}:"
        f" {trial.got.error}. {hints.advice(trial.got)}"
    )


def _named(exercise, found):
    """Lay out the mistakes of the best match, and what is as good."""
    best, general = found[0], exercise.all_steps[-1].mistakes
    headline = ", and ".join(mistake.name for mistake in best) + "."
    ideas = [mistake.idea for mistake in best]
    others = [m[0] for m in found[1:] if len(m) == 1 == len(best)]
    for other in others[:1]:  # an honest "or" for equal numbers
        if best[0] in general or other not in general:
            ideas.append(f"Or {other.name}: that gives the same result.")
            ideas.append(other.idea)
    return headline, *_once(ideas)


def _once(paragraphs):
    """Leave out sentences that were said before."""
    said = set()
    for paragraph in paragraphs:
        sentences = re.split(r"(?<=[.?!]) ", paragraph)
        yield " ".join(s for s in sentences if s not in said)
        said.update(sentences)


def _known_in_part(exercise, function, trials):
    """Find a mistake in one of several results.

    It should leave the others right, or give what came back.
    """
    basic = [t for t in trials if t.probe.level == "basic"]
    source = blanks.source(function)
    places = range(len(exercise.results))[::-1]
    for strict, place in itertools.product((True, False), places):
        for some in (trials, basic):
            if all(
                t.got.error or results.same(t.got, t.want, place) for t in some
            ):
                continue
            others = {*range(len(exercise.results))} - {place}
            fitting = [
                variant
                for variant in exercise.singles
                if not strict
                or all(_fits(exercise, variant, some, i) for i in others)
            ]
            found = _all_giving(exercise, fitting, some, place, source)
            if found:
                return _named(exercise, found)
    return None


def _fits(exercise, variant, trials, place):
    """Tell whether a variant leaves a result right, or gives what came."""
    for trial in trials:
        outcome = exercise.outcome(variant, trial.probe)
        if not any(
            results.same(each, outcome, place)
            for each in (trial.want, trial.got)
        ):
            return False
    return True


def _recognized(exercise, function, trials):
    """Ask the exercise."""
    return exercise.recognize(exercise, trials)


_SURE = (
    blanks.not_called,
    differences.order,
    _nan,
    _known,
    _recognized,
    differences.truth,
)
_FINDERS = (
    generated.find,
    differences.several,
    differences.factor,
    differences.crash,
    differences.kind,
    differences.ignored,
    differences.shape,
    _known_in_part,
    differences.number,
)

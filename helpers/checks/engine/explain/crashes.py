"""Say where an answer stops, and what its errors have in common."""

import itertools
import re

from helpers.checks.engine.explain import hints, inputs, learners_code, places
from helpers.checks.engine.run import results

# errors that a length may be to blame for
_OF_LENGTHS = re.compile("shape|size|dimension|length|axis|index|aligned")


def known_error(exercise, function, trials):
    """Name a mistake by a part of an error's message, or of its line."""
    for got in (trial.got for trial in trials):
        for mistake in exercise.errors:
            if any(part in got.error + got.line for part in mistake.wrong):
                line = [got.line] if got.line else ""
                return f"{mistake.name}.", mistake.idea, line, got.error
    return None


def crash(exercise, function, trials):
    """Say where it stops, and which input it does not stop for."""
    failed = [t for t in trials if t.got.error]
    if not failed:
        return None
    got, probe = failed[0].got, failed[0].probe
    headline, question = _condition(exercise, trials)
    shapes = got.shapes or inputs.named(exercise, probe)
    advice = learners_code.lost_result(function) or hints.advice(got)
    return (
        headline,
        f"For {probe.words}: {got.error}",
        [got.line] if got.line else "",
        f"The shapes there: {shapes}.",
        _stops_alike(exercise, trials),
        learners_code.fixed_number(function) if _about_lengths(trials) else "",
        advice if hints.is_sure(advice) else "",
        places.reached(exercise, function, trials),
        learners_code.global_array(function),
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
    sizes = [inputs.sizes(exercise, t.probe) for t in trials]
    for label in sizes[0]:
        column = tuple(each.get(label) for each in sizes)
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

"""Say where an answer stops, and what may be to blame."""

import re

from helpers.checks.engine.explain import hints, inputs, learners_code, places
from helpers.checks.engine.run import results

# errors that a length may be to blame for
_OF_LENGTHS = re.compile("shape|size|dimension|length|axis|index|aligned")


def known_error(exercise, function, trials):
    """Name a mistake by a part of an error's message, or of its line."""
    code = learners_code.code(function)
    known = [
        mistake
        for mistake in exercise.errors
        if not mistake.word or (code and re.search(mistake.word, code))
    ]
    for got in (trial.got for trial in trials):
        for mistake in known:
            if any(part in got.error + got.line for part in mistake.wrong):
                line = [got.line] if got.line else ""
                return f"{mistake.name}.", mistake.idea, line, got.error
    return None


def crash(exercise, function, trials):
    """Say where it stops, if no basic input shows before what is wrong."""
    basic = [t for t in trials if t.probe.level == "basic" and not t.right]
    failed = [t for t in basic or trials if t.got.error]
    if not failed:
        return None
    got, probe = failed[0].got, failed[0].probe
    alike = _stops_alike(exercise, trials)
    fixed = _fixed(exercise, function, trials, not alike)
    advice = learners_code.lost_result(function) or hints.advice(got)
    no_axis = ""
    if _of_lengths(got) and not fixed and probe.level == "basic":
        no_axis = learners_code.without_axis(function)
    there = got.shapes or inputs.named(exercise, probe)
    return (
        "your code stops with an error.",
        f"For {probe.words}: {_short(got.error) if advice else got.error}",
        probe.hint,
        [got.line] if got.line else "",
        fixed,
        advice if hints.is_sure(advice) else "",
        no_axis,
        *alike,
        places.reached(exercise, function, trials),
        advice if not hints.is_sure(advice) else "",
        learners_code.global_array(function),
        f"The shapes there: {there}." if got.line and "(" in there else "",
        _works(trials),
    )


def _short(error):
    words = error.split()
    return " ".join(words[:16]) + " …" if len(words) > 20 else error


def _of_lengths(got):
    return bool(_OF_LENGTHS.search(got.error))


def _works(trials):
    words = [t.probe.words for t in trials if not t.got.error]
    return f"Your code runs to its end for {words[0]}." if words else ""


def _fixed(exercise, function, trials, used):
    """Ask about a number of the code that fits only some inputs, or "".

    It must be a length of an input that works, or, with `used`, the code must
    use it as one; and it is a length of none that stops.
    """
    lengths = {True: set(), False: set()}
    for t in trials:
        sizes = inputs.sizes(exercise, t.probe)
        lengths[bool(t.got.error)] |= set(sizes.values())
    if not any(_of_lengths(t.got) for t in trials):
        return ""
    only = lengths[False] - lengths[True]
    text = learners_code.fixed_number(function, only)
    if used and not text:
        text = learners_code.fixed_length(function, lengths[True])
    return text


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
        return []
    names = ", or if ".join(mistake.name for mistake in found)
    ideas = [mistake.idea for mistake in found] if len(found) == 1 else []
    return [f"This happens, for example, if {names}.", *ideas]

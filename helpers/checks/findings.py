"""Find what is wrong with an answer; the first finding speaks.

Every finder takes the exercise and the trials of all probes asked for, and
returns None or a headline with the paragraphs that follow it.
"""

import numpy as np

from helpers.checks import compare, crashes, relations, returned, sandbox


def first(exercise, trials):
    """Return the headline and paragraphs of the first finder that finds."""
    for finder in _FINDERS:
        found = finder(exercise, trials)
        if found:
            return found
    return ("the numbers are not right yet.",)


def _plain(trials):
    return [trial for trial in trials if trial.probe.level == "plain"]


def _late(exercise, trials):
    if not trials[-1].got.late:
        return None
    return (
        "it does not come to an end.",
        f"For {trials[-1].probe.words} it was stopped after"
        f" {sandbox.SECONDS} seconds. Is there a loop that never ends?",
    )


def _bug(exercise, trials):
    bug = exercise.recognize(trials)
    return bug and (f"{bug.name}.", bug.feedback)


def _plain_bug(exercise, trials):
    return _bug(exercise, _plain(trials))


def _bug_in_one_result(exercise, trials):
    """Find a bug in one of several results; the context follows weights."""
    for position, name in reversed(list(enumerate(exercise.results))):
        for some in (trials, _plain(trials)):
            bug = len(exercise.results) > 1 and exercise.recognize(
                some, position
            )
            if bug:
                more = f"That is what your result `{name}` shows."
                return (f"{bug.name}.", bug.feedback, more)
    return None


def _crash(exercise, trials):
    failed = [trial for trial in trials if trial.got.error]
    if not failed:
        return None
    got = failed[0].got
    others = [trial for trial in _plain(trials) if not trial.got.error]
    known = exercise.recognize(others)
    return (
        "it stops with an error.",
        f"For {failed[0].probe.words}: {got.error}",
        [got.line] if got.line else "",
        crashes.advice(got.error),
        _where(trials, failed),
        failed[0].probe.hint,
        f"Elsewhere: {known.name}. {known.feedback}" if known else "",
        *compare.show_input(exercise, failed[0].probe),
    )


def _fixed(exercise, trials):
    plain = _plain(trials)
    arrays = plain[0].got.arrays
    if len(plain) < 2 or not all(
        len(arrays) == len(trial.got.arrays)
        and all(map(np.array_equal, arrays, trial.got.arrays))
        for trial in plain
    ):
        return None
    return (
        "it returns the same for every input.",
        "Does it use a variable of the notebook instead of its argument?",
    )


def _relation(exercise, trials):
    text = relations.relation(exercise, _plain(trials))
    return text and ("the numbers are not right yet.", f"Your {text}")


def _number(exercise, trials):
    failed = [trial for trial in trials if not trial.right]
    probe = failed[0].probe
    return (
        "the numbers are not right yet.",
        compare.first_difference(exercise, failed[0]),
        _property(exercise, failed[0]),
        _where(trials, failed),
        probe.hint,
        *compare.show_input(exercise, probe),
    )


def _property(exercise, trial):
    for check in exercise.properties:
        text = check(trial.probe.args, *trial.got.arrays)
        if text:
            return text[0].upper() + text[1:]
    return ""


def _where(trials, failed):
    if len(failed) == len(trials):
        return ""
    right = "; ".join(trial.probe.words for trial in trials if trial.right)
    wrong = "; ".join(trial.probe.words for trial in failed)
    text = f"It is right for: {right}. " if right else ""
    return f"{text}It fails for: {wrong}."


_FINDERS = (
    _late,
    _bug,
    returned.several,
    _crash,
    returned.kind,
    _fixed,
    returned.shape,
    _plain_bug,
    _bug_in_one_result,
    _relation,
    _number,
)

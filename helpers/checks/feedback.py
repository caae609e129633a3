"""Say what is wrong with an answer: specific, kind, and the same each time.

Every finder below takes the exercise, the function and the trials, and
returns a (headline, paragraphs) pair or None; the first one that finds
something speaks.
"""

import inspect
import textwrap

import numpy as np

from helpers.checks import compare, sandbox

_RIGHT, _WRONG, _OPEN = "✓", "✗", "○"


def _say(mark, exercise, headline, *paragraphs):
    lines = textwrap.wrap(
        f"{mark} {exercise.name}: {headline}", 79, subsequent_indent="  "
    )
    for paragraph in paragraphs:
        if isinstance(paragraph, list):  # preformatted lines
            lines += [f"    {line}" for line in paragraph]
        elif paragraph:
            lines += textwrap.wrap(
                paragraph, 79, initial_indent="  ", subsequent_indent="  "
            )
    return "\n".join(lines)


def refusal(exercise, function):
    """Return why `function` cannot be tried at all, or ""."""
    if function is ...:
        return _say(_OPEN, exercise, "not attempted yet.")
    if not callable(function):
        kind = type(function).__name__[:40]
        return _say(
            _WRONG,
            exercise,
            "this is not a function.",
            f"The check got something of type {kind}. Pass the function"
            f" itself, without calling it: checks.{exercise.name}(your_name).",
        )
    return _wrong_arguments(exercise, function)


def _wrong_arguments(exercise, function):
    args = exercise.probes[0].args
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*args)
    except TypeError:
        text = sandbox.safe_text(lambda: str(signature))
        return _say(
            _WRONG,
            exercise,
            "it takes other arguments than asked for.",
            f"It is called as {exercise.call}, with {len(args)}"
            f" argument{'s' * (len(args) > 1)}; yours takes {text}.",
        )
    return ""


def wrong(exercise, function, trials):
    """Return the first thing to say about an answer that is not right."""
    if all(t.got.blank and not t.got.error for t in trials) or _empty(
        function, trials
    ):
        return _say(_OPEN, exercise, "not attempted yet.")
    finders = (_blank, _late, _bug, _crash, _kind, _shape, _fixed, _plain_bug)
    for finder in (*finders, _relation, _property, _number):
        found = finder(exercise, trials)
        if found:
            break
    mark = _OPEN if finder is _blank else _WRONG
    return _say(mark, exercise, *found, *_remarks(exercise, trials))


def _empty(function, trials):
    """Tell whether the body of the function is `...` or `pass`."""
    code = getattr(function, "__code__", None)
    if code is None or not all("None" in t.got.problem for t in trials):
        return False
    return len(code.co_code) <= len((lambda: None).__code__.co_code)


def _blank(exercise, trials):
    if any(trial.got.blank for trial in trials):
        return (
            "not finished yet.",
            "A blank `...` is still open in your function.",
        )
    return None


def _late(exercise, trials):
    if trials[-1].got.late:
        return (
            "it does not come to an end.",
            f"For {trials[-1].probe.words} it was stopped after"
            f" {sandbox.SECONDS} seconds. Is there a loop whose condition"
            " never becomes false?",
        )
    return None


def _bug(exercise, trials):
    bug = exercise.recognize(trials)
    return bug and (f"{bug.name}.", bug.feedback)


def _plain_bug(exercise, trials):
    plain = [t for t in trials if t.probe.level == "plain"]
    return _bug(exercise, plain)


def _crash(exercise, trials):
    failed = [trial for trial in trials if trial.got.error]
    if not failed:
        return None
    got = failed[0].got
    plain = [t for t in trials if t.probe.level == "plain" and not t.got.error]
    known = exercise.recognize(plain)
    return (
        "it stops with an error.",
        f"For {failed[0].probe.words}: {got.error}",
        [got.line] if got.line else "",
        _where(trials, failed),
        f"Elsewhere: {known.name}. {known.feedback}" if known else "",
    )


def _kind(exercise, trials):
    for trial in trials:
        if trial.got.problem:
            return (
                "it does not return what is asked for.",
                f"For {trial.probe.words} it returns {trial.got.problem}",
                _asked_for(exercise),
            )
    return None


def _asked_for(exercise):
    names = ", ".join(exercise.results)
    if len(exercise.results) > 1:
        return f"Asked for are {len(exercise.results)} arrays: {names}."
    return f"Asked for is one array: {names}."


def _shape(exercise, trials):
    for trial in trials:
        got = [array.shape for array in trial.got.arrays]
        want = [array.shape for array in trial.want.arrays]
        if got != want:
            return (
                "the shape is not right.",
                f"For {trial.probe.words} it returns {_list(got)}; right is"
                f" {_list(want)}: {exercise.shape}.",
                f"The arguments: {compare.shapes(exercise, trial.probe)}.",
            )
    return None


def _list(shapes):
    return " and ".join(map(str, shapes))


def _fixed(exercise, trials):
    plain = [t for t in trials if t.probe.level == "plain"]
    first = plain[0].got.arrays
    same = [all(map(np.array_equal, first, t.got.arrays)) for t in plain]
    if len(plain) > 1 and all(same):
        return (
            "it returns the same for every input.",
            "Does it use a variable of the notebook instead of its argument?",
        )
    return None


def _relation(exercise, trials):
    text = compare.relation(exercise, trials)
    return text and ("close, but not the same.", text)


def _property(exercise, trials):
    for trial in trials:
        for check in exercise.properties * (not trial.right):
            text = check(trial.probe.args, *trial.got.arrays)
            if text:
                return (
                    "the numbers are not right yet.",
                    f"For {trial.probe.words}, {text}",
                    _where(trials, [t for t in trials if not t.right]),
                    trial.probe.hint,
                    *compare.show_input(exercise, trial.probe),
                )
    return None


def _number(exercise, trials):
    failed = [trial for trial in trials if not trial.right]
    return (
        "the numbers are not right yet.",
        compare.first_difference(exercise, failed[0]),
        _where(trials, failed),
        failed[0].probe.hint,
        *compare.show_input(exercise, failed[0].probe),
    )


def _where(trials, failed):
    if len(failed) == len(trials):
        return ""
    right = [t.probe.words for t in trials if t.right]
    wrong = [t.probe.words for t in failed]
    text = f"It is right for {'; '.join(right)}. " if right else ""
    return f"{text}It fails for {'; '.join(wrong)}."


def _remarks(exercise, trials):
    outcomes = [trial.got for trial in trials]
    changed = any(outcome.changed for outcome in outcomes)
    return [
        f"It also changes its argument {_changed(exercise, trials)}."
        if changed
        else "",
        next((o.note for o in outcomes if o.note), ""),
        "(It prints; what it printed while it was tried is not shown.)"
        if any(outcome.printed for outcome in outcomes)
        else "",
    ]


def _changed(exercise, trials):
    names = compare.arguments(exercise)
    changed = {i for trial in trials for i in trial.got.changed}
    return " and ".join(names[i] for i in sorted(changed))


def changed(exercise, trials):
    """Say that the result is right but an argument was changed."""
    names = _changed(exercise, trials)
    return _say(
        _WRONG,
        exercise,
        f"right numbers, but it changes its argument {names}.",
        "Whoever calls it still needs that array: the next cell would go on"
        " with other numbers. Operators such as -= and *=, out=, and"
        " assignments to x[...] work in place; make a new array instead.",
        *[r for r in _remarks(exercise, trials) if "changes" not in r],
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


def correct(exercise, trials):
    """Say that the answer is right, and what that proves."""
    beyond = [t for t in trials if not t.right]
    return _say(
        _RIGHT,
        exercise,
        "correct.",
        exercise.proves,
        _step_further(exercise, trials, beyond) if beyond else "",
        *_remarks(exercise, [t for t in trials if t not in beyond]),
    )


def _step_further(exercise, trials, beyond):
    bug = exercise.recognize(trials)
    words = "; ".join(t.probe.words for t in beyond)
    text = f"{bug.name}. {bug.feedback}" if bug else beyond[0].probe.hint
    return f"One step further, not asked for: it fails for {words}. {text}"


def stopped(exercise):
    """Say that the learner interrupted the check."""
    return _say(_WRONG, exercise, "you stopped it while it was running.")


def gave_up(exercise, error):
    """Say that even the check could not cope."""
    return _say(
        _WRONG,
        exercise,
        "the check could not judge this answer.",
        f"It came to {type(error).__name__} on the way.",
    )

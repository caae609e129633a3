"""Find known mistakes that give what came back, alone and in pairs."""

import itertools
import re

import numpy as np

from helpers.checks.engine.explain import hints, kinds, learners_code, pairs
from helpers.checks.engine.run import results


def all_nan(exercise, function, trials):
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


def mistakes(exercise, function, trials):
    """Find mistakes that give what the answer gives."""
    basic = [t for t in trials if t.probe.level == "basic"]
    runs = [t for t in trials if not t.got.error]
    wrong = [t for t in basic + runs if t.got.arrays and not t.right]
    if not wrong or not any(t.got.arrays for t in basic):
        return None  # errors alone do not say which mistake it was
    paired = [] if _constant(runs) else None  # nothing was computed
    source = learners_code.source(function)
    general = exercise.all_steps[-1].mistakes
    for some in (trials, basic, runs):
        if wrong[0] not in some:
            continue
        found = _all_giving(exercise, exercise.singles, some, source=source)
        if not found:
            if paired is None:
                paired = pairs.giving(exercise, wrong[0])
            found = _all_giving(exercise, paired, some, source=source)
        if found and kinds.only_true_or_false(runs):
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


def in_part(exercise, function, trials):
    """Find a mistake in one of several results.

    It should leave the others right, or give what came back.
    """
    basic = [t for t in trials if t.probe.level == "basic"]
    source = learners_code.source(function)
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

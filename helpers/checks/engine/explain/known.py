"""Find known mistakes that give what came back, alone and in pairs."""

import itertools
import re

import numpy as np

from helpers.checks.engine.edit import generated
from helpers.checks.engine.explain import (
    claims,
    hints,
    kinds,
    learners_code,
    pairs,
)
from helpers.checks.engine.run import budget, results

_YOURS = "your code "


def all_nan(exercise, function, trials):
    """Say first that every number is NaN, then how that may happen."""
    basic = [t.got.arrays for t in trials if t.probe.level == "basic"]
    if not all(a and all(np.isnan(part).all() for part in a) for a in basic):
        return None
    known = _all_giving(exercise, exercise.singles, trials, function)[:2]
    names = ", or if ".join(mistake.name for (mistake,) in known)
    return (
        "every number is NaN.",
        "NaN comes from 0 / 0, from 0 × infinity, or from infinity minus or"
        " divided by infinity.",
        f"This happens, for example, if {names}." if names else "",
        *_once([mistake.idea for (mistake,) in known[:1]]),
    )


def one(exercise, function, trials):
    """Find mistakes each of which gives what the answer gives."""
    return _giving(exercise, function, trials, lambda _: exercise.singles)


def two(exercise, function, trials):
    """Find two mistakes that together give what the answer gives."""
    if _constant([t for t in trials if not t.got.error]):
        return None  # nothing was computed
    budget.start()  # edits come before: one cause is better than two

    def paired(wrong):
        return pairs.giving(exercise, wrong)

    return _giving(exercise, function, trials, paired)


def _giving(exercise, function, trials, make):
    basic = [t for t in trials if t.probe.level == "basic"]
    runs = [t for t in trials if not t.got.error]
    wrong = [t for t in basic + runs if t.got.arrays and not t.right]
    if not wrong or not any(t.got.arrays for t in basic):
        return None  # errors alone do not say which mistake it was
    general = exercise.all_steps[-1].mistakes
    variants = make(wrong[0])
    for some in (trials, basic, runs):
        if wrong[0] not in some:
            continue
        found = _all_giving(exercise, variants, some, function)
        if found and kinds.only_true_or_false(runs):
            found = [each for each in found if each[-1] not in general]
        if found and some is not trials:  # a second one may explain the rest
            both = pairs.giving(exercise, wrong[0])
            both = _all_giving(exercise, both, trials, function)
            found = [two for two in both if {*two} & {*found[0]}] or found
            some = trials if len(found[0]) > 1 else some
        if found:
            crash = [t for t in trials if t not in some and t.got.error]
            return *_named(exercise, found), *map(_stops, crash[:1])
    return None


def _constant(trials):
    """Tell whether everything that was returned is one number."""
    parts = [array.ravel() for t in trials for array in t.got.arrays]
    numbers = np.concatenate([*parts, [np.nan]])[:-1]
    return len(parts) > 1 and not np.any(numbers != numbers[:1])


def _all_giving(exercise, variants, trials, function=None, only=None):
    """Return the mistakes of all variants that give all of `trials`.

    Those of the exercise come before those that any exercise knows. The code
    of `function` must be such that it can be them. A mistake with a `word`
    that is in the code is preferred.
    """
    code = learners_code.code(function)
    right = generated.of(exercise).plain
    general = exercise.all_steps[-1].mistakes

    def can_be(mistakes):
        return all(
            claims.fits(
                code, m.name, right, m in general and len(mistakes) > 1
            )
            and (not code or re.search(m.word, code))
            for m in mistakes
        )

    def gives(variant, t):
        outcome = results.fitted(exercise.outcome(variant, t.probe), t.want)
        return results.same(t.got, outcome, only)

    found = [v for v in variants if all(gives(v, t) for t in trials)]
    found.sort(key=lambda variant: "returned" in variant.replaced)
    each = dict.fromkeys(variant.mistakes for variant in found)
    each = list(filter(can_be, each))
    sure = [
        mistakes
        for mistakes in each
        if any(m.word for m in mistakes) == bool(code)
    ]
    return sure or each


def _stops(trial):
    return (
        f"Besides, your code stops with an error for {trial.probe.words}:"
        f" {trial.got.error}. {hints.advice(trial.got)}"
    )


def _named(exercise, found):
    """Lay out the mistakes of the best match, and what is as good."""
    best, general = found[0], exercise.all_steps[-1].mistakes
    headline = _joined(mistake.name for mistake in best) + "."
    ideas, equal = [mistake.idea for mistake in best], []
    others = [m[0] for m in found[1:] if len(m) == 1 == len(best)]
    for other in others[:1]:  # an honest "or" for equal numbers
        if best[0] in general or other not in general:
            equal = [f"Or {other.name} (the check cannot tell the two apart)."]
            ideas.append(other.idea)
    return headline, *equal, *_once(ideas)


def _joined(names):
    """Join two names; both may begin with "your code"."""
    first, *more = names
    if first.startswith(_YOURS):
        more = [name.removeprefix(_YOURS) for name in more]
    return ", and ".join([first, *more])


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
            found = _all_giving(exercise, fitting, some, function, place)
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

"""Everything that may explain a wrong answer, in the order of asking.

A finder is a function of an exercise, the learner's function and its trials
(helpers/checks/engine/exercise.py). It returns a headline and paragraphs, or
None, and then the next one is asked. To add one, write it into the module of
its subject and put it into this tuple: what is certain comes first, what is
only a description last.
"""

from helpers.checks.engine.explain import (
    arguments,
    claims,
    crashes,
    edited,
    factors,
    kinds,
    known,
    learners_code,
    numbers,
    shapes,
    slips,
)


def recognized(exercise, function, trials):
    """Ask the exercise itself."""
    found = exercise.recognize(exercise, trials)
    code = learners_code.code(function)
    return found if found and claims.fits(code, found[0]) else None


FINDERS = (
    learners_code.not_called,
    slips.returns_at_once,
    slips.pair,
    slips.softmax_of_one,
    arguments.order,
    known.all_nan,
    known.one,
    recognized,
    crashes.known_error,
    slips.queries_cut,
    kinds.truth,
    kinds.by_chance,
    edited.one,
    known.two,
    kinds.several,
    factors.factor,
    crashes.crash,
    kinds.kind,
    arguments.ignored,
    shapes.shape,
    known.in_part,
    numbers.number,
)

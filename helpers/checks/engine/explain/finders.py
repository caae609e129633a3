"""Everything that may explain a wrong answer, in the order of asking.

A finder is a function of an exercise, the learner's function and its trials
(helpers/checks/engine/exercise.py). It returns a headline and paragraphs, or
None, and then the next one is asked. To add one, write it into the module of
its subject and put it into this tuple: what is certain comes first, what is
only a description last.
"""

from helpers.checks.engine.explain import (
    arguments,
    crashes,
    edited,
    factors,
    kinds,
    known,
    learners_code,
    numbers,
    shapes,
)


def recognized(exercise, function, trials):
    """Ask the exercise itself."""
    return exercise.recognize(exercise, trials)


FINDERS = (
    learners_code.not_called,
    arguments.order,
    known.all_nan,
    known.mistakes,
    recognized,
    crashes.known_error,
    kinds.truth,
    kinds.by_chance,
    edited.find,
    kinds.several,
    factors.factor,
    crashes.crash,
    kinds.kind,
    arguments.ignored,
    shapes.shape,
    known.in_part,
    numbers.number,
)

"""Checks of the exercises: ``checks.NAME(your_function)`` prints feedback.

``EXERCISES`` holds them all by name, one for each text in exercises/, which
is read when its exercise is first used. An exercise is a pipeline of steps
(steps/) with named mistakes; engine/ reads the text, tries a learner's
function, and recognizes single mistakes and pairs by their numbers. README.md
shows how to write one. Whatever the function does, a check prints and raises
nothing, but for the stop button and a solution of the course that fails.
``checks.prediction(guess, measured)`` prints a guess beside what came out.
``checks.yours(function)`` puts a right answer to work in later cells.
"""

import collections.abc
import functools
import pathlib
import sys

from helpers.checks.engine.load import load
from helpers.checks.predictions import prediction
from helpers.checks.yours import yours as _yours

_TEXTS = sorted((pathlib.Path(__file__).parent / "exercises").glob("*.txt"))
_read = functools.cache(load)


class _Exercises(collections.abc.Mapping):
    """Each exercise by its name, read when it is asked for."""

    _paths = {path.stem: path for path in _TEXTS}

    def __getitem__(self, name):
        return _read(self._paths[name])

    def __iter__(self):
        return iter(self._paths)

    def __len__(self):
        return len(self._paths)


EXERCISES = _Exercises()
__all__ = [*EXERCISES, "EXERCISES", "prediction", "yours"]


def yours(function):
    """Return a learner's function if it is right, else the course's.

    It may also be a class, or a method of one, or the name of a function of
    an earlier notebook, which is read from the learner's copy. One printed
    line says which of the two runs.
    """
    return _yours(EXERCISES, function, sys._getframe(1).f_globals)


def __getattr__(name):
    if name in EXERCISES:
        return EXERCISES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return __all__

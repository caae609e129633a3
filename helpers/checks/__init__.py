"""Checks of the exercises: ``checks.NAME(your_function)`` prints feedback.

``EXERCISES`` holds them all by name, one for each module in exercises/. An
exercise is a pipeline of steps (steps/) with named mistakes; engine/ tries a
learner's function, and recognizes single mistakes and pairs by their numbers.
``checks.prediction(guess, measured)`` prints a guess beside what came out.
"""

import importlib
import pkgutil

from helpers.checks import exercises
from helpers.checks.predictions import prediction


def _load(name):
    module = importlib.import_module(f"{exercises.__name__}.{name}")
    return getattr(module, name)


EXERCISES = {
    module.name: _load(module.name)
    for module in pkgutil.iter_modules(exercises.__path__)
}
globals().update(EXERCISES)
__all__ = [*EXERCISES, "prediction"]

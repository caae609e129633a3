"""Checks of the exercises: ``checks.NAME(your_function)`` prints feedback.

``EXERCISES`` holds them all by name, one for each text in exercises/. An
exercise is a pipeline of steps (steps/) with named mistakes; engine/ reads
the text, tries a learner's function, and recognizes single mistakes and pairs
by their numbers. README.md shows how to write one.
``checks.prediction(guess, measured)`` prints a guess beside what came out.
"""

import pathlib

from helpers.checks.engine.load import load
from helpers.checks.predictions import prediction

_FOLDER = pathlib.Path(__file__).parent / "exercises"
EXERCISES = {path.stem: load(path) for path in sorted(_FOLDER.glob("*.txt"))}
globals().update(EXERCISES)
__all__ = [*EXERCISES, "prediction"]

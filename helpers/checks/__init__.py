"""Checks of the exercises: ``checks.NAME(your_function)`` prints feedback.

``EXERCISES`` holds them all by name, one for each text in exercises/. An
exercise is a pipeline of steps (steps/) with named mistakes; engine/ reads
the text, tries a learner's function, and recognizes single mistakes and pairs
by their numbers. README.md shows how to write one.
``checks.prediction(guess, measured)`` prints a guess beside what came out.
"""

import importlib
import pathlib

from helpers.checks.engine import text
from helpers.checks.predictions import prediction


def _load(path):
    if path.suffix == ".txt":
        return text.load(path)
    module = importlib.import_module(f"{__name__}.exercises.{path.stem}")
    return getattr(module, path.stem)


_FILES = {  # the text, if there is one
    path.stem: path
    for suffix in ("py", "txt")
    for path in (pathlib.Path(__file__).parent / "exercises").glob(
        f"[a-z]*.{suffix}"
    )
}
EXERCISES = {name: _load(path) for name, path in sorted(_FILES.items())}
globals().update(EXERCISES)
__all__ = [*EXERCISES, "prediction"]

"""Measure how much memory a learner's function takes."""

import tracemalloc

from helpers.checks.engine.run import sandbox


def mebibytes(function, args):
    """Return the most that a call takes at a time, 0 if that is not known."""

    def measured(*args):
        tracemalloc.start()
        try:
            function(*args)
            return tracemalloc.get_traced_memory()[1] / 2**20
        finally:
            tracemalloc.stop()

    (found,) = sandbox.run(measured, [args], 1, seconds=1) or [None]
    return found.arrays[0].item() if found and found.arrays else 0

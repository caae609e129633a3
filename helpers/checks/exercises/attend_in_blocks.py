"""What attend_in_blocks.txt takes from Python."""

import tracemalloc

import numpy as np

from helpers.checks.engine.explain import slips
from helpers.checks.engine.run import sandbox

LENGTH, BLOCK = 1024, 32  # queries and keys, and keys at a time


def loop(rows, values, columns, top=1, add=1):
    """Attend in blocks, with a maximum and a sum along the axes given."""
    highest, total, mix = np.full((len(rows), 1), -np.inf), 0, 0
    for part in columns:
        new = rows[:, part].max(axis=top, keepdims=True)
        new = np.maximum(highest, new)
        weights, rescale = np.exp(rows[:, part] - new), highest - new
        total = total * np.exp(rescale)
        total = total + weights.sum(axis=add, keepdims=True)
        mix = mix * np.exp(rescale) + weights @ values[part]
        highest = new
    return mix / total


def memory(exercise, function):
    """Say that queries were cut, or that the whole matrix was built."""
    if slips.cuts_queries(function):
        return (
            "But it cuts the queries into blocks. The task takes `size` keys"
            " at a time, for all queries."
        )
    arrays = [np.ones((LENGTH, width)) for width in (8, 8, 2)]

    def measured(*args):
        tracemalloc.start()
        try:
            function(*args)
            return tracemalloc.get_traced_memory()[1] / 2**20
        finally:
            tracemalloc.stop()

    calls = [(*arrays, BLOCK)]
    (found,) = sandbox.run(measured, calls, 1, seconds=1) or [None]
    whole = LENGTH**2 * 8 / 2**20
    if not found or not found.arrays or found.arrays[0] < whole:
        return ""
    return (
        f"But it built the whole matrix: {LENGTH} queries and {LENGTH} keys"
        f" took {found.arrays[0]:.0f} MiB of memory. One weight for each of"
        f" the {LENGTH} × {LENGTH} pairs takes {whole:.0f} MiB. In blocks of"
        f" {BLOCK} keys, about 1 MiB is enough."
    )

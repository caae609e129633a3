"""What attend_in_blocks.txt takes from Python."""

import ast

import numpy as np

from helpers.checks.engine.explain import learners_code, slips
from helpers.checks.engine.run import memory

LENGTH, BLOCK = 1024, 32  # queries and keys, and keys at a time
PLENTY = *(np.ones((LENGTH, width)) for width in (8, 8, 2)), BLOCK
WHOLE = LENGTH**2 * 8 / 2**20  # MiB of a matrix of all weights


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


def not_by_keys(outcome, function):
    """Refuse blocks of queries, and blocks of another size."""
    if slips.cuts_queries(function):
        return (
            "the numbers are right, but the queries are cut into blocks.",
            "The task takes `size` keys at a time, for all queries.",
        )
    used = [
        isinstance(node.ctx, ast.Load)
        for node in learners_code.nodes(function)
        if isinstance(node, ast.Name) and node.id == "size"
    ]
    known = learners_code.code(function)
    if (
        not known
        or (used and all(used))
        or memory.mebibytes(function, PLENTY) >= WHOLE
    ):
        return None
    return (
        "the numbers are right, but `size` is not used.",
        "The task takes `size` keys at a time: the caller decides how many.",
    )


def whole_matrix(exercise, function):
    """Say that the whole matrix was built."""
    taken = memory.mebibytes(function, PLENTY)
    if taken < WHOLE:
        return ""
    return (
        f"But it built the whole matrix: {LENGTH} queries and {LENGTH} keys"
        f" took {taken:.0f} MiB of memory. One weight for each of"
        f" the {LENGTH} × {LENGTH} pairs takes {WHOLE:.0f} MiB. In blocks of"
        f" {BLOCK} keys, about 1 MiB is enough."
    )

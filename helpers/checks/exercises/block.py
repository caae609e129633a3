"""What block.txt takes from Python."""

import numpy as np

from helpers.checks.steps.tools import Part, table


def _norm(name, gain):
    return Part(
        name,
        lambda x: (
            gain
            * (x - x.mean(axis=-1, keepdims=True))
            / (x.std(axis=-1, keepdims=True) + 0.01)
        ),
    )


def parts(seed, length, width):
    """Return x and the four parts of a block, none of them like another."""
    mix = np.abs(table(seed, length, length)) + 0.1
    w_1, w_2 = (table(seed + i, width, width) for i in (1, 2))
    return (
        table(seed + 3, length, width),
        _norm("norm_1", 1.5),
        Part("attend", lambda x: mix @ x @ w_1),
        _norm("norm_2", 0.75),
        Part("feed_forward", lambda x: np.maximum(x @ w_2 + 0.3, 0)),
    )

"""What next_word_loss.txt takes from Python."""

import numpy as np

from helpers.checks.engine.run import sandbox

STEEP = np.array([[0, 900.0, 1], [0, 1, 2]]), np.array([1, 0])


def infinite(outcome, function):
    """Refuse a loss that becomes infinite: the task asks for a finite one."""
    (found,) = sandbox.run(function, [STEEP], 1) or [None]
    if not found or not found.arrays or np.isfinite(found.arrays[0]).all():
        return None
    return (
        "the loss is not finite if a word is next to impossible.",
        "For the logits 0, 900 and 1, the probability of word 0 is too small"
        " for the computer: it becomes 0, and log(0) is -inf. How can you get"
        " the logarithm without computing the probability first?",
    )

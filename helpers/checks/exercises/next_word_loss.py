"""What next_word_loss.txt takes from Python."""

import numpy as np

from helpers.checks.engine.run import results, sandbox

SURPRISE = 900.0  # nats, of the word of STEEP
STEEP = np.array([[0, 900.0, 1], [0, 1, 2]]), np.array([1, 0])


def inexact(outcome, function):
    """Refuse a loss that becomes infinite, or is kept from it by a limit."""
    (found,) = sandbox.run(function, [STEEP], 1) or [None]
    loss = found.arrays[0] if found and found.arrays else np.array(SURPRISE)
    if results.close(loss.reshape(-1)[:1], np.array([SURPRISE])):
        return None
    if np.isfinite(loss).all():
        return (
            "the surprise of a word that is nearly impossible is wrong.",
            f"For the logits 0, 900 and 1, and word 0, it is {SURPRISE:g}."
            f" Yours is {loss.item():.4g}. A number added to a probability, or"
            " a lower limit, makes it finite, but not right. Do not compute"
            " the probability first.",
        )
    return (
        "the loss is not finite if a word is nearly impossible.",
        "For the logits 0, 900 and 1, the probability of word 0 is too small"
        " for the computer: it becomes 0, and log(0) is -inf. How can you get"
        " the logarithm without computing the probability first?",
    )

"""What two_layers.txt takes from Python."""

import re

from helpers.attention import multi_head_attention


def attend(x, matrices, heads):
    """Return the output of one layer."""
    return multi_head_attention(x, *matrices, int(heads))[0]


def forgotten(exercise, trials):
    """Recognize that num_heads or the star is missing."""
    got = trials[0].got
    if "multi_head_attention" not in got.error:
        return None
    if "missing 1 " in got.error and "num_heads" not in got.line:
        return (
            "num_heads is missing.",
            "multi_head_attention takes x, four matrices and, as its last"
            " argument, num_heads. Both layers need it.",
        )
    if re.search(r"missing [34] ", got.error):
        return (
            "the four matrices arrive as one argument.",
            "The star hands them over one by one: *first, *second.",
        )
    return None

"""What two_layers.txt takes from Python."""

import re

from helpers.attention import multi_head_attention


def attend(x, matrices, heads, is_causal=False):
    """Return the output of one layer."""
    heads = int(heads)
    return multi_head_attention(x, *matrices, heads, is_causal=is_causal)[0]


def forgotten(exercise, trials):
    """Recognize that num_heads or the star is missing."""
    got = trials[0].got
    if "multi_head_attention" not in got.error:
        return None
    if "missing 1 " in got.error and "num_heads" not in got.line:
        return (
            "num_heads is missing.",
            "The last argument of multi_head_attention is num_heads, after x"
            " and the four matrices. Both layers need it.",
        )
    if re.search(r"missing [34] ", got.error):
        return (
            "the four matrices are passed as one argument.",
            "The star passes them on one by one: *first, *second.",
        )
    return None

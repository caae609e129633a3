"""What causal_mask.txt takes from Python."""


def not_boolean(outcome):
    """Refuse zeros and ones."""
    if outcome.kinds[0] == "b":
        return None
    return (
        "right zeros and ones, but the mask is not boolean.",
        "SDPA would *add* these numbers to the scores, and hide nothing."
        " `.bool()` makes True and False of them.",
    )

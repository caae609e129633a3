"""The five words, and how one of them follows from what holds."""

import numpy as np

TRUE, TOGETHER, HALF = "True", "True if", "Half true"
FALSE, OPEN = "False as stated", "Not decided here"
WORDS = TRUE, TOGETHER, HALF, FALSE, OPEN


def word(parts=None, under=None):
    """Return the word that follows.

    parts: {what the claim says: whether it holds}. under: {condition:
    whether the claim holds under it}. Either; each value is True, False or
    None, where the measurement cannot tell. What is open decides the word
    only if it could change it.
    """
    found = {*statements(parts, under).values()}
    if {True, False} <= found:
        return TOGETHER if under else HALF
    if None in found:
        return OPEN
    return TRUE if True in found else FALSE


def statements(parts=None, under=None):
    """Return the one dictionary that is given, with Python's True and False.

    Raises ValueError if both are given, or none, or an empty one; TypeError
    for a value that is not True, False or None.
    """
    if bool(parts) == bool(under):
        raise ValueError(
            "parts, under: expected one of them, not empty, got"
            f" {parts!r} and {under!r}"
        )
    holds = {}
    for what, value in (parts or under).items():
        if value is not None and not isinstance(value, bool | np.bool_):
            raise TypeError(
                f"{what!r}: expected True, False or None, got {value!r}"
            )
        holds[what] = None if value is None else bool(value)
    return holds

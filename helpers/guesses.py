"""How far a guess is from what was measured: numbers, shares, words."""

import re
from numbers import Real

NEAR = 0.1  # of a share, or of the larger number: a guess within reach


def distance(guess, measured):
    """Return how far a guess is from a result, from 0 to 1.

    Of two shares it is their difference; a guess from 2 to 100 is then taken
    for a percentage. Of other numbers it is the difference divided by the
    larger one, of words 0 or 1.
    """
    guess = comparable(guess, measured)
    if isinstance(guess, str):
        return 0.0 if guess == letters(measured) else 1.0
    if is_share(measured):
        return min(abs(guess - measured), 1.0)
    largest = max(abs(guess), abs(measured))
    return min(abs(guess - measured) / largest, 1.0) if largest else 0.0


def comparable(guess, measured):
    """Return a guess as it is compared: a number, or the letters of words.

    Where a share was measured, a guess from 2 to 100 becomes a share.
    """
    if not (isinstance(guess, Real) and isinstance(measured, Real)):
        return letters(guess)
    if is_share(measured) and 2 <= guess <= 100:
        return guess / 100
    return guess


def is_share(measured):
    """Tell whether what was measured is a fraction of something."""
    return isinstance(measured, float) and 0 <= measured <= 1


def letters(words):
    """Return words without what is no matter: capitals, dashes, spaces."""
    return re.sub(r"[\s_–—-]", "", str(words).lower()).strip(".,;:!?\"'")

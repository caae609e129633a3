"""What a learner guessed, beside what was measured."""

import re
from numbers import Real


def prediction(guess, measured, decimals=2):
    """Print a guess beside the measured answer; it never raises for a guess.

    guess: a number, a word or a letter; ``...`` for none yet. measured: a
    number, shown with so many decimals, or a word.
    """
    shown = _text(measured, decimals)
    if guess is ... or guess is None:
        print(f"○ no prediction yet. Measured: {shown}")
    elif isinstance(guess, Real) and isinstance(measured, Real):
        off = f"off by {abs(guess - measured):.{decimals}f}"
        said = f"your prediction {guess:g}, measured {shown}"
        exact = f"{guess:.{decimals}f}" == f"{measured:.{decimals}f}"
        print(f"✓ {said}" if exact else f"{said}: {off}")
    else:
        said = _text(guess, decimals)
        same = _plain(said) == _plain(shown)
        mark = "✓" if same else "→"
        print(f"{mark} your prediction: {said}. Measured: {shown}")


def _plain(words):
    """Leave out what is no matter: capitals, kinds of dashes, spaces."""
    return " ".join(re.sub("[-–—]", " ", words.lower()).split())


def _text(answer, decimals):
    if isinstance(answer, Real) and not isinstance(answer, int):
        return f"{answer:.{decimals}f}"
    return str(answer)

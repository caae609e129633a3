"""What a learner guessed, beside what was measured."""

from numbers import Integral, Real

from helpers import guesses, journal


def prediction(guess, measured, decimals=2):
    """Print a guess beside the measured answer; it never raises for a guess.

    guess: a number, a word or a letter; ``...`` for none yet. measured: a
    number, shown with so many decimals, or a word. A guess of another kind (a
    word for a number, nan, an array for a word) is asked for again.
    """
    shown = _text(measured, decimals)
    if guess is ... or guess is None:
        journal.note_prediction(None, shown)
        print(f"○ no prediction yet. Measured: {shown}")
    elif isinstance(measured, Real):
        number = _number(guess)
        journal.note_prediction(number, measured)
        if number is None:
            print(
                f"→ a number, please, not {_typed(guess)}. Measured: {shown}"
            )
            return
        said = f"your prediction {number:g}, measured {shown}"
        exact = f"{number:.{decimals}f}" == f"{measured:.{decimals}f}"
        off = _off(number, measured, decimals)
        print(f"✓ {said}" if exact else f"{said}: {off}")
    elif not isinstance(guess, str):  # a name that means something else
        journal.note_prediction(None, shown)
        kind = journal.printable(type(guess).__name__[:40])
        print(
            "→ a word in quotes, please, not something of type"
            f" {kind}. Measured: {shown}"
        )
    else:
        said = _typed(guess, str, journal.LONGEST)
        same = guesses.letters(said) == guesses.letters(shown)
        journal.note_prediction(said, shown)
        mark = "✓" if same else "→"
        print(f"{mark} your prediction: {said}. Measured: {shown}")


def _off(number, measured, decimals):
    """Say how far off a guess is, and what it is if meant in percent."""
    counted = isinstance(measured, Integral)
    form = "g" if counted else f".{decimals}f"
    off = f"off by {abs(number - measured):{form}}"
    fraction = 0 <= measured <= 1 and not counted
    if fraction and 10 <= number <= 100:
        off += f". In percent? {number:g} % is {number / 100:g}"
    return off


def _number(guess):
    """Return a guess as a float; None if it is no number, or nan."""
    try:
        number = None if isinstance(guess, str) else float(guess)
    except Exception:  # whatever its type does
        return None
    return number if number == number else None


def _typed(guess, show=repr, longest=40):
    """Return a guess as typed, cut if it is long."""
    try:
        shown = journal.printable(show(guess))
    except Exception:  # whatever its type does
        shown = type(guess).__name__
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def _text(answer, decimals):
    if isinstance(answer, Real) and not isinstance(answer, int):
        return f"{answer:.{decimals}f}"
    return str(answer)

"""Put measured numbers into the places of a text."""

import re
import string

import numpy as np


def fill(text, numbers):
    """Return a text with its numbers; each is used, and none is missing.

    A place is one of Python's: ``{one:.1%}``, or ``{reached[both]:.1%}`` from
    a dictionary. An array has one number for each run: ``.1%`` shows their
    mean, ``±.1%`` mean ± sample standard deviation, and ``.1p`` a difference
    of two fractions in percentage points. Strings stay as they are.

    Raises ValueError for a place without a number, or a number without one.
    """
    places = [name for _, name, *_ in string.Formatter().parse(text) if name]
    wanted = {re.split(r"[.[]", name)[0] for name in places}
    if odd := wanted ^ numbers.keys():
        raise ValueError(
            f"numbers: {sorted(odd)} in the text or in the call only"
        )
    return text.format_map({n: Shown(v) for n, v in numbers.items()})


class Shown:
    """A measured value, or one of each run, as a text wants to show it."""

    def __init__(self, value):
        self.value = value

    def __getitem__(self, key):
        """Return a value of a dictionary, or of a list by its position."""
        if not hasattr(self.value, "keys"):
            key = int(key)
        if hasattr(self.value, "keys") and key not in self.value:
            raise ValueError(f"numbers: no {key!r} in {[*self.value]}")
        return Shown(self.value[key])

    def __format__(self, form):
        if isinstance(self.value, str):
            return self.value
        runs = np.ravel(self.value)
        if not runs.size or not np.isfinite(runs).all():
            raise ValueError(f"numbers: expected finite, got {self.value!r}")
        plain = form.removeprefix("±")
        if plain.endswith("p"):
            runs, plain = 100 * runs, plain[:-1] + "f"
            form = form[:-1] + "f"
        one = runs[0].item() if runs.size == 1 else runs.mean()
        shown = format(one, plain)
        if plain != form:
            spread = format(runs.std(ddof=1), plain)
            shown = f"{shown.removesuffix('%')} ± {spread}"
        return re.sub(r"(?<![e\w])-", "−", shown)

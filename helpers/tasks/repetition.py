"""Texts in which a stretch of words comes twice.

"… pond axe nurse vans … pond axe nurse vans": whoever finds the word *after*
the first "axe" knows what follows the second one. That is induction (Olsson
et al. (2022), *In-context Learning and Induction Heads*). All words of a
text are different but for the stretch, so nothing else tells what follows.
"""

from dataclasses import dataclass

import numpy as np

from helpers import validation

LENGTH = 24  # words of a text
STRETCH = (4, 10)  # words that come twice, at least and at most


@dataclass(frozen=True)
class Texts:
    """B texts of T words that end with a repeated stretch.

    words: (B, T), the number of each word; source: (B, T), where a word of
    the second stretch stood first, -1 for all others.
    """

    words: np.ndarray
    source: np.ndarray

    @property
    def asked(self):
        """The places (b, i), two arrays, whose next word can be copied."""
        return np.nonzero(
            (self.source[:, :-1] >= 0) & (self.source[:, 1:] > 0)
        )


def repeated_texts(num_words, count, rng, *, fixed_gap=False):
    """Draw texts that end with a stretch of words that came before.

    Parameters
    ----------
    num_words : int
        The words to draw from, `LENGTH` or more.
    count : int
        B, the number of texts.
    rng : numpy.random.Generator
    fixed_gap : bool
        False: the stretch, of 4 to 10 words, starts anywhere and comes back
        after any gap. True: the second half repeats the first, so that the
        word to copy always stands 11 places back.

    Returns
    -------
    Texts
        Of `LENGTH` words each.
    """
    num_words = validation.positive_integer("num_words", num_words)
    count = validation.positive_integer("count", count)
    if num_words < LENGTH:
        raise ValueError(f"num_words: at least {LENGTH}, got {num_words}")
    rng = validation.random_numbers("rng", rng)
    fixed_gap = validation.flag("fixed_gap", fixed_gap)
    words = np.empty((count, LENGTH), dtype=int)
    source = np.full((count, LENGTH), -1)
    for row in range(count):
        stretch, before = LENGTH // 2, 0
        if not fixed_gap:
            stretch = int(rng.integers(STRETCH[0], STRETCH[1] + 1))
            before = int(rng.integers(0, LENGTH - 2 * stretch + 1))
        drawn = rng.choice(num_words, LENGTH - stretch, replace=False)
        again = np.arange(before, before + stretch)
        words[row] = [*drawn, *drawn[again]]
        source[row, -stretch:] = again
    return Texts(words, source)

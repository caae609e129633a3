"""The passages of a text: how often each occurs, and after what."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Known:
    """The different passages of one length; numbers from 0 on name them.

    keys : array (P,) of int, ascending
        Of each passage: its first character, and the number of the rest.
    counts : array (P,) of int
        How often each occurs.
    before : array (P,) of int
        After how many different characters; 0 for the longest passages.
    contexts : array (P,) of int
        The number of all but its last character.
    num_contexts : int
        So many passages are one character shorter.
    """

    keys: np.ndarray
    counts: np.ndarray
    before: np.ndarray
    contexts: np.ndarray
    num_contexts: int

    def number(self, first, rest):
        """Return the number of each passage, -1 if it never occurs."""
        asked = first * self.num_contexts + rest
        place = np.searchsorted(self.keys, asked)
        place = np.minimum(place, len(self.keys) - 1)
        there = (self.keys[place] == asked) & (rest >= 0)
        return np.where(there, place, -1)


class Passages:
    """All passages of up to `longest` characters of a text.

    A passage is looked up by its first character and the number of the rest,
    so that keys stay small whatever the vocabulary.

    ids : array (N,) of int, N > longest

    known : list of `Known`, from 1 to `longest` characters.
    """

    def __init__(self, ids, longest):
        number, size, found = np.zeros(len(ids) + 1, dtype=np.int64), 1, []
        for length in range(1, longest + 1):
            shorter = number  # of the passage from each place on
            key = ids[: len(ids) - length + 1] * size + shorter[1:]
            keys, first, number, counts = np.unique(
                key, return_index=True, return_inverse=True, return_counts=True
            )
            rest = shorter[first + 1]
            found.append([keys, counts, rest, shorter[first], size])
            size = len(keys)
        longer = [rest for _, _, rest, *_ in found[1:]] + [np.array([], int)]
        self.known = [
            Known(
                keys, counts, np.bincount(rest, minlength=len(keys)), *others
            )
            for (keys, counts, _, *others), rest in zip(
                found, longer, strict=True
            )
        ]

    def find(self, windows):
        """Yield the numbers of the last 1, 2, … characters of each window.

        windows (n, longest) of int -> for each length (n,) those of the
        passages, and (n,) those of their contexts; -1 for what never occurs.
        """
        last, shorter = windows.shape[1] - 1, None
        passage = context = np.zeros(len(windows), dtype=np.int64)
        for k, known in enumerate(self.known):
            first = windows[:, last - k]
            passage = known.number(first, passage)
            if k:
                context = shorter.number(first, context)
            shorter = known
            yield passage, context

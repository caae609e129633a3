"""Words of a text that another text does not have, and that come twice."""

import re
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Twice:
    """A new word, and where it begins one time and the next."""

    word: str
    first: int
    second: int


def new_words_twice(known, text, *, shortest=5, farthest=180):
    """Return each `Twice` of a text, in order.

    known, text : strings
        The word does not occur anywhere in the first one.
    shortest : int
        Letters of a word.
    farthest : int
        Characters from the beginning of the first to that of the second.
    """
    found, last = [], {}
    for match in re.finditer(rf"\b[A-Za-z]{{{shortest},}}\b", text):
        word, place = match[0], match.start()
        if word in last and place - last[word] <= farthest:
            found.append(Twice(word, last[word], place))
        if word in last or word not in known:
            last[word] = place
    return found


def windows(text, pairs, length, seed=0):
    """Return passages that end with the second word, and where words are.

    Each passage has `length` characters. In a control, the word is replaced
    wherever it comes before the second time, by another one of the list, cut
    or repeated to its length.

    Returns
    -------
    originals, controls : lists of strings
    places : array (P, 2) of int
        Where the word begins, one time and the next.
    """
    rng = np.random.default_rng(seed)
    originals, controls, places = [], [], []
    for pair in pairs:
        size = len(pair.word)
        start = max(0, pair.second + size - length)
        first, second = pair.first - start, pair.second - start
        passage = text[start : start + length]
        others = [p.word for p in pairs if p.word != pair.word]
        other = (others[rng.integers(len(others))] * size)[:size]
        originals.append(passage)
        earlier = passage[:second].replace(pair.word, other)
        controls.append(earlier + passage[second:])
        places.append((first, second))
    return originals, controls, np.array(places)

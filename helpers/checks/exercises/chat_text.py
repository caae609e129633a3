"""What chat_text.txt takes from Python: texts are compared as numbers."""

import functools

import numpy as np


def codes(text):
    """Return a number for each character."""
    return np.array([ord(character) for character in text], dtype=int)


def in_letters(function):
    """Return a function whose text is an array of numbers."""

    @functools.wraps(function)
    def answer(turns):
        found = function(turns)
        if isinstance(found, list) and all(isinstance(x, str) for x in found):
            raise TypeError("a list of texts")
        return codes(found) if isinstance(found, str) else found

    return answer


def first_difference(exercise, trials):
    """Say where a text leaves the right one, both shown from there."""
    for trial in trials:
        if trial.right or not trial.got.arrays:
            continue
        got, want = (
            "".join(chr(int(n)) for n in one.arrays[0].ravel())
            for one in (trial.got, trial.want)
        )
        same = 0
        while got[same : same + 1] == want[same : same + 1] != "":
            same += 1
        came, due = (
            repr(text[same:][:24]) if text[same:] else "nothing"
            for text in (got, want)
        )
        return (
            f"the text goes wrong at position {same}.",
            f"In one test ({trial.probe.words}), your text continues with"
            f" {came}, but it should continue with {due}.",
        )
    return None

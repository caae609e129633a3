"""How near a word's vector is to its right meaning, before and after."""

import numpy as np

from helpers import embeddings, tasks, validation


def leanings(shift):
    """Measure 32 sentences with a word of two meanings, four for each word.

    A vector's leaning is its mean cosine with words of the right meaning,
    less that with words of the other one: above 0, the right one is closer.

    Parameters
    ----------
    shift : callable
        ``shift(x, position, landmark) -> number``: how far attention moves
        the word at a position of x (T, d) toward landmark (d,).

    Returns
    -------
    dict
        {"attention", "mean", "word alone": array (32,)}. "mean" is the
        plain mean of the sentence.
    """
    validation.function("shift", shift)
    rows = [_of_sentence(shift, *each) for each in tasks.homographs()]
    names = "word alone", "attention", "mean"
    return dict(zip(names, np.transpose(rows), strict=True))


def _of_sentence(shift, word, sentence, right, other):
    tokens, x = embeddings.embed(sentence)
    place = tokens.index(word)

    def lean(measure):
        near, far = (
            np.mean([measure(mark) for mark in embeddings.vectors(words)])
            for words in (right, other)
        )
        return near - far

    alone = lean(lambda mark: embeddings.cosine(x[place], mark))
    moved = lean(lambda mark: shift(x, place, mark))
    mean = lean(lambda mark: embeddings.cosine(x.mean(axis=0), mark))
    return alone, alone + moved, mean

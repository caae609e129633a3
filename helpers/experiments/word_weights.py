"""How much each word of a text matters to a real model (MiniLM)."""

import numpy as np

from helpers import embeddings, tasks, validation
from helpers.models import load_encoder

FOX = "the quick brown fox jumps over the lazy dog"


def what_matters(texts=None):
    """Leave out one word at a time, and see how far the text's vector moves.

    texts: strings; the fox sentence and those of `tasks.homographs` if None.
    The text's vector is the mean of the rows of MiniLM's last layer. Returns
    a list of (words, lengths, changes): the length (T,) of each word's row
    in the table, and 1 − cosine (T,) of the text's vector without the word.
    Texts with a word that is not in the vocabulary are left out.
    """
    if texts is None:
        texts = [FOX, *(text for _, text, *_ in tasks.homographs())]
    found = []
    for text in validation.strings("texts", texts):
        words, x = embeddings.embed(text)
        if words == text.split():
            lengths = np.linalg.norm(x, axis=1)
            found.append((words, lengths, _changes(words)))
    return found


def _changes(words):
    texts = [words] + [words[:i] + words[i + 1 :] for i in range(len(words))]
    output = load_encoder().read([" ".join(text) for text in texts])
    real = output.mask[..., None]  # (T + 1, T, 1), False in the padding
    whole, *rest = (output.hidden[-1] * real).sum(axis=1) / real.sum(axis=1)
    return np.array([1 - embeddings.cosine(whole, each) for each in rest])


def rank_correlation(one, other):
    """Return the correlation of the ranks of two arrays (T,)."""
    ranks = [np.argsort(np.argsort(each)) for each in (one, other)]
    return float(np.corrcoef(*ranks)[0, 1])

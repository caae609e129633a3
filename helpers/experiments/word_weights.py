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


def order_between_rows(texts=None):
    """How often a higher score goes with a larger weight, across rows: (72,).

    For each head of MiniLM: the fraction of all pairs of scores from two
    rows of one text, a mean over the texts; those of `tasks.homographs` if
    None.
    """
    if texts is None:
        texts = [text for _, text, *_ in tasks.homographs()]
    encoder, found = load_encoder(), []
    for text in validation.strings("texts", texts):
        output = encoder.read([text])
        found.append(
            [
                _same_order(_scores(*layer), layer[2])
                for layer in zip(
                    encoder.blocks,
                    output.hidden[:-1, 0],
                    output.weights[:, 0],
                    strict=True,
                )
            ]
        )
    return np.mean(found, axis=0).ravel()


def _scores(block, x, weights):
    heads = len(weights)
    query, key = (
        (x @ block[f"w_{n}"] + block[f"b_{n}"]).reshape(len(x), heads, -1)
        for n in "qk"
    )
    return np.einsum("ihd,jhd->hij", query, key)  # (heads, T, T)


def _same_order(scores, weights):
    length = scores.shape[-1]
    row = np.repeat(np.arange(length), length)  # (T * T,), of each score
    apart = row[:, None] != row
    higher, larger = (
        flat[:, :, None] > flat[:, None]
        for flat in (a.reshape(-1, length**2) for a in (scores, weights))
    )
    return (higher == larger)[:, apart].mean(axis=1)

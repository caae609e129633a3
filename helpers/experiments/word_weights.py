"""How much each word of a text matters to a real model (MiniLM)."""

import numpy as np

from helpers import embeddings, tasks, validation
from helpers.models import load_encoder

CLEAR = 0.05  # smaller differences of weights are near ties
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
    """How often a higher score goes with a larger weight, across rows.

    For each of MiniLM's 72 heads, of the pairs of scores from two rows of
    one text: the fraction of all pairs (72,), a mean over the texts, and of
    the pairs without near ties (72,), whose weights differ by `CLEAR` or
    more. The texts are those of `tasks.homographs` if None.
    """
    if texts is None:
        texts = [text for _, text, *_ in tasks.homographs()]
    encoder, found = load_encoder(), []
    for text in validation.strings("texts", texts):
        output = encoder.read([text])
        layers = zip(
            encoder.blocks,
            output.hidden[:-1, 0],
            output.weights[:, 0],
            strict=True,
        )
        found.append(
            [_same_order(_scores(b, x, w), w) for b, x, w in layers]
        )  # (6, 3, 12)
    agree, right, clear = np.array(found).transpose(2, 0, 1, 3)
    by_head = right.sum(axis=0) / clear.sum(axis=0)
    return agree.mean(axis=0).ravel(), by_head.ravel()


def _scores(block, x, weights):
    heads = len(weights)
    query, key = (
        (x @ block[f"w_{n}"] + block[f"b_{n}"]).reshape(len(x), heads, -1)
        for n in "qk"
    )
    return np.einsum("ihd,jhd->hij", query, key)  # (heads, T, T)


def _same_order(scores, weights):
    """Compare pairs from two rows; return three arrays (heads,).

    The share of pairs in the same order, the number of clear pairs in the
    same order, and the number of clear pairs.
    """
    length = scores.shape[-1]
    row = np.repeat(np.arange(length), length)  # (T * T,), of each score
    apart = row[:, None] != row
    higher, gap = (
        (flat[:, :, None] - flat[:, None])[:, apart]
        for flat in (a.reshape(-1, length**2) for a in (scores, weights))
    )
    same, clear = (higher > 0) == (gap > 0), abs(gap) >= CLEAR
    return same.mean(axis=1), (same & clear).sum(axis=1), clear.sum(axis=1)

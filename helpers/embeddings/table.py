"""Word vectors made ready for training."""

import numpy as np

from helpers import validation
from helpers.embeddings import files
from helpers.embeddings.lookup import table_rows, vectors
from helpers.embeddings.wordpiece import entries


class WordTable:
    """Word vectors for training: fewer numbers, mean 0, variance 1.

    Every row is normalized (layer normalization without gain: Ba et al.
    2016, section 3), centered on the mean of the training words, turned
    onto their d_model principal directions, and divided by one number,
    which makes their overall variance 1.  The same map then serves every
    other word of the vocabulary.

    training_words: single vocabulary entries; duplicates count once and
    their order does not matter.
    d_model: 1 … min(383, number of different training words - 1).
    """

    def __init__(self, training_words, d_model=64):
        ids = sorted(set(entries(training_words, "training_words")))
        self.d_model = _checked_width(d_model, len(ids))
        rows = _normalized(table_rows(ids))  # (n, 384)
        self._mean = rows.mean(axis=0)  # (384,)
        centered = rows - self._mean  # (n, 384)
        directions = _principal_directions(centered, self.d_model)
        scale = (centered @ directions).std()
        self._map = directions / scale  # (384, d_model)

    def vectors(self, words):
        """Look up single vocabulary entries: (n, d_model) float64."""
        return (_normalized(vectors(words)) - self._mean) @ self._map

    def batch(self, sentences):
        """Look up sentences, lists of words, padded to the longest.

        Returns x (B, T, d_model) float64, 0 where there is no word, and
        mask (B, T) bool, True where there is one.
        """
        sentences = validation.string_lists("sentences", sentences)
        names = sorted({word for words in sentences for word in words})
        place = {word: i for i, word in enumerate(names)}
        lengths = np.array([len(words) for words in sentences])  # (B,)
        mask = np.arange(lengths.max()) < lengths[:, None]  # (B, T)
        x = np.zeros((*mask.shape, self.d_model))  # (B, T, d_model)
        order = [place[word] for words in sentences for word in words]
        x[mask] = self.vectors(names)[order]
        return x, mask


def _normalized(rows):  # layer normalization without gain
    centered = rows - rows.mean(axis=-1, keepdims=True)  # (n, 384)
    return centered / centered.std(axis=-1, keepdims=True)


def _principal_directions(centered, count):
    """Columns (384, count), widest first, each one's largest entry > 0.

    The sign rule is ours: an eigenvector's sign is otherwise the choice
    of the linear algebra library.
    """
    covariance = centered.T @ centered / (len(centered) - 1)  # (384, 384)
    columns = np.linalg.eigh(covariance)[1][:, ::-1][:, :count]
    largest = np.abs(columns).argmax(axis=0)  # (count,)
    return columns * np.sign(columns[largest, np.arange(count)])


def _checked_width(d_model, word_count):
    d_model = validation.positive_integer("d_model", d_model)
    if word_count < 2:
        raise ValueError("training_words must hold 2 different words or more")
    # Normalized rows sum to 0 and so fill one direction less than 384.
    limit = min(files.TABLE_SHAPE[1], word_count) - 1
    if d_model > limit:
        raise ValueError(
            f"d_model: expected 1 to {limit} with {word_count} different "
            f"training words, got {d_model}"
        )
    return d_model

"""Words become vectors: the static word table of all-MiniLM-L6-v2.

Each of 30,522 vocabulary entries has one row of 384 numbers, the same
in every sentence.  The files, their origin and their license: see
data/all-MiniLM-L6-v2/README.md.
"""

from collections.abc import Iterable

import numpy as np

from helpers import pretrained
from helpers.pretrained import verify
from helpers.wordpiece import encode, entries, word_list

__all__ = ["WordTable", "cosine", "embed", "tokenize", "vectors", "verify"]


def tokenize(text):
    """Split a text into lower-cased tokens, a list of strings.

    A word outside the vocabulary comes as visible pieces ("##" continues
    a word), or as [UNK] if it holds an unknown character.

    Raises TypeError if text is no string, ValueError if it is empty or
    holds something that would be dropped.
    """
    return encode(text).tokens


def embed(text):
    """Look up a text: (tokens, X), X (T, 384) float64, one row a token.

    Raises as tokenize does.
    """
    encoding = encode(text)
    return encoding.tokens, _rows(encoding.ids)


def vectors(words):
    """Look up words that are one vocabulary entry each: (n, 384) float64.

    Raises TypeError if words is not a list of strings, ValueError naming
    every word that is unknown or split, with its pieces.
    """
    return _rows(entries(words))


def cosine(a, b):
    """Cosine of the angle between two vectors (d,): a float in -1…1.

    Raises TypeError or ValueError if a or b is not one vector of finite
    numbers, if it is all zeros, or if the lengths differ.
    """
    a, b = _direction(a, "a"), _direction(b, "b")
    if a.shape != b.shape:
        raise ValueError(
            f"a and b must have one length, not shapes {a.shape}, {b.shape}"
        )
    return float(np.clip(a @ b, -1.0, 1.0))


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
        rows = _normalized(_rows(ids))  # (n, 384)
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
        sentences = _sentence_list(sentences)
        names = sorted({word for words in sentences for word in words})
        place = {word: i for i, word in enumerate(names)}
        lengths = np.array([len(words) for words in sentences])  # (B,)
        mask = np.arange(lengths.max()) < lengths[:, None]  # (B, T)
        x = np.zeros((*mask.shape, self.d_model))  # (B, T, d_model)
        order = [place[word] for words in sentences for word in words]
        x[mask] = self.vectors(names)[order]
        return x, mask


def _rows(ids):
    return pretrained.word_table()[ids].astype(np.float64)  # (n, 384)


def _normalized(rows):
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
    if isinstance(d_model, bool) or not isinstance(d_model, int | np.integer):
        raise TypeError(f"d_model must be an integer, not {d_model!r}")
    if word_count < 2:
        raise ValueError("training_words must hold 2 different words or more")
    # Normalized rows sum to 0 and so fill one direction less than 384.
    limit = min(pretrained.TABLE_SHAPE[1], word_count) - 1
    if not 1 <= d_model <= limit:
        raise ValueError(
            f"d_model must be 1 … {limit} with {word_count} different "
            f"training words, not {d_model}"
        )
    return int(d_model)


def _sentence_list(sentences):
    if isinstance(sentences, str) or not isinstance(sentences, Iterable):
        raise TypeError(
            f"sentences must be a list of lists of words, such as "
            f"[['a', 'cat']], not {type(sentences).__name__}"
        )
    sentences = list(sentences)
    if not sentences:
        raise ValueError("sentences is empty")
    return [word_list(s, f"sentences[{i}]") for i, s in enumerate(sentences)]


def _direction(x, name):
    try:
        x = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be a vector of numbers, not {x!r:.60}; look words "
            f"up with vectors([...]) first"
        ) from None
    if x.ndim != 1 or not x.size:
        raise ValueError(f"{name} must be one vector (d,), not {x.shape}")
    if not np.isfinite(x).all():
        raise ValueError(f"{name} holds NaN or infinity")
    largest = np.abs(x).max()
    if largest == 0:
        raise ValueError(f"{name} is all zeros and so has no direction")
    x = x / largest  # no overflow in the norm
    return x / np.linalg.norm(x)

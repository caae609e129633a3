"""Look up a text or single words, and compare two vectors."""

import numpy as np

from helpers.embeddings import files
from helpers.embeddings.wordpiece import encode, entries


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
    return encoding.tokens, table_rows(encoding.ids)


def vectors(words):
    """Look up words that are one vocabulary entry each: (n, 384) float64.

    Raises TypeError if words is not a list of strings, ValueError naming
    every word that is unknown or split, with its pieces.
    """
    return table_rows(entries(words))


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


def table_rows(ids):
    """Return rows of the table as float64, for a list of row numbers."""
    return files.word_table()[ids].astype(np.float64)  # (n, 384)


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

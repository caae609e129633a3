"""What notebook 07 asks of the pretrained encoder's rows and weights."""

import numpy as np


def sentence_vectors(output):
    """The mean row of each text's tokens, made length 1: (B, 384)."""
    there = output.mask[..., None]  # (B, T, 1)
    total = (output.hidden[-1] * there).sum(axis=1)  # (B, 384)
    return total / np.linalg.norm(total, axis=1, keepdims=True)


def word_rows(output, words):
    """The row of one word of each text, in all layers: (7, B, 384).

    The word's first place counts. Raises ValueError if a text lacks it.
    """
    pairs = zip(output.tokens, words, strict=True)
    at = [_place(word, tokens) for tokens, word in pairs]
    return output.hidden[:, np.arange(len(at)), at]


def _place(word, tokens):
    if word not in tokens:
        raise ValueError(f"no token {word!r} in {' '.join(tokens[1:-1])!r}")
    return tokens.index(word)


def between_words(output):
    """Weights between words alone: (6, B, 12, T-1, T-1).

    Cut off: [CLS]. Weight 0, in place of what they get: [SEP] and padding.
    The rows sum to less than 1.
    """
    weights = output.weights[..., 1:, 1:]  # a view
    words = output.mask[:, 1:].copy()
    words[np.arange(len(words)), words.sum(axis=1) - 1] = False  # [SEP]
    return weights * words[:, None, None]


def same_sense(rows, words, senses):
    """Whether the nearest row of the same word has the same sense: (n,).

    rows (n, d), words and senses (n,). Nearest is by cosine, and no row is
    its own neighbor.
    """
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    words, senses = np.array(words), np.array(senses)
    alike = np.where(words[:, None] == words, rows @ rows.T, -2)  # (n, n)
    np.fill_diagonal(alike, -2)
    return senses[alike.argmax(axis=1)] == senses

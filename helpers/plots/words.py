"""The maps in words: what a picture shows, as lines of text."""

import numpy as np

from .inputs import (
    check_array,
    check_finite,
    check_labels,
    check_mask,
    check_tokens,
    check_weights,
    number_repeats,
)


def describe_attention(
    weights, query_tokens, key_tokens=None, top=3, *, mask=None, strict=True
):
    """Say each query's largest weights: ``bank -> bank 0.57, river 0.15``.

    The arguments are those of ``plot_attention``; ``top`` is how many keys a
    line names. Weights that print as 0.00 are left out; equal ones keep the
    order of the sentence. Returns a string, one line a query.
    """
    weights, allowed = check_weights("weights", weights, mask, strict)
    rows, columns = check_labels(query_tokens, key_tokens, weights.shape)
    check_top(top)
    lines = []
    for row in np.where(allowed, weights, 0.0):
        best = [key for key in rank(row)[:top] if round(row[key], 2) > 0]
        shares = [f"{columns[key]} {row[key]:.2f}" for key in best]
        lines.append(", ".join(shares) or "nothing")
    return join_lines(rows, lines)


def describe_scores(
    scores, query_tokens, key_tokens=None, top=3, *, mask=None
):
    """Say each query's highest scores and its lowest one.

    The arguments are those of ``plot_scores``. Returns a string, one line a
    query: ``bank -> bank 1.20, river 0.31, the₁ 0.02; lowest of −0.40``.
    """
    scores, allowed = check_scores(scores, mask)
    rows, columns = check_labels(query_tokens, key_tokens, scores.shape)
    check_top(top)
    lines = []
    for row, open_keys in zip(scores, allowed, strict=True):
        order = [key for key in rank(row) if open_keys[key]]
        best = [f"{columns[key]} {signed(row[key])}" for key in order]
        line = ", ".join(best[:top]) or "nothing"
        lowest = f"; lowest {best[-1]}" if len(best) > top else ""
        lines.append(line + lowest)
    return join_lines(rows, lines)


def describe_vectors(x, tokens, top=3):
    """Say each vector's length and its ``top`` largest entries by size.

    ``x`` is (T, d), one row per token. Returns a string, one line a token:
    ``bank -> length 1.00; dimension 17: 0.31, 203: −0.28, 4: 0.25``.
    """
    x = check_array("x", x, 2)
    check_finite("x", x)
    tokens = number_repeats(check_tokens("tokens", tokens, len(x)))
    check_top(top)
    lines = []
    for row in x:
        parts = [f"{d}: {signed(row[d])}" for d in rank(abs(row))[:top]]
        length = f"length {np.linalg.norm(row):.2f}"
        lines.append(f"{length}; dimension {', '.join(parts)}")
    return join_lines(tokens, lines)


def check_scores(scores, mask):
    """Return scores (T_q, T_k), 0 where masked, and where they are not."""
    scores = check_array("scores", scores, 2)
    allowed = check_mask(mask, scores.shape) & (scores != -np.inf)
    scores = np.where(allowed, scores, 0.0)
    check_finite("scores", scores)
    return scores, allowed


def rank(row):
    """Return the positions of ``row``, largest first, ties in order.

    Equal to 6 decimals is a tie, so that the order does not depend on the
    last bits of a computation.
    """
    return np.argsort(-np.round(row, 6), kind="stable")


def weight_texts(weights):
    """Return the weights as they are written into cells."""
    return [
        [f"{weight:.2f}" if round(weight, 2) > 0 else "·" for weight in row]
        for row in weights
    ]


def score_texts(scores):
    """Return signed numbers as they are written into cells, short enough."""
    largest = abs(scores).max()
    wide = scores.shape[1] > 10
    if largest >= (9.95 if wide else 99.95):
        decimals = 0
    else:
        decimals = 1 if wide or largest >= 9.995 else 2
    return [[signed(score, decimals) for score in row] for row in scores]


def signed(value, decimals=2):
    """Return a number with a true minus sign and never a minus zero."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def check_top(top):
    """Raise ValueError unless ``top`` is a positive whole number."""
    if not isinstance(top, (int, np.integer)) or top < 1:
        raise ValueError(f"top must be a whole number above 0, got {top!r}")


def join_lines(labels, lines):
    """Return ``label -> line`` for each row, the arrows below each other."""
    width = max(map(len, labels))
    return "\n".join(
        f"{label:>{width}} -> {line}"
        for label, line in zip(labels, lines, strict=True)
    )


def align_table(lines):
    """Return lines of cells as text: first column left, others right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = []
    for first, *rest in lines:
        cells = [
            f"{cell:>{width}}"
            for cell, width in zip(rest, widths[1:], strict=True)
        ]
        rows.append("  ".join([f"{first:<{widths[0]}}", *cells]).rstrip())
    return "\n".join(rows)

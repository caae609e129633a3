"""The figures in words: what a picture shows, as lines of text."""

import numpy as np

from .inputs import (
    check_array,
    check_labels,
    check_mask,
    check_weights,
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
        best = [key for key in rank(row, 2)[:top] if round(row[key], 2) > 0]
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
    scores = check_array("scores", scores, 2)
    allowed = check_mask(mask, scores.shape) & (scores != -np.inf)
    rows, columns = check_labels(query_tokens, key_tokens, scores.shape)
    check_top(top)
    lines = []
    for row, open_keys in zip(scores, allowed, strict=True):
        order = [key for key in rank(row, 2) if open_keys[key]]
        best = [f"{columns[key]} {signed(row[key])}" for key in order[:top]]
        line = ", ".join(best) or "nothing"
        if len(order) > top:
            last = order[-1]
            line += f"; lowest {columns[last]} {signed(row[last])}"
        lines.append(line)
    return join_lines(rows, lines)


def rank(row, decimals):
    """Return the positions of ``row``, largest first, as they would print.

    Numbers that print the same keep their order, so that the text does not
    depend on the last bits of a computation.
    """
    return np.argsort(-np.round(row, decimals), kind="stable")


def weight_text(weight):
    """Return a weight as it is written into a cell."""
    return f"{weight:.2f}" if round(weight, 2) > 0 else "·"


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

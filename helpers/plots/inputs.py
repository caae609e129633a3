"""Argument checks of the figures, so that drawing code only draws."""

from collections import namedtuple

import numpy as np

from ..validation import attention_mask, float_array, real_number

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MAX_NUMBERS = 12
MAX_LABELS = 24

Line = namedtuple("Line", "mean sd seeds")  # (n,), (n,) or None, (S, n)


def number_repeats(tokens):
    """Number the words that occur more than once: the₁ … the₂.

    `tokens` is a list of strings; upper and lower case count as the same
    word. Numbering a list twice changes nothing, so number a sentence before
    you slice it. Raises TypeError if `tokens` is anything else.
    """
    tokens = check_tokens("tokens", tokens)
    words = [token.casefold() for token in tokens]
    labels = []
    for place, word in enumerate(words):
        number = str(words[: place + 1].count(word)).translate(SUBSCRIPTS)
        labels.append(tokens[place] + number * (words.count(word) > 1))
    return labels


def check_tokens(name, tokens, count=None):
    """Return `tokens` as a list of strings, `count` long."""
    words = [None] if isinstance(tokens, str) else tokens
    words = [*words] if hasattr(words, "__iter__") else [None]
    if not all(isinstance(word, str) for word in words):
        kinds = {type(word).__name__ for word in words}
        kind = type(tokens).__name__
        raise TypeError(
            f"{name}: expected a list of strings, got {kind} of {kinds}"
        )
    if count is not None and len(words) != count:
        raise ValueError(
            f"{name} has {len(words)} entries, but the array needs {count}"
        )
    return [str(word) for word in words]


def check_array(name, values, ndim, *, finite=True, shape=None):
    """Return `values` as a float array with `ndim` axes, none empty."""
    array = float_array(name, values, ndim=ndim, finite=finite)
    if array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} axes, got {array.shape}")
    if shape not in (None, array.shape):
        raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
    return array.astype(float)


def check_mask(mask, values):
    """Return the boolean mask of `values`: True where a query may attend."""
    mask = np.array(True) if mask is None else attention_mask(mask, values)
    if mask.dtype != bool:
        raise TypeError(
            f"mask: use booleans, True = may attend, not {mask.dtype}: "
            f"mask {mask.shape}, map {values.shape}"
        )
    return np.broadcast_to(mask, values.shape)


def check_weights(name, weights, mask=None):
    """Return `weights` (T_q, T_k), 0 where masked, and the mask."""
    weights = check_array(name, weights, 2)
    allowed = check_mask(mask, weights)
    if weights.min() < -1e-6 or weights.max() > 1 + 1e-3:
        raise ValueError(
            f"{name} must lie in [0, 1], got {weights.min():.3g} to "
            f"{weights.max():.3g} (shape {weights.shape}): were these scores?"
        )
    for row, column in np.argwhere(~allowed & (weights > 1e-6)):
        raise ValueError(
            f"{name}[{row}, {column}] is {weights[row, column]:.3f} where "
            "the mask is False; mask the scores before the softmax"
        )
    sums = weights.sum(axis=1)
    for row in np.flatnonzero((abs(sums - 1) > 1e-3) & (sums > 1e-6)):
        raise ValueError(
            f"each row of {name} {weights.shape} must sum to 1 (or be all "
            f"zero), but row {row} sums to {sums[row]:.3f}"
        )
    return weights.clip(0, 1), allowed


def check_labels(tokens, keys, shape):
    """Return numbered row and column labels for a map of `shape`."""
    if keys is None and shape[0] != shape[1]:
        raise ValueError(
            f"key_tokens is needed when the map is not square, shape {shape}"
        )
    rows = check_tokens("query_tokens", tokens, shape[0])
    keys = tokens if keys is None else keys
    columns = check_tokens("key_tokens", keys, shape[1])
    check_small("a map", shape, MAX_LABELS)
    return number_repeats(rows), number_repeats(columns)


def check_small(name, shape, most=MAX_NUMBERS):
    """Refuse an array that is too large to read."""
    if max(shape) > most:
        raise ValueError(
            f"{name} of shape {shape} is too large to read: at most {most} a "
            "side; slice it or rank the keys"
        )


def check_place(name, place, count, least=0):
    """Return a place among `count` as an int, from `least` on."""
    if isinstance(place, bool) or place not in range(least, count):
        raise ValueError(
            f"{name}: expected {least} to {count - 1}, got {place!r}"
        )
    return int(place)


def check_curves(x, series, theory=None):
    """Return x (n,), series as `Line` and theory as (n,), all checked."""
    x = check_array("x", x, 1)
    lines = check_lines("series", series, x)
    if not lines:
        raise ValueError("series is empty")
    curves = check_lines("theory", theory or {}, x)
    return x, lines, {label: curve.mean for label, curve in curves.items()}


def check_marks(marks):
    """Return a dict of at most three labels to the place of a line."""
    if not isinstance(marks, dict) or len(marks) > 3:
        raise TypeError("marks: expected a dict of at most 3 labels to x")
    return {
        label: real_number(f"marks[{label!r}]", place)
        for label, place in marks.items()
    }


def check_spans(spans):
    """Return a dict of labels to (low, high), low first."""
    if not isinstance(spans, dict):
        raise TypeError("spans: expected a dict, label to (low, high)")
    found = {}
    for label, (low, high) in spans.items():
        low, high = (real_number(f"spans[{label!r}]", n) for n in (low, high))
        if low >= high:
            raise ValueError(
                f"spans[{label!r}]: {low:g} is not below {high:g}"
            )
        found[label] = low, high
    return found


def check_lines(name, lines, x):
    """Return a dict of at most three `Line`, each as long as x."""
    if not isinstance(lines, dict):
        raise TypeError(f"{name}: expected a dict, label to numbers")
    if len(lines) > 3:
        raise ValueError(f"{name} has {len(lines)} lines, at most 3")
    return {
        label: check_line(f"{name}[{label!r}]", line, x)
        for label, line in lines.items()
    }


def check_line(name, line, x):
    """Return a `Line`: of numbers, of (mean, sd), or of seeds (S, n)."""
    if isinstance(line, tuple):
        if len(line) != 2:
            raise ValueError(f"{name}: expected (mean, sd), got {len(line)}")
        mean, sd = (check_line(name, part, x).mean for part in line)
        return Line(mean, sd, ())
    line = np.full(len(x), line) if np.ndim(line) == 0 else line
    line = check_array(name, line, min(np.ndim(line), 2))
    if line.shape[-1] != len(x):
        raise ValueError(f"{name} has shape {line.shape}, but x has {x.shape}")
    if line.ndim == 1:
        return Line(line, None, ())
    sd = line.std(axis=0, ddof=1) if len(line) > 1 else None
    return Line(line.mean(axis=0), sd, line)

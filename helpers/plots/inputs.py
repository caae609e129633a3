"""Argument checks of the figures, so that drawing code only draws."""

from collections import Counter, namedtuple

import numpy as np

from ..validation import attention_mask, float_array, real_number

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MAX_NUMBERS = 12
MAX_LABELS = 24

Line = namedtuple("Line", "mean sd seeds")  # (n,), (n,) or None, (S, n)


def number_repeats(tokens):
    """Number the words that occur more than once: the₁ … the₂.

    `tokens` is a list of strings. Words that occur once stay as they are;
    upper and lower case count as the same word. Numbering a list twice
    changes nothing, so number a sentence before you slice it.
    """
    tokens = check_tokens("tokens", tokens)
    total = Counter(token.casefold() for token in tokens)
    seen = Counter()
    labels = []
    for token in tokens:
        word = token.casefold()
        seen[word] += 1
        number = str(seen[word]).translate(SUBSCRIPTS)
        labels.append(token + number if total[word] > 1 else token)
    return labels


def check_tokens(name, tokens, count=None):
    """Return `tokens` as a list of strings, `count` long."""
    if isinstance(tokens, (str, bytes)) or not hasattr(tokens, "__iter__"):
        raise TypeError(
            f"{name}: expected a list of strings, got {type(tokens).__name__}"
        )
    tokens = list(tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(
                f"{name}: expected strings only, got {type(token).__name__}"
            )
    if count is not None and len(tokens) != count:
        raise ValueError(
            f"{name} has {len(tokens)} entries, but the array needs {count}"
        )
    return [str(token) for token in tokens]


def check_array(name, values, ndim, finite=True):
    """Return `values` as a float array with `ndim` axes, none empty."""
    array = float_array(name, values, ndim=ndim, finite=finite)
    if array.ndim != ndim or array.size == 0:
        raise ValueError(
            f"{name}: expected {ndim} axes, none empty, got {array.shape}"
        )
    return array.astype(float)


def check_limit(values, limit):
    """Return the symmetric limit of a signed map."""
    if limit is None:
        return float(abs(values).max()) or 1.0
    if real_number("limit", limit) <= 0:
        raise ValueError(f"limit: expected a number above 0, got {limit!r}")
    return float(limit)


def check_mask(mask, values):
    """Return the boolean mask of `values`: True where a query may attend."""
    if mask is None:
        return np.ones(values.shape, dtype=bool)
    mask = attention_mask(mask, values)
    if mask.dtype != bool:
        raise TypeError(
            f"mask: use booleans, True = may attend, not {mask.dtype}: "
            f"mask {mask.shape}, map {values.shape}"
        )
    return np.broadcast_to(mask, values.shape)


def check_weights(name, weights, mask=None, strict=True):
    """Return `weights` (T_q, T_k) and the mask, both checked."""
    weights = check_array(name, weights, 2)
    allowed = check_mask(mask, weights)
    if weights.min() < -1e-6 or weights.max() > 1 + 1e-3:
        raise ValueError(
            f"{name} must lie in [0, 1], got {weights.min():.3g} to "
            f"{weights.max():.3g} (shape {weights.shape}): were these scores?"
        )
    if strict:
        check_rows(name, weights, allowed)
    return weights.clip(0, 1), allowed


def check_rows(name, weights, allowed):
    """Raise ValueError unless each row sums to 1, or is all zero."""
    hidden = np.where(allowed, 0, weights)
    if hidden.max() > 1e-6:
        row, column = np.argwhere(hidden > 1e-6)[0]
        raise ValueError(
            f"{name}[{row}, {column}] is {weights[row, column]:.3f} where "
            "the mask is False; mask the scores before the softmax"
        )
    sums = weights.sum(axis=1)
    wrong = (abs(sums - 1) > 1e-3) & (sums > 1e-6)
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"each row of {name} {weights.shape} must sum to 1 (or be all "
            f"zero), but row {row} sums to {sums[row]:.3f}; strict=False "
            "draws it all the same"
        )


def check_scores(scores, mask):
    """Return scores (T_q, T_k), 0 where masked, and where they are not."""
    scores = check_array("scores", scores, 2, finite=False)
    allowed = check_mask(mask, scores) & (scores != -np.inf)
    return float_array("scores", np.where(allowed, scores, 0.0)), allowed


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


def check_curves(x, series, theory=None):
    """Return x (n,), series as `Line` and theory as (n,), all checked."""
    x = check_array("x", x, 1)
    lines = check_lines("series", series, x)
    if not lines:
        raise ValueError("series is empty")
    curves = check_lines("theory", theory or {}, x)
    return x, lines, {label: curve.mean for label, curve in curves.items()}


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
    return Line(line.mean(axis=0), line.std(axis=0), line)

"""Argument checks of the figures, so that drawing code only draws."""

from collections import Counter

import numpy as np

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MAX_NUMBERS = 12
MAX_LABELS = 24


def number_repeats(tokens):
    """Number the words that occur more than once: the₁ … the₂.

    ``tokens`` is a list of strings. Words that occur once stay as they are;
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
    """Return ``tokens`` as a list of strings, ``count`` long."""
    if isinstance(tokens, (str, bytes)) or not hasattr(tokens, "__iter__"):
        raise TypeError(
            f"{name} must be a list of strings, got {type(tokens).__name__}"
        )
    tokens = list(tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(
                f"{name} must hold strings only, got {type(token).__name__}"
            )
    if count is not None and len(tokens) != count:
        raise ValueError(
            f"{name} has {len(tokens)} entries, but the array needs {count}"
        )
    return [str(token) for token in tokens]


def check_array(name, values, ndim):
    """Return ``values`` as a float array with ``ndim`` axes, none empty."""
    try:
        array = np.asarray(values)
    except (RuntimeError, ValueError) as error:
        raise TypeError(f"{name} is not an array: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be real numbers, got {array.dtype}")
    if array.ndim != ndim:
        raise ValueError(f"{name} must be {ndim}-D, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} is empty, shape {array.shape}")
    return array.astype(float)


def check_finite(name, array):
    """Raise ValueError if ``array`` holds NaN or infinity."""
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        where = ", ".join(map(str, bad[0]))
        raise ValueError(
            f"{name} must be finite, but {name}[{where}] is "
            f"{array[tuple(bad[0])]} (shape {array.shape})"
        )


def check_mask(mask, shape):
    """Return the boolean mask of ``shape``: True where a query may attend."""
    if mask is None:
        return np.ones(shape, dtype=bool)
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise TypeError(
            f"mask must be boolean, True = may attend, got {mask.dtype}"
        )
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask of shape {mask.shape} does not fit weights {shape}"
        ) from None


def check_weights(name, weights, mask=None, strict=True):
    """Return ``weights`` (T_q, T_k) and the mask, both checked."""
    weights = check_array(name, weights, 2)
    check_finite(name, weights)
    allowed = check_mask(mask, weights.shape)
    if weights.min() < -1e-6 or weights.max() > 1 + 1e-3:
        raise ValueError(
            f"{name} must lie in [0, 1], got {weights.min():.3g} to "
            f"{weights.max():.3g} (shape {weights.shape}): were these scores?"
        )
    if strict:
        check_rows(name, weights, allowed)
    return weights.clip(0, 1), allowed


def check_rows(name, weights, allowed):
    """Raise ValueError unless each row shares out 1, or nothing."""
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


def check_labels(tokens, keys, shape):
    """Return numbered row and column labels for a map of ``shape``."""
    if keys is None and shape[0] != shape[1]:
        raise ValueError(
            f"key_tokens is needed when the map is not square, shape {shape}"
        )
    rows = check_tokens("query_tokens", tokens, shape[0])
    keys = tokens if keys is None else keys
    columns = check_tokens("key_tokens", keys, shape[1])
    if max(shape) > MAX_LABELS:
        raise ValueError(
            f"a map of shape {shape} is too large to read: at most "
            f"{MAX_LABELS} labels a side; slice it or rank the keys"
        )
    return number_repeats(rows), number_repeats(columns)

"""Argument checks, so that the other modules read like the equations.

Every check either returns a clean value or raises a ``TypeError`` or
``ValueError`` that names the argument and the shapes it saw.
"""

import math
import numbers

import numpy as np


def float_array(name, value, *, ndim=1, finite=True):
    """Return `value` as a floating-point array of at least `ndim` axes.

    Floating-point types stay what they are; integers become float64.
    With `finite`, NaN and infinity are refused.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name}: a masked array, shape {value.shape}, would lose its"
            " mask; pass a plain array and the argument `mask`"
        )
    array = _as_array(name, value)
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(
            f"{name}: expected real numbers, got dtype {array.dtype}"
            f" with shape {array.shape} from {type(value).__name__}"
        )
    if array.ndim < ndim:
        raise ValueError(
            f"{name}: expected at least {ndim} axes, got shape {array.shape}"
        )
    if 0 in array.shape[array.ndim - ndim :]:
        raise ValueError(f"{name}: empty, shape {array.shape}")
    if finite and not np.isfinite(array).all():
        raise ValueError(
            f"{name}: contains NaN or infinity, shape {array.shape}"
        )
    return array


def _as_array(name, value):
    try:
        array = np.asarray(value)
    except Exception as error:  # a foreign __array__ may raise anything
        raise ValueError(
            f"{name}: not an array of numbers: {_seen(value)}: {error}"
        ) from None
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _seen(value):
    """Say what was given: its type, its shape, and a lone value itself."""
    kind = type(value).__name__
    try:
        shape = tuple(np.shape(value))
    except Exception:
        return f"{kind} without a shape"
    lone = "" if shape else f" {value!r:.40}"
    return f"{kind}{lone} of shape {shape}"


def query_key_value(query, key, value):
    """Return the three arrays in one dtype, after comparing their shapes."""
    arrays = [
        float_array(name, array, ndim=2)
        for name, array in zip(
            ("query", "key", "value"), (query, key, value), strict=True
        )
    ]
    query, key, value = arrays
    seen = f"query {query.shape}, key {key.shape}, value {value.shape}"
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query and key differ in d_k, their last axis: {seen}"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key and value differ in T_k, their second last axis: {seen}"
        )
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in arrays))
    except ValueError:
        raise ValueError(
            f"query, key and value: batch axes do not broadcast: {seen}"
        ) from None
    dtype = np.result_type(*arrays)
    return tuple(array.astype(dtype, copy=False) for array in arrays)


def attention_mask(mask, shape):
    """Return `mask` (boolean or floating point) for scores of `shape`."""
    if isinstance(mask, np.ma.MaskedArray):
        raise TypeError(
            "mask: pass a plain array, not a masked array of shape"
            f" {mask.shape}"
        )
    mask = _as_array("mask", mask)
    seen = f"mask {mask.shape}, scores {shape}"
    if mask.dtype.kind not in "bf":
        raise TypeError(
            "mask: use booleans (True = may attend) or floats (added to the"
            f" scores), not dtype {mask.dtype}: {seen}"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask: does not broadcast to the scores: {seen}")
    if mask.dtype.kind == "f" and (np.isnan(mask) | (mask == np.inf)).any():
        raise ValueError(f"mask: contains NaN or +infinity: {seen}")
    return mask


def flag(name, value):
    """Return `value` as a bool; anything but a bool is refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {_seen(value)}")
    return bool(value)


def real_number(name, value):
    """Return `value` as a finite float."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, numbers.Real
    ):
        raise TypeError(
            f"{name}: expected one real number, got {_seen(value)}"
        )
    try:
        number = float(value)
    except OverflowError:  # an int beyond any float
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def positive_integer(name, value):
    """Return `value` as an int of at least 1."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, numbers.Integral
    ):
        raise TypeError(f"{name}: expected an integer, got {_seen(value)}")
    if value < 1:
        raise ValueError(f"{name}: expected at least 1, got {value}")
    return int(value)


def axis(name, value, array):
    """Return `value` as an axis of `array` that is not empty."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, numbers.Integral
    ):
        raise TypeError(f"{name}: expected an integer, got {_seen(value)}")
    if not -array.ndim <= value < array.ndim:
        raise ValueError(
            f"{name}: {value} is out of range for shape {array.shape}"
        )
    if array.shape[value] == 0:
        raise ValueError(f"{name}: axis {value} of {array.shape} is empty")
    return int(value)


def head_count(name, array, num_heads):
    """Return `num_heads` after checking that it divides the last axis."""
    num_heads = positive_integer("num_heads", num_heads)
    if array.shape[-1] % num_heads:
        raise ValueError(
            f"num_heads: {num_heads} does not divide the last axis of"
            f" {name}, shape {array.shape}"
        )
    return num_heads


def projection(name, x, weight, bias):
    """Return a weight (d_in, width) and a bias (width,) that fit `x`."""
    weight = float_array(f"w_{name}", weight, ndim=2)
    seen = f"input {x.shape}, w_{name} {weight.shape}"
    if weight.ndim != 2 or weight.shape[0] != x.shape[-1]:
        raise ValueError(
            f"w_{name}: expected shape ({x.shape[-1]}, width): {seen}"
        )
    if bias is not None:
        bias = float_array(f"b_{name}", bias)
        if bias.shape != weight.shape[1:]:
            raise ValueError(
                f"b_{name}: expected shape {weight.shape[1:]}, got shape"
                f" {bias.shape}: {seen}"
            )
    return weight, bias


def head_projections(x, w_q, w_k, w_v, w_o, num_heads):
    """Compare the widths of the four matrices with the number of heads."""
    seen = ", ".join(
        f"{name} {weight.shape}"
        for name, weight in zip(
            ("x", "w_q", "w_k", "w_v", "w_o"),
            (x, w_q, w_k, w_v, w_o),
            strict=True,
        )
    )
    if w_q.shape != w_k.shape:
        raise ValueError(f"w_q and w_k: expected the same shape: {seen}")
    if w_o.ndim != 2 or w_o.shape[0] != w_v.shape[1]:
        raise ValueError(f"w_o: expected as many rows as w_v columns: {seen}")
    for name, weight in (("w_q", w_q), ("w_v", w_v)):
        head_count(name, weight, num_heads)


def score_bound(scores, query, key):
    """Return what no ``|query @ key.T|`` exceeds: the longest row of each.

    Their product, by the inequality of Cauchy and Schwarz. It may be NaN or
    infinite for huge numbers, and is infinite for float16, whose sums are
    too short. Raises ValueError if a score left the range of its dtype.
    """
    bound = _longest_row(query) * _longest_row(key)
    safe = np.finfo(scores.dtype).max / 2  # half: the bound is rounded, too
    if not bound < safe and not np.isfinite(scores).all():
        raise ValueError(
            f"query, key, scale: the scores overflow {scores.dtype}; use a"
            " wider type or smaller numbers:"
            f" query {query.shape}, key {key.shape}"
        )
    return bound if scores.itemsize > 2 else np.inf


def _longest_row(array):
    squares = np.einsum("...d,...d->...", array, array)
    return float(np.sqrt(squares.max(initial=0)))


def highest_score(name, highest, scores):
    """Raise if the highest score of a slice is NaN or +infinity."""
    if np.isnan(highest).any() or (highest == np.inf).any():
        raise ValueError(
            f"{name}: scores are NaN or +infinity, shape {scores.shape}"
        )

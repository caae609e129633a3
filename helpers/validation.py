"""Argument checks, so that the other modules read like the equations.

A check returns a clean value or raises a TypeError or ValueError; the
message names the argument and the shapes it saw. Public functions check
once, at their door.
"""

import math
import numbers
import sys
from collections.abc import Iterable, Mapping

import numpy as np


class NotFiniteError(ValueError):
    """NaN or infinity where a finite number is needed."""


def float_array(name, value, *, ndim=1, finite=True, empty=False):
    """Return `value` as a floating-point array of at least `ndim` axes.

    Floating-point types stay what they are; integers become float64.
    With `finite`, NaN and infinity are refused; without `empty`, an axis
    of length 0 among the last `ndim`.
    """
    array = _array(name, value)
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
    if not empty and 0 in array.shape[array.ndim - ndim :]:
        raise ValueError(f"{name}: empty, shape {array.shape}")
    if finite and not np.isfinite(array).all():
        raise NotFiniteError(
            f"{name}: contains NaN or infinity, shape {array.shape}"
        )
    return array


def of_shape(name, value, shape, *, finite=True):
    """Return `value` as a floating-point array of this shape."""
    array = float_array(name, value, ndim=0, finite=finite)
    return _shaped(name, array, shape)


def _shaped(name, array, shape):
    if array.shape != tuple(shape):
        raise ValueError(
            f"{name}: expected shape {tuple(shape)}, got shape {array.shape}"
        )
    return array


def booleans(name, value, shape):
    """Return `value` as a boolean array of this shape."""
    array = _array(name, value)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected booleans, got dtype {array.dtype}")
    return _shaped(name, array, shape)


def _array(name, value):
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name}: a masked array, shape {value.shape}, would lose its"
            " mask; pass a plain array and the argument `mask`"
        )
    try:
        array = np.asarray(value)
    except Exception as error:  # a foreign __array__ may raise anything
        raise ValueError(
            f"{name}: not an array of numbers: {_seen(value)}: {error}"
        ) from None
    if array.dtype.isnative:
        return array
    return array.astype(array.dtype.newbyteorder("="))


def _seen(value):
    """Say what was given: its type, its shape, and a lone value itself."""
    kind = type(value).__name__
    try:
        shape = tuple(np.shape(value))
    except Exception:
        return f"{kind} without a shape"
    lone = "" if shape else f" {value!r:.40}"
    return f"{kind}{lone} of shape {shape}"


def _shapes(arrays):
    return ", ".join(f"{name} {a.shape}" for name, a in arrays.items())


def query_key_value(query, key, value):
    """Return the three arrays in one dtype, after comparing their shapes."""
    twice = value is key  # as in the models: looked through once
    arrays = dict(query=query, key=key, value=value)
    arrays = {
        n: float_array(
            n, a, ndim=2, empty=True, finite=not (twice and n == "value")
        )
        for n, a in arrays.items()
    }
    query, key, value = arrays.values()
    seen = _shapes(arrays)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query and key differ in d_k, their last axis: {seen}"
        )
    if key.shape[-1] == 0:
        raise ValueError(f"query and key: d_k, their last axis, is 0: {seen}")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key and value differ in T_k, their second-to-last axis: {seen}"
        )
    try:
        np.broadcast_shapes(*(a.shape[:-2] for a in arrays.values()))
    except ValueError:
        raise ValueError(
            f"query, key and value: batch axes do not broadcast: {seen}"
        ) from None
    dtype = np.result_type(*arrays.values())
    return tuple(a.astype(dtype, copy=False) for a in arrays.values())


def finite_scores(scores, query, key):
    """Raise if a score left the range of its dtype."""
    if np.isfinite(scores.sum()):  # infinity and NaN would be seen in it
        return
    if not np.isfinite(scores).all():
        raise NotFiniteError(
            f"query, key, scale: the scores overflow {scores.dtype}; use a"
            " wider type or smaller numbers:"
            f" query {query.shape}, key {key.shape}"
        )


def finite_gradient(name, gradient):
    """Raise if a gradient left the range of its dtype."""
    if not np.isfinite(gradient.sum()) and not np.isfinite(gradient).all():
        raise NotFiniteError(
            f"gradient of {name}: NaN or infinity, shape {gradient.shape}; do"
            " scale and log_sums come from the forward pass of the same"
            " arguments?"
        )


def no_positive_infinity(name, scores):
    """Raise if a score is NaN or +infinity; -infinity is a hidden key."""
    if not (scores < np.inf).all():
        raise NotFiniteError(f"{name}: NaN or +infinity, shape {scores.shape}")


def attention_mask(mask, scores):
    """Return `mask`, boolean or in the precision of the scores it fits."""
    mask = _array("mask", mask)
    seen = f"mask {mask.shape}, scores {scores.shape}"
    if mask.dtype.kind not in "bf":
        raise TypeError(
            "mask: use booleans (True = may attend) or floats (added to the"
            f" scores), not dtype {mask.dtype}: {seen}"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, scores.shape) == scores.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask: does not broadcast to the scores: {seen}")
    return mask if mask.dtype == bool else mask.astype(scores.dtype)


def layer(x, weights, biases, num_heads):
    """Check the arguments of multi-head attention.

    weights, biases: of q, k, v and o. Returns x, {name: matrix}, {name:
    bias, zeros where there is none} and the number of heads.
    """
    x = float_array("x", x, ndim=2, empty=True)
    w = {
        n: float_array(f"w_{n}", a, ndim=2, empty=True)
        for n, a in zip("qkvo", weights, strict=True)
    }
    seen = _shapes({"x": x} | {f"w_{n}": a for n, a in w.items()})
    if w["q"].shape != w["k"].shape:
        raise ValueError(f"w_q and w_k: expected the same shape: {seen}")
    b = {}
    for n, bias in zip("qkvo", biases, strict=True):
        rows = w["v"].shape[-1] if n == "o" else x.shape[-1]
        if w[n].ndim != 2 or len(w[n]) != rows:
            raise ValueError(f"w_{n}: expected shape ({rows}, width): {seen}")
        b[n] = _bias(f"b_{n}", bias, w[n])
    for n in "qv":
        num_heads = head_count(f"w_{n}", w[n], num_heads)
    return x, w, b, num_heads


def _bias(name, bias, weight):
    if bias is None:
        return np.zeros(weight.shape[1], weight.dtype)
    bias = float_array(name, bias, empty=True)
    if bias.shape != weight.shape[1:]:
        raise ValueError(
            f"{name}: expected shape {weight.shape[1:]}, got shape"
            f" {bias.shape}; its matrix has shape {weight.shape}"
        )
    return bias


def head_count(name, array, num_heads):
    """Return `num_heads` after checking that it divides the last axis."""
    num_heads = positive_integer("num_heads", num_heads)
    if array.shape[-1] % num_heads:
        raise ValueError(
            f"num_heads: {num_heads} does not divide the last axis of"
            f" {name}, shape {array.shape}"
        )
    return num_heads


def flag(name, value):
    """Return `value` as a bool; anything but a bool is refused."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: expected True or False, got {_seen(value)}")
    return bool(value)


def real_number(name, value, *, least=-math.inf, above=-math.inf):
    """Return `value` as a finite float, of at least `least`, above `above`."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(
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
        raise NotFiniteError(f"{name}: expected a finite number, got {number}")
    if number < least:
        raise ValueError(f"{name}: expected at least {least}, got {number}")
    if number <= above:
        raise ValueError(f"{name}: expected more than {above}, got {number}")
    return number


def fraction(name, value):
    """Return `value` as a float from 0 to below 1."""
    number = real_number(name, value, least=0)
    if number >= 1:
        raise ValueError(f"{name}: expected less than 1, got {number}")
    return number


def integer(name, value, *, least=-math.inf):
    """Return `value` as an int of at least `least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, numbers.Integral
    ):
        raise TypeError(f"{name}: expected an integer, got {_seen(value)}")
    if value < least:
        raise ValueError(f"{name}: expected at least {least}, got {value}")
    return int(value)


def positive_integer(name, value):
    """Return `value` as an int of at least 1 that can be a size."""
    value = integer(name, value, least=1)
    if value > sys.maxsize:
        raise ValueError(f"{name}: {value:.0e} is more than an array can hold")
    return value


def positive_integers(name, value, count=None):
    """Return `value` as a tuple of ints of at least 1, `count` of them."""
    if not isinstance(value, tuple | list | range):
        raise TypeError(
            f"{name}: expected a list of integers, got {_seen(value)}"
        )
    if not len(value) or len(value) != (count or len(value)):
        raise ValueError(
            f"{name}: expected {count or 'at least one'} in the list, got"
            f" {value!r:.40}"
        )
    return tuple(positive_integer(name, number) for number in value)


def choice(name, value, options):
    """Return `value`, a string, after finding it among `options`."""
    if not isinstance(value, str) or value not in options:
        raise ValueError(
            f"{name}: expected one of {list(options)}, got {value!r:.40}"
        )
    return value


def string(name, value):
    """Return `value`, a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, got {_seen(value)}")
    return value


def strings(name, value, *, empty=False):
    """Return `value`, a sequence of strings, as a list."""
    if isinstance(value, str):
        raise TypeError(
            f"{name} must be a list of strings, such as {value.split()!r}, "
            f"not one string"
        )
    if (
        isinstance(value, set | frozenset)
        or not isinstance(value, Iterable)
        or (isinstance(value, np.ndarray) and value.ndim == 0)
    ):
        raise TypeError(
            f"{name} must be a list of strings, not {type(value).__name__}"
        )
    value = list(value)
    if not value and not empty:
        raise ValueError(f"{name} is empty")
    for i, item in enumerate(value):
        if not isinstance(item, str):
            raise TypeError(
                f"{name}[{i}] must be a string, not {type(item).__name__}"
            )
    return value


def string_lists(name, value):
    """Return `value`, a sequence of lists of strings, as a list of lists."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(
            f"{name} must be a list of lists of words, such as"
            f" [['a', 'cat']], not {type(value).__name__}"
        )
    lists = [strings(f"{name}[{i}]", words) for i, words in enumerate(value)]
    if not lists:
        raise ValueError(f"{name} is empty")
    return lists


def random_numbers(name, value):
    """Return `value`, a numpy Generator."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(
            f"{name}: expected a numpy Generator, such as"
            f" np.random.default_rng(0), got {_seen(value)}"
        )
    return value


def seeded(name, value):
    """Return a numpy Generator from a seed, or from a Generator itself.

    A seed is an int of 0 or more, or a sequence of them; None, a new
    stream each time, is refused: nothing could be repeated.
    """
    if isinstance(value, np.random.Generator):
        return value
    for number in value if isinstance(value, tuple | list) else [value]:
        integer(name, number, least=0)
    return np.random.default_rng(value)


def function(name, value):
    """Return `value`, something that can be called."""
    if not callable(value):
        raise TypeError(f"{name}: expected a function, got {_seen(value)}")
    return value


def having(name, value, *attributes, such_as):
    """Return `value`, an object with all these attributes."""
    missing = [a for a in attributes if not hasattr(value, a)]
    if missing:
        raise TypeError(
            f"{name}: expected {such_as}; {_seen(value)} has no"
            f" {' and no '.join(missing)}"
        )
    return value


def array_dict(name, value):
    """Return `value`, a dict of arrays."""
    if not isinstance(value, Mapping) or not value:
        raise TypeError(
            f"{name}: expected a dict of arrays, got {_seen(value)}"
        )
    return value


def axis(name, value, array):
    """Return `value` as an axis of `array` that is not empty."""
    value = integer(name, value)
    if not -array.ndim <= value < array.ndim:
        raise ValueError(
            f"{name}: {value} is out of range for shape {array.shape}"
        )
    if array.shape[value] == 0:
        raise ValueError(f"{name}: axis {value} of {array.shape} is empty")
    return value


def tokens(name, value, num_words, *, least=0):
    """Return `value` as an integer array from `least` to below `num_words`."""
    array = _array(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"{name}: expected integers, got dtype {array.dtype} with shape"
            f" {array.shape}"
        )
    if array.size and not least <= array.min() <= array.max() < num_words:
        raise ValueError(
            f"{name}: expected numbers from {least} to {num_words - 1}, got"
            f" {array.min()} to {array.max()}, shape {array.shape}"
        )
    return array


def labels(name, value, shape, num_classes):
    """Return `value` as an integer array of this shape, one class each."""
    return _shaped(name, tokens(name, value, num_classes), shape)


def sentences(x, position, mask, d_model=None):
    """Return arrays of B sentences: x (B, T, d_model), position (B,), mask.

    mask (B, T) is True where there is a word that may be seen. The word at
    the position may be hidden itself, even if it is the last one.
    """
    x = float_array("x", x, ndim=3, finite=False)  # attention looks for NaN
    if x.ndim != 3 or d_model not in (None, x.shape[-1]):
        width = d_model or "d_model"
        raise ValueError(f"x: expected (B, T, {width}), got {x.shape}")
    mask = booleans("mask", mask, x.shape[:2])
    position = labels("position", position, x.shape[:1], x.shape[1])
    return x, position, mask

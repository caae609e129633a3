"""Read what a function returned, whatever it is, and compare it."""

import inspect
import numbers

import numpy as np

LARGEST = 10_000  # numbers in one result
RTOL, ATOL = 1e-5, 1e-6  # float32 passes, rounding to 4 decimals does not
BLANK = "`...`"

_PLACES = ("first", "second", "third", "fourth")
_ITERATORS = (map, filter, zip, range, enumerate, reversed)


class _Unreadable(Exception):
    """Not numbers; the message reads after "returns"."""


def copy(arg):
    """Return a copy of an array; anything else as it is."""
    return arg.copy() if isinstance(arg, np.ndarray) else arg


def differ(arg, other):
    """Tell whether an array argument is no longer what it was."""
    if not isinstance(arg, np.ndarray):
        return False
    same = arg.shape == other.shape and arg.dtype == other.dtype
    return not (same and np.array_equal(arg, other, equal_nan=True))


def read(value, count):
    """Return the fields of an Outcome for what a function returned."""
    found = {}
    if count == 1 and isinstance(value, tuple) and len(value) > 1:
        found["several"] = len(value)
    try:
        items = _items(value, count)
        found["arrays"] = tuple(_array(item) for item in items)
    except _Unreadable as problem:
        return found | {"problem": str(problem)}
    if any(isinstance(item, list) for item in items):
        note = "You return a list; np.array(...) turns it into an array."
        found["note"] = note
    return found


def is_blank(value):
    """Tell whether a value is `...`, or several of them."""
    if type(value) in (tuple, list) and len(value) > 0:
        return all(item is ... for item in value)
    return value is ...


def _items(value, count):
    sequence = isinstance(value, (tuple, list))
    if is_blank(value):
        raise _Unreadable(BLANK)
    if count == 1 and isinstance(value, tuple) and len(value) == 1:
        raise _Unreadable(
            "a tuple with one thing in it: is there a comma at the end of the"
            " `return` line?"
        )
    if count > 1 and sequence:
        if len(value) != count:
            raise _Unreadable(
                f"a {type(value).__name__} of length {len(value)}."
            )
        for item, place in zip(value, _PLACES, strict=False):
            if item is ...:
                raise _Unreadable(f"{BLANK} as its {place} result.")
        return tuple(value)
    return (value,)


def _array(value):
    if isinstance(value, (list, tuple)):
        value = _from_list(value)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise _Unreadable("a masked array: its masked numbers have no value.")
    if isinstance(value, (numbers.Number, np.bool_)):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        raise _Unreadable(_in_words(value))
    if value.dtype.kind not in "biuf":
        raise _Unreadable(
            f"an array of dtype {value.dtype}, not of real numbers."
        )
    if value.size > LARGEST:
        raise _Unreadable(f"a far too large array, of shape {value.shape}.")
    return np.array(value, dtype=np.float64)


def _from_list(value):
    _count_leaves(value, LARGEST, 8)
    try:
        return np.array(value)
    except ValueError:
        raise _Unreadable(
            "a list (or tuple) whose parts differ in shape."
        ) from None


def _count_leaves(value, room, depth):
    if isinstance(value, np.ndarray):
        return room - value.size
    if isinstance(value, (numbers.Number, np.bool_)):
        return room - 1
    if not isinstance(value, (list, tuple)):
        raise _Unreadable(f"a list that contains {_in_words(value)}")
    for item in value:
        room = _count_leaves(item, room - 1, depth - 1)
        if room < 0 or depth < 0:
            raise _Unreadable("a list that is far too long or too deep.")
    return room


def _in_words(value):
    kind = type(value)
    if value is None:
        return "None. Did you forget `return`?"
    if value is ...:
        return BLANK
    if inspect.isgenerator(value):
        return "a generator: is there a `yield` where `return` belongs?"
    if inspect.iscoroutine(value):
        value.close()
        return "a coroutine: write `def`, not `async def`."
    if isinstance(value, _ITERATORS):
        return f"a {kind.__name__} object: np.array(list(...)) makes an array."
    if inspect.isroutine(value):
        return "a function: are the parentheses of a call missing?"
    if kind.__module__.partition(".")[0] == "torch":
        return "a torch tensor: here we compute in NumPy; .numpy() converts."
    return f"something of type {kind.__name__[:40]}, not an array."


def close(got, want):
    """Tell whether two arrays hold the same numbers; NaN equals NaN."""
    if got.shape != want.shape or _far(got, want):
        return False
    with np.errstate(invalid="ignore"):
        off = np.abs(got - want) - RTOL * np.abs(want)
    if (off <= ATOL).all():
        return True
    if np.isfinite(off).all():
        return False
    return np.allclose(got, want, rtol=RTOL, atol=ATOL, equal_nan=True)


def _far(got, want):
    """Tell, in no time, whether the first numbers already differ."""
    if not want.size:
        return False
    one, other = got.item(0), want.item(0)
    return abs(one - other) > ATOL + RTOL * abs(other)


def same(one, other, only=None):
    """Tell whether two outcomes are the same answer.

    With `only`, the position of one of several results, look at that alone.
    """
    if one.error or other.error:
        return bool(one.error and other.error)
    if one.problem or other.problem:
        return one.problem == other.problem
    if len(one.arrays) != len(other.arrays):
        return False
    pairs = list(zip(one.arrays, other.arrays, strict=True))
    return all(close(*p) for p in (pairs if only is None else [pairs[only]]))

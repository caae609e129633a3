"""Read what a function returned, whatever it is, and compare numbers."""

import dataclasses
import inspect
import numbers
import sys

import numpy as np

LARGEST = 10_000  # numbers in one result
RTOL, ATOL = 1e-5, 1e-6  # float32 passes, rounding to 4 decimals does not
NEARER = 30  # times, and a number is right where others are nearly so
BLANK = "`...`"
_PLACES = ("first", "second", "third", "fourth")
_ITERATORS = (map, filter, zip, range, enumerate, reversed)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one call of a function gave: arrays, a problem or an error."""

    arrays: tuple = ()  # float64
    kinds: tuple = ()  # of the dtypes as returned: "f", "i", "b", "u"
    types: tuple = ()  # names of the types as returned: "ndarray", "Tensor"
    problem: str = ""  # what came back instead, in words after "returns"
    error: str = ""  # "ValueError: ..." if it raised
    line: str = ""  # the learner's line that raised, if known
    shapes: str = ""  # of the arrays there, in words
    shown: tuple = ()  # arrays as they came, where `arrays` differ
    several: int = 0  # length of a tuple where one result is asked for
    printed: bool = False
    changed: tuple = ()  # positions of the arguments it changed
    paused: bool = False  # breakpoint() was called
    lines: int = 0  # lines of Python that ran, if they were counted


class Unreadable(Exception):
    """Not numbers; the message reads after "returns"."""


def read(value, count):
    """Return the fields of an Outcome for a value, of `count` results."""
    found = {}
    if count == 1 and isinstance(value, tuple) and len(value) > 1:
        found["several"] = len(value)
    try:
        items = _items(value, count)
        arrays = arrays_of(items)
    except Unreadable as problem:
        return found | {"problem": str(problem)}
    return found | {
        "arrays": tuple(np.array(a, dtype=np.float64) for a in arrays),
        "kinds": tuple(array.dtype.kind for array in arrays),
        "types": tuple(type(item).__name__ for item in items),
    }


def arrays_of(items):
    """Return each of some results as an array; raises Unreadable."""
    return tuple(map(_array, items))


def is_blank(value):
    """Tell whether a value is `...`, or several of them."""
    if type(value) in (tuple, list) and len(value) > 0:
        return all(item is ... for item in value)
    return value is ...


def _items(value, count):
    if is_blank(value):
        raise Unreadable(BLANK)
    if isinstance(value, tuple) and len(value) == 1:
        raise Unreadable(
            "a tuple with one thing in it: is there a comma at the end of the"
            " `return` line?"
        )
    if count == 1 or not isinstance(value, (tuple, list)):
        return (value,)
    for item, place in zip(value, _PLACES, strict=False):
        if item is ...:
            raise Unreadable(f"{BLANK} as its {place} result.")
    if len(value) > count or len(value) < 2:
        raise Unreadable(f"{len(value)} results, not {count}.")
    return tuple(value)


def _array(value):
    value = _without_torch(value)
    if isinstance(value, (list, tuple)):
        value = _from_list(value)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise Unreadable("a masked array: its masked numbers have no value.")
    if isinstance(value, (numbers.Number, np.bool_)):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        raise Unreadable(_in_words(value))
    if value.size > LARGEST:
        raise Unreadable(f"an array that is far too large: {value.shape}.")
    if value.dtype.kind not in "biuf":
        raise Unreadable(
            f"an array of dtype {value.dtype}, not of real numbers."
        )
    return value


def _without_torch(value):
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        return (value.double() if value.is_floating_point() else value).numpy()
    return value


def _from_list(value):
    _count_leaves(value, LARGEST, 8)
    try:
        return np.array(_plain(value))
    except ValueError:
        raise Unreadable(
            "a list (or tuple) whose parts differ in shape."
        ) from None


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return _without_torch(value)


def _count_leaves(value, room, depth):
    value = _without_torch(value)
    if isinstance(value, np.ndarray):
        return room - value.size
    if isinstance(value, (numbers.Number, np.bool_)):
        return room - 1
    if not isinstance(value, (list, tuple)):
        inside = _in_words(value).replace(", not an array", "")
        raise Unreadable(f"a list that contains {inside}")
    for item in value:
        room = _count_leaves(item, room - 1, depth - 1)
        if room < 0 or depth < 0:
            raise Unreadable("a list that is far too long or too deep.")
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
    return f"something of type {kind.__name__[:40]}, not an array."


def close(got, want):
    """Tell whether two arrays hold the same numbers; NaN equals NaN."""
    if got.shape != want.shape:
        return False
    if want.size and any(_far(got.item(i), want.item(i)) for i in (0, -1)):
        return False  # in no time, as nearly always
    with np.errstate(all="ignore"):
        off = np.abs(got - want) - RTOL * np.abs(want)
    if (off <= ATOL).all():
        return True
    if np.isfinite(off).all():
        return False
    return np.allclose(got, want, rtol=RTOL, atol=ATOL, equal_nan=True)


def wrong(got, want):
    """Return an array that tells which numbers are wrong.

    If all are nearly right, then so are those that are not much nearer.
    """
    far = ~np.isclose(got, want, RTOL, ATOL, equal_nan=True)
    off = distance(got, want)
    return far | (off > off.max(initial=0) / NEARER)


def distance(got, want):
    """Return how far each number is from the right one, relatively."""
    with np.errstate(all="ignore"):
        off = np.abs(got - want) / (ATOL / RTOL + np.abs(want))
    equal = (got == want) | (np.isnan(got) & np.isnan(want))
    return np.where(equal, 0, np.nan_to_num(off, nan=np.inf))


def _far(one, other):
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
    if only is not None:
        return close(one.arrays[only], other.arrays[only])
    return all(map(close, one.arrays, other.arrays))


def equal(value, outcome):
    """Tell whether numbers of our own are the arrays of an outcome."""
    if not isinstance(value, tuple):
        value = (value,)
    return len(value) == len(outcome.arrays) and all(
        close(np.asarray(part, dtype=np.float64), array)
        for part, array in zip(value, outcome.arrays, strict=True)
    )


def fitted(got, want):
    """Return `got` with one-element arrays as numbers, where asked for."""
    numbers = [array.ndim == 0 for array in want.arrays]
    if len(got.arrays) != len(numbers) or not any(numbers):
        return got
    arrays = tuple(
        one.reshape(()) if one.size == 1 and is_number else one
        for one, is_number in zip(got.arrays, numbers, strict=True)
    )
    return dataclasses.replace(got, arrays=arrays)

"""What helps with a common error."""

import re

import numpy as np

from helpers import attention
from helpers.checks.engine.run import sandbox


def _lined_up(error, line):
    """Explain shapes that do not fit; keepdims helps a lost axis only."""
    text = "The two shapes are lined up from the right, and they do not match."
    shapes = {
        tuple(re.findall(r"\d+", shape))
        for shape in re.findall(r"\(([\d, ]+)\)", error)
    }
    *_, short, long = sorted([(), (), *shapes], key=len)
    if any(short == long[:i] + long[i + 1 :] for i in range(len(long))):
        text += " A sum or a maximum keeps its axis with keepdims=True."
    return text


def _is_product(got):
    """Tell whether `*` stands between a matrix and what it could be @ to."""
    shapes = re.findall(r"\((\d+),(\d+)\)", got.error.replace(", ", ","))
    fits = len(shapes) == 2 and shapes[0][1] == shapes[1][0]
    return fits and " * " in got.line


def _axis(error, line):
    """Ask about the axis of an index that is too large for it."""
    if "argm" in line:
        return _ARGMAX
    found = re.search(r"(?:axis|dimension) (\d) with size (\d+)", error)
    if not found:
        return ""
    return (
        f"{_ON_AXIS} {found[1]}, which has length {found[2]}."
        " Does it belong to that axis?"
    )


def _undefined(error, line):
    """Say where a name that is not defined may be found."""
    found = re.search(r"name '(\w+)' is not defined", error)
    name = found[1] if found else ""
    is_called = f"{name}(" in line or name in ("inf", "nan", "pi")
    for module, known in (("np", np), ("attention", attention)):
        if name and is_called and hasattr(known, name):
            return f"{_MEANT} `{module}.{name}`?"
    if name and name in "THdB":
        return (
            f"`{name}` is a letter of the text. Which of your function's"
            " arguments has this length, or is this number?"
        )
    return _SPELLED


def _of_tuple(error, line):
    """Say which tuple has fewer parts than an index asks for."""
    if ".shape[" in line:
        return "`shape` has one length for each axis. How many are there?"
    return _TUPLE


_MEANT = "Do you mean"
_SPELLED = (
    "A function sees its arguments and what was defined before it is called."
    " Is the name spelled as in the first line of the function?"
)
_TUPLE = "A function that returns two results returns a tuple: a, b = f(x)."
_PARENTHESES = (
    "`.T` takes no parentheses; `transpose()` needs them, as `max()` does."
)
_STAR = "`*` multiplies number by number. The product of two matrices is `@`."
_PRODUCT = (
    "In A @ B, A must have as many columns as B has rows. Print both shapes."
)
_NOT_CALLED = (
    "A function that is not called is used where numbers belong."
    f" {_PARENTHESES}"
)
_NO_BOOLEANS = (
    "`~` swaps True and False, but here it is applied to numbers. A"
    " comparison, or dtype=bool, gives True and False."
)
_LENGTH = "A length is an integer. `//` gives an integer; `/` does not."
_ON_AXIS = "An index is used on axis"
_RESHAPE = (
    "A reshape keeps the count of numbers: the product of the new lengths must"
    " be that count. -1 (newaxis in the message) means whatever is left."
)
_ARGMAX = (
    "Does the index come from argmax? Without axis=-1 it counts through the"
    " whole matrix."
)
_TENSOR = "The arguments are NumPy arrays; torch.tensor(a) makes a tensor."
_THREE_AXES = re.compile(r"\(\d+, \d+, \d+")
_ADVICE = {
    sandbox.NESTED: "Call the check in a cell of its own.",
    "argument 'keepdim'": "In NumPy it is `keepdims`; PyTorch drops the s.",
    "return arrays must be of ArrayType": (
        "In max and sum, the argument after the axis is not keepdims: write"
        " keepdims=True."
    ),
    "tuple index out of range": _of_tuple,
    "tuple indices must be integers": _TUPLE,
    "out of bounds for array": (
        "A matrix has two axes: axis 0 runs down the columns, axis 1 runs"
        " along the rows, and -1 is the last axis."
    ),
    "out of bounds for axis": _axis,
    "out of bounds for dimension": _axis,
    "name 'true'": "Python writes True with a capital T.",
    "name 'false'": "Python writes False with a capital F.",
    "'NoneType' object": (
        "None is used where numbers belong. Does a function that you call"
        " forget its `return`?"
    ),
    "ndarray' object has no attribute 'append'": (
        "A list has append, an array has not: np.vstack and np.concatenate"
        " make a new array."
    ),
    "no negative elements": (
        "np.bincount counts numbers from 0 up; np.unique(x,"
        " return_counts=True) counts negative ones, too."
    ),
    "slice indices must be integers": (
        "An index is an integer. `//` gives an integer; `/` does not."
    ),
    "NaN or +infinity": (
        "0 × infinity is NaN, and so is infinity / infinity. np.where puts"
        " -np.inf where it belongs and leaves the rest alone."
    ),
    "could not be broadcast": _lined_up,
    "same number of dimensions": (
        "Give a single row a second axis before you join it with a matrix."
    ),
    "cannot reshape": _RESHAPE,
    "mismatch in its core dimension": _PRODUCT,
    "not aligned": _PRODUCT,
    "not have enough dimensions (has 0": (
        "In A @ B one of the two is a single number, or a function that is"
        f" not called. {_PARENTHESES}"
    ),
    "builtin_function_or_method": _NOT_CALLED,
    "'method' object": _NOT_CALLED,
    "'invert' not supported": _NO_BOOLEANS,
    "is invalid for input of size": _RESHAPE,
    "multiply up to the size of dim": _RESHAPE,
    "got float": _LENGTH,
    "'float' object cannot be interpreted": _LENGTH,
    "must match the size of tensor": (
        "The two shapes are lined up from the right, and they do not match."
        " x[:, None] is a column."
    ),
    "ndarray' object is not callable": (
        f"An array is not a function. {_PARENTHESES}"
    ),
    "inhomogeneous": (
        "Arrays of different shapes are in one list. Does a function that"
        " you call return two results? Take the one that you need."
    ),
    "truth value of an array": (
        "Python's max(...), min(...), `if`, `and`, `or` and `not` take one"
        " number at a time. Arrays have .max(axis=...), np.where, & and ~."
    ),
    "only length-1 arrays": (
        "A function of `math` takes one number. A function of NumPy takes a"
        " whole array."
    ),
    "UnboundLocalError": (
        "This name gets its first value later, or in a branch that did not"
        " run. An operator such as -= changes what is there already."
    ),
    "NameError": _undefined,
    "got numpy.ndarray": _TENSOR,
    "got (numpy.ndarray": _TENSOR,
    "Tensor, not numpy.ndarray": _TENSOR,
    "does not require grad": (
        "backward() needs a record: torch.tensor(w, requires_grad=True)."
    ),
    "call numpy() on Tensor that requires": (
        ".detach() gives the numbers without the record of operations."
    ),
    "OverflowError": "math.exp can take no more than about 709.",
    "RecursionError": "The function calls itself. Did you mean another one?",
}


def is_sure(text):
    """Tell whether advice says what is wrong, rather than where to look."""
    return (
        text in (_NOT_CALLED, _NO_BOOLEANS, _STAR)
        or text.startswith((_ON_AXIS, _MEANT))
        or "in place and returns None" in text
    )


def advice(got):
    """Return what helps with the error of an Outcome, or ""."""
    error = got.error
    text = next((text for key, text in _ADVICE.items() if key in error), "")
    if (
        text is _PRODUCT
        and ".T" in got.line
        and _THREE_AXES.search(got.shapes)
    ):
        text = (
            "`.T` reverses the order of all axes. If there are more than two,"
            " swap only the last two."
        )
    if text is _lined_up and _is_product(got):
        return _STAR
    return text(error, got.line) if callable(text) else text

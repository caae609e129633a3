"""Put a learner's error, and the line it comes from, into words."""

import inspect
import linecache
import re


def clean(make, limit=240):
    """Return ``make()``, short and without addresses; "" if it fails."""
    try:
        text = " ".join(make().split())
    except Exception:
        return ""
    text = re.sub(r"0x[0-9a-fA-F]{5,}", "0x...", text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def message(error):
    """Return the error as Python shows it: its type and its text."""
    name = clean(lambda: type(error).__name__, 40)
    return f"{name}: {clean(lambda: str(error))}".removesuffix(": ")


def _lined_up(error):
    """Explain shapes that do not fit; keepdims helps a lost axis only."""
    text = "The two shapes are lined up from the right, and do not fit."
    shapes = [
        re.findall(r"\d+", shape)
        for shape in re.findall(r"\(([\d, ]+)\)", error)
    ]
    *_, short, long = sorted([[], [], *shapes], key=len)
    if any(short == long[:i] + long[i + 1 :] for i in range(len(long))):
        text += (
            " A sum or a maximum along an axis keeps that axis with"
            " keepdims=True."
        )
    return text


_PARENTHESES = (
    "`.T` takes no parentheses; `transpose()` needs them, as `max()` does."
)
_ADVICE = {
    "argument 'keepdim'": "In NumPy it is `keepdims`; PyTorch drops the s.",
    "return arrays must be of ArrayType": (
        "The second argument of max and sum after the axis is not keepdims:"
        " write keepdims=True."
    ),
    "out of bounds for array": (
        "A table has two axes: 0 runs down, 1 along the row, -1 is the last."
    ),
    "name 'true'": "Python writes True with a capital T.",
    "name 'false'": "Python writes False with a capital F.",
    "'NoneType' object": (
        "None stands where numbers belong. Does a function that you call"
        " forget its `return`?"
    ),
    "could not be broadcast": _lined_up,
    "mismatch in its core dimension": (
        "In A @ B the columns of A must be as many as the rows of B. Print"
        " both shapes."
    ),
    "not aligned": (
        "In a product the columns of the first must be as many as the rows of"
        " the second. Print both shapes."
    ),
    "not have enough dimensions (has 0": (
        "In A @ B one of the two is a single number, or a function that is"
        f" not called. {_PARENTHESES}"
    ),
    "builtin_function_or_method": (
        "A function that is not called stands where numbers belong."
        f" {_PARENTHESES}"
    ),
    "ndarray' object is not callable": (
        f"An array is no function: it cannot be called. {_PARENTHESES}"
    ),
    "truth value of an array": (
        "max(...), min(...), `if`, `and` and `or` of Python want one number at"
        " a time. Arrays have .max(axis=...), np.where and &."
    ),
    "NameError": (
        "A function sees its arguments and what was defined before it is"
        " called. Is the name spelled as in the first line of the function?"
    ),
    "OverflowError": "math.exp can take no more than about 709.",
    "RecursionError": "The function calls itself. Did you mean another one?",
}


def advice(error):
    """Return what helps with a common error, or ""."""
    text = next((text for key, text in _ADVICE.items() if key in error), "")
    return text(error) if callable(text) else text


def meets_blank(error):
    """Tell whether an error is about a `...` that was computed with."""
    kind = error.partition(":")[0]
    return kind in ("TypeError", "AttributeError") and "ellipsis" in error


def line(error, function):
    """Return the last line of the learner's own file that was running."""
    return clean(lambda: _line(error, _code(function).co_filename), 74)


def _code(function):
    function = inspect.unwrap(function)
    if not hasattr(function, "__code__"):
        function = type(function).__call__
    return function.__code__


def _line(error, filename):
    found, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            source = linecache.getline(filename, trace.tb_lineno).strip()
            found = f"line {trace.tb_lineno}: {source}".removesuffix(": ")
        trace = trace.tb_next
    return found

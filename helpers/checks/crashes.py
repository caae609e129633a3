"""Put a learner's error, and the line it comes from, into words."""

import ast
import inspect
import linecache
import re
import textwrap


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


_ADVICE = {
    "could not be broadcast": (
        "The two shapes are lined up from the right, and do not fit. A sum or"
        " a maximum along an axis keeps that axis with keepdims=True."
    ),
    "mismatch in its core dimension": (
        "In A @ B the columns of A must be as many as the rows of B. Print"
        " both shapes."
    ),
    "not aligned": (
        "In a product the columns of the first must be as many as the rows of"
        " the second. Print both shapes."
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
    return next((text for key, text in _ADVICE.items() if key in error), "")


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


def has_blank(function):
    """Tell whether a `...` to fill in is left in a function's source."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        return _has_blank(ast.parse(source).body)
    except Exception:  # no source, or not a whole statement
        return False


def _has_blank(nodes):
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value is ...:
            return True
        children = ast.iter_child_nodes(node)
        if isinstance(node, ast.Subscript):  # x[..., 0] is no blank
            children = [node.value]
        if _has_blank(children):
            return True
    return False


def does_nothing(function):
    """Tell whether the body of a function is only `...` or `pass`."""
    size = len((lambda: None).__code__.co_code)
    try:
        return len(function.__code__.co_code) <= size
    except Exception:  # not written in Python
        return False

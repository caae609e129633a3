"""Hints for what is no matter of numbers: open blanks, common errors."""

import ast
import inspect
import re
import textwrap

from helpers.checks.engine import results, sandbox


def unfinished(function, trials):
    """Return what to say if a blank `...` is still open, or None."""
    problems = [t.got.problem for t in trials if t.got.problem]
    errors = [t.got.error for t in trials if t.got.error]
    if not problems and not errors:
        return None
    own = _has_blank(function)
    used = "" if own else _blank_used(function)
    only_blank = problems and set(problems) == {results.BLANK}
    nothing = all(p.startswith("None") for p in problems) and not errors
    if (only_blank and not used) or (nothing and _does_nothing(function)):
        if _all_but_return(function):
            return "not finished yet.", "It still returns `...`."
        return ("not attempted yet.",)
    parts = [p for p in problems if results.BLANK in p and p != results.BLANK]
    texts = [f"It still returns {part}" for part in parts[:1]]
    if used:
        texts.append(f"It uses `{used}`, where a blank `...` is still open.")
    elif not texts and (own or results.BLANK in problems):
        texts.append("A blank `...` is still open in your function.")
    elif any("ellipsis" in e and e[0] in "TA" for e in errors):
        texts.append("Something that it uses is still `...`, or returns it.")
    return ("not finished yet.", *texts) if texts else None


def _has_blank(function):
    try:
        source = textwrap.dedent(inspect.getsource(function))
        return _blank_in(ast.parse(source).body)
    except Exception:  # no source, or not a whole statement
        return False


def _all_but_return(function):
    """Tell whether only `return ...` is left to fill in."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        body = ast.parse(source).body[0].body
    except Exception:  # no source, or no def
        return False
    *filled, last = body
    filled = [node for node in filled if not _is_text(node)]
    blank = isinstance(last, ast.Return) and _blank_in([last])
    return bool(filled) and blank and not _blank_in(filled)


def _is_text(node):
    value = getattr(node, "value", None)
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _blank_in(nodes):
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value is ...:
            return True
        if isinstance(node, ast.Subscript):  # x[..., 0] is no blank
            node = node.value
        if _blank_in(ast.iter_child_nodes(node)):
            return True
    return False


def _blank_used(function):
    try:
        used = inspect.getclosurevars(function)
        names = {**used.globals, **used.nonlocals}
        return next(n for n in names if _is_blank(names[n], function))
    except Exception:  # not written in Python, or nothing is blank
        return ""


def _is_blank(value, function):
    if not inspect.isfunction(value):
        return value is ...
    return value.__globals__ is function.__globals__ and _has_blank(value)


def _does_nothing(function):
    code = getattr(function, "__code__", None)
    return code is not None and code.co_code == (lambda: None).__code__.co_code


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
_PRODUCT = (
    "In A @ B the columns of A must be as many as the rows of B. Print both"
    " shapes."
)
_TENSOR = "The arguments are NumPy arrays; torch.tensor(a) makes a tensor."
_THREE_AXES = re.compile(r"\(\d+, \d+, \d+")
_ADVICE = {
    sandbox.NESTED: "Call the check in a cell of its own.",
    "argument 'keepdim'": "In NumPy it is `keepdims`; PyTorch drops the s.",
    "return arrays must be of ArrayType": (
        "The second argument of max and sum after the axis is not keepdims:"
        " write keepdims=True."
    ),
    "out of bounds for array": (
        "A table has two axes: 0 runs down, 1 along the row, -1 is the last."
    ),
    "out of bounds for axis": (
        "Does the index come from argmax? Without axis=-1 it counts through"
        " the whole table."
    ),
    "name 'true'": "Python writes True with a capital T.",
    "name 'false'": "Python writes False with a capital F.",
    "'NoneType' object": (
        "None stands where numbers belong. Does a function that you call"
        " forget its `return`?"
    ),
    "NaN or +infinity": (
        "0 × infinity is NaN, and so is infinity / infinity. np.where puts"
        " -np.inf where it belongs and leaves the rest alone."
    ),
    "could not be broadcast": _lined_up,
    "cannot reshape": (
        "A reshape keeps the count of numbers: the new lengths must multiply"
        " to it. -1 (newaxis in the message) stands for whatever is left."
    ),
    "mismatch in its core dimension": _PRODUCT,
    "not aligned": _PRODUCT,
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
    "inhomogeneous": (
        "Arrays of different shapes stand in one list. Does a function that"
        " you call return two results? Take the one that you need."
    ),
    "truth value of an array": (
        "max(...), min(...), `if`, `and` and `or` of Python want one number at"
        " a time. Arrays have .max(axis=...), np.where and &."
    ),
    "only length-1 arrays": (
        "The functions of `math` take one number; those of NumPy whole arrays."
    ),
    "NameError": (
        "A function sees its arguments and what was defined before it is"
        " called. Is the name spelled as in the first line of the function?"
    ),
    "got numpy.ndarray": _TENSOR,
    "Tensor, not numpy.ndarray": _TENSOR,
    "does not require grad": (
        "backward() needs notes: torch.tensor(w, requires_grad=True)."
    ),
    "call numpy() on Tensor that requires": (
        ".detach() gives the numbers without the notes."
    ),
    "OverflowError": "math.exp can take no more than about 709.",
    "RecursionError": "The function calls itself. Did you mean another one?",
}


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
            "`.T` turns all axes around. Of more than two, only the last two"
            " change places."
        )
    return text(error) if callable(text) else text

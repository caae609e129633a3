"""Read a learner's code: what it uses, fixes, compares or forgets to call."""

import ast
import inspect
import textwrap

import numpy as np

# what changes its argument in place, and returns None
IN_PLACE = ("fill_diagonal", "put_along_axis", "putmask", "place", "copyto")
# methods that are called for what they do, not for a result
DOING = ("step", "backward", "zero_grad", "append", "extend", "fill", "sort")
_SHORTEST = 3  # a number that may be a length and no axis


def source(function):
    """Return the code of a function, "" if it cannot be had."""
    try:
        return inspect.getsource(function)
    except Exception:  # not written in Python, or not in a file or cell
        return ""


def statements(function):
    """Return the syntax tree of a function's source, or []."""
    try:
        return ast.parse(textwrap.dedent(source(function))).body
    except SyntaxError:  # not a whole statement
        return []


def nodes(function):
    """Return every node of a function's syntax tree, or []."""
    return [n for top in statements(function) for n in ast.walk(top)]


def lost_result(function):
    """Say that the None of a function of `IN_PLACE` is used, or ""."""
    each = nodes(function)
    alone = [n.value for n in each if isinstance(n, ast.Expr)]
    for node in each:
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        module, _, name = called.rpartition(".")
        if module == "np" and name in IN_PLACE and node not in alone:
            return (
                f"np.{name} changes its array in place and returns None: put"
                " it on its own line, and then use the array."
            )
    return ""


def not_called(exercise, function, trials):
    """Find a line that does nothing: `optimizer.step`, `x[0] == 1`."""
    found = nodes(function)
    for line in (n.value for n in found if isinstance(n, ast.Expr)):
        if isinstance(line, ast.Compare) and isinstance(line.ops[0], ast.Eq):
            text = ast.unparse(line)
            return (
                "a line compares where it should assign.",
                f"The line `{text}` alone does nothing: `==` compares, and"
                " `=` assigns.",
            )
        if isinstance(line, ast.Attribute) and line.attr in DOING:
            text = ast.unparse(line)
            return (
                f"`{text}` is not called: its parentheses are missing.",
                f"The line `{text}` alone does nothing. Write `{text}()`.",
            )
    return None


def fixed_number(function, lengths=None):
    """Ask about a number of the code that may be a length, or return ""."""
    for node in nodes(function):
        number = getattr(node, "value", None)
        if type(number) is not int or number < _SHORTEST:
            continue
        if lengths is None or number in lengths:
            return (
                f"{number} is a fixed number in the code. Is it a length?"
                " Lengths differ from input to input."
            )
    return ""


def global_array(function):
    """Name an array of the notebook that a function uses, or ""."""
    code = getattr(function, "__code__", None)
    values = getattr(function, "__globals__", {})
    for name in code.co_names if code else ():
        if isinstance(values.get(name), np.ndarray):
            return (
                f"It uses `{name}`, an array of the notebook. A function"
                " should use its arguments."
            )
    return ""

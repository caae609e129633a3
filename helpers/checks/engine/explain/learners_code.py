"""Read a learner's code: what it uses, fixes, compares or forgets to call."""

import ast
import contextlib
import dis
import inspect
import textwrap

import numpy as np

# what changes its argument in place, and returns None
IN_PLACE = ("fill_diagonal", "put_along_axis", "putmask", "place", "copyto")
# methods that are called for what they do, not for a result
DOING = ("step", "backward", "zero_grad", "append", "extend", "fill", "sort")
# methods of a list that change it, and return None
OF_LISTS = ("append", "extend", "insert")
NOT_LISTS = ("", "np", "torch", "F", "numpy", "self")
# functions of a whole table without an axis, and their arguments then
_OF_ALL = dict.fromkeys("mean sum max min std var argmax argmin".split(), 1)
_OF_ALL |= {"repeat": 2, "append": 2, "median": 1, "norm": 1}
# functions of lengths
_OF_LENGTHS = ("range", "eye", "identity", "tri", "zeros", "ones", "empty")
_FIXED = (
    "{} is a fixed number in the code. Is it a length? Lengths differ from"
    " input to input."
)
_SHORT = 44  # characters of code that fit into a sentence


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


def code(function):
    """Return the code of a function and of the notebook's that it calls.

    Without comments and docstrings; "" if any of it cannot be had.
    """
    todo, found, names = [function], [], set()
    known = dict(getattr(function, "__globals__", {}))
    with contextlib.suppress(Exception):
        known |= inspect.getclosurevars(function).nonlocals
    while todo:
        parsed = statements(todo.pop())
        if not parsed:
            return ""
        for node in (n for top in parsed for n in ast.walk(top)):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                kept = [n for n in body if not _is_text(n)]
                node.body = kept or [ast.Pass()]
            name = getattr(node, "id", "")
            other = known.get(name)
            if inspect.isfunction(other) and name not in names:
                if other.__globals__ is function.__globals__:
                    todo.append(other)
                names.add(name)
        found += map(ast.unparse, parsed)
    return "\n".join(found)


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def nodes(function):
    """Return every node of a function's syntax tree, or []."""
    return [n for top in statements(function) for n in ast.walk(top)]


def lost_result(function):
    """Say that the None of what changes its array or list is used, or ""."""
    each = nodes(function)
    alone = [n.value for n in each if isinstance(n, ast.Expr)]
    kept = [n.value for n in each if isinstance(n, ast.Assign | ast.Return)]
    for node in each:
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        module, _, name = called.rpartition(".")
        if module == "np" and name in IN_PLACE and node not in alone:
            return (
                f"np.{name} changes its array in place and returns None: put"
                " it on its own line, and then use the array."
            )
        if module not in NOT_LISTS and name in OF_LISTS and node in kept:
            return (
                f"`{module}.{name}` changes the list in place and returns"
                f" None: put it on its own line, and then use `{module}`."
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


def fixed_number(function, lengths):
    """Ask about a number of the code that is one of `lengths`, or ""."""
    for number in _integers(nodes(function)):
        if number in lengths - {0, 1, 2}:
            return _FIXED.format(number)
    return ""


def fixed_length(function, lengths):
    """Ask about a number that is used as a length, and is none, or ""."""
    for node in nodes(function):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called.rpartition(".")[2] in _OF_LENGTHS:
            given = (n for arg in node.args for n in ast.walk(arg))
            for number in _integers(given):
                if number not in {*lengths, 0, 1, 2}:
                    return _FIXED.format(number)
    return ""


def _integers(each):
    """Yield the integers among the nodes of a syntax tree."""
    for node in each:
        number = getattr(node, "value", None)
        if type(number) is int:
            yield number


def loops(function):
    """Tell whether a function has a loop of its own."""
    kinds = ast.For, ast.While, ast.comprehension
    return any(isinstance(node, kinds) for node in nodes(function))


def endless(function):
    """Ask what may be without an end: a loop, or a call of itself."""
    called = [n.func for n in nodes(function) if isinstance(n, ast.Call)]
    if getattr(function, "__name__", "") in map(ast.unparse, called):
        return "The function calls itself. When does that end?"
    return "Is there a loop that never ends?"


def without_axis(function):
    """Say which call takes all numbers of a table at once, or return ""."""
    for node in nodes(function):
        if not isinstance(node, ast.Call):
            continue
        module, _, name = ast.unparse(node.func).rpartition(".")
        given = len(node.args) + (module not in ("np", "torch", ""))
        named = {keyword.arg for keyword in node.keywords}
        if name in _OF_ALL and not named & {"axis", "dim"}:
            of_list = name == "append" and module not in ("np", "torch")
            if module and not of_list and given <= _OF_ALL[name]:
                code = ast.unparse(node)
                code = code if len(code) < _SHORT else f"{name}(...)"
                return (
                    f"`{code}` has no axis, so it takes all numbers at once."
                )
    return ""


def global_array(function):
    """Name an array of the notebook that a function uses, or ""."""
    code = getattr(function, "__code__", None)
    values = getattr(function, "__globals__", {})
    for each in dis.get_instructions(code) if code else ():
        name = each.argval  # co_names has the attributes, too
        if each.opname != "LOAD_GLOBAL":
            continue
        if isinstance(values.get(name), np.ndarray):
            return (
                f"Your code uses `{name}`, an array of the notebook, but a"
                " function should use its arguments."
            )
    return ""

"""Read the source of a learner's function: blanks left open, and slips."""

import ast
import inspect
import re
import textwrap


def _text(function):
    return textwrap.dedent(inspect.getsource(function))


def has_blank(function):
    """Tell whether a `...` to fill in is left in a function's source."""
    try:
        return _has_blank(ast.parse(_text(function)).body)
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


def blank_used(function):
    """Return the name of what a function uses and is still blank, or ""."""
    try:
        used = inspect.getclosurevars(function)
        names = {**used.globals, **used.nonlocals}
        return next(n for n in names if _is_blank(names[n], function))
    except Exception:  # not written in Python, or nothing is blank
        return ""


def _is_blank(value, function):
    if not inspect.isfunction(value):
        return value is ...
    return value.__globals__ is function.__globals__ and has_blank(value)


def does_nothing(function):
    """Tell whether the body of a function is only `...` or `pass`."""
    size = len((lambda: None).__code__.co_code)
    try:
        return len(function.__code__.co_code) <= size
    except Exception:  # not written in Python
        return False


def has_loop(function):
    """Tell whether the source has a loop; True if it cannot be read."""
    try:
        nodes = ast.walk(ast.parse(_text(function)))
    except Exception:  # no source, or not a whole statement
        return True
    return any(isinstance(node, ast.For | ast.While) for node in nodes)


def shows_loop(function):
    """Tell whether the source can be read and has a loop of any kind."""
    try:
        nodes = ast.walk(ast.parse(_text(function)))
    except Exception:  # no source, or not a whole statement
        return False
    return any(
        isinstance(n, ast.For | ast.While | ast.comprehension) for n in nodes
    )


_SLIPS = {
    r"[=-]\s*\w+\.argmax\(": (
        "argmax gives a position, not a score; max gives the score itself."
    ),
    r"\bcontexts\.(mean|sum)\(|\b(mean|sum)\(\s*contexts\b": (
        "The heads are averaged or added up: that leaves d columns, and w_o"
        " has H*d rows, d of them for each head. An average forgets which"
        " head said what. Put the heads side by side."
    ),
}


def slip(function):
    """Return what to say about a likely slip that the source shows, or ""."""
    try:
        text = _text(function)
    except Exception:  # no source
        return ""
    return next((s for key, s in _SLIPS.items() if re.search(key, text)), "")

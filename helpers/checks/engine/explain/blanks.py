"""Tell whether an answer is finished: blanks `...` that are still open."""

import ast
import inspect

from helpers.checks.engine.explain import learners_code
from helpers.checks.engine.run import results

_OPEN = "not finished yet."
_BLANK = "Your function still has a blank `...` in it."
_USES_DOTS = "Something that it uses is still `...` or returns `...`."
_RETURN_IS_OPEN = (
    "Your lines are there, but the function still ends with `return ...`."
    " Return your result in place of the dots."
)


def unfinished(function, trials):
    """Return what to say if a blank `...` is not filled in, or None."""
    problems = [t.got.problem for t in trials if t.got.problem]
    errors = [t.got.error for t in trials if t.got.error]
    if not problems and not errors:
        return _statement_is_blank(function)
    own = _has_blank(function)
    used = "" if own else _blank_used(function)
    only_blank = set(problems) == {results.BLANK} and not used
    only_none = not errors and all(p.startswith("None") for p in problems)
    if only_blank and _only_return_is_blank(function):
        return _OPEN, _RETURN_IS_OPEN
    if only_blank or only_none and _does_nothing(function):
        return ("not attempted yet.",)
    parts = [p for p in problems if results.BLANK in p and p != results.BLANK]
    texts = [f"It still returns {part}" for part in parts[:1]]
    conditions = (
        (used, f"It uses `{used}`, which still has a blank `...` in it."),
        (not parts and (own or results.BLANK in problems), _BLANK),
        (any("ellipsis" in e and e[0] in "TA" for e in errors), _USES_DOTS),
    )
    texts += [text for holds, text in conditions if holds][:1]
    return (_OPEN, *texts) if texts else None


def _statement_is_blank(function):
    """Say that `...` stands alone in a line, between others, or None."""
    lines = learners_code.nodes(function)
    if any(isinstance(n, ast.Expr) and _is_blank_in(n) for n in lines):
        return _OPEN, _BLANK
    return None


def _is_blank_in(node):
    return getattr(node.value, "value", None) is ...


def _has_blank(function):
    return _blank_in(learners_code.statements(function))


def _only_return_is_blank(function):
    """Tell whether there are lines without a blank before `return ...`."""
    parsed = learners_code.statements(function)
    body = getattr(parsed[0], "body", []) if parsed else []  # of the def
    empty = (ast.Return, ast.Pass)
    return (
        isinstance(body, list)  # a lambda has one expression
        and any(not isinstance(n, empty) and not _is_constant(n) for n in body)
        and _blank_in(n for n in body if isinstance(n, ast.Return))
        and not _blank_in(parsed, skip=ast.Return)
    )


def _is_constant(node):
    """Tell whether a statement is a docstring, or dots."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _blank_in(nodes, skip=()):
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value is ...:
            return True
        if isinstance(node, ast.Subscript):  # x[..., 0] is no blank
            node = node.value
        if isinstance(node, skip):
            continue
        if _blank_in(ast.iter_child_nodes(node), skip):
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

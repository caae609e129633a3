"""Read a learner's code: blanks `...` that are open, results that are lost."""

import ast
import inspect
import textwrap

from helpers.checks.engine import results

# what changes its argument in place, and returns None
IN_PLACE = ("fill_diagonal", "put_along_axis", "putmask", "place", "copyto")
# methods that are called for what they do, not for a result
DOING = ("step", "backward", "zero_grad", "append", "extend", "fill", "sort")


def unfinished(function, trials):
    """Return what to say if a blank `...` is not filled in, or None."""
    problems = [t.got.problem for t in trials if t.got.problem]
    errors = [t.got.error for t in trials if t.got.error]
    if not problems and not errors:
        return _statement_is_blank(function)
    own = _has_blank(function)
    used = "" if own else _blank_used(function)
    only_blank = problems and set(problems) == {results.BLANK}
    if only_blank and not used and _only_return_is_blank(function):
        return (
            "not finished yet.",
            "Your lines are there, but the function still ends with"
            " `return ...`. Return your result in place of the dots.",
        )
    nothing = all(p.startswith("None") for p in problems) and not errors
    if (only_blank and not used) or (nothing and _does_nothing(function)):
        return ("not attempted yet.",)
    parts = [p for p in problems if results.BLANK in p and p != results.BLANK]
    texts = [f"It still returns {part}" for part in parts[:1]]
    if used:
        texts.append(f"It uses `{used}`, which still has a blank `...` in it.")
    elif not texts and (own or results.BLANK in problems):
        texts.append("Your function still has a blank `...` in it.")
    elif any("ellipsis" in e and e[0] in "TA" for e in errors):
        texts.append("Something that it uses is still `...` or returns `...`.")
    return ("not finished yet.", *texts) if texts else None


def _statement_is_blank(function):
    """Say that `...` stands alone in a line, between others, or None."""
    lines = [node for top in statements(function) for node in ast.walk(top)]
    dots = [n for n in lines if isinstance(n, ast.Expr) and _is_blank_in(n)]
    if not dots:
        return None
    return "not finished yet.", "Your function still has a blank `...` in it."


def _is_blank_in(node):
    return getattr(node.value, "value", None) is ...


def _has_blank(function):
    return _blank_in(statements(function))


def _only_return_is_blank(function):
    """Tell whether there are lines without a blank before `return ...`."""
    parsed = statements(function)
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


def lost_result(function):
    """Say that the None of a function of `IN_PLACE` is used, or ""."""
    nodes = [n for top in statements(function) for n in ast.walk(top)]
    alone = [n.value for n in nodes if isinstance(n, ast.Expr)]
    for node in nodes:
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
    nodes = [n for top in statements(function) for n in ast.walk(top)]
    for line in (n.value for n in nodes if isinstance(n, ast.Expr)):
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

"""Where to look: how far an answer is right, and which numbers are wrong."""

import ast
import contextlib
import inspect

import numpy as np

from helpers.checks.engine.edit import generated
from helpers.checks.engine.explain import learners_code
from helpers.checks.engine.run import results, sandbox

_SHORT = 44  # characters of code that fit into a sentence
_KEPT = 50  # values of an expression in a loop that are compared
_WATCHED = (ast.BinOp, ast.Call, ast.Compare, ast.Subscript, ast.UnaryOp)


def reached(exercise, function, trials):
    """Name the last right value on the way, as the solutions compute it.

    Every expression of the answer is watched while it runs.
    """
    basic = [t for t in trials if t.probe.level == "basic"]
    if all(t.right for t in basic):
        return ""  # what is right for these is not where it fails
    goals = [_goals(exercise, t) for t in basic]
    steps = sorted(set.intersection(*map(set, goals)))
    watched = expressions(function)
    if not watched or not steps:
        return ""
    code, codes = watched

    def meets(number, *args):
        values = values_of(function, code, args)
        return [_meeting(goals[number][step], values) for step in steps]

    calls = [(number, *t.probe.args) for number, t in enumerate(basic)]
    found = [o.arrays for o in sandbox.run(meets, calls, 1)]
    if len(found) < len(basic) or not all(found):
        return ""
    for place, (_, words) in reversed([*enumerate(steps)]):
        number, rounds = min(tuple(arrays[0][place]) for arrays in found)
        code = codes[int(number)]
        if number >= 0 and len(code) <= _SHORT:
            text = f"`{code}` is right: it gives {words}."
            if rounds > 1:
                loops = learners_code.loops(function)
                return f"In one round of the loop, {text}" if loops else ""
            return text
    return ""


def _goals(exercise, trial):
    """Return {(how far, words): array} of the solutions' variables."""
    found = {}
    known = [_array(arg) for arg in trial.probe.args]
    for source in generated.of(exercise).sources:
        function = generated.watching(source)
        args = [sandbox.copied(arg) for arg in trial.probe.args]
        with contextlib.suppress(Exception):
            values = function(*args)
            for place, (name, words) in enumerate(source.phrases.items()):
                array = _array(values.get(name))
                if array is not None and not _is_one_of(array, known):
                    far = (place + 1) / len(source.phrases)
                    found[far, words] = array
    return found


def _array(value):
    """Return a table of numbers as float64, or None."""
    with contextlib.suppress(Exception):
        array = results.read(value, 1)["arrays"][0]
        return array if array.size > 1 else None
    return None


def _is_one_of(array, others):
    """Tell whether an array is there, to float32's precision.

    A result may be off by more, but what is called right may not: 1e-6
    instead of 1e-5 under a root is a mistake.
    """
    return any(o is not None and _same(array, o) for o in others)


def _same(array, other):
    return array.shape == other.shape and np.allclose(
        array, other, rtol=3e-7, atol=1e-9, equal_nan=True
    )


def _meeting(goal, values):
    """Return the last expression that had a value, or -1, and its rounds."""
    for number in sorted(values, reverse=True):
        if _is_one_of(goal, values[number]):
            return number, len(values[number])
    return -1, 0


class _Watcher(ast.NodeTransformer):
    """Hands the value of every expression to ``watch(number, value)``."""

    def __init__(self):
        self.codes = []

    def generic_visit(self, node):
        code = ast.unparse(node) if isinstance(node, _WATCHED) else ""
        super().generic_visit(node)
        if not code or not isinstance(getattr(node, "ctx", 0), int | ast.Load):
            return node
        self.codes.append(code)
        number = ast.Constant(len(self.codes) - 1)
        return ast.Call(ast.Name("watch__", ast.Load()), [number, node], [])


def expressions(function):
    """Return a function's code with every expression watched, and these."""
    parsed = learners_code.statements(function)
    if not parsed or not isinstance(parsed[0], ast.FunctionDef):
        return None
    watcher, tree = _Watcher(), parsed[0]
    arguments = [*tree.args.defaults, *tree.args.kw_defaults]
    if tree.decorator_list or arguments:
        return None
    tree.body = [watcher.visit(line) for line in tree.body]
    module = ast.fix_missing_locations(ast.Module([tree], []))
    try:
        code = compile(module, "<watched>", "exec")
    except (SyntaxError, TypeError, ValueError):
        return None
    return (code, watcher.codes) if watcher.codes else None


def values_of(function, code, args, around=lambda function: function):
    """Run a watched function; return the arrays of each expression."""
    values = {}

    def watch(number, value):
        kept = values.setdefault(number, [])
        if len(kept) < _KEPT:
            kept.append(_array(value))
        return value

    with contextlib.suppress(Exception):
        names = dict(function.__globals__)
        names |= inspect.getclosurevars(function).nonlocals
        names["watch__"] = watch
        exec(code, names)
        around(names[function.__name__])(*args)
    return values


def pattern(got, want):
    """Say which rows or columns of a table are wrong, or how."""
    if got.ndim != 2 or min(got.shape) < 2 or np.isnan(got).any():
        return ""
    wrong = results.wrong(got, want)
    own = np.eye(*got.shape, dtype=bool)
    if got.shape[0] == got.shape[1] and not wrong[~own].any():
        return "Only numbers on the diagonal are wrong."
    for name, lines in (("row", wrong.any(axis=1)), ("column", wrong.any(0))):
        places = np.flatnonzero(lines)
        if len(places) == 1:
            return f"Only {name} {places[0]} is wrong."
        if len(places) < len(lines):
            right = np.flatnonzero(~lines)
            return f"{name.capitalize()} {right[0]} is right."
    if results.close(np.sort(got, axis=None), np.sort(want, axis=None)):
        return "All numbers are there, but in the wrong places."
    return _by_rows(got, want)


def _by_rows(got, want):
    """Say that each row, or column, has a factor or a shift of its own."""
    with np.errstate(all="ignore"):
        changes = {
            "is right except for a factor, which differs from": got / want,
            "is right except for a constant, which differs from": got - want,
        }
    for words, change in changes.items():
        for name, axis in (("row", 1), ("column", 0)):
            spread = np.ptp(change, axis=axis)
            if np.isfinite(spread).all() and spread.max() < 1e-6:
                return f"Each {name} {words} {name} to {name}."
    return ""

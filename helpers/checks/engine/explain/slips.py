"""Slips that can be seen in the code itself, whatever the exercise."""

import ast
import inspect

import numpy as np

from helpers.checks.engine.explain import learners_code, places, shapes
from helpers.checks.engine.run import sandbox

_SDPA = "scaled_dot_product_attention"
_PAIRS = {
    "multi_head_attention": "the output and the weights",
    _SDPA: "the context and the weights",
    "loss_and_gradients": "the loss and the slopes",
    "self_attention": "the context and the weights",
}
_LOOPS = ast.For, ast.While


def returns_at_once(exercise, function, trials):
    """Find a `return` that ends a loop in its first round."""
    for loop in learners_code.nodes(function):
        if isinstance(loop, _LOOPS) and isinstance(loop.body[-1], ast.Return):
            if not any(isinstance(n, ast.Continue) for n in ast.walk(loop)):
                return (
                    "`return` is inside the loop.",
                    "It ends the function in the first round. When should the"
                    " function return?",
                )
    return None


def pair(exercise, function, trials):
    """Find a function of two results that is used as if it had one."""
    if all(t.right or shapes.fit(t) for t in trials):
        return None
    tree = learners_code.nodes(function)
    above = {n: node for node in tree for n in ast.iter_child_nodes(node)}
    uses = {}
    for node in tree:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            uses.setdefault(node.id, []).append(node)
    for call in (n for n in tree if isinstance(n, ast.Call)):
        called, parent = ast.unparse(call.func), above[call]
        name = _true_name(function, called)
        places, targets = [call], getattr(parent, "targets", [None])
        if name == _SDPA and _is_of_torch(function, called):
            if isinstance(targets[0], ast.Tuple):
                return (
                    f"`{called}` returns one tensor, and it is taken apart.",
                    "PyTorch returns the context alone, without the weights.",
                )
            continue
        if isinstance(parent, ast.Assign):
            places = uses.get(getattr(targets[0], "id", ""), [])
        if name in _PAIRS and places:
            if all(_as_one(p, above, exercise) for p in places):
                return (
                    f"`{name}` returns two results, and they are used as one.",
                    f"They are {_PAIRS[name]}. Take the one that you need.",
                )
    return None


def _is_of_torch(function, called):
    """Tell whether a name names a function that PyTorch has built in."""
    return inspect.isbuiltin(_meant(function, called))


def _true_name(function, called):
    """Return the name that a function was defined with, if it is known."""
    found = _meant(function, called)
    if inspect.isfunction(found):
        return found.__name__
    return called.rpartition(".")[2]


def _meant(function, called):
    """Return what a name of the notebook names, None if it is not known."""
    first, *more = called.split(".")
    found = getattr(function, "__globals__", {}).get(first)
    for name in more:
        found = getattr(found, name, None)
    return found


def softmax_of_one(exercise, function, trials):
    """Find weights that are all 1, because each is alone in its softmax."""
    watched = places.expressions(function)
    basic = [t for t in trials if t.probe.level == "basic"]
    if not watched or all(t.right for t in basic):
        return None
    code, codes = watched
    kinds = {n: _softmax(each) for n, each in enumerate(codes)}
    numbers = [n for n, kind in kinds.items() if kind]

    def alone(*args):
        found = places.values_of(function, code, args, exercise.around)
        return [all(map(_ones, found.get(n, [None]))) for n in numbers]

    calls = [t.probe.args for t in basic] if numbers else []
    found = [o.arrays for o in sandbox.run(alone, calls, 1)] if calls else []
    if len(found) < len(basic) or not all(found):
        return None
    ones = np.all([arrays[0] for arrays in found], axis=0)
    for number, is_one in zip(numbers, np.atleast_1d(ones), strict=True):
        if is_one:
            return (
                f"{kinds[number]}, so every weight is 1.",
                "A weight that has no others beside it is always 1. Print the"
                " shape of the scores: which axis counts the keys?",
            )
    return None


def _softmax(code):
    """Say what is alone if an expression is a softmax of ones, or ""."""
    node = ast.parse(code, mode="eval").body
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        if name == "softmax":
            return "the softmax runs along an axis of length 1"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        if "sum" in ast.unparse(node.right):
            return "each number is divided by itself"
    return ""


def _ones(array):
    return array is not None and bool(np.all(array == 1))


def queries_cut(exercise, function, trials):
    """Say that the queries are cut into blocks where the keys should be."""
    if "size" not in exercise.arguments or not cuts_queries(function):
        return None
    return (
        "the queries are cut into blocks, not the keys.",
        "The task takes `size` keys at a time, for all queries: each block has"
        " every query, and some of the keys with their values.",
    )


def cuts_queries(function):
    """Tell whether a function slices its queries, and never its keys."""
    found = learners_code.nodes(function)
    named = {
        ast.unparse(node.targets[0])
        for node in found
        if isinstance(node, ast.Assign)
        and ast.unparse(node.value).startswith("slice(")
    }
    cut = {
        ast.unparse(node.value).partition(".")[0]
        for node in found
        if isinstance(node, ast.Subscript)
        and (_has_slice(node) or ast.unparse(node.slice) in named)
    }
    return "query" in cut and "key" not in cut and "value" not in cut


def _has_slice(node):
    return any(
        isinstance(part, ast.Slice) and (part.lower or part.upper)
        for part in ast.walk(node.slice)
    )


def _as_one(node, above, exercise):
    """Tell whether a place in the code can have one array only."""
    parent = above[node]
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return isinstance(parent.slice, ast.Name | ast.Tuple)
    if isinstance(parent, ast.Return):
        return len(exercise.results) == 1
    if isinstance(parent, ast.Tuple):
        return isinstance(above[parent], ast.Return)
    if isinstance(parent, ast.Call):
        name = ast.unparse(parent.func)
        return node in parent.args and name.startswith(("np.", "attention."))
    return isinstance(parent, ast.BinOp | ast.AugAssign | ast.Attribute)

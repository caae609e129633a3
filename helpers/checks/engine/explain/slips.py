"""Slips that can be seen in the code itself, whatever the exercise."""

import ast

from helpers.checks.engine.explain import learners_code, shapes

_PAIRS = {
    "multi_head_attention": "the output and the weights",
    "scaled_dot_product_attention": "the context and the weights",
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
    for call in tree:
        name = getattr(call, "func", None)
        name = getattr(name, "attr", getattr(name, "id", ""))
        if not isinstance(call, ast.Call) or name not in _PAIRS:
            continue
        parent, places = above[call], [call]
        if isinstance(parent, ast.Assign):
            places = uses.get(getattr(parent.targets[0], "id", ""), [])
        if places and all(_as_one(p, above, exercise) for p in places):
            return (
                f"`{name}` returns two arrays, and they are used as one.",
                f"They are {_PAIRS[name]}. Take the one that you need.",
            )
    return None


def _as_one(node, above, exercise):
    """Tell whether a place in the code can have one array only."""
    parent = above[node]
    if isinstance(parent, ast.Return):
        return len(exercise.results) == 1
    if isinstance(parent, ast.Tuple):
        return isinstance(above[parent], ast.Return)
    if isinstance(parent, ast.Call):
        name = ast.unparse(parent.func)
        return node in parent.args and name.startswith(("np.", "attention."))
    return isinstance(parent, ast.BinOp | ast.AugAssign | ast.Attribute)

"""Single edits of a function's source: mistakes that nobody wrote down."""

import ast
import dataclasses
import itertools

from helpers.checks.engine.edit import loops, rules
from helpers.checks.engine.edit.source import (
    SIZE,
    Edit,
    expressions,
    is_name,
    statements,
)

_AFTER = 40  # ranks of these edits: they come after the rules
OTHER = "Compare each name in your code with the task. Which one is another?"
LENGTH = "Say in words which length it is, then find the axis that has it."
_EARLY = "This is a step on the way. What does the task do with it next?"
_TWICE = (
    "Write the formula down, term by term: which factors does each one have?"
)
_COUNT = "Does the task divide or multiply by anything at the end?"


def all_of(source):
    """Yield every Edit of a Source."""
    fitting = {}  # the edits that each rule gives
    for line, block in statements(source.function):
        for edit in _of_parts(source, line, fitting):
            words = source.agreeing(
                f"{edit.words}{source.where(line, edit.words)}"
            )
            words = _which(words, line, edit.spots[0][1])
            yield dataclasses.replace(edit, words=words)
        yield from loops.edits(source, line, block)
    yield from _of_arguments(source)
    yield from _exchanged(source)
    yield from _everywhere(fitting)


def _which(words, line, key):
    """Say which of several results it is."""
    several = isinstance(getattr(line, "value", None), ast.Tuple)
    if not several or not isinstance(line, ast.Return) or key not in range(4):
        return words
    place = ("first", "second", "third", "fourth")[key]
    return words.replace("the result", f"the {place} result")


def _of_parts(source, line, fitting):
    """Yield the edits of all expressions in a line."""
    value = line.value if isinstance(line, ast.Return) else None
    parts = getattr(value, "elts", None)
    for parent, key, node in expressions(line):
        if key == "func":
            yield from _other_functions(source, parent, node)
            continue
        final = parts and parent is parts or node is value and not parts
        for rule, edit in _ruled(source, parent, key, node, final):
            fitting.setdefault(rule, []).append(edit)
            yield edit
        if isinstance(getattr(node, "op", None), ast.Add | ast.Sub):
            yield from _factors(source, node)
        if not SIZE.fullmatch(ast.unparse(node)):
            yield from _other_names(source, parent, key, node)
        else:
            yield from _other_lengths(source, parent, key, node)
        if final:
            yield from _returned(source, parent, key, node)


def _ruled(source, parent, key, node, final):
    """Yield the rules that fit an expression, each with its edit."""
    kind = type(node)
    if SIZE.fullmatch(ast.unparse(node)):
        kind = None  # a length is not an index
    for rule in rules.rules():
        fits = rule.kind is kind and not rule.place
        if fits or rule.place == "return" and final:
            made = rule.applied(node, source.called)
            if made:
                spot = parent, key, made[0]
                words = source.words(rule, *made)
                yield rule, Edit(rule.rank, words, rule.idea, (spot,))


def _other_functions(source, call, node):
    """Yield another function of the arguments that is called instead."""
    if getattr(node, "id", "") in source.called:
        for other in source.called - {node.id}:
            words = f"`{other}` is used instead of `{node.id}`"
            spot = call, "func", ast.Name(other, ast.Load())
            yield Edit(_AFTER, words, OTHER, (spot,))


def _other_lengths(source, parent, key, node):
    """Yield other lengths, and fixed numbers, in place of a length."""
    code = ast.unparse(node)
    for other in (*_lengths(source), *"123458", "64"):
        if other != code:
            words = f"`{other}` is used instead of `{code}`"
            spot = parent, key, ast.parse(other, mode="eval").body
            yield Edit(_AFTER, words, LENGTH, (spot,))


def _lengths(source):
    for name in source.arguments:
        yield from (f"len({name})", f"{name}.shape[-1]", f"{name}.shape[1]")


def _other_names(source, parent, key, node):
    """Yield other variables in place of a variable."""
    if is_name(node, ast.Load) and node.id in source.variables:
        for other in source.variables:
            if other != node.id:
                words = f"{source.named(other)} is used instead of"
                words = f"{words} {source.named(node.id)}"
                spot = parent, key, ast.Name(other, ast.Load())
                yield Edit(_AFTER + 1, words, OTHER, (spot,))


def _returned(source, parent, key, node):
    """Yield another variable that is returned, or one factor too many."""
    for name in source.variables:
        words = f"{source.named(name)} is returned"
        spot = parent, key, ast.Name(name, ast.Load())
        yield Edit(_AFTER + 5, words, _EARLY, (spot,))
    for length in (*_lengths(source), *source.arguments):
        size = ast.parse(length, mode="eval").body
        for op, verb in ((ast.Div, "divided"), (ast.Mult, "multiplied")):
            words = f"the result is {verb} by the value of `{length}`"
            spot = parent, key, ast.BinOp(node, op(), size)
            yield Edit(_AFTER + 6, words, _COUNT, (spot,))


def _factors(source, node):
    """Yield a term with one factor, or one divisor, too many."""
    for side, name in itertools.product(("left", "right"), source.variables):
        term = getattr(node, side)
        factor = ast.Name(name, ast.Load())
        for op, verb in ((ast.Mult, "multiplied"), (ast.Div, "divided")):
            words = f"{source.of(term)} is {verb} by {source.named(name)}"
            spot = node, side, ast.BinOp(term, op(), factor)
            yield Edit(_AFTER + 6, f"{words} as well", _TWICE, (spot,))


def _of_arguments(source):
    """Yield arguments that are changed before they are used."""
    body = source.function.body
    for name in source.arguments:
        node = ast.Name(name, ast.Load())
        for rule in rules.rules():
            if rule.place == "start":
                new, bound = rule.applied(node)
                line = ast.Assign([ast.Name(name, ast.Store())], new)
                spot = source.function, "body", [line, *body]
                words = source.words(rule, new, bound)
                yield Edit(rule.rank, words, rule.idea, (spot,))


def _exchanged(source):
    """Yield two variables that are exchanged wherever they are used."""
    body = source.function.body
    uses = [use for line in body for use in expressions(line)]
    uses = [use for use in uses if is_name(use[2], ast.Load)]
    for one, other in itertools.combinations(source.variables, 2):
        swap = {one: other, other: one}
        spots = [
            (parent, key, ast.Name(swap[node.id], ast.Load()))
            for parent, key, node in uses
            if node.id in swap
        ]
        words = f"{source.named(one)} and {source.named(other)}"
        rank = _AFTER + 3 + 4 * (other not in source.arguments)
        yield Edit(rank, f"{words} are swapped", OTHER, tuple(spots))


def _everywhere(fitting):
    """Yield rules that are applied wherever they fit in the function."""
    for rule, group in fitting.items():
        spots = [spot for edit in group for spot in edit.spots]
        places = {(id(container), str(key)) for container, key, _ in spots}
        if 1 < len(spots) == len(places):
            more = (
                "a second place" if len(spots) == 2 else f"{len(spots)} places"
            )
            words = f"{group[0].words}, and likewise in {more}"
            yield Edit(rule.rank + 10, words, rule.idea, tuple(spots))

"""Edits of whole lines: left out, in another order, wrong in a loop."""

import ast

from helpers.checks.engine.edit.source import Edit

_AFTER = 42  # ranks: after the rules, and after another name
_ORDER = "Go through the lines in order: what has happened when each one runs?"
_ROUNDS = "Write down what each variable holds after the first two rounds."
_RETURN = "`return` ends the function at once. Move it out of the loop."
_CUTS = {
    "[:-1]": "the loop leaves out the last round",
    "[1:]": "the loop leaves out the first round",
    "[:1]": "only the first round of the loop counts",
    "[-1:]": "only the last round of the loop counts",
    "[::-1]": "the loop runs backward",
}


def edits(source, line, block):
    """Yield the edits of a line in a block of lines."""
    if isinstance(line, ast.Return):
        return
    i = block.index(line)
    place = source.place(line)
    step = f"the step that computes {place}" if place else "a line"
    spot = block, i, ast.Pass()
    yield Edit(_AFTER, f"{step} is missing", _ORDER, (spot,))
    if i + 1 < len(block) and not isinstance(block[i + 1], ast.Return):
        spot = block, slice(i, i + 2), [block[i + 1], line]
        yield Edit(_AFTER + 1, f"{step} comes too late", _ORDER, (spot,))
    if isinstance(line, ast.For):
        yield from _cut(line)
        yield from _moved(line, block, i)


def _cut(loop):
    """Yield a loop with other rounds."""
    for code, words in _CUTS.items():
        new = ast.parse(f"list(x){code}", mode="eval").body
        new.value.args[0] = loop.iter
        yield Edit(_AFTER + 2, words, _ROUNDS, ((loop, "iter", new),))


def _moved(loop, block, i):
    """Yield lines that are moved into the loop, or out of it."""
    if isinstance(block[-1], ast.Return):
        words = "the function returns inside the loop, after its first round"
        spot = loop, "body", [*loop.body, block[-1]]
        yield Edit(_AFTER + 2, words, _RETURN, (spot,))
    for before in block[:i]:
        spot = loop, "body", [before, *loop.body]
        words = "the loop starts over in each round"
        yield Edit(_AFTER + 2, words, _ROUNDS, (spot,))
    for j, inner in enumerate(loop.body):
        rest = loop.body[:j] + loop.body[j + 1 :] or [ast.Pass()]
        after = [*block[: i + 1], inner, *block[i + 1 :]]
        spots = (loop, "body", rest), (block, slice(None), after)
        words = "a line of the loop runs only after the loop"
        yield Edit(_AFTER + 2, words, _ROUNDS, spots)

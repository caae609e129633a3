"""Read the steps, mistakes and probes of a text; checks/README.md shows it.

steps:
    mean = x.mean(axis=1, keepdims=True)
      the mean of each column is subtracted
        axis=1 runs along a row, and leaves one number for each row.
        > x.mean(axis=0)
"""

import dataclasses
import functools
import pathlib
import re

from helpers.checks.engine.read import code
from helpers.checks.engine.read.lines import HEAD, PROBES, Line, Text, filled
from helpers.checks.engine.read.steps import Mistake, Probe, Step

STEPS = pathlib.Path(__file__).parents[2] / "steps"
_USE = re.compile(r"use (?:([\w, ]+) from )?(\w+)$")
EACH = re.compile(r"for ([\w, ]+?) in (.+?): (.+)")
_CODE_HAS = "code has: "  # a pattern without which a mistake is not named
_OF_STEP = re.compile(r"(\w+): (.+)")


@dataclasses.dataclass
class _Declared:
    """A step as it is written; each mistake with the scope of its file."""

    line: Line
    name: str
    right: str
    scope: code.Scope
    mistakes: list


def _declared(lines, scope):
    """Return the steps of some lines, those of other texts put in."""
    found = []
    for line in lines:
        use, head = _USE.match(line.text), HEAD.match(line.text)
        if use:
            found += _used(line, *use.groups(), scope)
        elif head:
            name, _, right = head.groups()
            mistakes = [(mistake, scope) for mistake in line.under]
            found.append(_Declared(line, name, right, scope, mistakes))
        else:
            raise line.error("neither a step NAME = CODE nor `use …`")
    return found


def _used(line, names, file, scope):
    """Return steps of another text, changed by what is under the line."""
    path = STEPS / f"{file}.txt"
    if not path.exists():
        raise line.error(f"there is no steps/{file}.txt")
    text = Text(path)
    found = _declared(text.tree("steps"), text.scope.within(scope))
    if names:
        by_name = {step.name: step for step in found}
        with line.at_fault():
            found = [by_name[name] for name in names.split(", ")]
    if line.under:
        if len(found) > 1:
            raise line.error("only one step can be changed at a time")
        found[0].mistakes = _changed(line, found[0].mistakes, scope)
    return found


def _changed(line, mistakes, scope):
    """Put new mistakes before the others; leave out, or move, some."""
    known = {mistake.text: (mistake, of) for mistake, of in mistakes}
    first = []
    for more in line.under:
        name = more.text.removeprefix("without: ")
        if more.under:
            first.append((more, scope))
            continue
        if name not in known:
            raise more.error(f"no mistake of the step is called {name!r}")
        moved = known.pop(name)
        if name == more.text:
            first.append(moved)
    return [*first, *known.values()]


def mistake(line, scope, wrong=None):
    """Return the Mistake of a line: its idea, then code after each >.

    ``wrong(line, code, scope)`` makes the variants of the code.
    """
    wrong = wrong or _wrong
    under = [p for p in line.under if not p.text.startswith(_CODE_HAS)]
    word = "".join(
        part.text.removeprefix(_CODE_HAS)
        for part in line.under
        if part not in under
    )
    words = [part.words() for part in under]
    idea = " ".join(text for text in words if text[:2] != "> ")
    if not idea:
        raise line.error("this mistake has no idea under it")
    variants = [
        variant
        for part, text in zip(under, words, strict=True)
        if text[:2] == "> "
        for variant in wrong(part, text[2:], scope)
    ]
    name = filled(line.text, line, scope)
    return Mistake(name, filled(idea, line, scope), *variants, word=word)


def _wrong(line, text, scope):
    """Yield the variants of one piece of code."""
    if each := EACH.match(text):
        names, values, text = each.groups()
        names = names.split(", ")
        with line.at_fault():
            for part in code.elements(values, scope):
                parts = part.elts if len(names) > 1 else [part]
                yield from _wrong(line, text, scope.binding(names, parts))
    elif _OF_STEP.match(text):
        parts = re.split(r" \| (?=\w+: )", text)
        pairs = (part.split(": ", 1) for part in parts)
        yield {name: _function(line, more, scope) for name, more in pairs}
    else:
        yield _function(line, text, scope)


def _function(line, text, scope):
    with line.at_fault():
        return code.function(text, scope, line.file, line.number)


def steps(text, arguments):
    """Return the steps of an exercise's text."""
    declared = _declared(text.tree("steps"), text.scope)
    record = frozenset([*arguments, *(step.name for step in declared)])

    def built(step):
        scope = dataclasses.replace(step.scope, record=record)
        mistakes = [
            mistake(line, dataclasses.replace(of, record=record))
            for line, of in step.mistakes
        ]
        return Step(
            step.name, _function(step.line, step.right, scope), *mistakes
        )

    return tuple(map(built, declared))


def errors(text):
    """Return what errors mean: mistakes, with parts of a message as code."""
    return [
        mistake(line, text.scope, lambda _, part, scope: [part])
        for line in text.tree("errors")
    ]


def probes(text):
    """Yield the probes: their words, code for the arguments, a note."""
    for key, level in PROBES.items():
        for line in text.tree(key):
            words, _, args = line.text.partition(": ")
            note = " ".join(part.words() for part in line.under)
            made = _function(line, f"{args},", text.scope)
            with line.at_fault():
                note = filled(note, line, text.scope)
                yield Probe(words, made(None), level, note)


@functools.cache
def any_result(words):
    """Return the mistakes that any result can have; `words` name it.

    Their code changes ``c.v``, the result itself.
    """
    text = Text(STEPS / "any_result.txt")
    text.scope.sentences["RESULT"] = words
    (step,) = steps(text, ["v"])
    return step.mistakes

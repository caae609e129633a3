"""Read an exercise from a text; helpers/checks/README.md shows the form.

    steps:
        mean = x.mean(axis=1, keepdims=True)
          the mean of each column is subtracted
            axis=1 runs along a row, and leaves one number for each row.
            > x.mean(axis=0)

The lines of a section become a tree by their indentation. What cannot be
read raises ValueError with the file and the line.
"""

import contextlib
import dataclasses
import importlib
import pathlib
import re
import string
import textwrap

import numpy as np

from helpers.checks.engine import Exercise, code
from helpers.checks.engine.steps import Mistake, Probe, Step
from helpers.checks.steps import tools

CHECKS = pathlib.Path(__file__).parents[1]
_PROSE = ("call", "returns", "shape", "praise", "no loop")
_NAMES = ("properties", "recognize", "refuse", "remark", "class")
_PROBES = {"probes": "basic", "edge probes": "edge", "extra probes": "extra"}
_FIELDS = (*_PROSE, *_NAMES, "where", "steps", *_PROBES, "solution")
_KEY = re.compile(r"([A-Za-z]\w*(?: \w+)?):(?: +(.*))?$")
_HEAD = re.compile(r"(\w+)(\(.*?\))? = (.*)")
_USE = re.compile(r"use (?:([\w, ]+) from )?(\w+)$")
_EACH = re.compile(r"for ([\w, ]+?) in (.+?): (.+)")
_OF_STEP = re.compile(r"(\w+): (.+)")


class Line:
    """A line of a text, with the lines that are indented under it."""

    def __init__(self, file, number, text):
        self.file, self.number, self.text = file, number, text
        self.under = []

    def error(self, problem):
        """Return the ValueError that names this line."""
        return ValueError(f"{self.file}, line {self.number}: {problem}")

    def words(self):
        """Return the text of the line and of those under it, as one."""
        return " ".join([self.text, *(line.words() for line in self.under)])

    @contextlib.contextmanager
    def at_fault(self):
        """Raise errors in some code as those of this line."""
        try:
            yield
        except (SyntaxError, NameError, KeyError, TypeError) as error:
            raise self.error(f"{error} in {self.words()!r}") from error


def _open(text):
    """Tell whether a bracket of some code is still open."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def _tree(file, lines):
    """Nest (number, raw line) by indentation; code goes on in brackets."""
    root, lines = Line(file, 0, ""), iter(lines)
    stack = [(-1, root)]
    for number, raw in lines:
        indent = len(raw) - len(raw.lstrip())
        while stack[-1][0] >= indent:
            stack.pop()
        line = Line(file, number, raw.strip())
        is_code = line.text.startswith("> ") or len(stack) == 1
        while is_code and _open(line.text):
            more = next(lines, None)
            if more is None:
                raise line.error("a bracket is never closed")
            line.text += f" {more[1].strip()}"
        stack[-1][1].under.append(line)
        stack.append((indent, line))
    return root.under


class Text:
    """A text cut into its fields, and the scope of the code in it."""

    def __init__(self, path):
        self.path, self.file = path, f"{path.parent.name}/{path.name}"
        self.heads, self.bodies, key = {}, {}, ""
        title, _, rest = path.read_text("utf-8").partition("\n\n")
        lines = enumerate(rest.split("\n"), title.count("\n") + 3)
        for number, raw in lines:
            if raw[:1].strip():
                key = self._begin(Line(self.file, number, raw))
            elif key and raw.strip():
                self.bodies[key].append((number, raw.rstrip()))
        self.scope = self._scope()

    def _begin(self, line):
        """Begin a field at a line that is not indented."""
        match = _KEY.match(line.text)
        name, value = match.groups() if match else ("", "")
        if not (name in _FIELDS or name.isupper()):
            raise line.error(f"{line.text!r} begins none of {_FIELDS}")
        if name in self.heads:
            raise line.error(f"{name} is there twice")
        self.heads[name], self.bodies[name] = line, []
        if value:
            self.bodies[name].append((line.number, f" {value}"))
        return name

    def _scope(self):
        """Return the scope of its own sentences, functions and names."""
        own, functions = self.path.with_suffix(".py"), dict(vars(tools))
        if own.exists() and own.parent.name == "exercises":
            name = f"helpers.checks.exercises.{own.stem}"
            functions |= vars(importlib.import_module(name))
        scope = code.Scope(functions | {"np": np})
        for line in self.tree("where"):
            match = _HEAD.match(line.words())
            if not match:
                raise line.error("not of the form NAME = CODE")
            name, given, text = match.groups()
            if given:
                text = f"lambda {given[1:-1]}: ({text})"
            with line.at_fault():
                scope.where[name] = code.parsed(text)
        for name in filter(str.isupper, self.heads):
            scope.sentences[name] = self.prose(name, scope)
        return scope

    def prose(self, key, scope=None):
        """Return a field as one line of words, "" if it is not there."""
        text = " ".join(raw.strip() for _, raw in self.bodies.get(key, ()))
        line = self.heads.get(key)
        return _filled(text, line, scope or self.scope) if line else ""

    def names(self, key):
        """Return the functions that a field names."""
        with contextlib.suppress(KeyError):
            names = self.prose(key).replace(",", " ").split()
            return tuple(self.scope.functions[name] for name in names)
        raise self.heads[key].error(f"no function {self.prose(key)}")

    def tree(self, key):
        """Return the lines of a field, those indented under another in it."""
        return _tree(self.file, self.bodies.get(key, ()))

    def source(self, key):
        """Return a field as it is, without its indentation."""
        raws = [raw for _, raw in self.bodies.get(key, ())]
        return textwrap.dedent("\n".join(raws))


def _filled(text, line, scope):
    """Put shared sentences in for their $NAME."""
    with line.at_fault():
        return string.Template(text).substitute(scope.sentences)


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
        use, head = _USE.match(line.text), _HEAD.match(line.text)
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
    path = CHECKS / "steps" / f"{file}.txt"
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


def _mistake(line, scope):
    """Return the Mistake of a line: its idea, then code after each >."""
    words = [part.words() for part in line.under]
    idea = " ".join(text for text in words if text[:2] != "> ")
    if not idea:
        raise line.error("this mistake has no idea under it")
    wrong = [
        variant
        for part, text in zip(line.under, words, strict=True)
        if text[:2] == "> "
        for variant in _wrong(part, text[2:], scope)
    ]
    return Mistake(line.text, _filled(idea, line, scope), *wrong)


def _wrong(line, text, scope):
    """Yield the variants of one piece of code."""
    if each := _EACH.match(text):
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


def _steps(text, arguments):
    """Return the steps of an exercise's text."""
    declared = _declared(text.tree("steps"), text.scope)
    record = frozenset([*arguments, *(step.name for step in declared)])

    def built(step):
        scope = dataclasses.replace(step.scope, record=record)
        mistakes = [
            _mistake(line, dataclasses.replace(of, record=record))
            for line, of in step.mistakes
        ]
        return Step(
            step.name, _function(step.line, step.right, scope), *mistakes
        )

    return tuple(map(built, declared))


def _probes(text):
    """Yield the probes: their words, code for the arguments, a note."""
    for key, level in _PROBES.items():
        for line in text.tree(key):
            words, _, args = line.text.partition(": ")
            note = " ".join(part.words() for part in line.under)
            made = _function(line, f"{args},", text.scope)
            with line.at_fault():
                note = _filled(note, line, text.scope)
                yield Probe(words, made(None), level, note)


def load(path):
    """Return the Exercise that a text declares."""
    text = Text(path)
    for key in ("call", "returns", "shape", "praise", "steps", "probes"):
        if key not in text.heads:
            raise ValueError(f"{text.file}: `{key}:` is missing")
    call = text.prose("call")
    inside = call.partition("(")[2].rpartition(")")[0]
    options = {"no_loop": text.prose("no loop")}
    for key in ("recognize", "refuse", "remark"):
        if key in text.heads:
            (options[key],) = text.names(key)
    (made,) = text.names("class") if "class" in text.heads else (Exercise,)
    return made(
        name=path.stem,
        call=call,
        results=tuple(text.prose("returns").split(", ")),
        shape=text.prose("shape"),
        steps=_steps(text, inside.split(", ")),
        probes=tuple(_probes(text)),
        praise=text.prose("praise"),
        properties=text.names("properties"),
        solution=text.source("solution"),
        sentences=text.scope.sentences,
        **options,
    )

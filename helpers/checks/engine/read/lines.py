"""Cut a text into its fields, and each field into lines with what is under.

What cannot be read raises ValueError with the file and the line.
"""

import contextlib
import importlib
import re
import string
import textwrap

import numpy as np

from helpers.checks.engine.read import code
from helpers.checks.steps import tools

PROBES = {"probes": "basic", "edge probes": "edge", "extra probes": "extra"}
_FIELDS = "call|returns|shape|praise|no loop|properties|recognize|refuse"
_FIELDS += "|remark|around|trains|class|where|steps|changes|errors|solution"
_FIELDS = (*_FIELDS.split("|"), *PROBES)
_KEY = re.compile(r"([A-Za-z]\w*(?: \w+)?):(?: +(.*))?$")
HEAD = re.compile(r"(\w+)(\(.*?\))? = (.*)")


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
            match = HEAD.match(line.words())
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
        return filled(text, line, scope or self.scope) if line else ""

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


def filled(text, line, scope):
    """Put shared sentences in for their $NAME."""
    with line.at_fault():
        return string.Template(text).substitute(scope.sentences)

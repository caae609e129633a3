"""Make functions of a record out of the code of an exercise's text.

Code is one expression. In it, a name that the text declares under "where:"
means what is written there, and a name of the record (an argument or a step)
means that part of the record `c`. Any other name must be a function that the
text can see.
"""

import ast
import builtins
import dataclasses
import functools
import sys

import numpy as np

from helpers import attention


@dataclasses.dataclass(frozen=True)
class Scope:
    """What the names in some code mean: sentences are for ideas alone."""

    functions: dict
    where: dict = dataclasses.field(default_factory=dict)
    sentences: dict = dataclasses.field(default_factory=dict)
    record: frozenset = frozenset()

    def within(self, outer):
        """Return a copy that also sees what `outer` sees, its own first."""
        return Scope(
            outer.functions | self.functions,
            outer.where | self.where,
            outer.sentences | self.sentences,
            self.record | outer.record,
        )

    def binding(self, names, parts):
        """Return a copy where each of `names` is replaced by its part."""
        more = dict(zip(names, parts, strict=True))
        return dataclasses.replace(self, where=self.where | more)


class _Names(ast.NodeTransformer):
    """Replace names by their parts; `bound` are those of a lambda or loop."""

    def __init__(self, scope, bound=frozenset()):
        self.scope, self.bound = scope, bound

    def visit_Name(self, node):
        """Return the part that has a name; raises NameError for none."""
        name, scope = node.id, self.scope
        if name in self.bound:
            return node
        if name in scope.where:
            others = {k: v for k, v in scope.where.items() if k != name}
            inside = _Names(dataclasses.replace(scope, where=others))
            return inside.visit(copied(scope.where[name]))
        if name in scope.record:
            return ast.Attribute(ast.Name("c", ast.Load()), name, ast.Load())
        if name == "c" or name in scope.functions or hasattr(builtins, name):
            return node
        raise NameError(f"no argument, step or function is called {name!r}")

    def _inside(self, node, names):
        return _Names(self.scope, self.bound | names).generic_visit(node)

    def visit_Lambda(self, node):
        """Leave the names of its arguments alone."""
        parts = ast.walk(node.args)
        names = {part.arg for part in parts if isinstance(part, ast.arg)}
        return self._inside(node, names)

    def _visit_loop(self, node):
        parts = [p for g in node.generators for p in ast.walk(g.target)]
        return self._inside(
            node, {part.id for part in parts if isinstance(part, ast.Name)}
        )

    visit_ListComp = visit_SetComp = visit_DictComp = _visit_loop
    visit_GeneratorExp = _visit_loop


def copied(part):
    """Return a copy of a syntax tree, faster than `copy.deepcopy` does."""
    if isinstance(part, list):
        return [copied(each) for each in part]
    if not isinstance(part, ast.AST):
        return part
    return type(part)(*(copied(getattr(part, f)) for f in part._fields))


def parsed(text):
    """Return the syntax tree of an expression; raises SyntaxError."""
    return ast.parse(f"({text.strip()})", mode="eval").body


def function(text, scope, file="", number=1):
    """Return the function of a record that computes an expression.

    Raises SyntaxError, or NameError for a name that means nothing. An error
    while it runs points to line `number` of `file`.
    """
    body = _Names(scope).visit(parsed(text))
    none = dict(posonlyargs=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    args = ast.arguments(args=[ast.arg("c")], **none)
    tree = ast.Expression(ast.Lambda(args, body))
    _place(tree, number)
    return eval(compile(tree, file, "eval"), scope.functions)


def _place(part, number):
    """Put a syntax tree on one line, faster than with `ast.walk`."""
    if isinstance(part, list):
        for each in part:
            _place(each, number)
    elif isinstance(part, ast.AST):
        if part._attributes:
            part.lineno = part.end_lineno = number
            part.col_offset = part.end_col_offset = 0
        for name in part._fields:
            _place(getattr(part, name, None), number)


def functions(source):
    """Return the text of each function of a solution."""
    lines = source.splitlines()
    return [
        "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(source).body
    ]


def names():
    """Return what a solution can use: the modules of its notebook."""
    torch = sys.modules.get("torch")
    names = {"np": np, "attention": attention, "torch": torch}
    names |= {"nn": torch and torch.nn, "print": lambda *args: None}
    return names | {"F": torch and torch.nn.functional}


@functools.cache
def _compiled(source):
    return compile(source, "<solution>", "exec")


def defined(source, functions):
    """Return the function that a source defines; it sees `functions`."""
    inside = names() | functions
    exec(_compiled(source), inside)
    return inside[_compiled(source).co_names[0]]


def run(line, name, record, functions):
    """Run a line on a record; return what it has called `name`."""
    known = names() | functions
    inside = known | vars(record)
    exec(_compiled(line), inside)
    found = {*_compiled(line).co_names} & inside.keys() - known.keys()
    vars(record).update((each, inside[each]) for each in found)
    return inside[name]


def elements(text, scope):
    """Return the syntax trees of what a loop runs over."""
    tree = parsed(text)
    if isinstance(tree, ast.Name) and tree.id in scope.where:
        tree = scope.where[tree.id]
    if isinstance(tree, (ast.Tuple, ast.List)):
        return tree.elts
    values = function(text, dataclasses.replace(scope, record=frozenset()))
    return [ast.Constant(value) for value in values(None)]

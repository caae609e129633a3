"""Rules that rewrite an expression, as edits.txt lists them."""

import ast
import copy
import dataclasses
import functools
import itertools
import pathlib

from helpers.checks.engine.read.code import copied

_FILE = pathlib.Path(__file__).with_name("edits.txt")
_PLACES = ("return", "start")
_NOT_COMPARED = {"ctx", "kind", "type_comment"}


@dataclasses.dataclass(frozen=True, eq=False)
class Rule:
    """One edit: `pattern` becomes `new`; `rank` grows with its length.

    `place` is "" for any expression, or "return" or "start".
    """

    rank: int
    idea: str
    words: str
    place: str
    pattern: ast.expr
    new: ast.expr

    @functools.cached_property
    def kind(self):
        """The type of the nodes that it fits."""
        return type(self.pattern)

    def applied(self, node, functions=()):
        """Return the new node and what each letter means, or None.

        `functions` are names of arguments that may be called.
        """
        bound = {"functions": functions}
        if not _fits(self.pattern, node, bound):
            return None
        new = _Filled(bound).visit(copied(self.new))
        if "N" in bound:
            new = ast.Constant(eval(ast.unparse(new)))
        if hasattr(node, "ctx") and hasattr(new, "ctx"):
            new = copy.copy(new)  # it may be a part of the node
            new.ctx = node.ctx
        if ast.unparse(new) == ast.unparse(node):
            return None
        return new, bound


@functools.cache
def rules():
    """Return the rules of edits.txt, the shortest edits first."""
    text = _FILE.read_text(encoding="utf-8")
    _, *paragraphs = text.strip().split("\n\n")
    found = []
    for rank, paragraph in enumerate(paragraphs):
        idea, lines = "", []
        for line in paragraph.split("\n"):
            if line.startswith("    "):
                lines.append(line)
            else:
                idea = f"{idea} {line}".strip()
        for head, words in zip(lines[::2], lines[1::2], strict=True):
            for place, old, new, said in _parsed(head.strip(), words.strip()):
                one, two = (_expression(code) for code in (old, new))
                found.append(Rule(rank, idea, said, place, one, two))
    return tuple(found)


def _parsed(head, words):
    """Yield place, pattern, new code and words for a line of edits.txt."""
    if "<->" in head:
        names = [f"np.{name}" for name in head.split(" <-> ")]
        for old, new in itertools.permutations(names, 2):
            said = words.format(old=called(old), new=called(new))
            yield "", f"{old}(X, *L, **K)", f"{new}(X, *L, **K)", said
        return
    pattern, _, codes = head.partition(" -> ")
    place, _, rest = pattern.partition(" ")
    place, pattern = (place, rest) if place in _PLACES else ("", pattern)
    for code in codes.split(" | "):
        gone = {"L": "{R}", "R": "{L}", "A": "{B}", "B": "{A}"}.get(code, "")
        yield place, pattern, code, words.replace("{gone}", gone)


def _expression(code):
    return ast.parse(code, mode="eval").body


CALLED = {
    "np.mean": "the mean",
    "np.sum": "the sum",
    "np.max": "the largest number",
    "np.min": "the smallest number",
    "np.median": "the median",
    "np.std": "the standard deviation",
    "np.argmax": "the position of the largest number",
    "np.argmin": "the position of the smallest number",
    "np.maximum": "the larger number",
    "np.minimum": "the smaller number",
    "np.add": "the sum",
    "np.linalg.norm": "the length",
    "attention.softmax": "the softmax",
}


def called(code):
    """Return what a function is called in words."""
    return CALLED.get(code, f"`{code}`")


def _fits(pattern, node, bound):
    """Match a node; the letters of the pattern are put into `bound`."""
    if isinstance(pattern, ast.Name) and _is_letter(pattern.id):
        return _takes(pattern.id, node, bound)
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, ast.Call):
        return _fits_call(pattern, node, bound)
    for field in pattern._fields:
        if field not in _NOT_COMPARED:
            one, two = getattr(pattern, field), getattr(node, field)
            if not _alike(one, two, bound):
                return False
    return True


def _alike(one, two, bound):
    if isinstance(one, list):
        return len(one) == len(two) and all(
            _fits(*pair, bound) for pair in zip(one, two, strict=True)
        )
    if isinstance(one, ast.AST):
        return isinstance(two, ast.AST) and _fits(one, two, bound)
    return one == two


def _is_letter(name):
    return len(name) == 1 and name.isupper()


def _takes(letter, node, bound):
    """Bind a letter to a node, if it can be bound."""
    number = isinstance(node, ast.Constant) and type(node.value) in (
        int,
        float,
    )
    if letter in bound:
        return ast.dump(bound[letter]) == ast.dump(node)
    if isinstance(node, ast.Slice | ast.Tuple | ast.Starred):
        return False
    if letter == "N" and not number or letter == "X" and number:
        return False
    if letter == "P" and getattr(node, "id", "") not in bound["functions"]:
        return False
    bound[letter] = node
    return True


def _fits_call(pattern, node, bound):
    """Match a call; *L and **K take the arguments that are left."""
    args, keywords = pattern.args, [k for k in pattern.keywords if k.arg]
    given, named = node.args, {k.arg: k for k in node.keywords}
    if args and isinstance(args[-1], ast.Starred):
        args = args[:-1]
        bound["*L"], given = given[len(args) :], given[: len(args)]
    if len(keywords) < len(pattern.keywords):
        asked = {k.arg for k in keywords}
        bound["**K"] = [k for k in node.keywords if k.arg not in asked]
        named = {name: named[name] for name in asked & named.keys()}
    return (
        named.keys() == {k.arg for k in keywords}
        and _fits(pattern.func, node.func, bound)
        and _alike(args, given, bound)
        and all(_fits(k.value, named[k.arg].value, bound) for k in keywords)
    )


class _Filled(ast.NodeTransformer):
    """Puts the nodes of the letters into a template."""

    def __init__(self, bound):
        self.bound = bound

    def visit_Name(self, node):
        return self.bound.get(node.id, node)

    def visit_Call(self, node):
        self.generic_visit(node)
        args, keywords = [], []
        for arg in node.args:
            rest = isinstance(arg, ast.Starred) and "*L" in self.bound
            args += self.bound["*L"] if rest else [arg]
        for keyword in node.keywords:
            keywords += [keyword] if keyword.arg else self.bound["**K"]
        return ast.Call(node.func, args, keywords)

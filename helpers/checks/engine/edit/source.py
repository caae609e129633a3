"""The source of a solution: its syntax tree, and words for its parts."""

import ast
import dataclasses
import re

from helpers.checks.engine.edit import rules

SIZE = re.compile(r"len\(\w+\)|\w+\.shape\[-?\d\]")  # the code of a length
_METHODS = "mean sum max min std argmax argmin".split()
_RESULTS = {
    ast.Add: "the sum",
    ast.Sub: "the difference",
    ast.Mult: "the product",
    ast.MatMult: "the product",
    ast.Div: "the quotient",
}


@dataclasses.dataclass(frozen=True, eq=False)
class Edit:
    """What is changed: `spots` are (container, key, new value).

    Shorter edits have a lower `rank`.
    """

    rank: float
    words: str
    idea: str
    spots: tuple

    def apply(self):
        """Change the tree; return what undoes it."""
        undo = tuple(_put(*spot) for spot in self.spots)
        return Edit(0, "", "", undo[::-1])


def _put(container, key, value):
    if isinstance(container, list):
        old, container[key] = container[key], value
    else:
        old = getattr(container, key)
        setattr(container, key, value)
    return container, key, old


class Source:
    """The source of a function; comments name what its lines compute."""

    def __init__(self, text):
        self.comments = dict(_comments(text, "  # "))  # at its end
        self.above = dict(_comments(text, "# "))  # on a line of its own
        self.tree = _Normal().visit(ast.parse(text))
        ast.fix_missing_locations(self.tree)
        (self.function,) = self.tree.body
        self.arguments = [a.arg for a in self.function.args.args]
        nodes = list(ast.walk(self.function))
        calls = [n.func for n in nodes if isinstance(n, ast.Call)]
        self.called = {getattr(f, "id", "") for f in calls}
        self.called &= set(self.arguments)
        stored = [n.id for n in nodes if is_name(n, ast.Store)]
        self.variables = list(dict.fromkeys(self.arguments + stored))
        self.phrases = {
            name: self.place(line)
            for line in nodes
            if isinstance(line, ast.Assign) and self.place(line)
            for name in _assigned(line)
        }

    def place(self, line):
        """Return what a line computes, or ""."""
        above = self.above.get(line.lineno - 1, "")
        return self.comments.get(line.end_lineno, above)

    def where(self, line, words):
        """Return the place of a line, to end a sentence with."""
        place = self.place(line)
        if isinstance(line, ast.Return) or not place or place in words:
            return ""
        return f" in the step that computes {place}"

    def agreeing(self, words):
        """Let the verb agree with what a line computes."""
        for phrase in self.phrases.values():
            head = re.split(" (?:of|with|that|in|for) ", phrase)[0]
            if re.search("(?<![siu])s$", head) and "what " not in head:
                words = re.sub(
                    f"(?<!of ){phrase} is ", f"{phrase} are ", words
                )
        return words

    def named(self, name):
        """Return what a variable is called in words."""
        return self.phrases.get(name, f"`{name}`")

    def of(self, node):
        """Return what an expression is called in words."""
        code = ast.unparse(node)
        if isinstance(node, ast.Name):
            return self.named(code)
        if isinstance(node, ast.Attribute) and node.attr == "T":
            return f"the transpose of {self.of(node.value)}"
        if isinstance(node, ast.Attribute):
            return rules.called(code)
        if isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func)
            if name in self.called:
                return f"what `{name}` returns"
            if name in rules.CALLED:
                return f"{rules.called(name)} of {self.of(node.args[0])}"
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if names <= {*self.arguments, "np", "len"} and len(code) < 30:
            return f"`{code}`"
        return _RESULTS.get(type(getattr(node, "op", None)), "one part")

    def words(self, rule, new, bound):
        """Return the words of a rule for the nodes of its letters."""
        letters = {k: self.of(v) for k, v in bound.items() if len(k) == 1}
        if letters.get("L") == letters.get("R", ""):
            one = letters["L"].removeprefix("the ")
            letters |= {"L": f"the first {one}", "R": f"the second {one}"}
        return rule.words.format(**letters, new=self.of(new))


class _Normal(ast.NodeTransformer):
    """Writes ``x.mean(axis=1)`` as ``np.mean(x, axis=1)``, and the like."""

    def visit_Call(self, node):
        self.generic_visit(node)
        f = node.func
        if (
            isinstance(f, ast.Attribute)
            and f.attr in _METHODS
            and ast.unparse(f.value) != "np"
        ):
            name = ast.parse(f"np.{f.attr}", mode="eval").body
            new = ast.Call(name, [f.value, *node.args], node.keywords)
            return ast.copy_location(new, node)
        return node

    def visit_For(self, node):
        """Let ``rounds`` end a loop that an edit made endless."""
        self.generic_visit(node)
        node.iter = ast.Call(ast.Name("rounds", ast.Load()), [node.iter], [])
        return node


def _comments(text, mark):
    for number, line in enumerate(text.splitlines(), 1):
        code, found, comment = line.strip().partition(mark)
        if found and bool(code) == (mark != "# "):
            yield number, comment


def _assigned(line):
    """Return the one variable that a line computes, in a list, or none."""
    nodes = [n for target in line.targets for n in ast.walk(target)]
    names = [n.id for n in nodes if is_name(n, ast.Store) and n.id != "_"]
    return names if len(names) == 1 else []


def is_name(node, kind):
    """Tell whether a node is a variable that is read, or one that is set."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, kind)


def statements(node):
    """Yield each statement with the list that it is in."""
    for line in list(node.body):
        yield line, node.body
        if hasattr(line, "body"):
            yield from statements(line)


def expressions(node):
    """Yield (container, key, expression) of a line, without inner lines."""
    if _is_append(node):
        return  # a list in itself, or one that grows while it is read
    for field, value in ast.iter_fields(node):
        several = isinstance(value, list)
        for i, child in enumerate(value) if several else [(field, value)]:
            if isinstance(child, ast.stmt) or not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.expr):
                if not (field == "value" and _is_axis(node)):
                    yield value if several else node, i, child
            if not SIZE.fullmatch(ast.unparse(child)):
                yield from expressions(child)


def _is_append(node):
    f = getattr(node, "func", None)
    return (
        isinstance(f, ast.Attribute)
        and f.attr == "append"
        and all(isinstance(arg, ast.Name) for arg in node.args)
    )


def _is_axis(node):
    return isinstance(node, ast.keyword) and node.arg in ("axis", "keepdims")

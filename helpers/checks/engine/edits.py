"""Single edits of a function's source: mistakes that nobody wrote down."""

import ast
import dataclasses
import itertools
import re

from helpers.checks.engine import rules

_REDUCED = "mean sum max min std argmax argmin".split()
_NAMES = 40  # where a variable stands for another, and so on: after the rules
OTHER = "Compare each name in this line with the task. Which one belongs here?"
LENGTH = "Say in words which length it is, then find the axis that has it."
_LINES = "Go through the lines in order: what has happened when each one runs?"
_TWICE = "Write the formula down, term by term: which factors has each one?"
_ROUNDS = "Write down what each variable holds after the first two rounds."
_EARLY = "This is a step on the way. What does the task do with it next?"
_SIZE = re.compile(r"len\(\w+\)|\w+\.shape\[-?\d\]")
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
        return Edit(0, "", "", tuple(_put(*s) for s in self.spots)[::-1])


def _put(container, key, value):
    if isinstance(container, list):
        old, container[key] = container[key], value
    else:
        old = getattr(container, key)
        setattr(container, key, value)
    return container, key, old


class Source:
    """The source of a function whose comments name what a line computes."""

    def __init__(self, text):
        self.comments = dict(_comments(text, "  # "))  # at its end
        self.above = dict(_comments(text, "# "))  # on a line of its own
        tree = _Normal().visit(ast.parse(text))
        (self.function,) = tree.body
        self.tree = tree
        self.arguments = [a.arg for a in self.function.args.args]
        nodes = list(ast.walk(self.function))
        calls = [n.func for n in nodes if isinstance(n, ast.Call)]
        self.called = {getattr(f, "id", "") for f in calls}
        self.called &= set(self.arguments)
        stored = [n.id for n in nodes if _is_name(n, ast.Store)]
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

    def of(self, node):
        """Return what an expression is called in words."""
        code = ast.unparse(node)
        if isinstance(node, ast.Name):
            return self.phrases.get(code, f"`{code}`")
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
        kind = type(getattr(node, "op", None))
        return _RESULTS.get(kind, "one part")

    def edits(self):
        """Yield every Edit."""
        self.fitting = {}  # the edits that each rule gives
        for line, block in _statements(self.function):
            where = self._where(line)
            for edit in self._of_parts(line):
                words = self._agreeing(f"{edit.words}{where}")
                yield dataclasses.replace(edit, words=words)
            yield from self._of_line(line, block)
        yield from self._of_arguments()
        yield from self._exchanged()
        yield from self._everywhere(self.fitting)

    def _where(self, line):
        place = self.place(line)
        if isinstance(line, ast.Return):
            return " in the last step" if len(self.function.body) > 1 else ""
        return f" in the step that computes {place}" if place else ""

    def _agreeing(self, words):
        """Let the verb agree with what a line computes."""
        for phrase in self.phrases.values():
            if phrase.partition(" of ")[0].endswith("s"):
                words = re.sub(
                    f"(?<!of ){phrase} is ", f"{phrase} are ", words
                )
        return words

    def _of_parts(self, line):
        """Yield the edits of all expressions in a line."""
        for parent, key, node in _expressions(line):
            if key == "func":
                continue
            final = isinstance(line, ast.Return) and (
                parent is line
                or parent is line.value is not None
                and isinstance(line.value, ast.Tuple)
            )
            kind = type(node)
            if _SIZE.fullmatch(ast.unparse(node)):
                kind = None  # a length is not an index
            for rule in rules.rules():
                if (
                    rule.kind is kind
                    and not rule.place
                    or (rule.place == "return" and final)
                ):
                    made = rule.applied(node, self.called)
                    if made:
                        words = self._words(rule, *made)
                        spot = parent, key, made[0]
                        edit = Edit(rule.rank, words, rule.idea, (spot,))
                        self.fitting.setdefault(rule, []).append(edit)
                        yield edit
            if isinstance(node, ast.BinOp) and isinstance(
                node.op, ast.Add | ast.Sub
            ):
                yield from self._factors(parent, key, node)
            if final and isinstance(line.value, ast.Tuple) and parent is line:
                continue
            yield from self._other_names(parent, key, node)
            if final:
                for name in self.variables:
                    words = (
                        f"{self.phrases.get(name, f'`{name}`')} is returned"
                    )
                    spot = parent, key, ast.Name(name, ast.Load())
                    yield Edit(_NAMES + 5, words, _EARLY, (spot,))

    def _words(self, rule, new, bound):
        letters = {k: self.of(v) for k, v in bound.items() if len(k) == 1}
        return rule.words.format(**letters, new=self.of(new))

    def _other_names(self, parent, key, node):
        """Yield a variable, or a length, that stands for another."""
        code = ast.unparse(node)
        if _SIZE.fullmatch(code):
            lengths = [f"len({a})" for a in self.arguments]
            lengths += [
                f"{a}.shape[{i}]" for a in self.arguments for i in (-1, 1)
            ]
            for other in (*lengths, "1", "2", "3", "4", "5", "8", "64"):
                if other != code:
                    new = ast.parse(other, mode="eval").body
                    words = f"`{other}` is used instead of `{code}`"
                    spot = parent, key, new
                    yield Edit(_NAMES, words, LENGTH, (spot,))
        if _is_name(node, ast.Load) and code in self.variables:
            for other in self.variables:
                if other != code:
                    new = ast.Name(other, ast.Load())
                    words = (
                        f"{self.of(new)} is used instead of {self.of(node)}"
                    )
                    spot = parent, key, new
                    yield Edit(_NAMES + 1, words, OTHER, (spot,))

    def _factors(self, parent, key, node):
        """Yield a term with one factor, or one divisor, too many."""
        for side in ("left", "right"):
            term = getattr(node, side)
            for name in self.variables:
                other = ast.Name(name, ast.Load())
                words = f"{self.of(term)} is %s by {self.of(other)} as well"
                for op, verb in (
                    (ast.Mult, "multiplied"),
                    (ast.Div, "divided"),
                ):
                    new = ast.BinOp(term, op(), other)
                    spot = node, side, new
                    yield Edit(_NAMES + 6, words % verb, _TWICE, (spot,))

    def _everywhere(self, edits):
        """Yield rules that are applied wherever they fit in the function."""
        for rule, group in edits.items():
            spots = [spot for edit in group for spot in edit.spots]
            places = {(id(c), str(k)) for c, k, _ in spots}
            if 1 < len(spots) == len(places):
                words = f"{group[0].words}, and so on in {len(spots)} places"
                words = words.replace("in 2 places", "in a second place")
                yield Edit(rule.rank + 10, words, rule.idea, tuple(spots))

    def _of_line(self, line, block):
        """Yield a line left out or exchanged, and loops that go wrong."""
        i = block.index(line)
        place = self.place(line)
        step = f"the step that computes {place}" if place else "a line"
        if not isinstance(line, ast.Return):
            yield Edit(
                _NAMES + 2,
                f"{step} is missing",
                _LINES,
                ((block, i, ast.Pass()),),
            )
            if i + 1 < len(block) and not isinstance(block[i + 1], ast.Return):
                pair = [block[i + 1], line]
                yield Edit(
                    _NAMES + 3,
                    f"{step} comes too late",
                    _LINES,
                    ((block, slice(i, i + 2), pair),),
                )
        if isinstance(line, ast.For):
            yield from self._of_loop(line, block, i)

    def _of_loop(self, loop, block, i):
        for cut, words in (
            (slice(None, -1), "the loop leaves out the last round"),
            (slice(1, None), "the loop leaves out the first round"),
            (slice(None, 1), "only the first round of the loop counts"),
            (slice(-1, None), "only the last round of the loop counts"),
            (slice(None, None, -1), "the loop runs backward"),
        ):
            code = f"list(x)[{cut.start}:{cut.stop}:{cut.step}]"
            new = ast.parse(code, mode="eval").body
            new.value.args[0] = loop.iter
            yield Edit(_NAMES + 4, words, _ROUNDS, ((loop, "iter", new),))
        if isinstance(block[-1], ast.Return):
            yield Edit(
                _NAMES + 4,
                "the function returns inside the loop, after its first round",
                "`return` ends the function at once. Move it out of the loop.",
                ((loop, "body", [*loop.body, block[-1]]),),
            )
        for before in block[:i]:
            yield Edit(
                _NAMES + 4,
                "the loop starts anew in each round",
                _ROUNDS,
                ((loop, "body", [before, *loop.body]),),
            )
        for j, inner in enumerate(loop.body):
            rest = loop.body[:j] + loop.body[j + 1 :]
            after = [*block[: i + 1], inner, *block[i + 1 :]]
            yield Edit(
                _NAMES + 4,
                "a line of the loop runs only after it",
                _ROUNDS,
                (
                    (loop, "body", rest or [ast.Pass()]),
                    (block, slice(None), after),
                ),
            )

    def _of_arguments(self):
        """Yield arguments that are changed before they are used."""
        body = self.function.body
        for name in self.arguments:
            node = ast.Name(name, ast.Load())
            for rule in rules.rules():
                if rule.place == "start":
                    new, bound = rule.applied(node)
                    line = ast.Assign([ast.Name(name, ast.Store())], new)
                    spot = self.function, "body", [line, *body]
                    words = self._words(rule, new, bound)
                    yield Edit(rule.rank, words, rule.idea, (spot,))

    def _exchanged(self):
        """Yield two arguments that are exchanged everywhere."""
        uses = [p for line in self.function.body for p in _expressions(line)]
        for one, other in itertools.combinations(self.arguments, 2):
            swap = {one: other, other: one}
            spots = [
                (parent, key, ast.Name(swap[node.id], node.ctx))
                for parent, key, node in uses
                if isinstance(node, ast.Name) and node.id in swap
            ]
            words = f"`{one}` and `{other}` have changed places"
            yield Edit(_NAMES + 3, words, OTHER, tuple(spots))


class _Normal(ast.NodeTransformer):
    """Writes ``x.mean(axis=1)`` as ``np.mean(x, axis=1)``, and the like."""

    def visit_Call(self, node):
        self.generic_visit(node)
        f = node.func
        if (
            isinstance(f, ast.Attribute)
            and f.attr in _REDUCED
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
    names = [n.id for n in nodes if _is_name(n, ast.Store) and n.id != "_"]
    return names if len(names) == 1 else []


def _is_name(node, kind):
    return isinstance(node, ast.Name) and isinstance(node.ctx, kind)


def _statements(node):
    """Yield each statement with the list that it is in."""
    for line in list(node.body):
        yield line, node.body
        if hasattr(line, "body"):
            yield from _statements(line)


def _expressions(node):
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
            if not _SIZE.fullmatch(ast.unparse(child)):
                yield from _expressions(child)


def _is_append(node):
    f = getattr(node, "func", None)
    return (
        isinstance(f, ast.Attribute)
        and f.attr == "append"
        and all(isinstance(arg, ast.Name) for arg in node.args)
    )


def _is_axis(node):
    return isinstance(node, ast.keyword) and node.arg in ("axis", "keepdims")

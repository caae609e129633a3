"""Read mistakes that are changes of the solution's own lines.

changes:
    the gradients are not clipped
      Clip after backward() and before step().
      > nn.utils.clip_grad_norm_(model.parameters(), 1.0) -> pass

If the solution is written a second time, step by step, and each of its lines
only gives names a value, its lines are the steps, and a mistake puts another
line there: two mistakes together need not run what comes before them.

Otherwise the solution is cut where changes begin and end. Each part is a step,
whose value is its text; a mistake puts another text there. The last step runs
what all parts say.
"""

import ast
import functools
import itertools
import re

from helpers.checks.engine.read import code, text
from helpers.checks.engine.read.steps import Mistake, Step
from helpers.checks.engine.run import results

_EVERY = re.compile(r"all (\w+) in ([\w, ]+): (.+)")


def steps(read, arguments, around, count):
    """Return the steps of a Text whose answer has `count` results.

    `around` makes of a changed solution the function that is called.
    """
    source, *written_out = code.functions(read.source("solution"))
    lines = _lines(*written_out[-1:])
    if lines:
        (source,) = written_out[-1:]
    wrong = functools.partial(_changes, source)
    mistakes = [
        text.mistake(line, read.scope, wrong) for line in read.tree("changes")
    ]
    if lines:
        run = functools.partial(code.run, functions=read.scope.functions)
        return _by_line(source, lines, mistakes, run, arguments, around, count)
    changes = [each for m in mistakes for each in m.wrong]
    cuts = {n for each in changes for start, end in each for n in (start, end)}
    parts = [*itertools.pairwise(sorted({0, *cuts, len(source)}))]
    names = {
        start: f"part_{number}" for number, (start, _) in enumerate(parts)
    }

    def result(c):
        """Run the solution as its parts are now."""
        now = "".join(getattr(c, name) for name in names.values())
        function = around(code.defined(now, read.scope.functions))
        args = [getattr(c, name) for name in arguments]
        args = [arg.copy() if hasattr(arg, "copy") else arg for arg in args]
        return _arrays(function(*args), count)

    written = [
        Step(names[start], functools.partial(_same, source[start:end]))
        for start, end in parts
    ]
    by_name = [_by_name(mistake, names) for mistake in mistakes]
    written[0] = Step(written[0].name, written[0].right, *by_name)
    return *written, Step("result", result)


def _same(text, c):
    return text


def _arrays(found, count):
    arrays = results.arrays_of(found if count > 1 else [found])
    return arrays if count > 1 else arrays[0]


def _lines(source=""):
    """Return {name: (start, end)} of lines that give names a value, or {}."""
    body = ast.parse(source).body[0].body if source else [None]
    *lines, last = body
    if not (
        isinstance(last, ast.Return)
        and all(isinstance(line, ast.Assign) for line in lines)
        and all(isinstance(line.targets[0], ast.Name) for line in lines)
    ):
        return {}
    names = [line.targets[0].id for line in lines] + ["result"]
    texts = [ast.get_source_segment(source, line) for line in body]
    starts = map(source.index, texts)
    return {
        name: (start, start + len(text))
        for name, start, text in zip(names, starts, texts, strict=True)
    }


def _by_line(source, lines, mistakes, run, arguments, around, count):
    """Return the steps of a solution each of whose lines is one."""

    def given(c):
        """Put what `around` hands over in the place of the arguments."""
        args = around(lambda *args: args)(*(getattr(c, n) for n in arguments))
        vars(c).update(zip(arguments, args, strict=True))

    def line(name, change):
        """Return a function of the record that runs a changed line."""
        start, end = lines[name]
        inside = {
            (first - start, last - start): put
            for (first, last), put in change.items()
            if start <= first < end
        }
        now = _with(source[start:end], inside)
        if name != "result":
            return functools.partial(run, now, name)
        now = now.replace("return", "result =", 1)
        return lambda c: _arrays(run(now, name, c), count)

    def touched(change):
        return (
            name
            for name, (start, end) in lines.items()
            if any(start <= first < end for first, _ in change)
        )

    known = [
        Mistake(
            m.name,
            m.idea,
            *({name: line(name, c) for name in touched(c)} for c in m.wrong),
            word=m.word,
        )
        for m in mistakes
    ]
    right = [Step(name, line(name, {})) for name in lines]
    return Step("given", given, *known), *right


def _by_name(mistake, names):
    """Return a mistake whose changes are functions, by the name of a part."""
    wrong = []
    for change in mistake.wrong:
        new = {
            start: put if start == first else ""
            for (first, end), put in change.items()
            for start in names
            if first <= start < end
        }
        wrong.append(
            {names[n]: functools.partial(_same, put) for n, put in new.items()}
        )
    return Mistake(mistake.name, mistake.idea, *wrong, word=mistake.word)


def _changes(source, line, change, scope):
    """Yield the variants of a change: {(start, end): what comes there}."""
    if each := text.EACH.match(change):
        name, values, change = each.groups()
        with line.at_fault():
            for value in code.elements(values, scope):
                one = re.sub(rf"\b{name}\b", ast.unparse(value), change)
                yield from _changes(source, line, one, scope)
        return
    if every := _EVERY.match(change):
        name, values, change = every.groups()
        each = [re.sub(rf"\b{name}\b", v, change) for v in values.split(", ")]
        change = " | ".join(each)
    new = {}
    for part in change.split(" | "):
        old, arrow, put = f"{part} ".partition(" -> ")
        old, place = old.strip(), source.find(old.strip())
        if not arrow or source.count(old) != 1:
            problem = f"{old!r} is {source.count(old)} times in the solution"
            raise line.error(problem)
        new[place, place + len(old)] = put.strip()
    with line.at_fault():
        ast.parse(_with(source, new))
    yield new


def _with(source, change):
    """Return the source with a change."""
    for (start, end), put in sorted(change.items(), reverse=True):
        source = source[:start] + put + source[end:]
    return source

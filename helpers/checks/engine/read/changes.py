"""Read mistakes that are changes of the solution's own lines.

changes:
    the gradients are not clipped
      Clip after backward() and before step().
      > nn.utils.clip_grad_norm_(model.parameters(), 1.0) -> pass

Each line of the solution is a step, whose value is its text; a mistake puts
another text there. The last step runs what the lines say.
"""

import ast
import functools
import re

from helpers.checks.engine.read import code, text
from helpers.checks.engine.read.steps import Step
from helpers.checks.engine.run import results


def steps(read, arguments, around, count):
    """Return the steps of a Text whose answer has `count` results.

    `around` makes of a changed solution the function that is called.
    """
    lines = code.functions(read.source("solution"))[0].splitlines()
    wrong = functools.partial(_changed, lines)
    mistakes = [
        text.mistake(line, read.scope, wrong) for line in read.tree("changes")
    ]
    names = [_name(number) for number in range(len(lines))]

    def result(c):
        """Run the solution as its lines are now."""
        source = "\n".join(getattr(c, name) for name in names)
        function = around(code.defined(source, read.scope.functions))
        args = [getattr(c, name) for name in arguments]
        args = [arg.copy() if hasattr(arg, "copy") else arg for arg in args]
        arrays = results.read(function(*args), count)["arrays"]
        return arrays if count > 1 else arrays[0]

    written = [
        Step(name, lambda c, line=line: line)
        for name, line in zip(names, lines, strict=True)
    ]
    written[0] = Step(names[0], written[0].right, *mistakes)
    return *written, Step("result", result)


def _name(number):
    return f"line_{number}"


def _changed(lines, line, change, scope):
    """Yield the variants of a change: {name of a line: its new text}."""
    if each := text.EACH.match(change):
        name, values, change = each.groups()
        with line.at_fault():
            for value in code.elements(values, scope):
                one = re.sub(rf"\b{name}\b", ast.unparse(value), change)
                yield from _changed(lines, line, one, scope)
        return
    new = {}
    for part in change.split(" | "):
        old, arrow, put = (part + " ").partition(" -> ")
        old = old.strip()
        places = [n for n, code in enumerate(lines) if old in code]
        if not arrow or len(places) != 1:
            problem = f"{old!r} is in {len(places)} lines of the solution"
            raise line.error(problem)
        (number,) = places
        was = new.get(number, lines[number])
        new[number] = was.replace(old, put.strip(), 1)
    with line.at_fault():
        ast.parse("\n".join({**dict(enumerate(lines)), **new}.values()))
    yield {
        _name(number): lambda c, code=code: code
        for number, code in new.items()
    }

"""Try all single edits of the solutions; what they gave is kept."""

import ast
import functools

from helpers.checks.engine.edit import edits
from helpers.checks.engine.edit.source import Edit, Source
from helpers.checks.engine.read import code
from helpers.checks.engine.run import results, sandbox

_ROUNDS = 1000  # of a loop; the longest one of a solution has a few
_AS_IT_IS = "# not edited"  # beside the def of a solution


class Generated:
    """All single edits of an exercise's solutions, and what they give."""

    def __init__(self, exercise):
        self.exercise = exercise
        self.sources = [
            Source(text)
            for text in code.functions(exercise.solution)
            if _AS_IT_IS not in text.partition("\n")[0]
        ]
        self.functions, self.outcomes = {}, {}
        self.plain = "".join(code.functions(exercise.solution)[:1])

    @functools.cached_property
    def made(self):
        """Pairs of an edit and its source, the shortest edits first."""
        made = [(e, s) for s in self.sources for e in edits.all_of(s)]
        return sorted(made, key=lambda pair: pair[0].rank)

    def explaining(self, trials, is_over):
        """Yield the edits that give all of `trials`, the shortest first."""
        hardest = _order(trials)
        for number, (edit, source) in enumerate(self.made):
            if is_over():
                return
            if all(self._gives(number, edit, source, t) for t in hardest):
                yield edit

    def _gives(self, number, edit, source, trial):
        key = number, id(trial.probe)
        if key not in self.outcomes:
            if number not in self.functions:
                self.functions[number] = compiled(source, edit)
            function = self.functions[number]
            self.outcomes[key] = outcome(self.exercise, function, trial)
        return results.same(trial.got, self.outcomes[key])


@functools.cache
def of(exercise):
    """Return the edits of an exercise; they are made once."""
    return Generated(exercise)


def _order(trials):
    """Put a wrong trial with numbers first: it is the hardest to explain."""
    return sorted(trials, key=lambda t: (t.right, not t.got.arrays))


def compiled(source, *changes):
    """Return the function with some edits, or None if that is no Python."""
    for _, _, new in (spot for edit in changes for spot in edit.spots):
        for node in new if isinstance(new, list) else [new]:
            ast.fix_missing_locations(node)
    undo = [edit.apply() for edit in changes]
    try:
        edited = compile(source.tree, "<edited>", "exec")
    except (TypeError, ValueError, SyntaxError):
        return None
    finally:
        for edit in reversed(undo):
            edit.apply()
    names = code.names() | {"rounds": _rounds}
    exec(edited, names)
    return names[source.function.name]


def watching(source):
    """Return the function; it gives back its variables by name."""
    last = source.function.body[-1]
    new = ast.parse("return locals()").body
    body = [line for line in source.function.body if line is not last]
    spot = source.function, "body", body + new
    return compiled(source, Edit(0, "", "", (spot,)))


def _rounds(values):
    """Yield the values of a loop, but not without end."""
    for number, value in enumerate(values):
        if number == _ROUNDS:
            raise RuntimeError("a loop without end")
        yield value


def outcome(exercise, function, trial):
    """Return what an edited solution gives for the probe of a trial."""
    if function is None:
        return results.Outcome(error="not Python")
    args = [sandbox.copied(arg) for arg in trial.probe.args]
    try:
        value = exercise.around(function)(*args)
        found = results.read(value, len(exercise.results))
    except Exception as error:
        found = {"error": sandbox.message(error)}
    return results.fitted(results.Outcome(**found), trial.want)

"""Name a mistake that no table has: a single edit of the solution.

The edits are tried on the probes, the shorter ones first, until the time is
up; what they gave is kept for the next answer.
"""

import ast
import functools
import re
import sys
import time

import numpy as np

from helpers import attention
from helpers.checks.engine import blanks, edits, results, sandbox
from helpers.checks.engine.source import Edit, Source

SECONDS = 1.0  # of processor time for an answer; twice that of real time
_ROUNDS = 1000  # of a loop; the longest one of a solution has a few
_WRONG = 2  # numbers that must differ from the right ones
_AS_IT_IS = "# not edited"  # beside the def of a solution
_OF_PAIRS = 6  # different wrong numbers that two edits must explain
_FARTHER = 4  # ranks after the shortest edit, for one that gives the same
_OVERFLOW = "overflow"  # in the idea of an edit that gives NaN on purpose

# a fixed number in place of a length or an argument
_FIXED = re.compile(r"`(\d+)` is used instead of `(?!\d)")


class Generated:
    """All single edits of an exercise's solutions, and what they give."""

    def __init__(self, exercise):
        self.exercise = exercise
        self.sources = [
            Source(text)
            for text in functions(exercise)
            if _AS_IT_IS not in text.partition("\n")[0]
        ]
        self.functions, self.outcomes = {}, {}

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

    def explaining_pairs(self, trials, is_over):
        """Yield pairs of edits of one source that give all of `trials`."""
        hardest = _order(trials)
        useful = self._useful(hardest[0])
        for later, (other, source) in enumerate(useful):
            for one, its_source in useful[:later]:
                if is_over():
                    return
                if source is its_source:
                    function = compiled(source, one, other)
                    outcomes = (
                        (t.got, outcome(self.exercise, function, t))
                        for t in hardest
                    )
                    if all(results.same(*pair) for pair in outcomes):
                        yield one, other

    def _useful(self, trial):
        """Return (edit, source) of edits that change the numbers."""
        found = {}
        for number, (edit, source) in enumerate(self.made):
            got = self.outcomes.get((number, id(trial.probe)))
            if got and not got.error and not results.same(got, trial.want):
                numbers = (a.round(6).tobytes() for a in got.arrays)
                key = id(source), got.problem, *numbers
                found.setdefault(key, (edit, source))
        return list(found.values())


def functions(exercise):
    """Return the text of each function of an exercise's solution."""
    lines = exercise.solution.splitlines()
    return [
        "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(exercise.solution).body
    ]


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
        code = compile(source.tree, "<edited>", "exec")
    except (TypeError, ValueError, SyntaxError):
        return None
    finally:
        for edit in reversed(undo):
            edit.apply()
    torch = sys.modules.get("torch")
    names = {"np": np, "attention": attention, "torch": torch}
    names["nn"] = torch and torch.nn
    names["F"] = torch and torch.nn.functional
    names |= {"print": lambda *args: None, "rounds": _rounds}
    exec(code, names)
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


def find(exercise, function, trials):
    """Find an edit of the solution, or two, that gives what came back."""
    if too_plain(trials):
        return None
    is_over = _budget()
    made = of(exercise)
    blind = not any(_numbers(trials))
    found = []
    code = blanks.source(function)
    for edit in made.explaining(trials, is_over):
        if not _stands_in(code, edit):
            continue
        if found and edit.rank > found[0].rank + _FARTHER:
            break
        if not blind or _OVERFLOW in edit.idea:
            found.append(edit)
    if found:
        return _named(found)
    if len(set(_numbers(trials))) < _OF_PAIRS:
        return None
    for pair in made.explaining_pairs(trials, is_over):
        words = ", and ".join(edit.words for edit in pair)
        return f"{words}.", *dict.fromkeys(edit.idea for edit in pair)
    return None


def _stands_in(code, edit):
    """Tell whether a number that an edit names is in the code, if known."""
    named = _FIXED.match(edit.words)
    return not (code and named) or bool(
        re.search(rf"(?<![\w.]){named[1]}(?![\w.])", code)
    )


def _budget():
    """Return a function that tells whether the time is up."""
    processor, clock = time.thread_time(), time.monotonic()

    def is_over():
        used = time.thread_time() - processor
        return max(used, (time.monotonic() - clock) / 2) > SECONDS

    return is_over


def _named(found):
    """Lay out the shortest edit, and one that gives the same result."""
    best, *others = found
    lines = [f"{best.words}.", best.idea]
    others = [e for e in others if e.idea != best.idea]
    for other in others[:1]:
        lines += [f"Or {other.words}: that gives the same result.", other.idea]
    return lines


def _numbers(trials):
    """Yield the numbers that are wrong, without NaN."""
    for t in trials:
        pairs = zip(t.got.arrays, t.want.arrays, strict=False)
        for got, want in pairs:
            if t.right or got.shape != want.shape:
                yield from got[~np.isnan(got)] if not t.right else ()
            else:
                wrong = ~np.isclose(got, want, results.RTOL, results.ATOL)
                yield from got[wrong & ~np.isnan(got)]


def too_plain(trials):
    """Tell whether numbers could have come about in too many ways.

    So it is if all of a result is one number, or if all wrong results are
    0, 1 or -1 where others belong, or if hardly a number is wrong.
    """
    basic = [t for t in trials if t.probe.level == "basic"]
    if not any(t.got.arrays for t in basic):
        return True  # errors alone do not say which edit it was
    wrong = [t for t in trials if t.got.arrays and not t.right]
    arrays = [array for t in wrong for array in t.got.arrays]
    tables = [a for a in arrays if a.size > 1]
    if tables and not any(np.any(a != a.flat[0]) for a in tables):
        return True
    numbers = list(_numbers(trials))
    nan = any(np.isnan(array).any() for array in arrays)
    if len(numbers) < _WRONG and not nan:
        return True
    asked = np.concatenate([a.ravel() for t in trials for a in t.want.arrays])
    plain = set(numbers) <= {-1.0, 0.0, 1.0}
    return plain and not nan and not set(asked) <= {0.0, 1.0}

"""Name a mistake that no table has: a single edit of the solution, or two.

The edits are tried on the probes, the shorter ones first, until the time is
up.
"""

import re

import numpy as np

from helpers.checks.engine.edit import generated
from helpers.checks.engine.explain import learners_code
from helpers.checks.engine.run import budget, results

_WRONG = 2  # numbers that must differ from the right ones
_OF_PAIRS = 6  # different wrong numbers that two edits must explain
_FARTHER = 4  # ranks after the shortest edit, for one that gives the same
_OVERFLOW = "overflow"  # in the idea of an edit that gives NaN on purpose

# a fixed number in place of a length or an argument
_FIXED = re.compile(r"`(\d+)` is used instead of `(?!\d)")


def find(exercise, function, trials):
    """Find an edit of the solution, or two, that gives what came back."""
    if too_plain(trials):
        return None
    made = generated.of(exercise)
    blind = not any(_numbers(trials))
    found = []
    code = learners_code.source(function)
    for edit in made.explaining(trials, budget.is_over):
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
    for pair in made.explaining_pairs(trials, budget.is_over):
        words = ", and ".join(edit.words for edit in pair)
        return f"{words}.", *dict.fromkeys(edit.idea for edit in pair)
    return None


def _stands_in(code, edit):
    """Tell whether a number that an edit names is in the code, if known."""
    named = _FIXED.match(edit.words)
    return not (code and named) or bool(
        re.search(rf"(?<![\w.]){named[1]}(?![\w.])", code)
    )


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

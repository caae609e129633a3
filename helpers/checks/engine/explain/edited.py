"""Name a mistake that no table has: a single edit of the solution.

The edits are tried on the probes, the shorter ones first, until the time is
up.
"""

import numpy as np

from helpers.checks.engine.edit import generated
from helpers.checks.engine.explain import claims, learners_code
from helpers.checks.engine.run import budget, results

_WRONG = 2  # numbers that must differ from the right ones
_FARTHER = 4  # ranks after the shortest edit, for one that gives the same
_OVERFLOW = "overflow"  # in the idea of an edit that gives NaN on purpose
_KEYWORDS = "np attention keepdims axis True False None exp sum".split()


def one(exercise, function, trials):
    """Find an edit of the solution that gives what came back."""
    if too_plain(trials):
        return None
    blind = not any(_numbers(trials))
    found = []
    can_be = _can_be(exercise, function)
    for edit in generated.of(exercise).explaining(trials, budget.is_over):
        if not can_be(edit):
            continue
        if found and edit.rank > found[0].rank + _FARTHER:
            break
        if not blind or _OVERFLOW in edit.idea:
            found.append(edit)
    return _named(found) if found else None


def _can_be(exercise, function):
    """Return a function that tells whether the code can be an edit."""
    code = learners_code.code(function)
    right = generated.of(exercise).plain
    known = {*exercise.arguments, *_KEYWORDS}

    def can_be(edit):
        return claims.fits(code, edit.words, right) and claims.names_fit(
            code, edit.words, known
        )

    return can_be


def _named(found):
    """Lay out the shortest edit, and one that gives the same result."""
    best, *others = found
    lines = [f"{best.words}.", best.idea]
    others = [e for e in others if e.idea != best.idea]
    for other in others[:1]:
        words = f"Or {other.words} (the check cannot tell the two apart)."
        lines = [lines[0], words, lines[1], other.idea]
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

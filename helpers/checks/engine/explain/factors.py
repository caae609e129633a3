"""Find one factor, or one number added, that explains every result."""

import numpy as np

from helpers.checks.engine.run import results

_FEWEST = 6  # numbers that must be explained


def factor(exercise, function, trials):
    """Find one factor, or one number added, in what came back."""
    runs = [t for t in trials if t.got.arrays]
    if all(t.right for t in runs if t.probe.level == "basic"):
        return None
    texts = []
    for place, name in enumerate(exercise.results):
        name = f"`{name}`" if len(exercise.results) > 1 else "the result"
        if any(len(t.got.arrays) <= place for t in runs):
            return None
        pairs = [(t.got.arrays[place], t.want.arrays[place]) for t in runs]
        if not all(results.close(*pair) for pair in pairs):
            text = _relation(runs, pairs)
            if not text:
                return None
            texts.append(f"Every number of {name} is {text}")
    return "the numbers are not right yet.", " ".join(texts)


def _relation(trials, pairs):
    """Say how results differ from the right ones, if all do in one way."""
    if any(a.shape != b.shape or not np.isfinite(a).all() for a, b in pairs):
        return ""
    got, want = (np.concatenate([p[i].ravel() for p in pairs]) for i in (0, 1))
    if not np.isfinite(want).all() or len(want) < _FEWEST or not np.ptp(want):
        return ""
    shift = (got - want).mean()
    if results.close(got, want + shift):
        side = "too large" if shift > 0 else "too small"
        return f"{abs(shift):.3g} {side}."
    if not got.any() or max(b.size for _, b in pairs) == 1:
        pairs = [(got, want)]
    return _multiplied(trials, pairs)


def _multiplied(trials, pairs):
    """Say that one factor explains each pair of results, or return ""."""
    factors = [(a * b).sum() / max((b * b).sum(), 1e-30) for a, b in pairs]
    each = zip(factors, pairs, strict=True)
    if not all(results.close(a, f * b) for f, (a, b) in each):
        return ""
    if np.allclose(factors, factors[0]):
        return f"{factors[0]:.3g} times what it should be."
    some = ", ".join(
        f"{f:.3g} for {t.probe.words}"
        for f, t in zip(factors[:3], trials, strict=False)
    )
    return f"what it should be, times a factor: for example, {some}."

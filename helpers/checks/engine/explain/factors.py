"""Find one factor, or one number added, that explains every result."""

import numpy as np

from helpers.checks.engine.explain import inputs
from helpers.checks.engine.run import results

_RIGHT = "it should be"  # after "what"


def factor(exercise, function, trials):
    """Find one factor, or one number added, alone or with a mistake."""
    runs = [t for t in trials if t.got.arrays]
    if all(t.right for t in runs if t.probe.level == "basic"):
        return None
    text = _scaled(exercise, runs, [t.want for t in runs], _RIGHT)
    if text:
        return "the numbers are not right yet.", f"Every number of {text}"
    for variant in exercise.singles:
        first = exercise.outcome(variant, runs[0].probe)
        if not _is_one_change(runs[0].got, first):
            continue  # in no time, as nearly always
        wants = [exercise.outcome(variant, t.probe) for t in runs]
        text = _scaled(exercise, runs, wants, "this mistake alone gives")
        if text:
            (mistake,) = variant.mistakes
            more = f"Besides, every number of {text}"
            return f"{mistake.name}.", mistake.idea, more
    return None


def _is_one_change(got, want):
    """Tell whether a factor, or a shift, may explain each result."""
    if inputs.shapes(got) != inputs.shapes(want):
        return False
    return all(
        results.close(a, b)
        or results.close(a, (a * b).sum() / max((b * b).sum(), 1e-30) * b)
        or results.close(a, (a - b).mean() + b)
        for a, b in zip(got.arrays, want.arrays, strict=True)
    )


def _scaled(exercise, trials, wants, base):
    """Say so if all that differs from `base` is a factor or a shift."""
    texts = []
    for place, name in enumerate(exercise.results):
        pairs = [
            (t.got.arrays[place], want.arrays[place])
            for t, want in zip(trials, wants, strict=True)
            if len(t.got.arrays) > place and len(want.arrays) > place
        ]
        if len(pairs) < len(trials):
            return ""
        if not all(results.close(*pair) for pair in pairs):
            text = _relation(trials, pairs, base)
            if not text:
                return ""
            texts.append(f"`{name}` is {text}")
    return " Every number of ".join(texts)


def _relation(trials, pairs, base):
    """Say how results differ from `base`, if all do so in the same way."""
    if any(a.shape != b.shape or not np.isfinite(a).all() for a, b in pairs):
        return ""
    got, want = (np.concatenate([p[i].ravel() for p in pairs]) for i in (0, 1))
    if not np.isfinite(want).all() or len(want) < 6 or not np.ptp(want):
        return ""
    if not got.any() or max(b.size for _, b in pairs) == 1:
        pairs = [(got, want)]
    return _shifted(got, want, base) or _multiplied(trials, pairs, base)


def _shifted(got, want, base):
    """Say that one number is added everywhere, or return ""."""
    shift = (got - want).mean()
    if not results.close(got, want + shift):
        return ""
    if base == _RIGHT:
        side = "too large" if shift > 0 else "too small"
        return f"{abs(shift):.3g} {side}."
    side = "more" if shift > 0 else "less"
    return f"{abs(shift):.3g} {side} than what {base}."


def _multiplied(trials, pairs, base):
    """Say that one factor explains each pair of results, or return ""."""
    factors = [(a * b).sum() / max((b * b).sum(), 1e-30) for a, b in pairs]
    each = zip(factors, pairs, strict=True)
    if not all(results.close(a, f * b) for f, (a, b) in each):
        return ""
    if np.allclose(factors, factors[0]):
        return f"{factors[0]:.3f} times what {base}."
    some = ", ".join(
        f"{f:.3f} for {t.probe.words}"
        for f, t in zip(factors[:3], trials, strict=False)
    )
    return f"what {base}, times a factor that depends on the input: {some}."

"""Notebook 03: the variance of a dot product of random vectors."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_SUM = (
    "A dot product is a sum of d_k products. The variances of independent"
    " terms add up."
)
_TERM = (
    "For two independent numbers with mean 0, the variance of their product is"
    " the product of their variances."
)
_ITSELF = "Asked for is the variance itself."
_RANDOM = (
    "Is it an estimate from random vectors? That is a good way to test a"
    " formula, but every run gives another number. Asked for is the formula"
    " itself."
)


def _probe(d_k, var_q, var_k, level="basic"):
    words = f"d_k = {d_k}, variances {var_q:g} and {var_k:g}"
    return Probe(words, (d_k, float(var_q), float(var_k)), level)


def _count(*functions):
    """Turn functions of d_k into wrong steps."""
    return [lambda c, f=f: f(c.d_k) for f in functions]


def _one(*functions):
    """Turn functions of the two variances into wrong steps."""
    return [lambda c, f=f: f(c.var_q, c.var_k) for f in functions]


_SQUARED = Mistake(
    "the variances are taken for standard deviations",
    f"var_q and var_k are squares already. {_TERM}",
    *_one(
        lambda q, k: (q * k) ** 2,
        lambda q, k: q**2 * k,
        lambda q, k: q * k**2,
    ),
)
_terms = Step(
    "terms",
    lambda c: c.d_k,
    Mistake("the number of terms is missing", _SUM, *_count(lambda d: 1)),
    Mistake(
        "d_k is squared",
        f"{_SUM} Only d_k times *the same* term would give d_k squared.",
        *_count(lambda d: d**2),
    ),
    Mistake("d_k stands under a root", f"{_SUM} {_ITSELF}", *_count(np.sqrt)),
    Mistake(
        "divided by d_k, or by its root",
        "That belongs to the *mean* of the products, or to scaled scores. A"
        f" dot product is the plain sum. {_SUM}",
        *_count(lambda d: 1 / d, lambda d: 1 / np.sqrt(d)),
    ),
    Mistake(
        "the number of terms is not d_k",
        f"One term for each number of q. {_SUM}",
        *_count(lambda d: d - 1, lambda d: d + 1, lambda d: d**3),
    ),
    Mistake(
        "a fixed number takes the place of d_k",
        f"{_SUM} d_k differs from input to input.",
        *_count(*(lambda d, n=n: n for n in (16, 64, 10, 4))),
    ),
)
_term = Step(
    "term",
    lambda c: c.var_q * c.var_k,
    Mistake(
        "both variances are missing",
        f"They may be left out for unit variance only. {_TERM}",
        lambda c: 1,
    ),
    Mistake(
        "a fixed number stands for the two variances",
        _TERM,
        *_one(*(lambda q, k, n=n: n for n in (10, 2, 4, 0.5))),
    ),
    Mistake(
        "one of the two variances is missing",
        _TERM,
        *_one(lambda q, k: q, lambda q, k: k),
    ),
    Mistake(
        "the variances are added; they should be multiplied",
        f"They add up for q + k. {_TERM}",
        *_one(lambda q, k: q + k, lambda q, k: (q + k) ** 2),
    ),
    Mistake(
        "the mean of the two variances is taken, not their product",
        _TERM,
        *_one(lambda q, k: (q + k) / 2),
    ),
    Mistake(
        "the variances are added as well as multiplied",
        f"That would be right for numbers with mean 1. {_TERM}",
        *_one(lambda q, k: q + k + q * k),
    ),
    _SQUARED,
    Mistake(
        "the roots of the variances are used",
        f"These are standard deviations. {_TERM}",
        *_one(
            lambda q, k: np.sqrt(q * k),
            lambda q, k: np.sqrt(q) + np.sqrt(k),
        ),
    ),
    Mistake(
        "the variances are divided",
        _TERM,
        *_one(
            lambda q, k: q / (k or np.nan),
            lambda q, k: k / (q or np.nan),
            lambda q, k: 1 / (q * k or np.nan),
        ),
    ),
    Mistake(
        "one variance is used twice, the other not at all",
        f"var_q and var_k must both appear. {_TERM}",
        *_one(lambda q, k: q**2, lambda q, k: k**2),
    ),
    Mistake(
        "only the larger or the smaller of the two variances counts",
        _TERM,
        *_one(max, min, lambda q, k: max(q, k) ** 2),
    ),
)
_variance = Step(
    "variance",
    lambda c: c.terms * c.term,
    Mistake(
        "this is the standard deviation",
        f"It is the root of the variance. {_ITSELF}",
        lambda c: np.sqrt(c.terms * c.term),
    ),
    Mistake(
        "d_k is added, or counts for one variance only",
        f"{_SUM} All of them are alike, so the variance of one term is"
        " multiplied.",
        lambda c: c.terms + c.term,
        lambda c: c.terms * c.var_q + c.var_k,
        lambda c: c.var_q + c.terms * c.var_k,
        lambda c: c.d_k + c.var_q + c.var_k,
    ),
    Mistake(
        "d_k is an exponent here",
        f"The variance of one term is added up, not multiplied. {_SUM}",
        lambda c: c.term**c.terms,
    ),
    Mistake(
        "a number is put in front",
        "Nothing else belongs to the variance.",
        *(lambda c, n=n: n * c.terms * c.term for n in (2, 0.5, 3, 4)),
    ),
    Mistake(
        "this is one number for each term",
        f"They are still to be added up. {_SUM}",
        lambda c: np.full(c.d_k, c.term),
    ),
)


def _near(trials, outcomes):
    """Tell whether numbers are as near as an estimate would be."""
    pairs = [
        (trial.got.arrays[0], outcome.arrays[0])
        for trial, outcome in zip(trials, outcomes, strict=True)
    ]
    if any(one.size != 1 or two.size != 1 for one, two in pairs):
        return False
    off = np.array([abs(one - two) / two for one, two in pairs if two > 0])
    if np.ptp(off) < 1e-6:  # one factor: a formula
        return False
    return np.median(off) < 0.25 and off.max() < 0.6


def _estimate(exercise, trials):
    """Recognize an estimate from random vectors by its nearness."""
    if not all(t.got.arrays for t in trials):
        return None
    if _near(trials, [t.want for t in trials]):
        return (
            "near the right numbers, but not equal to them.",
            f"{_RANDOM} {_SUM} {_TERM}",
        )
    variant = next(v for v in exercise.singles if _SQUARED in v.mistakes)
    if _near(trials, [exercise.outcome(variant, t.probe) for t in trials]):
        return f"{_SQUARED.name}.", f"{_SQUARED.idea} {_RANDOM}"
    return None


dot_product_variance = Exercise(
    name="dot_product_variance",
    call="dot_product_variance(d_k, var_q, var_k)",
    results=("variance",),
    shape="no list, no array",
    steps=(_terms, _term, _variance),
    probes=(
        _probe(3, 2, 5),
        _probe(64, 0.25, 3),
        _probe(5, 0.5, 0.3),
        _probe(16, 1, 1),
        _probe(7, 1.3, 0.9),
        _probe(10, 2.6, 1.7),
        _probe(1, 4, 9, "edge"),
        _probe(8, 0, 2, "edge"),
    ),
    recognize=_estimate,
    praise="A typical score grows with the root of d_k.",
)

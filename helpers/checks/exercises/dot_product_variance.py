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
_ROOT = "The standard deviation is the root of the variance."


def _probe(d_k, var_q, var_k, level="basic"):
    words = f"d_k = {d_k}, variances {var_q:g} and {var_k:g}"
    return Probe(words, (d_k, float(var_q), float(var_k)), level)


_SQUARED = Mistake(
    "the variances are taken for standard deviations",
    f"var_q and var_k are squares already. {_TERM}",
    lambda c: (c.var_q * c.var_k) ** 2,
    lambda c: c.var_q**2 * c.var_k,
    lambda c: c.var_q * c.var_k**2,
    lambda c: c.var_q**2,
    lambda c: c.var_k**2,
)
_terms = Step(
    "terms",
    lambda c: c.d_k,
    Mistake(
        "the number of terms is missing",
        f"This is the variance of one term. {_SUM}",
        lambda c: 1,
    ),
    Mistake(
        "d_k is squared",
        f"{_SUM} Only d_k times *the same* term would give d_k squared.",
        lambda c: c.d_k**2,
    ),
    Mistake(
        "d_k stands under a root",
        f"{_SUM} {_ROOT} Asked for is the variance itself.",
        lambda c: np.sqrt(c.d_k),
    ),
    Mistake(
        "divided by d_k, or by its root",
        "That belongs to the *mean* of the products, or to scaled scores. A"
        f" dot product is the plain sum. {_SUM}",
        lambda c: 1 / c.d_k,
        lambda c: 1 / c.d_k**2,
        lambda c: 1 / np.sqrt(c.d_k),
        lambda c: 1 / (c.d_k - 1 or np.nan),
    ),
    Mistake(
        "the number of terms is not d_k",
        f"One term for each number of q. {_SUM}",
        lambda c: c.d_k - 1,
        lambda c: c.d_k + 1,
        lambda c: c.d_k // 2,
        lambda c: c.d_k * (c.d_k - 1),
        lambda c: c.d_k * (c.d_k + 1) / 2,
        lambda c: c.d_k**3,
    ),
    Mistake(
        "another function of d_k takes the place of d_k",
        _SUM,
        lambda c: np.log(c.d_k),
        lambda c: np.log2(c.d_k),
        lambda c: 2.0**c.d_k,
        lambda c: np.exp(c.d_k),
        lambda c: c.d_k**1.5,
    ),
    Mistake(
        "a fixed number takes the place of d_k",
        f"{_SUM} d_k differs from input to input.",
        *(lambda c, n=n: n for n in (16, 64, 10, 256, 4, 1024, 2)),
    ),
)
_term = Step(
    "term",
    lambda c: c.var_q * c.var_k,
    Mistake(
        "this is right for unit variance only",
        f"With other variances each term has another one. {_TERM}",
        lambda c: 1,
    ),
    Mistake(
        "one of the two variances is missing",
        _TERM,
        lambda c: c.var_q,
        lambda c: c.var_k,
    ),
    Mistake(
        "the two variances are added where they multiply",
        f"They add up for q + k. {_TERM}",
        lambda c: c.var_q + c.var_k,
        lambda c: (c.var_q + c.var_k) / 2,
        lambda c: (c.var_q + c.var_k) ** 2,
        lambda c: np.hypot(c.var_q, c.var_k),
        lambda c: c.var_q**2 + c.var_k**2,
    ),
    Mistake(
        "the variances are added as well as multiplied",
        f"That would be right for numbers with mean 1. {_TERM}",
        lambda c: c.var_q + c.var_k + c.var_q * c.var_k,
        lambda c: 1 + c.var_q * c.var_k,
        lambda c: (1 + c.var_q) * (1 + c.var_k),
    ),
    _SQUARED,
    Mistake(
        "the roots of the variances are used",
        f"These are standard deviations. {_TERM}",
        lambda c: np.sqrt(c.var_q * c.var_k),
        lambda c: np.sqrt(c.var_q) * c.var_k,
        lambda c: c.var_q * np.sqrt(c.var_k),
        lambda c: np.sqrt(c.var_q) + np.sqrt(c.var_k),
        lambda c: np.sqrt(c.var_q + c.var_k),
        lambda c: np.sqrt(c.var_q),
        lambda c: np.sqrt(c.var_k),
        lambda c: (np.sqrt(c.var_q) + np.sqrt(c.var_k)) ** 2,
    ),
    Mistake(
        "the variances are divided or subtracted",
        _TERM,
        lambda c: c.var_q / (c.var_k or np.nan),
        lambda c: c.var_k / (c.var_q or np.nan),
        lambda c: 1 / (c.var_q * c.var_k or np.nan),
        lambda c: 1 / (c.var_q or np.nan),
        lambda c: 1 / (c.var_k or np.nan),
        lambda c: c.var_q - c.var_k,
        lambda c: abs(c.var_q - c.var_k),
    ),
    Mistake(
        "one variance is used in the place of the other",
        _TERM,
        lambda c: max(c.var_q, c.var_k),
        lambda c: min(c.var_q, c.var_k),
        lambda c: max(c.var_q, c.var_k) ** 2,
    ),
    Mistake(
        "a power takes the place of the product",
        _TERM,
        lambda c: c.var_q**c.var_k,
        lambda c: c.var_k**c.var_q,
    ),
)
_variance = Step(
    "variance",
    lambda c: c.terms * c.term,
    Mistake(
        "this is the standard deviation",
        f"{_ROOT} Asked for is the variance, which the scores are not divided"
        " by.",
        lambda c: np.sqrt(c.terms * c.term),
    ),
    Mistake(
        "this is the scale, not the variance",
        "One over the root of the variance is what scores are multiplied by."
        " Asked for is the variance itself.",
        lambda c: 1 / np.sqrt(c.terms * c.term or np.nan),
        lambda c: 1 / (c.terms * c.term or np.nan),
        {
            "term": lambda c: 1,
            "variance": lambda c: 1 / np.sqrt(c.terms * c.term or np.nan),
        },
    ),
    Mistake(
        "the number of terms is added, or counts for one variance only",
        f"{_SUM} All of them are alike, so the variance of one term is"
        " multiplied.",
        lambda c: c.terms + c.term,
        lambda c: c.terms * c.var_q + c.var_k,
        lambda c: c.var_q + c.terms * c.var_k,
        lambda c: c.d_k + c.var_q + c.var_k,
        lambda c: (c.terms + c.var_q) * c.var_k,
        lambda c: (c.terms + c.var_k) * c.var_q,
    ),
    Mistake(
        "d_k is an exponent here",
        f"The variance of one term is added up, not multiplied. {_SUM}",
        lambda c: c.term**c.terms,
        lambda c: float(c.terms) ** c.term,
    ),
    Mistake(
        "the variance is squared",
        "The variance is a square already.",
        lambda c: (c.terms * c.term) ** 2,
    ),
    Mistake(
        "a logarithm is taken",
        "Asked for is the variance itself.",
        lambda c: np.log(c.terms * c.term or np.nan),
    ),
    Mistake(
        "a number is put in front",
        f"Nothing else belongs to the variance. {_TERM}",
        *(
            lambda c, n=n: n * c.terms * c.term
            for n in (2, 0.5, 3, 4, 10, np.pi)
        ),
    ),
    Mistake(
        "a number is added to the variance",
        _SUM,
        *(lambda c, n=n: c.terms * c.term + n for n in (1, -1, 2, -2, 3)),
    ),
    Mistake(
        "one number for each term",
        f"They are still to be added up. {_SUM}",
        lambda c: np.full(c.d_k, c.term),
        lambda c: np.full(c.d_k, c.terms * c.term),
    ),
)


_RANDOM = (
    "Is it an estimate from random vectors? That is a good way to test a"
    " formula, but every run gives another number. Asked for is the formula"
    " itself."
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
    return np.median(off) < 0.15 and off.max() < 0.6


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

"""The softmax of a row in one pass, a block of keys after the other.

Of the record: c.rows (R, T), the scores; c.values (T, d_v); c.columns, the
slices of the blocks.
"""

import numpy as np

from helpers.checks.engine import Mistake, Step

_MEASURE = (
    "All terms must be measured from the same highest score. When it rises"
    " from old to new, what was added up before is too large by the factor"
    " exp(new - old), the total and the mix alike."
)


def _highest(c):
    """The highest score of each row up to the end of each block."""
    return [
        c.rows[:, : part.stop].max(axis=1, keepdims=True) for part in c.columns
    ]


def _before(c):
    return [np.full_like(c.highest[0], -np.inf), *c.highest[:-1]]


def _rescales(c):
    pairs = zip(_before(c), c.highest, strict=True)
    return [np.exp(old - new) for old, new in pairs]


def _turned(c):
    return [1 / factor for factor in _rescales(c)]


def _ones(c):
    return [np.ones_like(new) for new in c.highest]


def _both(total, mix):
    """Make the step whose factors come from two functions."""
    return lambda c: {"total": total(c), "mix": mix(c)}


def _folded(factors, terms):
    """Add up terms; before each, rescale what is there."""
    sum_ = 0.0
    for factor, term in zip(factors, terms, strict=True):
        sum_ = sum_ * factor + term
    return sum_


def _sums(c):
    """What each block adds to the total."""
    return [term.sum(axis=1, keepdims=True) for term in c.terms]


def _mixes(c, weights=lambda term: term):
    """What each block adds to the mix."""
    pairs = zip(c.terms, c.columns, strict=True)
    return [weights(term) @ c.values[part] for term, part in pairs]


def _scaled(c, name, parts):
    """Rescale what is new as well."""
    pairs = zip(c.factors[name], parts, strict=True)
    return _folded(c.factors[name], [f * part for f, part in pairs])


def _each(c, function):
    return [function(c.rows[:, part], part) for part in c.columns]


def _own(c):
    """The highest score of each row in each block alone."""
    return _each(c, lambda s, part: s.max(axis=1, keepdims=True))


highest = Step(
    "highest",
    _highest,
    Mistake(
        "the highest score is not subtracted",
        "exp of a large score overflows. Measure from the highest score that"
        " has come so far.",
        lambda c: [np.zeros((len(c.rows), 1)) for _ in c.columns],
    ),
    Mistake(
        "the highest score is that of the new scores alone",
        "An older score may be higher: compare the new ones with the highest"
        " so far.",
        _own,
    ),
    Mistake(
        "the highest score starts too high",
        "All scores may lie far below 0; then every exp is 0. Begin at"
        " -np.inf.",
        lambda c: [np.maximum(new, 0) for new in _highest(c)],
    ),
    Mistake(
        "one highest score serves all rows",
        "Each query has a highest score of its own: a maximum along the keys,"
        " with keepdims=True.",
        lambda c: [
            np.full((len(c.rows), 1), c.rows[:, : part.stop].max())
            for part in c.columns
        ],
    ),
)
factors = Step(
    "factors",
    _both(_rescales, _rescales),
    *(
        Mistake(f"{what} when a higher score comes", _MEASURE, _both(*which))
        for what, *which in (
            ("nothing is rescaled", _ones, _ones),
            ("the mix is not rescaled", _rescales, _ones),
            ("the total is not rescaled", _ones, _rescales),
        )
    ),
    Mistake(
        "it is rescaled the wrong way round",
        f"{_MEASURE} exp(old - new) takes it out again: at most 1.",
        _both(_turned, _turned),
    ),
)
terms = Step(
    "terms",
    lambda c: [
        np.exp(c.rows[:, part] - new)
        for part, new in zip(c.columns, c.highest, strict=True)
    ],
    Mistake(
        "the new scores are measured from the old highest score",
        "They come after the change: subtract the new highest one.",
        lambda c: [
            np.exp(c.rows[:, part] - old)
            for part, old in zip(c.columns, _before(c), strict=True)
        ],
    ),
    Mistake(
        "the scores themselves are added up, without exp",
        "A weight is exp(score - highest), divided by the total at the end.",
        lambda c: _each(c, lambda s, part: s),
    ),
)
total = Step(
    "total",
    lambda c: _folded(c.factors["total"], _sums(c)),
    Mistake(
        "the new terms are rescaled as well",
        "Only what was there before is rescaled; then the new terms come.",
        {
            "total": lambda c: _scaled(c, "total", _sums(c)),
            "mix": lambda c: _scaled(c, "mix", _mixes(c)),
        },
        {"mix": lambda c: _scaled(c, "mix", _mixes(c))},
        {"total": lambda c: _scaled(c, "total", _sums(c))},
    ),
    Mistake(
        "what came before is lost",
        "Total and mix both keep their old part, times the rescale. Do yours?"
        " Then look for `highest = new` at the end of the loop: without it"
        " the rescale is exp(-inf) = 0 each time.",
        {"total": lambda c: _sums(c)[-1], "mix": lambda c: _mixes(c)[-1]},
        {
            "highest": _own,
            "total": lambda c: _sums(c)[-1],
            "mix": lambda c: _mixes(c)[-1],
        },
    ),
    Mistake(
        "the old total is not kept",
        "total = total * rescale + new terms: both are needed.",
        lambda c: _sums(c)[-1],
    ),
)
mix = Step(
    "mix",
    lambda c: _folded(c.factors["mix"], _mixes(c)),
    Mistake(
        "the old mix is not kept",
        "mix = mix * rescale + new terms times their values: both are needed.",
        lambda c: _mixes(c)[-1],
    ),
    Mistake(
        "the values are added without their weights",
        "Each value counts with exp(score - highest).",
        lambda c: _folded(c.factors["mix"], _mixes(c, np.ones_like)),
    ),
)
context = Step(
    "context",
    lambda c: c.mix / c.total,
    Mistake(
        "the mix is not divided by the total",
        "The terms do not sum to 1 yet: at the end, once, divide by total.",
        lambda c: c.mix,
    ),
    Mistake(
        "it is divided by the number of keys",
        "The terms sum to total: divide by that.",
        lambda c: c.mix / c.rows.shape[1],
    ),
)

ONLINE = (highest, factors, terms, total, mix, context)

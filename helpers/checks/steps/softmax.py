"""The softmax over the keys, in four steps: shift, exp, total, divide.

They start from c.scaled, one row of scores for each query.
"""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import on, softmax, t, total

_SHIFT = (
    "Subtracting the same number from all scores of a row changes no weight."
    " Which number of the row makes exp safe?"
)
_SUM = "Weights sum to 1 only after division by their own sum."


def _top(s, axis=-1):
    return s.max(axis=axis, keepdims=True)


def _less(*functions):
    """Subtract ``function(scores)``."""
    return on("scaled", *(lambda s, f=f: s - f(s) for f in functions))


def _plain(**steps):
    """Subtract nothing, and change other steps as well."""
    return {"shifted": lambda c: c.scaled, **steps}


def _no_nan(c):
    return np.nan_to_num(c.exponents / c.totals)


shifted = Step(
    "shifted",
    _less(_top)[0],
    Mistake(
        "large scores overflow",
        "The power of a very large score is infinity for the computer, and"
        f" infinity / infinity is NaN. {_SHIFT}",
        lambda c: c.scaled,
        *_less(
            lambda s: s.mean(),
            lambda s: s.min(),
            lambda s: s[..., :1],
            lambda s: s[..., -1:],
            lambda s: np.median(s, axis=-1, keepdims=True),
            lambda s: _top(np.abs(s)),
            *(lambda s, n=n: n for n in (10, 100, 700, 1000)),
        ),
        _plain(weights=_no_nan),
    ),
    Mistake(
        "the highest score is added, not subtracted",
        "Added, it makes large scores larger still. Subtracted, it leaves no"
        " score above 0.",
        *_less(lambda s: -_top(s), lambda s: -s.max()),
    ),
    Mistake(
        "a row far below the others loses all its weights",
        "In a row far below the others every exp becomes 0, and 0 / 0 is NaN:"
        " the highest score of the whole table is not enough. Each row needs a"
        " number of its own.",
        *_less(np.max),
        {"shifted": _less(np.max)[0], "weights": _no_nan},
    ),
    Mistake(
        "the highest score of one row is subtracted from all rows",
        "Another row may lie far above it, or far below. Each row needs a"
        " number of its own.",
        *_less(lambda s: s[..., :1, :].max(), lambda s: s[..., -1:, :].max()),
    ),
    Mistake(
        "the highest score of each column is subtracted, not of each row",
        "Only a number that is the same for the whole row leaves its weights"
        " as they are. Take the highest score along the keys.",
        *_less(lambda s: _top(s, -2)),
    ),
    Mistake(
        "the highest scores have lost their axis",
        "Without keepdims=True the highest scores lose their axis, and"
        " broadcasting lines them up with the columns: on a square table every"
        " number meets another row's maximum.",
        *_less(lambda s: s.max(axis=-1)),
    ),
    Mistake(
        "the position of the highest score is subtracted, not the score",
        "argmax gives a position; max gives the score itself.",
        *_less(
            lambda s: s.argmax(axis=-1)[..., None],
            lambda s: s.argmax(axis=-1),
            np.argmax,
        ),
    ),
    Mistake(
        "the highest of the powers is subtracted, not of the scores",
        "exp comes after the subtraction.",
        *_less(lambda s: _top(np.exp(s)), lambda s: np.exp(s).max()),
    ),
    Mistake(
        "each score is divided by the highest instead of subtracting it",
        "A quotient changes the differences between scores, and so the"
        f" weights. {_SHIFT}",
        *on("scaled", lambda s: s / _top(s), lambda s: s / s.max()),
    ),
    Mistake(
        "large scores are cut off",
        "Beyond the limit all scores look equal, so 1000 and 1001 get the same"
        f" weight. {_SHIFT}",
        *on(
            "scaled",
            *(
                lambda s, n=n, low=low: np.clip(s, low, n)
                for n in (700, 709, 500, 100, 50, 20, 10)
                for low in (-n, -np.inf)
            ),
        ),
    ),
    Mistake(
        "the scores are standardized",
        "Dividing by the standard deviation changes the differences between"
        " scores, and so the weights.",
        lambda c: (
            (c.scaled - c.scaled.mean(axis=-1, keepdims=True))
            / c.scaled.std(axis=-1, keepdims=True)
        ),
    ),
    Mistake(
        "the scores are scaled before the softmax",
        "Scaling is the subject of notebook 03; here the scores are used as"
        " they are.",
        *on(
            "scaled",
            lambda s: s / np.sqrt(s.shape[-1]),
            lambda s: s / s.shape[-1],
            *(lambda s, f=f: s * f for f in (0.5, 2)),
        ),
    ),
    Mistake(
        "low scores get the large weights",
        "The sign is turned around: a higher score means a larger weight.",
        *on(
            "scaled",
            np.negative,
            lambda s: s.min(axis=-1, keepdims=True) - s,
            lambda s: _top(s) - s,
        ),
    ),
    Mistake(
        "the sign of the scores is lost",
        "A score of -2 must get less than a score of 0.",
        *on("scaled", np.abs, np.square, lambda s: np.maximum(s, 0)),
    ),
    Mistake(
        "the table is transposed before the softmax",
        "Rows are queries and columns are keys, before the softmax and after"
        " it.",
        lambda c: t(c.scaled) - _top(t(c.scaled)),
    ),
)
# where the scores come from an argument, not from a scale
shifted_otherwise = (
    Mistake(
        "the mean of the row is subtracted, not its highest score",
        f"The largest exponent may still be far above 0. {_SHIFT}",
        *_less(lambda s: s.mean(axis=-1, keepdims=True)),
    ),
    Mistake(
        "the lowest score is subtracted, not the highest",
        "The exponents are then 0 or more, and scores far apart still"
        " overflow.",
        *_less(lambda s: s.min(axis=-1, keepdims=True)),
    ),
)

exponents = Step(
    "exponents",
    lambda c: np.exp(c.shifted),
    Mistake(
        "exp is missing",
        "Scores may be negative or 0. exp makes each of them a positive number"
        " and keeps their order.",
        lambda c: c.shifted,
        _plain(exponents=lambda c: c.scaled),
        _plain(exponents=lambda c: np.maximum(c.scaled, 0)),
        _plain(exponents=lambda c: np.abs(c.scaled)),
        {
            "shifted": _less(lambda s: s.min(axis=-1, keepdims=True))[0],
            "exponents": lambda c: c.shifted,
        },
    ),
    Mistake(
        "the base of the power is not e",
        "Another base makes the weights more even, or less: softmax uses"
        " np.exp.",
        lambda c: 2.0**c.shifted,
        lambda c: 10.0**c.shifted,
    ),
    Mistake(
        "each score is squashed by a sigmoid",
        "A sigmoid looks at one score alone. In a softmax the keys of a row"
        " compete.",
        _plain(exponents=lambda c: 1 / (1 + np.exp(-c.scaled))),
        _plain(
            exponents=lambda c: 1 / (1 + np.exp(-c.scaled)),
            totals=lambda c: 1.0,
        ),
    ),
)


def _totals(*functions):
    return on("exponents", *functions)


totals = Step(
    "totals",
    lambda c: total(c.exponents),
    Mistake(
        "the softmax runs over the queries, not over the keys",
        "Rows are queries: the weights of each query for all keys sum to 1, so"
        " the softmax runs along the keys, the last axis.",
        *_totals(lambda e: total(e, -2)),
        {
            "shifted": _less(lambda s: _top(s, -2))[0],
            "totals": lambda c: total(c.exponents, -2),
        },
    ),
    Mistake(
        "the softmax runs over the whole table",
        "Each query has weights of its own: every row should sum to 1.",
        {"shifted": _less(np.max)[0], "totals": lambda c: c.exponents.sum()},
        *_totals(np.sum),
    ),
    Mistake(
        "the totals have lost their axis",
        "Without keepdims=True the totals lose their axis, and broadcasting"
        " lines them up with the columns: on a square table every number meets"
        " another row's total.",
        *_totals(lambda e: e.sum(axis=-1)),
        {
            "shifted": _less(lambda s: s.max(axis=-1))[0],
            "totals": lambda c: c.exponents.sum(axis=-1),
        },
    ),
    Mistake(
        "the rows are not divided by their totals",
        "exp makes the scores positive. They become weights when each row is"
        " divided by its own total.",
        lambda c: 1.0,
        _plain(totals=lambda c: 1.0),
    ),
    Mistake(
        "divided by the highest number of the row, not by its sum",
        "They become weights when each row is divided by its sum.",
        *_totals(_top, np.max),
    ),
    Mistake(
        "divided by the total of the scores, not of their powers",
        "The parts of a row sum to 1 when each is divided by the sum of the"
        " same parts: the results of exp, not the scores.",
        lambda c: total(c.scaled),
        lambda c: total(c.shifted),
        lambda c: np.exp(total(c.scaled)),
        _plain(totals=lambda c: np.exp(total(c.scaled))),
    ),
    Mistake(
        "only one side of the fraction has the highest score subtracted",
        "It cancels only if it stands above and below the line: divide by the"
        " sum of the same powers that stand above it.",
        lambda c: total(np.exp(c.scaled)),
        _plain(totals=lambda c: total(np.exp(c.scaled - _top(c.scaled)))),
    ),
    Mistake(
        "divided by the mean of each column, not by the sum of each row",
        f"{_SUM} It runs along the keys.",
        *_totals(lambda e: e.mean(axis=-2, keepdims=True)),
    ),
    Mistake(
        "divided by a mean, a length or a count, not by the sum",
        _SUM,
        *_totals(
            lambda e: e.mean(axis=-1, keepdims=True),
            lambda e: np.sqrt(total(e**2)),
            lambda e: e.shape[-1],
        ),
    ),
    Mistake(
        "something is added to the total",
        _SUM,
        *_totals(
            *(lambda e, n=n: total(e) + n for n in (1, 0.1, 0.01, 1e-3, 1e-4))
        ),
    ),
)


def _divided(*functions):
    return [lambda c, f=f: f(c.exponents / c.totals) for f in functions]


def _hard(c):
    return 1.0 * (c.scaled == _top(c.scaled))


def _masked(mask):
    return lambda c: softmax(
        np.where(mask(*c.scaled.shape[-2:]), c.scaled, -np.inf)
    )


weights = Step(
    "weights",
    lambda c: c.exponents / c.totals,
    Mistake(
        "only the highest score gets something",
        "That is a hard choice. In a softmax every key gets a weight.",
        lambda c: np.eye(c.scaled.shape[-1])[c.scaled.argmax(axis=-1)],
        _hard,
        lambda c: _hard(c) / total(_hard(c)),
    ),
    Mistake(
        "the softmax is taken twice",
        "The second softmax takes weights for scores.",
        *_divided(softmax),
    ),
    Mistake(
        "the weights are transposed",
        "Rows are queries and columns are keys, before the softmax and after"
        " it.",
        *_divided(t),
    ),
    Mistake(
        "later tokens are left out",
        "That is a causal mask, for models that write text word by word. Here"
        " every token may look at every token.",
        _masked(np.tri),
        *_divided(np.tril),
    ),
    Mistake(
        "the weights are scaled after the softmax",
        "Nothing is to be divided or multiplied after the softmax.",
        *_divided(
            lambda w: w / np.sqrt(w.shape[-1]),
            lambda w: w / w.shape[-1],
            lambda w: w * w.shape[-1],
        ),
    ),
    Mistake(
        "the softmax is missing",
        "Scores are not weights: they may be negative and sum to anything.",
        lambda c: c.scaled,
    ),
    Mistake(
        "the weights are normalized a second time along the other axis",
        "One softmax along the keys is enough.",
        *_divided(lambda w: w / total(w, -2)),
    ),
)

"""The softmax over the keys, in four steps: shift, exp, total, divide.

They start from c.scaled, one row of scores for each query.
"""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import softmax, t, total

_SHIFT = (
    "Subtracting the same number from all scores of a row changes no weight."
    " Which number of the row makes exp safe?"
)


def _less(function):
    """Subtract ``function(scores)``."""
    return lambda c: c.scaled - function(c.scaled)


shifted = Step(
    "shifted",
    _less(lambda s: s.max(axis=-1, keepdims=True)),
    Mistake(
        "large scores overflow",
        "Right for small scores; but exp(1000) is too large for the computer"
        " and becomes infinity, and infinity / infinity is NaN; exp(-1000)"
        " becomes 0, and so does the"
        f" row's total. {_SHIFT}",
        lambda c: c.scaled,
        _less(lambda s: s.mean(axis=-1, keepdims=True)),
        _less(lambda s: s.min(axis=-1, keepdims=True)),
        _less(lambda s: s.mean()),
        _less(lambda s: s.min()),
        _less(lambda s: np.median(s, axis=-1, keepdims=True)),
        _less(lambda s: total(s)),
        _less(lambda s: np.abs(s).max(axis=-1, keepdims=True)),
        _less(lambda s: s[..., :1]),
        _less(lambda s: s[..., -1:]),
        *(_less(lambda s, n=n: n) for n in (1.0, 10.0, 100.0, 700.0, 1000.0)),
        {
            "shifted": lambda c: c.scaled,
            "weights": lambda c: np.nan_to_num(c.exponents / c.totals),
        },
    ),
    Mistake(
        "the highest score is added, not subtracted",
        "Added, it makes large scores larger still: exp overflows earlier than"
        " before. Subtracted, it leaves no score above 0.",
        _less(lambda s: -s.max(axis=-1, keepdims=True)),
        _less(lambda s: -s.max()),
    ),
    Mistake(
        "a row far below the others loses all its weights",
        "In a row far below the others every exp becomes 0, and 0 / 0 is NaN:"
        " the highest score of the whole table is not enough, nor is a wider"
        " type of number. Each row needs a number of its own.",
        _less(lambda s: s.max()),
        {
            "shifted": _less(lambda s: s.max()),
            "weights": lambda c: np.nan_to_num(c.exponents / c.totals),
        },
    ),
    Mistake(
        "the highest score of one row is subtracted from all rows",
        "Another row may lie far above it, or far below: its exp overflows or"
        " becomes 0. Each row needs a number of its own.",
        _less(lambda s: s[..., :1, :].max()),
        _less(lambda s: s[..., -1:, :].max()),
    ),
    Mistake(
        "the highest score of each column is subtracted, not of each row",
        "Only a number that is the same for the whole row leaves its weights"
        " as they are. Take the highest score along the keys.",
        _less(lambda s: s.max(axis=-2, keepdims=True)),
        _less(lambda s: t(s.max(axis=-2, keepdims=True))),
    ),
    Mistake(
        "the highest scores have lost their axis",
        "Without keepdims=True the highest score of each row loses its axis,"
        " and broadcasting lines it up with the columns. On a square table"
        " nothing crashes: every number meets another row's maximum.",
        _less(lambda s: s.max(axis=-1)),
    ),
    Mistake(
        "the position of the highest score is subtracted, not the score",
        "argmax gives a position; max gives the score itself.",
        _less(lambda s: s.argmax(axis=-1)[..., None]),
        _less(lambda s: s.argmax(axis=-1)),
        _less(lambda s: s.argmax()),
    ),
    Mistake(
        "the highest of the powers is subtracted, not of the scores",
        "exp comes after the subtraction. exp(50) has 22 digits: with that"
        " subtracted from the scores, every power is 0, and 0 / 0 is NaN.",
        _less(lambda s: np.exp(s).max(axis=-1, keepdims=True)),
        _less(lambda s: np.exp(s).max()),
    ),
    Mistake(
        "each score is divided by the highest instead of subtracting it",
        "A quotient changes the differences between scores, and so the"
        f" weights. {_SHIFT}",
        lambda c: c.scaled / c.scaled.max(axis=-1, keepdims=True),
        lambda c: c.scaled / c.scaled.max(),
        lambda c: c.scaled / np.abs(c.scaled).max(axis=-1, keepdims=True),
        lambda c: c.scaled / np.abs(c.scaled).max(),
    ),
    Mistake(
        "large scores are cut off",
        "Beyond the limit all scores look equal, so 1000 and 1001 get the same"
        f" weight. {_SHIFT}",
        *(
            lambda c, n=n: np.clip(c.scaled, -n, n)
            for n in (700, 500, 100, 50, 20, 10)
        ),
        *(lambda c, n=n: np.minimum(c.scaled, n) for n in (700, 500, 100)),
    ),
    Mistake(
        "the scores are standardized",
        "Dividing by the standard deviation changes the differences between"
        " scores, and so the weights. Only the subtraction is free.",
        lambda c: (
            (c.scaled - c.scaled.mean(axis=-1, keepdims=True))
            / c.scaled.std(axis=-1, keepdims=True)
        ),
        lambda c: (c.scaled - c.scaled.mean()) / c.scaled.std(),
    ),
    Mistake(
        "the scores are scaled before the softmax",
        "A factor makes the weights more even, or sharper. Scaling is the"
        " subject of notebook 03; here the scores are used as they are.",
        lambda c: c.scaled / np.sqrt((c.scaled**2).sum()),
        *(
            lambda c, f=f, axis=axis: c.scaled / f(c.scaled.shape[axis])
            for f in (np.sqrt, float)
            for axis in (-1, -2)
        ),
        *(lambda c, f=f: c.scaled * f for f in (0.5, 2, 0.1, 10)),
        lambda c: c.scaled / np.sqrt(total(c.scaled**2)),
        lambda c: c.scaled / total(c.scaled),
        lambda c: c.scaled / c.scaled.std(),
    ),
    Mistake(
        "low scores get the large weights",
        "The sign is turned around: a higher score means a larger weight.",
        lambda c: -c.scaled,
        lambda c: c.scaled.min(axis=-1, keepdims=True) - c.scaled,
        lambda c: c.scaled.max(axis=-1, keepdims=True) - c.scaled,
    ),
    Mistake(
        "the sign of the scores is lost",
        "A score of -2 must get less than a score of 0. exp keeps the order"
        " of the scores; a square or an absolute value does not.",
        lambda c: np.abs(c.scaled),
        lambda c: c.scaled**2,
    ),
    Mistake(
        "negative scores count as 0",
        "A negative score is a small weight, not the weight of a 0. exp makes"
        " every score positive and keeps their order.",
        lambda c: np.maximum(c.scaled, 0),
    ),
    Mistake(
        "the table is transposed before the softmax",
        "Rows are queries and columns are keys, before the softmax and after"
        " it.",
        lambda c: t(c.scaled) - t(c.scaled).max(axis=-1, keepdims=True),
    ),
)


exponents = Step(
    "exponents",
    lambda c: np.exp(c.shifted),
    Mistake(
        "exp is missing",
        "Scores may be negative, and then so are these weights; a total near 0"
        " blows them up. exp makes every score positive first and keeps their"
        " order.",
        lambda c: c.shifted,
        {"shifted": lambda c: c.scaled, "exponents": lambda c: c.scaled},
        {
            "shifted": _less(lambda s: s.min(axis=-1, keepdims=True)),
            "exponents": lambda c: c.shifted,
        },
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: np.maximum(c.scaled, 0),
        },
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: np.abs(c.scaled),
        },
        {"shifted": lambda c: c.scaled, "exponents": lambda c: c.scaled**2},
        {
            "shifted": _less(lambda s: s.min(axis=-1, keepdims=True)),
            "exponents": lambda c: c.shifted,
            "totals": lambda c: c.shifted.max(axis=-1, keepdims=True),
        },
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: c.scaled,
            "totals": lambda c: np.sqrt(total(c.scaled**2)),
        },
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: c.scaled,
            "totals": lambda c: c.scaled.max(axis=-1, keepdims=True),
        },
    ),
    Mistake(
        "the base of the power is not e",
        "The weights are too even, or too uneven: softmax uses np.exp.",
        lambda c: 2.0**c.shifted,
        lambda c: 10.0**c.shifted,
    ),
    Mistake(
        "another function takes the place of exp",
        "Softmax uses np.exp: what is one higher gets e times the weight.",
        lambda c: np.expm1(c.shifted),
        lambda c: np.exp(c.shifted**2),
        lambda c: np.log1p(np.exp(c.shifted)),
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: np.log1p(np.exp(c.scaled)),
        },
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: np.log(np.abs(c.scaled)),
        },
    ),
    Mistake(
        "each score is squashed by a sigmoid",
        "A sigmoid looks at one score alone. In a softmax the keys compete:"
        " exp of the score, divided by the sum of exp over the whole row.",
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: 1 / (1 + np.exp(-c.scaled)),
        },
        {
            "shifted": lambda c: c.scaled,
            "exponents": lambda c: 1 / (1 + np.exp(-c.scaled)),
            "totals": lambda c: 1.0,
        },
    ),
)


totals = Step(
    "totals",
    lambda c: total(c.exponents),
    Mistake(
        "the softmax runs over the queries, not over the keys",
        "Here every column sums to 1. Rows are queries: each query has weights"
        " for all keys that sum to 1, so the softmax runs along the keys, the"
        " last axis.",
        lambda c: total(c.exponents, -2),
        {
            "shifted": _less(lambda s: s.max(axis=-2, keepdims=True)),
            "totals": lambda c: total(c.exponents, -2),
        },
    ),
    Mistake(
        "the softmax runs over the whole table",
        "All numbers together sum to 1. Each query has weights of its own:"
        " every row sums to 1.",
        {
            "shifted": _less(lambda s: s.max()),
            "totals": lambda c: c.exponents.sum(),
        },
        lambda c: c.exponents.sum(),
    ),
    Mistake(
        "the totals have lost their axis",
        "Without keepdims=True the total of each row loses its axis, and"
        " broadcasting lines it up with the columns. On a square table nothing"
        " crashes: every number meets another row's total.",
        lambda c: c.exponents.sum(axis=-1),
        {
            "shifted": _less(lambda s: s.max(axis=-1)),
            "totals": lambda c: c.exponents.sum(axis=-1),
        },
    ),
    Mistake(
        "the rows are not divided by their totals",
        "exp makes the scores positive. They become weights when each row is"
        " divided by its own total.",
        lambda c: 1.0,
        {"shifted": lambda c: c.scaled, "totals": lambda c: 1.0},
    ),
    Mistake(
        "divided by the highest number of the row, not by its sum",
        "The highest number of each row is now 1. (With the highest score"
        " subtracted it is 1 from the start: to divide by it, or by 1, changes"
        " nothing.) They become weights when each row is divided by its sum.",
        lambda c: c.exponents.max(axis=-1, keepdims=True),
        lambda c: c.exponents.max(),
    ),
    Mistake(
        "divided by the total of the scores, not of their powers",
        "The parts of a row sum to 1 when each is divided by the sum of the"
        " same parts: the results of exp, not the scores.",
        lambda c: total(c.scaled),
        lambda c: total(c.shifted),
        lambda c: np.exp(total(c.scaled)),
        lambda c: np.exp(total(c.shifted)),
        {
            "shifted": lambda c: c.scaled,
            "totals": lambda c: np.exp(total(c.scaled)),
        },
    ),
    Mistake(
        "only one side of the fraction has the highest score subtracted",
        "exp(-highest) cancels only if it stands above and below the line:"
        " divide by the sum of the same powers that stand above it.",
        lambda c: total(np.exp(c.scaled)),
        {
            "shifted": lambda c: c.scaled,
            "totals": lambda c: total(
                np.exp(c.scaled - c.scaled.max(axis=-1, keepdims=True))
            ),
        },
    ),
    Mistake(
        "divided by a mean, a length or a count, not by the sum",
        "Weights sum to 1 only after division by their sum.",
        lambda c: c.exponents.mean(axis=-1, keepdims=True),
        lambda c: np.sqrt(total(c.exponents**2)),
        lambda c: c.exponents.shape[-1],
        lambda c: c.exponents.shape[-2],
        lambda c: c.exponents.size,
        lambda c: len(c.exponents),
        lambda c: np.sqrt(c.exponents.shape[-1]),
    ),
    Mistake(
        "something is added to the total",
        "Weights sum to 1 only after division by their own sum.",
        lambda c: total(c.exponents) + 1,
        *(
            lambda c, e=e: total(c.exponents) + e
            for e in (0.1, 0.01, 1e-3, 1e-4)
        ),
    ),
    Mistake(
        "a number is missing in the total",
        "The total of a row is the sum of all its powers.",
        lambda c: total(c.exponents) - c.exponents,
        lambda c: total(c.exponents[..., :-1]),
        lambda c: total(c.exponents[..., 1:]),
        lambda c: total(c.exponents) - 1,
    ),
    Mistake(
        "multiplied by the total instead of divided",
        "Weights sum to 1 after division by their sum.",
        lambda c: 1 / total(c.exponents),
    ),
)


def _hard(w):
    return np.eye(w.shape[-1])[w.argmax(axis=-1)]


def _causal(w):
    return np.tril(w)


def _again(w):
    return w / total(w)


weights = Step(
    "weights",
    lambda c: c.exponents / c.totals,
    Mistake(
        "these are the logarithms of the weights",
        "A weight lies between 0 and 1, and a row sums to 1. The logarithm is"
        " useful later, in a loss.",
        lambda c: c.shifted - np.log(c.totals),
        lambda c: np.log(c.exponents / c.totals),
    ),
    Mistake(
        "only the highest score gets something",
        "That is a hard choice. Softmax is its soft form: every key gets a"
        " weight, and a small change of a score changes it a little.",
        lambda c: _hard(c.scaled),
        lambda c: 1.0 * (c.scaled == c.scaled.max(axis=-1, keepdims=True)),
        lambda c: _again(
            1.0 * (c.scaled == c.scaled.max(axis=-1, keepdims=True))
        ),
        lambda c: _hard(c.scaled) * (c.exponents / c.totals),
    ),
    Mistake(
        "the softmax is taken twice",
        "The second softmax takes weights for scores. As they all lie between"
        " 0 and 1, it makes them nearly even.",
        lambda c: softmax(c.exponents / c.totals),
    ),
    Mistake(
        "the weights are transposed",
        "Rows are queries and columns are keys, before the softmax and after"
        " it.",
        lambda c: t(c.exponents / c.totals),
    ),
    Mistake(
        "later tokens are left out",
        "That is a causal mask, for models that write text word by word. Here"
        " every token may look at every token.",
        lambda c: _again(_causal(c.exponents)),
        lambda c: _causal(c.exponents / c.totals),
        lambda c: _causal(c.exponents) / total(_causal(c.exponents), -2),
        lambda c: _again(t(_causal(t(c.exponents)))),
        lambda c: softmax(np.tril(c.scaled)),
        lambda c: softmax(
            np.where(np.tri(*c.scaled.shape[-2:]), c.scaled, -np.inf)
        ),
    ),
    Mistake(
        "the token's own key is left out",
        "The diagonal belongs to the weights: a token is a key as well.",
        lambda c: _again(c.exponents * (1 - np.eye(*c.exponents.shape[-2:]))),
        lambda c: softmax(
            np.where(np.eye(*c.scaled.shape[-2:]), -np.inf, c.scaled)
        ),
        lambda c: (
            c.exponents / c.totals * (1 - np.eye(*c.exponents.shape[-2:]))
        ),
    ),
    Mistake(
        "the weights are subtracted from 1",
        "A higher score means a larger weight.",
        lambda c: 1 - c.exponents / c.totals,
    ),
    Mistake(
        "the weights do not come from the scores",
        "All keys get the same. The weights come from exp of each score,"
        " divided by the sum of its row.",
        lambda c: np.full_like(c.scaled, 1 / c.scaled.shape[-1]),
    ),
    Mistake(
        "the weights are scaled after the softmax",
        "The rows of the weights sum to 1, and nothing is to be divided after"
        " that.",
        lambda c: c.exponents / c.totals / np.sqrt(c.scaled.shape[-1]),
        lambda c: c.exponents / c.totals / c.scaled.shape[-1],
        lambda c: c.exponents / c.totals * c.scaled.shape[-1],
    ),
    Mistake(
        "the softmax is missing",
        "Scores are not weights: they may be negative and sum to anything.",
        lambda c: c.scaled,
    ),
    Mistake(
        "the weights are normalized a second time along the other axis",
        "One softmax along the keys is enough.",
        lambda c: c.exponents / c.totals / total(c.exponents / c.totals, -2),
    ),
)

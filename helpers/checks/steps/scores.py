"""From vectors to scores: the dot product of each query with each key."""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import softmax, t, total

_PAIRS = (
    "The score of tokens i and j is row i times row j, summed over their"
    " numbers."
)


def given(*names):
    """Return steps that take x as it is for each of `names`."""
    return tuple(Step(name, lambda c: c.x) for name in names)


def _unit(x):
    return x / np.sqrt(total(x * x))


def _centered(x, axis):
    return x - x.mean(axis=axis, keepdims=True)


def _both(change):
    """Change query and key alike."""
    return {
        "query": lambda c: change(c.x),
        "key": lambda c: change(c.x),
    }


def _differences(c):
    return c.query[..., :, None, :] - c.key[..., None, :, :]


def _squares(c):
    return (_differences(c) ** 2).sum(axis=-1)


def _right(c):
    return c.query @ t(c.key)


def _masked(mask, fill=0.0):
    """Keep the scores where ``mask(i, j, T)`` is true."""

    def wrong(c):
        right = _right(c)
        i, j = np.indices(right.shape[-2:])
        return np.where(mask(i, j, right.shape[-1]), right, fill)

    return wrong


vectors = Step(
    "vectors",
    lambda c: c.x,
    Mistake(
        "these are cosines",
        "The lengths of the vectors are divided out. The dot product keeps"
        " them: a longer vector gets larger scores.",
        _both(_unit),
        {"query": lambda c: _unit(c.x)},
        {"key": lambda c: _unit(c.x)},
        {"query": lambda c: c.x / np.sqrt((c.x * c.x).sum())},
    ),
    Mistake(
        "the mean is subtracted first",
        "Covariance and correlation center the vectors. The dot product takes"
        " them as they are.",
        _both(lambda x: _centered(x, -2)),
        _both(lambda x: _centered(x, -1)),
        {"query": lambda c: _centered(c.x, -2)},
        {"query": lambda c: _centered(c.x, -1)},
        _both(lambda x: _unit(_centered(x, -1))),
        _both(lambda x: _centered(x, -1) / np.sqrt(x.shape[-1] - 1)),
        _both(lambda x: _centered(x, -2) / x.std(axis=-2, keepdims=True)),
    ),
    Mistake(
        "the minus signs of x are lost",
        "Tokens that point in opposite directions have a negative score.",
        _both(np.abs),
        {"query": lambda c: np.abs(c.x)},
    ),
    Mistake(
        "x has been changed before the product",
        "The rows of x are used as they are.",
        _both(np.square),
        {"query": lambda c: c.x**2},
        _both(softmax),
        _both(np.exp),
        _both(np.tanh),
        _both(lambda x: x / 2),
        _both(lambda x: np.maximum(x, 0)),
    ),
)

scores = Step(
    "scores",
    _right,
    Mistake(
        "this compares columns, not tokens",
        _PAIRS + " The product in the other order has a row for each column"
        " of x.",
        lambda c: t(c.query) @ c.key,
    ),
    Mistake(
        "this multiplies number by number",
        _PAIRS + " The operator * makes no sums; @ does.",
        lambda c: c.query * c.key,
        lambda c: c.query * t(c.key),
    ),
    Mistake(
        "the second factor is not transposed",
        _PAIRS + " In A @ B the rows of A meet the columns of B: in the"
        " second factor the tokens must stand in the columns.",
        lambda c: c.query @ c.key,
    ),
    Mistake(
        "a reshape takes the place of the transpose",
        "A reshape pours the numbers in reading order into the new shape. .T"
        " makes columns of the rows.",
        lambda c: (
            c.query @ c.key.reshape(*c.key.shape[:-2], *t(c.key).shape[-2:])
        ),
    ),
    Mistake(
        "both factors are transposed",
        "Only the second factor lies on its side: its columns are tokens.",
        lambda c: t(c.query) @ t(c.key),
    ),
    Mistake(
        "queries and keys have changed places",
        "Rows are queries and columns are keys: query @ key transposed.",
        lambda c: c.key @ t(c.query),
    ),
    Mistake(
        "only the score of each token with itself",
        "Every token is compared with every token: T times T scores.",
        lambda c: (c.query * c.key).sum(axis=-1),
        lambda c: (c.query * c.key).sum(axis=-1, keepdims=True),
        lambda c: total(c.query * c.key) + np.zeros(c.key.shape[-2]),
        lambda c: _right(c) * np.eye(c.key.shape[-2]),
    ),
    Mistake(
        "the scores are summed up",
        "Keep one score for each pair of tokens; nothing is added up yet.",
        lambda c: _right(c).sum(axis=-1),
        lambda c: _right(c).sum(axis=-1, keepdims=True),
        lambda c: (c.query * c.key).sum(),
        lambda c: (c.query * c.key).sum(axis=0),
    ),
    Mistake(
        "only the last product of each sum is kept",
        _PAIRS + " In a loop `=` forgets what came before; `+=` adds up.",
        lambda c: c.query[..., -1:] * t(c.key[..., -1:]),
    ),
    Mistake(
        "a number of the vectors is left out",
        _PAIRS + " Does a loop start at 1, or end one number too early?",
        lambda c: c.query[..., 1:] @ t(c.key[..., 1:]),
        lambda c: c.query[..., :-1] @ t(c.key[..., :-1]),
        lambda c: c.query[..., :1] @ t(c.key[..., :1]),
    ),
    Mistake(
        "the products are not yet summed",
        _PAIRS + " The sum over the last axis is missing.",
        lambda c: c.query[..., :, None, :] * c.key[..., None, :, :],
    ),
    Mistake(
        "every number is multiplied with every number",
        _PAIRS + " The result has one number for each pair of *tokens*.",
        lambda c: np.outer(c.query, c.key),
    ),
    Mistake(
        "the products are averaged, not summed",
        "Averaging divides the scores by the width. A dot product is the sum.",
        lambda c: (c.query[..., :, None, :] * c.key[..., None, :, :]).mean(
            axis=-1
        ),
    ),
    Mistake(
        "numbers are added where they should be multiplied",
        _PAIRS,
        lambda c: (c.query[..., :, None, :] + c.key[..., None, :, :]).sum(
            axis=-1
        ),
        lambda c: (
            c.query.sum(axis=-1)[..., :, None]
            * c.key.sum(axis=-1)[..., None, :]
        ),
    ),
    Mistake(
        "the tokens are not compared with themselves",
        "The diagonal belongs to the table: a token is a key as well.",
        _masked(lambda i, j, n: i != j),
        _masked(lambda i, j, n: i != j, -np.inf),
        _masked(lambda i, j, n: i != j, -1e9),
        _masked(lambda i, j, n: i != j, 1.0),
    ),
    Mistake(
        "one token is left out",
        _PAIRS + " Does a loop start at 1, or end one token early?",
        _masked(lambda i, j, n: (i < n - 1) & (j < n - 1)),
        _masked(lambda i, j, n: (i > 0) & (j > 0)),
        _masked(lambda i, j, n: j < n - 1),
        _masked(lambda i, j, n: j > 0),
        lambda c: _right(c)[..., :-1, :-1],
        lambda c: _right(c)[..., 1:, 1:],
    ),
    Mistake(
        "half of the table is empty",
        "Token i with token j and token j with token i both have their place,"
        " although here they hold the same number.",
        _masked(lambda i, j, n: j <= i),
        _masked(lambda i, j, n: j >= i),
        _masked(lambda i, j, n: j < i),
        _masked(lambda i, j, n: j > i),
    ),
    Mistake(
        "these are distances",
        "A distance is 0 between equal tokens. The dot product multiplies"
        " matching numbers and adds them up.",
        _squares,
        lambda c: -_squares(c),
        lambda c: np.sqrt(_squares(c)),
        lambda c: -np.sqrt(_squares(c)),
        lambda c: np.abs(_differences(c)).sum(axis=-1),
        lambda c: 1 / (1 + np.sqrt(_squares(c))),
    ),
    Mistake(
        "something is added on the diagonal",
        "The score of a token with itself is a dot product like all others.",
        lambda c: _right(c) + np.eye(c.key.shape[-2]),
        lambda c: _right(c) - np.eye(c.key.shape[-2]),
    ),
    Mistake(
        "the table of scores is multiplied with itself",
        "One product is enough.",
        lambda c: _right(c) @ _right(c),
    ),
)


def _root(axis):
    return lambda c: c.scores / np.sqrt(c.query.shape[axis])


def _length(axis):
    return lambda c: c.scores / c.query.shape[axis]


# for exercises that ask for no scale; learned.py has the other kind
scale = Step(
    "scaled",
    lambda c: c.scores,
    Mistake(
        "the scores are scaled",
        "Scaling by the width is the subject of notebook 03, where you"
        " measure what it is for. Here the plain dot product is asked for.",
        _root(-1),
        _length(-1),
        _root(-2),
        _length(-2),
        lambda c: c.scores * np.sqrt(c.query.shape[-1]),
        *(lambda c, f=f: c.scores * f for f in (0.5, 2, 0.1, 10)),
        lambda c: c.scores / c.scores.std(),
        lambda c: c.scores / np.abs(c.scores).max(),
        lambda c: c.scores / c.scores.max(),
        lambda c: c.scores / c.scores.max(axis=-1, keepdims=True),
    ),
    Mistake(
        "the sign of the scores is lost",
        "Tokens that point in opposite directions have a negative score.",
        lambda c: np.abs(c.scores),
        lambda c: c.scores**2,
        lambda c: np.maximum(c.scores, 0),
    ),
)
# what follows where the scores themselves are asked for
finished = Step(
    "finished",
    lambda c: c.scaled,
    Mistake(
        "the rows of scores are normalized",
        "The scores stay as they are.",
        lambda c: c.scaled / total(c.scaled),
        lambda c: _centered(c.scaled, -1),
        lambda c: _unit(c.scaled),
    ),
    Mistake(
        "a softmax is taken already",
        "The softmax is the next step. Scores may be negative.",
        lambda c: softmax(c.scaled),
        lambda c: softmax(c.scaled, -2),
        lambda c: np.exp(c.scaled),
    ),
)

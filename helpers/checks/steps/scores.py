"""From vectors to scores: the dot product of each query with each key."""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import on, softmax, t, total

_PAIRS = (
    "The score of tokens i and j is row i times row j, summed over their"
    " numbers."
)


def given(*names):
    """Return steps that take x as it is for each of `names`."""
    return tuple(Step(name, lambda c: c.x) for name in names)


def _unit(x):
    return x / np.sqrt(total(x * x))


def _centered(x, axis=-1):
    return x - x.mean(axis=axis, keepdims=True)


def _changed(*changes):
    """Change query and key alike, or the query alone."""
    for f in changes:
        query, key = on("x", f, f)
        yield from ({"query": query, "key": key}, {"query": query})


def _between(c, operator=np.multiply):
    """Every query with every key, number by number: (T, T, d)."""
    return operator(c.query[..., :, None, :], c.key[..., None, :, :])


def _squares(c):
    return (_between(c, np.subtract) ** 2).sum(axis=-1)


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
        *_changed(_unit),
    ),
    Mistake(
        "the mean is subtracted first",
        "The dot product takes the vectors as they are.",
        *_changed(_centered, lambda x: _centered(x, -2)),
    ),
)

scores = Step(
    "scores",
    _right,
    Mistake(
        "this compares columns, not tokens",
        _PAIRS + " x.T @ x has a row for each column of x.",
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
        _PAIRS + " In A @ B the rows of A meet the columns of B.",
        lambda c: c.query @ c.key,
    ),
    Mistake(
        "a reshape takes the place of the transpose",
        "A reshape fills the new shape in reading order. .T makes columns of"
        " the rows.",
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
        lambda c: total(c.query * c.key),
        lambda c: _right(c) * np.eye(c.key.shape[-2]),
    ),
    Mistake(
        "the scores are summed up",
        "Keep one score for each pair of tokens; nothing is added up yet.",
        lambda c: _right(c).sum(axis=-1),
        lambda c: (c.query * c.key).sum(),
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
    ),
    Mistake(
        "the sum runs over the tokens, not over the numbers of each",
        _PAIRS + " Those numbers lie along the last axis.",
        *(
            lambda c, f=f, axis=axis: f(_between(c), axis=axis)
            for f in (np.sum, np.mean)
            for axis in (-3, -2)
        ),
    ),
    Mistake(
        "the products are not yet summed",
        _PAIRS + " The sum over the last axis is missing.",
        _between,
    ),
    Mistake(
        "every number is multiplied with every number",
        _PAIRS + " The result has one number for each pair of *tokens*.",
        lambda c: np.outer(c.query, c.key),
    ),
    Mistake(
        "the products are averaged, not summed",
        "Averaging divides the scores by the width. A dot product is the sum.",
        lambda c: _between(c).mean(axis=-1),
    ),
    Mistake(
        "the tokens are not compared with themselves",
        "The diagonal belongs to the table: a token is a key as well.",
        *(_masked(lambda i, j, n: i != j, n) for n in (0, -np.inf, -1e9, 1)),
    ),
    Mistake(
        "one token is left out",
        _PAIRS + " Does a loop start at 1, or end one token early?",
        _masked(lambda i, j, n: (i < n - 1) & (j < n - 1)),
        _masked(lambda i, j, n: (i > 0) & (j > 0)),
        _masked(lambda i, j, n: j < n - 1),
        lambda c: _right(c)[..., :-1, :-1],
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
        lambda c: np.abs(_between(c, np.subtract)).sum(axis=-1),
    ),
)

# for exercises that ask for no scale; learned.py has the other kind
scale = Step(
    "scaled",
    lambda c: c.scores,
    Mistake(
        "the scores are scaled",
        "Scaling is the subject of notebook 03, where you measure what it is"
        " for. Here the plain dot product is asked for.",
        *(
            lambda c, f=f, axis=axis: c.scores / f(c.query.shape[axis])
            for axis in (-1, -2)
            for f in (np.sqrt, float)
        ),
        lambda c: c.scores * np.sqrt(c.query.shape[-1]),
        *(lambda c, f=f: c.scores * f for f in (0.5, 2, 0.1)),
        lambda c: c.scores / c.scores.max(),
    ),
    Mistake(
        "the sign of the scores is lost",
        "Tokens that point in opposite directions have a negative score.",
        *on("scores", np.abs, np.square, lambda s: np.maximum(s, 0)),
    ),
)
# what follows where the scores themselves are asked for
finished = Step(
    "finished",
    lambda c: c.scaled,
    Mistake(
        "the decimals are cut off",
        "Is the table made of integers, or is int() taken?",
        *on("scaled", np.trunc),
    ),
    Mistake(
        "a softmax is taken already",
        "The softmax is the next step. Scores may be negative.",
        *on("scaled", softmax, lambda s: softmax(s, -2), np.exp),
    ),
)

"""Notebook 02: take each query's favorite key away, and share out again."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import WEIGHTS, softmax, total

_ROWS = (
    "Each query has a favorite of its own: look along its row, the last axis."
)
_ZERO = (
    "A score of 0 is no weight of 0: exp(0) is 1. What must not be seen needs"
    " a score of minus infinity, or is divided out after the softmax."
)
_SUM = (
    "The weight that is gone must go to the other keys, so that every row"
    " sums to 1 again."
)


def _apart(seed, *shape):
    """Return scores without ties, some of them negative."""
    order = np.random.default_rng(seed).permutation(np.prod(shape))
    return order.reshape(shape) / 4 - 1


def _best(x, axis=-1, choose=np.argmax):
    """Mark the chosen entry along an axis."""
    place = np.expand_dims(choose(x, axis=axis), axis)
    marks = np.zeros(x.shape, bool)
    np.put_along_axis(marks, place, True, axis=axis)
    return marks


def _after(c):
    """Return the weights with the favorite set to 0."""
    return np.where(c.top, 0, softmax(c.scores))


def _favorites_as_rows(c):
    """Take the place of each favorite for the number of a row."""
    marks = np.zeros(c.scores.shape, bool)
    marks[c.scores.argmax(axis=-1)] = True
    return marks


def _rows_left(c):
    """Take the softmax; a row without a key gets zeros."""
    return np.nan_to_num(softmax(c.hidden))


_top = Step(
    "top",
    lambda c: _best(c.scores),
    Mistake(
        "the smallest score of each query is hidden",
        "Asked for is the favorite: the largest.",
        lambda c: _best(c.scores, choose=np.argmin),
    ),
    Mistake(
        "the favorite query of each key is hidden",
        _ROWS,
        lambda c: _best(c.scores, axis=-2),
    ),
    Mistake(
        "only the largest score of the whole table is hidden",
        _ROWS,
        lambda c: c.scores == c.scores.max(),
    ),
    Mistake(
        "the same key is hidden from all queries",
        _ROWS,
        lambda c: (
            np.zeros(c.scores.shape, bool)
            | (np.arange(c.scores.shape[-1]) == c.scores[0].argmax())
        ),
        lambda c: (
            np.zeros(c.scores.shape, bool)
            | (
                np.arange(c.scores.shape[-1])
                == c.scores.argmax() % c.scores.shape[-1]
            )
        ),
        lambda c: np.zeros(c.scores.shape, bool) | _best(c.scores).any(axis=0),
    ),
    Mistake(
        "the largest number is taken without its sign",
        "A score of -3 is small, however far it is from 0.",
        lambda c: _best(np.abs(c.scores)),
    ),
    Mistake(
        "the first key is hidden, or the last",
        "argmax(axis=-1) says where each row has its largest score.",
        lambda c: (
            np.zeros(c.scores.shape, bool)
            | (np.arange(c.scores.shape[-1]) == 0)
        ),
        lambda c: (
            np.zeros(c.scores.shape, bool)
            | (np.arange(c.scores.shape[-1]) == c.scores.shape[-1] - 1)
        ),
    ),
    Mistake(
        "all keys but the favorite are hidden",
        "It is the favorite that goes; the others stay.",
        lambda c: ~_best(c.scores),
    ),
    Mistake(
        "the diagonal is hidden",
        _ROWS,
        lambda c: np.eye(*c.scores.shape, dtype=bool),
    ),
    Mistake(
        "the largest scores lie in a row, for lack of keepdims=True",
        "The maxima must stand in a column, (T_q, 1), so that each meets its"
        " own row of scores.",
        lambda c: c.scores == c.scores.max(axis=-1),
    ),
    Mistake("nothing is hidden", _ROWS, lambda c: c.scores > np.inf),
    Mistake(
        "whole rows are hidden: queries, not keys",
        "scores[i] is row i, a query. The favorite is one entry of each row.",
        {"top": _favorites_as_rows, "weights": _rows_left},
        {
            "top": _favorites_as_rows,
            "weights": lambda c: softmax(c.hidden),
        },
    ),
)
_hidden = Step(
    "hidden",
    lambda c: np.where(c.top, -np.inf, c.scores),
    Mistake("the score is set to 0", _ZERO, lambda c: c.scores * ~c.top),
    Mistake(
        "the score is lowered, but not far enough",
        "A hidden key has a score of minus infinity; with a finite score it"
        " still gets weight.",
        *(lambda c, n=n: np.where(c.top, n, c.scores) for n in (-1, -10)),
        lambda c: np.where(c.top, -c.scores, c.scores),
        lambda c: np.where(
            c.top, c.scores.min(axis=-1, keepdims=True), c.scores
        ),
    ),
    Mistake(
        "minus infinity is multiplied by 0",
        "That is not a number (NaN). np.where chooses without multiplying.",
        lambda c: c.scores + np.multiply(c.top, -np.inf),
    ),
    Mistake(
        "the score is set to plus infinity, or very large",
        "A hidden key needs the lowest score there is: minus infinity.",
        lambda c: np.where(c.top, 1e9, c.scores),
    ),
)
_weights = Step(
    "weights",
    lambda c: softmax(c.hidden),
    Mistake(
        "the weight is set to 0 after the softmax, and the rest is left",
        _SUM,
        _after,
    ),
    Mistake(
        "the lost weight is shared out evenly",
        "Divide each row by its new sum: then the other keys keep their"
        " proportions.",
        lambda c: np.where(
            c.top,
            0,
            _after(c) + (1 - total(_after(c))) / (c.scores.shape[-1] - 1),
        ),
        lambda c: _after(c) + (1 - total(_after(c))) / c.scores.shape[-1],
    ),
    Mistake(
        "the rows are divided by the sum of the whole table",
        "Every row has a sum of its own: axis=-1, keepdims=True.",
        lambda c: _after(c) / _after(c).sum(),
    ),
    Mistake(
        "the softmax runs over the queries",
        "The weights of one query sum to 1: along the keys, axis=-1.",
        lambda c: softmax(c.hidden, axis=-2),
        lambda c: np.nan_to_num(softmax(c.hidden, axis=-2)),
    ),
    Mistake(
        "a second softmax is taken of the weights",
        "The softmax is taken of scores. Weights are shared out anew by a"
        " division, or the favorite is hidden before the softmax.",
        lambda c: softmax(np.where(c.top, -np.inf, softmax(c.scores))),
        lambda c: softmax(_after(c)),
    ),
    Mistake(
        "the softmax is missing",
        "Asked for are weights, not scores.",
        lambda c: c.hidden,
    ),
    Mistake(
        "the exponentials are not divided by their sum",
        _SUM,
        lambda c: np.exp(c.hidden),
    ),
)

hide_top = Exercise(
    name="hide_top",
    call="hide_top(scores)",
    results=("weights",),
    shape="one row per query, one column per key, as the scores",
    steps=(_top, _hidden, _weights),
    probes=(
        Probe("2 queries and 3 keys", (_apart(441, 2, 3),)),
        Probe("4 queries and 3 keys", (_apart(442, 4, 3),)),
        Probe("3 queries and 3 keys", (_apart(443, 3, 3),)),
        Probe("3 queries and 5 keys", (_apart(444, 3, 5),)),
        Probe("all scores negative", (-1 - _apart(445, 3, 4) - 2,), "edge"),
        Probe("two keys only", (_apart(446, 3, 2),), "edge"),
    ),
    properties=WEIGHTS,
    praise="Hidden before the softmax, or divided out after it.",
)

"""Notebook 01: the scores of all pairs of tokens in one matrix product."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import STACKED, table, total, turned

_PAIRS = (
    "Each token is one row of x. The score of tokens i and j is row i times"
    " row j, summed over their numbers."
)


def _scores(x):
    return x @ turned(x)


def _unit(x):
    return x / np.sqrt(total(x * x))


def _differences(x):
    return x[..., :, None, :] - x[..., None, :, :]


def _squares(x):
    return (_differences(x) ** 2).sum(axis=-1)


def _centered(x, axis):
    return _scores(x - x.mean(axis=axis, keepdims=True))


SCALED = Bug(
    "the scores are scaled",
    (
        lambda x: _scores(x) / np.sqrt(x.shape[-1]),
        lambda x: _scores(x) / x.shape[-1],
        lambda x: _scores(x) / np.sqrt(x.shape[-2]),
        lambda x: _scores(x) / x.shape[-2],
    ),
    "Scaling by the width is the subject of notebook 03, where you"
    " measure what it is for. Here the plain dot product is asked for.",
)
NO_SIGN = Bug(
    "the sign of the scores is lost",
    (
        lambda x: np.abs(_scores(x)),
        lambda x: _scores(np.abs(x)),
        lambda x: np.abs(x) @ turned(x),
    ),
    "Tokens that point in opposite directions have a negative score.",
)
SUMMED = Bug(
    "the scores are summed up",
    (
        lambda x: _scores(x).sum(axis=-1),
        lambda x: _scores(x).sum(axis=-1, keepdims=True),
    ),
    "Keep one score for each pair of tokens; nothing is added up yet.",
)
SHARES_ALREADY = Bug(
    "these are shares already",
    (lambda x: softmax(_scores(x)), lambda x: np.exp(_scores(x))),
    "The softmax is the next step. Scores may be negative.",
)
ACROSS_SENTENCES = Bug(
    "this compares tokens across sentences",
    (lambda x: np.inner(x, x), lambda x: np.dot(x, turned(x))),
    "np.dot and np.inner take every row of one with every row of the"
    " other. The operator @ keeps the sentences apart.",
)

BUGS = (
    Bug(
        "this compares columns, not tokens",
        lambda x: turned(x) @ x,
        _PAIRS + " The product in the other order has a row for each column"
        " of x.",
    ),
    Bug(
        "this multiplies number by number",
        (lambda x: x * x, lambda x: x * turned(x)),
        _PAIRS + " The operator * makes no sums; @ does.",
    ),
    Bug(
        "x is multiplied with itself as it stands",
        lambda x: x @ x,
        _PAIRS + " In A @ B the rows of A meet the columns of B: in the"
        " second factor the tokens must stand in the columns.",
    ),
    Bug(
        "these are cosines",
        (lambda x: _scores(_unit(x)), lambda x: _unit(x) @ turned(x)),
        "The lengths of the vectors are divided out. The dot product keeps"
        " them: a longer vector gets larger scores.",
    ),
    SCALED,
    Bug(
        "only the score of each token with itself",
        (
            lambda x: (x * x).sum(axis=-1),
            lambda x: _scores(x) * np.eye(x.shape[-2]),
        ),
        "Every token is compared with every token: T times T scores.",
    ),
    SUMMED,
    Bug(
        "this is the row of one query only",
        (
            lambda x: x[0] @ x.T,
            lambda x: x[1] @ x.T,
            lambda x: x[-1] @ x.T,
            lambda x: x[:1] @ x.T,
            lambda x: _scores(x) * np.eye(x.shape[-2])[:1].T,
        ),
        "Every token is a query, and gets a row of its own. If you use a"
        " loop: is `return` inside the loop?",
    ),
    Bug(
        "only the last product of each sum is kept",
        lambda x: x[..., -1:] * turned(x[..., -1:]),
        _PAIRS + " In a loop `=` forgets what came before; `+=` adds up.",
    ),
    Bug(
        "the products are not yet summed",
        lambda x: x[..., :, None, :] * x[..., None, :, :],
        _PAIRS + " The sum over the last axis is missing.",
    ),
    Bug(
        "the tokens are not compared with themselves",
        (
            lambda x: _scores(x) * (1 - np.eye(x.shape[-2])),
            lambda x: np.where(np.eye(x.shape[-2]), -np.inf, _scores(x)),
        ),
        "The diagonal belongs to the table: a token is a key as well.",
    ),
    Bug(
        "one token is left out",
        tuple(
            lambda x, hide=hide: np.where(
                hide(np.arange(x.shape[-2])), 0, _scores(x)
            )
            for hide in (
                lambda i: (i == i[-1]) | (i == i[-1])[:, None],
                lambda i: (i == 0) | (i == 0)[:, None],
                lambda i: i == i[-1],
                lambda i: i == 0,
                lambda i: (i == i[-1])[:, None],
                lambda i: (i == 0)[:, None],
            )
        ),
        _PAIRS + " Does a loop start at 1, or end one token early?",
    ),
    Bug(
        "half of the table is empty",
        (
            lambda x: np.tril(_scores(x)),
            lambda x: np.triu(_scores(x)),
            lambda x: np.tril(_scores(x), -1),
            lambda x: np.triu(_scores(x), 1),
        ),
        "Token i with token j and token j with token i both have their place,"
        " although here they hold the same number.",
    ),
    Bug(
        "these are distances",
        (
            _squares,
            lambda x: -_squares(x),
            lambda x: np.sqrt(_squares(x)),
            lambda x: -np.sqrt(_squares(x)),
            lambda x: np.abs(_differences(x)).sum(axis=-1),
        ),
        "A distance is 0 between equal tokens. The dot product multiplies"
        " matching numbers and adds them up.",
    ),
    Bug(
        "the mean is subtracted first",
        (
            lambda x: _centered(x, -2),
            lambda x: (x - x.mean(axis=-2, keepdims=True)) @ turned(x),
            lambda x: _centered(x, -1),
            lambda x: _centered(x, -1) / (x.shape[-1] - 1),
            lambda x: np.corrcoef(x),
        ),
        "Covariance and correlation center the vectors. The dot product takes"
        " them as they are.",
    ),
    NO_SIGN,
    SHARES_ALREADY,
    Bug(
        ".T turns round all axes",
        (lambda x: x @ x.T, lambda x: x @ x.transpose()),
        "With an axis for the sentences in front, .T turns round all three."
        " np.swapaxes(x, -1, -2) exchanges the last two only.",
    ),
    ACROSS_SENTENCES,
)

all_pairs_scores = Exercise(
    name="all_pairs_scores",
    call="all_pairs_scores(x)",
    reference=_scores,
    results=("scores",),
    shape="one row and one column per token",
    probes=(
        Probe("3 tokens of width 2", (table(11, 3, 2),)),
        Probe("2 tokens of width 4", (table(12, 2, 4),)),
        Probe("3 tokens of width 3", (table(13, 3, 3),)),
        Probe("a repeated token", (table(14, 2, 3)[[0, 1, 0, 1]],)),
        Probe("one token only", (table(15, 1, 3),), "hard"),
        Probe("large numbers", (1000 * table(17, 3, 2),), "hard"),
        Probe(STACKED, (table(18, 3, 3, 3),), "beyond"),
        Probe(
            STACKED,
            (table(16, 2, 3, 4),),
            "beyond",
            "The operator @ multiplies the last two axes and leaves the axes"
            " before them alone.",
        ),
    ),
    bugs=BUGS,
    proves=(
        "The table holds the dot product of every token with every token: row"
        " i, column j is token i with token j."
    ),
    if_loop=(
        "You went through the tokens one by one. That is right, but slow for"
        " long sentences: one matrix product does it at once. Claim C11"
        " compares the two."
    ),
)

"""Trial room 02: from the gradient of the weights to that of the scores."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, softmax, t, table, total

_COUPLED = (
    "Raising one score lowers the weights of all other keys of its row, so"
    " each gradient counts relative to the row's weighted mean of g."
)
_OWN_ROW = (
    "Each query has a softmax of its own along the keys, the last axis: one"
    " mean per row."
)
_BOTH = "The Jacobian is diag(p) - p p.T: p_i is a factor of both parts."


def _pair(seed, *shape):
    return table(seed, *shape), softmax(table(seed + 1, *shape))


def _rows_sum_to_zero(args, *arrays):
    for row, sum_ in enumerate(arrays[-1].sum(axis=-1).ravel()):
        if not abs(sum_) < 1e-6:
            return (
                f"row {row} sums to {sum_:.3f}. Adding one number to all"
                " scores of a row changes no weight, so the gradients of a row"
                " must sum to 0."
            )
    return ""


def _highest(c):
    return c.p == c.p.max(axis=-1, keepdims=True)


_gradient = Step(
    "g",
    lambda c: c.grad_weights,
    Mistake(
        "the two arguments have changed places",
        "First comes the gradient, then the weights.",
        {"g": lambda c: c.weights, "p": lambda c: c.grad_weights},
    ),
)
_weights = Step(
    "p",
    lambda c: c.weights,
    Mistake(
        "the softmax is taken again",
        "The weights are what the softmax gave; nothing else is needed.",
        lambda c: softmax(c.weights),
        lambda c: softmax(c.grad_weights),
    ),
)
_terms = Step(
    "terms",
    lambda c: c.p * c.g,
    Mistake(
        "the sum of g is subtracted, not its weighted mean",
        f"Each gradient counts with its weight p. {_COUPLED}",
        lambda c: c.g,
    ),
    Mistake(
        "the weights are summed up without the gradients",
        f"The weights of a row sum to 1. {_COUPLED}",
        lambda c: c.p,
    ),
    Mistake(
        "a key is missing in the mean",
        "All keys of the row belong to it. Does a loop end too early?",
        lambda c: c.p * c.g * (np.arange(c.p.shape[-1]) < c.p.shape[-1] - 1),
        lambda c: c.p * c.g * (np.arange(c.p.shape[-1]) > 0),
    ),
)
_along = Step(
    "along",
    lambda c: {"axis": -1, "keepdims": True},
    Mistake(
        "the sums run over the queries, not over the keys",
        _OWN_ROW,
        lambda c: {"axis": -2, "keepdims": True},
    ),
    Mistake(
        "the sum runs over the whole table", _OWN_ROW, lambda c: {"axis": None}
    ),
    Mistake(
        "the means have lost their axis",
        "Without keepdims=True the mean of each row loses its axis, and"
        " broadcasting lines it up with the columns. On a square table nothing"
        " crashes: every number meets another row's mean.",
        lambda c: {"axis": -1},
    ),
)
_mean = Step(
    "mean",
    lambda c: c.terms.sum(**c.along),
    Mistake(
        "the plain mean is subtracted, not the weighted one",
        f"The mean counts each gradient with its weight p. {_COUPLED}",
        {"terms": lambda c: c.g, "mean": lambda c: c.terms.mean(**c.along)},
        {"mean": lambda c: total(c.g) / len(c.g)},
    ),
    Mistake("the mean is not subtracted", _COUPLED, lambda c: 0.0),
    Mistake(
        "p (1 - p) is only the diagonal of the Jacobian",
        "It says how a score changes its own weight: the derivative of a"
        f" sigmoid, where nobody competes. {_COUPLED}",
        lambda c: c.p * c.g,
        {"mean": lambda c: c.p, "difference": lambda c: 1 - c.mean},
        {"mean": lambda c: c.g, "difference": lambda c: 1 - c.mean},
        {"grad_scores": lambda c: c.g * (1 - c.p)},
        {"grad_scores": lambda c: c.g * (c.p - 1)},
    ),
    Mistake(
        "a mean is taken where a sum belongs",
        "The weights sum to 1 already: the sum of p * g is a mean of g.",
        lambda c: c.terms.mean(**c.along),
    ),
    Mistake(
        "a product with other rows takes the place of the mean",
        "In g @ p.T every row meets every row; a row's own number stands on"
        f" the diagonal. {_OWN_ROW}",
        lambda c: c.g @ t(c.p),
        lambda c: c.p @ t(c.g),
    ),
    Mistake(
        "the mean is subtracted for one key only",
        "All gradients of the row are taken relative to its mean.",
        lambda c: c.terms.sum(**c.along) * _highest(c),
    ),
)
_difference = Step(
    "difference",
    lambda c: c.g - c.mean,
    Mistake(
        "the mean is added, not subtracted",
        "The Jacobian is diag(p) - p p.T, with a minus: what one key gains,"
        " the others lose.",
        lambda c: c.g + c.mean,
    ),
    Mistake(
        "only the mean is used",
        f"{_BOTH} The first part gives g itself.",
        lambda c: c.mean,
        lambda c: -c.mean,
        {"grad_scores": lambda c: c.mean},
    ),
    Mistake(
        "all signs are turned around",
        "Is it mean - g in place of g - mean, or is there a minus too many?",
        lambda c: c.mean - c.g,
    ),
)
_grad = Step(
    "grad_scores",
    lambda c: c.p * c.difference,
    Mistake(
        "this is the forward softmax",
        "Asked for is the way back: the gradient with respect to the scores.",
        lambda c: softmax(c.g),
    ),
    Mistake(
        "the softmax of one row is used for all",
        _OWN_ROW,
        lambda c: c.g @ (np.diag(c.p[0]) - np.outer(c.p[0], c.p[0])),
    ),
    Mistake(
        "the factor p is missing",
        f"{_BOTH} A key without weight cannot move anything.",
        lambda c: c.difference,
    ),
    Mistake(
        "the mean is subtracted from p g, without its factor p",
        _BOTH,
        lambda c: c.p * c.g - c.mean,
    ),
    Mistake(
        "p enters too often",
        _BOTH,
        lambda c: c.p**2 * c.difference,
        lambda c: c.p * c.g - c.p**2 * c.mean,
        lambda c: c.p * (1 - c.p) * c.difference,
    ),
    Mistake(
        "divided by a number at the end",
        "The sum of p times g is a mean already; nothing is divided.",
        lambda c: c.p * c.difference / c.p.shape[-1],
        lambda c: c.p * c.difference / len(c.p),
        lambda c: c.p * c.difference / c.g.std(),
    ),
)

softmax_backward = Exercise(
    name="softmax_backward",
    call="softmax_backward(grad_weights, weights)",
    results=("grad_scores",),
    shape="the shape of the weights: one row per query, one column per key",
    steps=(_gradient, _weights, _terms, _along, _mean, _difference, _grad),
    probes=(
        Probe("2 queries and 3 keys", _pair(131, 2, 3)),
        Probe("4 queries and 2 keys", _pair(133, 4, 2)),
        Probe("3 queries and 3 keys", _pair(135, 3, 3)),
        Probe("3 queries and 5 keys", _pair(137, 3, 5)),
        Probe("one key only", _pair(139, 3, 1), "edge"),
        Probe(
            "a weight of 1",
            (table(141, 2, 3), np.array([[0, 1, 0], [0.25, 0.25, 0.5]])),
            "edge",
        ),
    ),
    properties=(finite, _rows_sum_to_zero),
    no_loop=(
        "It goes through the rows in a loop, perhaps with a Jacobian for each:"
        " p * (g - its mean in the row) needs neither."
    ),
    praise="Rows sum to 0: only differences of scores count.",
)

"""Notebook 01: contexts from weights and vectors."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import MIX
from helpers.checks.steps.tools import softmax, t, table, uneven_weights

_NOT_USED = Mistake(
    "the weights that were passed are not used",
    "The first argument holds the weights, whoever computed them. This answer"
    " makes its own from x.",
    lambda c: c.x @ t(c.x) @ c.x,
    lambda c: softmax(c.x @ t(c.x)) @ c.x,
    lambda c: softmax(c.x @ t(c.x) / np.sqrt(c.x.shape[-1])) @ c.x,
)
_NO_VECTORS = Mistake(
    "the vectors are not used",
    "A context is a mix of the rows of x: weights times x.",
    lambda c: c.weights,
)


def _mix(seed, queries, keys, width):
    return uneven_weights(seed, queries, keys), table(seed + 1, keys, width)


context_vectors = Exercise(
    name="context_vectors",
    call="context_vectors(weights, x)",
    results=("context",),
    shape="one row per query, as wide as x",
    steps=(
        Step("value", lambda c: c.x),
        *MIX[:2],
        MIX[2].but(also=(_NOT_USED, _NO_VECTORS)),
        *MIX[3:],
    ),
    probes=(
        Probe("3 queries, 3 keys, width 2", _mix(24, 3, 3, 2)),
        Probe("2 queries, 2 keys, width 4", _mix(22, 2, 2, 4)),
        Probe("3 queries, 3 keys, width 3", _mix(30, 3, 3, 3)),
        Probe("2 queries, 3 keys, width 4", _mix(26, 2, 3, 4)),
        Probe("4 queries, 2 keys, width 3", _mix(28, 4, 2, 3)),
        Probe(
            "weights of 0 and 1 only",
            (np.eye(3)[[2, 0, 0]], table(24, 3, 2)),
            "edge",
        ),
        Probe("one token only", (np.ones((1, 1)), table(25, 1, 3)), "edge"),
    ),
    praise="Each context is a weighted sum of all rows of x.",
)

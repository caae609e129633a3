"""Notebook 01: scores, softmax and mix in one function."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import (
    SOFTMAX,
    SQUARE_MIX,
    given,
    scale,
    scores,
    vectors,
)
from helpers.checks.steps.softmax import shifted_otherwise
from helpers.checks.steps.tools import WEIGHTS, t, table

_BESIDE = np.array([[0.5, 0.25], [4000.0, 2000.0], [-4.0, 8.0]])

_own = Mistake(
    "each row's own score with itself is subtracted, not the highest",
    "A token is most like itself, as a rule. But a short vector scores higher"
    " with a long one that points the same way: exp overflows.",
    lambda c: c.scaled - np.diagonal(c.scaled, axis1=-2, axis2=-1)[..., None],
)
_even = Mistake(
    "all words get the same weight",
    "That is the plain mean of the sentence: the weights are the softmax of"
    " the scores.",
    lambda c: np.ones_like(c.scores) / c.scores.shape[-1],
)
_both = Step(
    "both",
    lambda c: (c.context, c.weights),
    Mistake(
        "the scores are returned instead of the weights",
        "Scores are before the softmax, weights after it.",
        lambda c: (c.context, c.scores),
    ),
    Mistake(
        "the scores are mixed, not the weights",
        "The context is a mix with the *weights*, after the softmax.",
        lambda c: (c.scores @ c.value, c.weights),
        lambda c: (c.weights @ c.scores, c.weights),
    ),
    Mistake(
        "the weights are returned transposed",
        "Rows of the weights are queries.",
        lambda c: (c.context, t(c.weights)),
    ),
)

self_attention = Exercise(
    name="self_attention",
    call="self_attention(x)",
    results=("context", "weights"),
    shape="the context is as large as x, the weights are tokens by tokens",
    steps=(
        vectors,
        *given("query", "key", "value"),
        scores.but(without=("queries and keys have changed places",)),
        scale,
        SOFTMAX[0].but(
            also=(_own, *shifted_otherwise),
            without=(
                "the table is transposed before the softmax",
                "the position of the highest score is subtracted, not the"
                " score",
            ),
        ),
        *SOFTMAX[1:-1],
        SOFTMAX[-1].but(also=(_even,)),
        *SQUARE_MIX,
        _both,
    ),
    probes=(
        Probe("3 tokens of width 2", (table(31, 3, 2, step=8),)),
        Probe("2 tokens of width 4", (table(32, 2, 4, step=8),)),
        Probe("3 tokens of width 3", (table(33, 3, 3, step=8),)),
        Probe("a repeated token", (table(34, 2, 3)[[0, 1, 0, 1]],)),
        Probe("one token only", (table(35, 1, 3),), "edge"),
        Probe("long vectors", (table(46, 3, 4) * 32,), "edge"),
        Probe("a short vector beside a long one", (_BESIDE,), "edge"),
    ),
    properties=WEIGHTS,
    praise="Attention with nothing learned.",
)

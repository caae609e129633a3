"""Notebook 02: queries and keys from two matrices, and their scores."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import scores
from helpers.checks.steps.roots import root
from helpers.checks.steps.tools import softmax, t, table

_OWN = "Queries come from w_q and keys from w_k, both made from x."
_ROWS = "Rows of x are words: each of them is multiplied with the matrix."
_WIDTH = "The scale depends on the width d_k alone, not on these words."


def _input(seed, length, d_model, d_k):
    shapes = (length, d_model), (d_model, d_k), (d_model, d_k)
    return tuple(table(seed + i, *shape) for i, shape in enumerate(shapes))


_query = Step(
    "query",
    lambda c: c.x @ c.w_q,
    Mistake(
        "keys meet keys", f"w_q is not used. {_OWN}", lambda c: c.x @ c.w_k
    ),
    Mistake("the queries are not projected", _OWN, lambda c: c.x),
    Mistake(
        "w_q is transposed, or stands before x",
        _ROWS,
        lambda c: c.x @ c.w_q.T,
        lambda c: c.w_q @ c.x,
    ),
)
_key = Step(
    "key",
    lambda c: c.x @ c.w_k,
    Mistake(
        "nothing is projected",
        f"That is the baseline of notebook 01. {_OWN}",
        {"query": lambda c: c.x, "key": lambda c: c.x},
    ),
    Mistake(
        "w_q and w_k are transposed",
        _ROWS,
        {"query": lambda c: c.x @ c.w_q.T, "key": lambda c: c.x @ c.w_k.T},
    ),
    Mistake(
        "queries meet queries",
        f"w_k is not used, so the table is symmetric again. {_OWN}",
        lambda c: c.x @ c.w_q,
    ),
    Mistake("the keys are not projected", _OWN, lambda c: c.x),
    Mistake(
        "w_k is taken for the keys",
        "w_k is the same for all words. A key is made from a word's row of x.",
        lambda c: c.w_k,
        lambda c: c.w_k.T,
    ),
    Mistake(
        "w_k is transposed, or stands before x",
        _ROWS,
        lambda c: c.x @ c.w_k.T,
        lambda c: c.w_k @ c.x,
        lambda c: c.w_k.T @ c.x,
    ),
    Mistake(
        "the keys are made from the queries", _OWN, lambda c: c.query @ c.w_k
    ),
)
_scores = scores.but(
    without=(
        "this compares columns, not tokens",
        "both factors are transposed",
    ),
    also=(
        Mistake(
            "this compares columns, not words",
            "One of the factors lies on its side: each row of a query and of a"
            " key is a word.",
            lambda c: t(c.query) @ c.key,
        ),
    ),
)
_root = root(
    lambda c: c.w_q.shape[-1],
    lambda c: c.x.shape[-1],
    lambda c: len(c.x),
    lambda c: c.w_q.size,
    lambda c: (c.x @ c.w_q).size,
    lambda c: np.array(c.w_q.shape),
    lambda c: np.array((c.x @ c.w_q).shape),
).but(
    also=(
        Mistake(
            "a logarithm takes the place of the root",
            "Of d_k = 16 the root must make 4.",
            lambda c: np.log(c.w_q.shape[-1] + 1),
            lambda c: np.log2(c.w_q.shape[-1] + 1),
        ),
        Mistake(
            "the scores are multiplied by the root of another number",
            "They are divided by the root of d_k, the width of a query.",
            lambda c: 1 / np.sqrt(c.x.shape[-1]),
            lambda c: 1 / np.sqrt(len(c.x)),
        ),
    )
)
_scaled = Step(
    "scaled",
    lambda c: c.scores / c.root,
    Mistake(
        "a softmax is taken already",
        "Asked for are the scores; the softmax is the next step.",
        lambda c: softmax(c.scores / c.root),
        lambda c: np.exp(c.scores / c.root),
    ),
    Mistake(
        "query and key are both divided by the root",
        "Together that divides by d_k. One division is enough.",
        lambda c: c.scores / c.root**2,
    ),
    Mistake(
        "the root is taken of the scores as well",
        "Only d_k stands under the root.",
        lambda c: np.sqrt(c.scores) / c.root,
        lambda c: np.sqrt(np.abs(c.scores)) / c.root,
    ),
    Mistake(
        "divided by something that depends on the numbers",
        _WIDTH,
        lambda c: c.scores / c.scores.std(),
        lambda c: c.scores / np.linalg.norm(c.query),
        lambda c: c.scores / np.linalg.norm(c.key, axis=-1),
        lambda c: (
            c.scores
            / np.linalg.norm(c.query, axis=-1, keepdims=True)
            / np.linalg.norm(c.key, axis=-1)
        ),
        lambda c: c.scores / np.sqrt(np.abs(c.query)),
    ),
)

project_and_score = Exercise(
    name="project_and_score",
    call="project_and_score(x, w_q, w_k)",
    results=("scores",),
    shape="one row per query, one column per key",
    steps=(_query, _key, _scores, _root, _scaled),
    probes=(
        Probe("3 words of width 4, d_k = 6", _input(101, 3, 4, 6)),
        Probe("4 words of width 2, d_k = 3", _input(104, 4, 2, 3)),
        Probe("5 words of width 5, d_k = 5", _input(107, 5, 5, 5)),
        Probe("2 words of width 5, d_k = 8", _input(110, 2, 5, 8)),
        Probe("d_k = 1", _input(113, 3, 4, 1), "edge"),
        Probe("one word only", _input(116, 1, 3, 2), "edge"),
    ),
    praise="What a word looks for, times what another offers.",
)

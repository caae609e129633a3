"""Notebook 02: queries and keys from two matrices, and their scores."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import scores
from helpers.checks.steps.roots import root
from helpers.checks.steps.tools import softmax, t, table


def _input(seed, length, d_model, d_k):
    shapes = (length, d_model), (d_model, d_k), (d_model, d_k)
    return tuple(table(seed + i, *shape) for i, shape in enumerate(shapes))


_OWN = (
    "Queries come from w_q, keys from w_k: what a word looks for need not be"
    " what it offers."
)
_LAST = "What is returned are scores: one number for each query and key."

_query = Step(
    "query",
    lambda c: c.x @ c.w_q,
    Mistake(
        "keys meet keys",
        f"w_q is not used, so the table is symmetric again. {_OWN}",
        lambda c: c.x @ c.w_k,
    ),
    Mistake("the queries are not projected", _OWN, lambda c: c.x),
    Mistake(
        "w_q is transposed, or stands before x",
        "Rows of x are words: each of them is multiplied with w_q.",
        lambda c: c.x @ c.w_q.T,
        lambda c: c.w_q @ c.x,
        lambda c: c.w_q.T @ c.x,
    ),
)
_key = Step(
    "key",
    lambda c: c.x @ c.w_k,
    Mistake(
        "nothing is projected",
        "That is the baseline of notebook 01. Now each word first turns into a"
        " query and a key.",
        {"query": lambda c: c.x, "key": lambda c: c.x},
    ),
    Mistake(
        "queries meet queries",
        f"w_k is not used, so the table is symmetric again. {_OWN}",
        lambda c: c.x @ c.w_q,
        lambda c: c.query,
    ),
    Mistake("the keys are not projected", _OWN, lambda c: c.x),
    Mistake(
        "w_k is taken for the keys",
        "w_k is the same for all words. A key belongs to a word: it is made"
        " from the word's row of x.",
        lambda c: c.w_k,
        lambda c: c.w_k.T,
    ),
    Mistake(
        "w_k is transposed, or stands before x",
        "Rows of x are words: each of them is multiplied with w_k, as the"
        " query is with w_q.",
        lambda c: c.x @ c.w_k.T,
        lambda c: c.w_k @ c.x,
        lambda c: c.w_k.T @ c.x,
    ),
    Mistake(
        "the keys are made from the queries",
        "Query and key are both made from the words, each with its matrix.",
        lambda c: c.query @ c.w_k,
        lambda c: c.query @ c.w_k.T,
        lambda c: c.x @ (c.w_q @ c.w_k),
    ),
    Mistake(
        "the keys are multiplied number by number",
        "The operator * makes no sums; @ does.",
        lambda c: c.x * c.w_k,
        lambda c: c.x * c.w_k.T,
    ),
    Mistake(
        "both matrices are used for the keys",
        _OWN,
        lambda c: c.x @ (c.w_q + c.w_k),
        lambda c: c.x @ c.w_q + c.x @ c.w_k,
        lambda c: c.x @ (c.w_k - c.w_q),
        lambda c: (c.x @ c.w_q) * (c.x @ c.w_k),
    ),
    Mistake(
        "x is added to the keys",
        "A key is the product alone.",
        lambda c: c.x @ c.w_k + c.x,
    ),
)
_scores = scores.but(
    without=(
        "half of the table is empty",
        "this compares columns, not tokens",
        "both factors are transposed",
    ),
    also=(
        Mistake(
            "this compares columns, not words",
            "The product in the other order has a row and a column for each"
            " number of a key.",
            lambda c: t(c.query) @ c.key,
            lambda c: t(c.key) @ c.query,
            lambda c: t(c.query) @ t(c.key),
        ),
        Mistake(
            "half of the table is empty",
            "Every query meets every key, before it and after it.",
            lambda c: np.tril(c.query @ t(c.key)),
            lambda c: np.triu(c.query @ t(c.key)),
        ),
    ),
)
_scaled = Step(
    "scaled",
    lambda c: c.scores / c.root,
    Mistake(
        "a softmax is taken already",
        f"{_LAST} The softmax is the next step.",
        *(
            lambda c, axis=axis: softmax(c.scores / c.root, axis)
            for axis in (-1, -2)
        ),
        lambda c: np.exp(c.scores / c.root),
        lambda c: softmax(c.scores) / c.root,
    ),
    Mistake(
        "query and key are both divided by the root",
        "Together that divides by d_k. One division is enough.",
        {"scaled": lambda c: c.scores / c.root**2},
    ),
    Mistake(
        "divided by something that depends on the numbers",
        "The scale depends on the width alone, not on these words.",
        lambda c: c.scores / c.scores.std(),
        lambda c: c.scores / np.abs(c.scores).max(),
        lambda c: c.scores / np.linalg.norm(c.query),
        lambda c: c.scores / np.linalg.norm(c.query, axis=-1, keepdims=True),
        lambda c: c.scores / np.linalg.norm(c.key, axis=-1),
        lambda c: (
            c.scores
            / np.linalg.norm(c.query, axis=-1, keepdims=True)
            / np.linalg.norm(c.key, axis=-1)
        ),
        lambda c: c.scores / c.query.std(),
        lambda c: c.scores / np.sqrt(c.query),
        lambda c: c.scores / np.sqrt(np.abs(c.query)),
        lambda c: c.scores / np.sqrt(c.scores),
        lambda c: c.scores / np.sqrt(np.abs(c.scores)),
        lambda c: c.scores / np.sqrt(np.abs(c.query).sum()),
    ),
    Mistake(
        "the root is subtracted or added",
        "The scores are divided by it.",
        lambda c: c.scores - c.root,
        lambda c: c.scores + c.root,
    ),
)

project_and_score = Exercise(
    name="project_and_score",
    call="project_and_score(x, w_q, w_k)",
    results=("scores",),
    shape="one row per query, one column per key",
    steps=(
        _query,
        _key,
        _scores,
        root(
            lambda c: c.w_q.shape[-1],
            lambda c: c.x.shape[-1],
            lambda c: len(c.x),
            lambda c: c.w_q.size,
            lambda c: c.x.size,
            lambda c: (c.x @ c.w_q).size,
            lambda c: np.array(c.w_q.shape),
            lambda c: np.array((c.x @ c.w_q).shape),
        ),
        _scaled,
    ),
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

"""Notebook 02: from the gradient of the scores to that of w_q."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.roots import root
from helpers.checks.steps.tools import softmax, t, table, total

_CHAIN = (
    "Two steps: scores = query @ key.T / root gives the gradient of the query;"
    " query = x @ w_q then gives that of w_q."
)
_BEHIND = (
    "grad_scores is the gradient by the scores, behind the softmax already:"
    " what is left are two products and the root."
)
_ALL = "There is one w_q for all words: the gradients of all words add up."


def _input(seed, length, d_model, d_k):
    shapes = (length, d_model), (length, d_k), (length, length)
    return tuple(table(seed + i, *shape) for i, shape in enumerate(shapes))


def _backward(g, p):
    return p * (g - total(p * g))


_g = Step(
    "g",
    lambda c: c.grad_scores,
    Mistake(
        "grad_scores is transposed",
        "grad_scores[i, j] belongs to query i and key j. The gradient of query"
        " i is a sum over the keys j. The transpose is what the keys get.",
        lambda c: t(c.grad_scores),
    ),
    Mistake(
        "the softmax is differentiated once more",
        _BEHIND,
        lambda c: c.grad_scores * (1 - c.grad_scores),
        lambda c: _backward(c.grad_scores, softmax(c.grad_scores)),
        lambda c: _backward(c.grad_scores, c.grad_scores),
    ),
    Mistake(
        "the softmax of the gradients is taken",
        _BEHIND,
        lambda c: softmax(c.grad_scores),
        lambda c: softmax(c.grad_scores, -2),
    ),
    Mistake(
        "grad_scores is not used",
        _CHAIN,
        lambda c: np.eye(len(c.x)),
    ),
    Mistake(
        "grad_scores is changed before the product",
        _BEHIND,
        lambda c: c.grad_scores + t(c.grad_scores),
        lambda c: (c.grad_scores + t(c.grad_scores)) / 2,
        lambda c: np.abs(c.grad_scores),
        lambda c: c.grad_scores**2,
        lambda c: np.maximum(c.grad_scores, 0),
        lambda c: np.tril(c.grad_scores),
        lambda c: np.triu(c.grad_scores),
        lambda c: c.grad_scores * np.eye(len(c.x)),
        lambda c: c.grad_scores * (1 - np.eye(len(c.x))),
        lambda c: c.grad_scores @ c.grad_scores,
        lambda c: c.grad_scores @ t(c.grad_scores),
        lambda c: c.grad_scores * softmax(c.grad_scores),
        lambda c: c.grad_scores - c.grad_scores.mean(axis=-1, keepdims=True),
        lambda c: c.grad_scores / total(c.grad_scores),
        lambda c: np.ones_like(c.grad_scores) * total(c.grad_scores),
        lambda c: np.sign(c.grad_scores),
    ),
)
_grad_query = Step(
    "grad_query",
    lambda c: c.g @ c.key,
    Mistake(
        "x and key have changed places",
        _CHAIN,
        {
            "grad_query": lambda c: c.g @ c.x,
            "grad": lambda c: t(c.key) @ c.grad_query / c.root,
        },
    ),
    Mistake(
        "x takes the place of the keys",
        f"The query has met the keys in the forward pass. {_CHAIN}",
        lambda c: c.g @ c.x,
        lambda c: c.g @ c.x @ t(c.x) @ c.key,
    ),
    Mistake(
        "the product with the keys is missing",
        f"A step is left out. {_CHAIN}",
        lambda c: c.g,
    ),
    Mistake(
        "grad_scores and key are multiplied number by number, or transposed",
        "The gradient of query i is the sum over j of grad_scores[i, j] times"
        " key j: a matrix product of the two as they are.",
        lambda c: c.g * c.key,
        lambda c: c.g @ t(c.key),
        lambda c: t(c.key) @ c.g,
        lambda c: c.key @ c.g,
        lambda c: total(c.g) * c.key,
    ),
)
_grad = Step(
    "grad",
    lambda c: t(c.x) @ c.grad_query / c.root,
    Mistake(
        "this is the gradient of the queries",
        "One step is left: every word used the same w_q, so its gradient is"
        " summed over the words, each with its x.",
        lambda c: c.grad_query / c.root,
    ),
    Mistake(
        "the keys, or their gradients, take the place of x",
        "In the forward pass w_q has met x, so x comes back here.",
        lambda c: t(c.key) @ c.grad_query / c.root,
        lambda c: t(c.grad_query) @ c.grad_query / c.root,
        lambda c: c.grad_query @ t(c.grad_query),
    ),
    Mistake(
        "the product is in the other order",
        "A gradient has the shape of what it belongs to: w_q has d_model rows"
        " and d_k columns.",
        lambda c: t(c.grad_query) @ c.x / c.root,
    ),
    Mistake(
        "x is not transposed, or multiplied number by number",
        "The result must be (d_model, d_k): only one product of x and the"
        " gradient by the query has that shape.",
        lambda c: c.x @ c.grad_query / c.root,
        lambda c: c.x * c.grad_query / c.root,
        lambda c: c.grad_query @ c.x / c.root,
        lambda c: c.grad_query @ t(c.x) / c.root,
        lambda c: c.x @ t(c.grad_query) / c.root,
        lambda c: t(c.x) * c.grad_query / c.root,
    ),
    Mistake(
        "the gradients of the words are averaged",
        f"{_ALL} Nothing is divided by their number.",
        lambda c: t(c.x) @ c.grad_query / c.root / len(c.x),
        lambda c: t(c.x) @ c.grad_query / c.root / len(c.x) ** 2,
        lambda c: t(c.x) @ c.grad_query / c.root / c.x.size,
        lambda c: t(c.x) @ c.grad_query / c.root / c.x.shape[-1],
    ),
    Mistake(
        "the words are not added up",
        _ALL,
        lambda c: c.x[:, :, None] * c.grad_query[:, None] / c.root,
    ),
    Mistake(
        "only one word counts",
        f"{_ALL} In a loop `=` forgets what came before.",
        lambda c: np.outer(c.x[-1], c.grad_query[-1]) / c.root,
        lambda c: np.outer(c.x[0], c.grad_query[0]) / c.root,
    ),
    Mistake(
        "one word is left out",
        f"{_ALL} Does a loop start at 1, or end one word too early?",
        lambda c: t(c.x[1:]) @ c.grad_query[1:] / c.root,
        lambda c: t(c.x[:-1]) @ c.grad_query[:-1] / c.root,
    ),
    Mistake(
        "the words are added up before the product",
        "Each word's x meets the gradient of its own query; then the words"
        " add up.",
        lambda c: np.outer(c.x.sum(axis=0), c.grad_query.sum(axis=0)) / c.root,
        lambda c: (
            np.outer(c.x.mean(axis=0), c.grad_query.mean(axis=0)) / c.root
        ),
        lambda c: (
            np.outer(c.x.mean(axis=0), c.grad_query.sum(axis=0)) / c.root
        ),
    ),
    Mistake(
        "a number is put in front",
        "The gradient of a product has no factor of its own: just the root.",
        lambda c: 2 * t(c.x) @ c.grad_query / c.root,
        lambda c: 0.5 * t(c.x) @ c.grad_query / c.root,
    ),
    Mistake(
        "a step of an optimizer is taken already",
        "Asked for is the gradient itself; a learning rate comes later.",
        *(
            lambda c, rate=rate: -rate * t(c.x) @ c.grad_query / c.root
            for rate in (1e-3, 1e-2, 0.1, 4e-3)
        ),
    ),
)

grad_w_q = Exercise(
    name="grad_w_q",
    call="grad_w_q(x, key, grad_scores)",
    results=("grad_w_q",),
    shape="the shape of w_q: d_model rows, d_k columns",
    steps=(
        _g,
        _grad_query,
        root(
            lambda c: c.key.shape[-1],
            lambda c: c.x.shape[-1],
            lambda c: len(c.x),
            lambda c: c.key.size,
            lambda c: c.x.size,
            lambda c: np.array(c.key.shape),
        ).but(
            without=("the scale is missing",),
            also=(
                Mistake(
                    "the root of d_k is lost",
                    "The forward pass divided the scores by it. A constant"
                    " factor on the way forward is the same factor on the way"
                    " back.",
                    lambda c: 1.0,
                ),
            ),
        ),
        _grad,
    ),
    probes=(
        Probe("3 words of width 4, d_k = 6", _input(151, 3, 4, 6)),
        Probe("4 words of width 2, d_k = 3", _input(154, 4, 2, 3)),
        Probe("5 words of width 5, d_k = 5", _input(157, 5, 5, 5)),
        Probe("5 words of width 2, d_k = 8", _input(160, 5, 2, 8)),
        Probe("d_k = 1", _input(163, 3, 4, 1), "edge"),
        Probe("one word only", _input(166, 1, 3, 2), "edge"),
    ),
    praise="All words share one w_q, so its gradient is a sum.",
)

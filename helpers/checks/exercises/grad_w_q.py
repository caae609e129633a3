"""Trial room 02: from the gradient of the scores to that of w_q."""

import re

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.roots import root
from helpers.checks.steps.tools import softmax, t, table, total

_CHAIN = (
    "Two steps: scores = query @ key.T / root gives the gradient of the query;"
    " query = x @ w_q then gives that of w_q."
)
_BEHIND = (
    "grad_scores is the gradient with respect to the scores, behind the"
    " softmax already: what is left are two products and the root."
)
_ALL = "There is one w_q for all words: the gradients of all words add up."


def _input(seed, length, d_model, d_k):
    shapes = (length, d_model), (length, d_k), (length, length)
    return tuple(table(seed + i, *shape) for i, shape in enumerate(shapes))


def _backward(g, p):
    return p * (g - total(p * g))


def _table_of_the_toy(exercise, trials):
    """Say that a table (4, 4) of the notebook meets other lengths."""
    basic = [t for t in trials if t.probe.level == "basic"]
    others = [t for t in basic if not any(4 in a.shape for a in t.probe.args)]
    texts = [f"{t.got.error} {t.got.shapes}" for t in others]
    tables = (re.search(r"\(4, ?4\)", text) for text in texts)
    if not texts or not all(tables):
        return None
    return (
        "it uses a table (4, 4) of the notebook.",
        f"Are these the weights, to go through the softmax? {_BEHIND}",
    )


def _change(change):
    return lambda c: change(c.grad_scores)


def _by_root(function):
    """Change the product before it is divided by the root."""
    return lambda c: function(c, c.x, c.grad_query) / c.root


_g = Step(
    "g",
    lambda c: c.grad_scores,
    Mistake(
        "grad_scores is transposed",
        "grad_scores[i, j] belongs to query i and key j. The gradient of query"
        " i is a sum over the keys j. The transpose is what the keys get.",
        _change(t),
    ),
    Mistake(
        "the softmax is differentiated once more",
        _BEHIND,
        _change(lambda g: _backward(g, softmax(g))),
        _change(lambda g: _backward(g, g)),
    ),
    Mistake(
        "a softmax of grad_scores is taken",
        f"They are slopes, not scores. {_BEHIND}",
        _change(softmax),
    ),
    Mistake("grad_scores is not used", _CHAIN, lambda c: np.eye(len(c.x))),
    Mistake(
        "only the diagonal of grad_scores is used",
        "Every query has met all keys, not only its own.",
        _change(lambda g: g * np.eye(len(g))),
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
    ),
    Mistake(
        "the product with the keys is missing",
        f"A step is left out. {_CHAIN}",
        lambda c: c.g,
    ),
    Mistake(
        "grad_scores and key are multiplied number by number",
        "The operator * makes no sums; @ does.",
        lambda c: c.g * c.key,
    ),
    Mistake(
        "the keys are transposed",
        "The gradient of query i is the sum over j of grad_scores[i, j] times"
        " key j: the product of the two as they are.",
        lambda c: c.g @ t(c.key),
        lambda c: t(c.key) @ c.g,
    ),
    Mistake(
        "key and grad_scores are multiplied in the other order",
        "A row of grad_scores belongs to one query, and has a number for each"
        " key: it meets the rows of key, grad_scores @ key.",
        lambda c: c.key @ c.g,
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
        "the keys take the place of x",
        "In the forward pass w_q has met x, so x comes back here.",
        _by_root(lambda c, x, q: t(c.key) @ q),
    ),
    Mistake(
        "the product is in the other order",
        "A gradient has the shape of what it belongs to: w_q has d_model rows"
        " and d_k columns.",
        _by_root(lambda c, x, q: t(q) @ x),
        _by_root(lambda c, x, q: t(q) @ t(x)),
        _by_root(lambda c, x, q: t(x) @ t(q)),
    ),
    Mistake(
        "x is not transposed, or multiplied number by number",
        "The result must be (d_model, d_k): only one product of x and the"
        " gradient with respect to the query has that shape.",
        _by_root(lambda c, x, q: x @ q),
        _by_root(lambda c, x, q: x * q),
        _by_root(lambda c, x, q: q @ x),
        _by_root(lambda c, x, q: x @ t(q)),
    ),
    Mistake(
        "the gradients of the words are averaged",
        f"{_ALL} Nothing is divided by their number.",
        _by_root(lambda c, x, q: t(x) @ q / len(x)),
    ),
    Mistake(
        "only one word counts",
        f"{_ALL} In a loop `=` forgets what came before.",
        _by_root(lambda c, x, q: np.outer(x[-1], q[-1])),
        _by_root(lambda c, x, q: np.outer(x[0], q[0])),
    ),
    Mistake(
        "one word is left out",
        f"{_ALL} Does a loop start at 1, or end one word too early?",
        _by_root(lambda c, x, q: t(x[1:]) @ q[1:]),
        _by_root(lambda c, x, q: t(x[:-1]) @ q[:-1]),
    ),
)
_root = root(
    lambda c: c.key.shape[-1],
    lambda c: c.x.shape[-1],
    lambda c: len(c.x),
    lambda c: c.key.size,
    lambda c: c.x.size,
).but(
    without=("the scale is missing",),
    also=(
        Mistake(
            "the root of d_k is lost",
            "The forward pass divided the scores by it. A constant factor on"
            " the way forward is the same factor on the way back.",
            lambda c: 1.0,
        ),
        Mistake(
            "the gradient is multiplied by the root of another number",
            "It is divided by the root of d_k, as the scores were.",
            lambda c: 1 / np.sqrt(c.x.shape[-1]),
            lambda c: 1 / np.sqrt(len(c.x)),
        ),
    ),
)

grad_w_q = Exercise(
    name="grad_w_q",
    call="grad_w_q(x, key, grad_scores)",
    results=("grad_w_q",),
    shape="the shape of w_q: d_model rows, d_k columns",
    steps=(_g, _grad_query, _root, _grad),
    probes=(
        Probe("3 words of width 4, d_k = 6", _input(151, 3, 4, 6)),
        Probe("4 words of width 2, d_k = 3", _input(154, 4, 2, 3)),
        Probe("5 words of width 5, d_k = 5", _input(157, 5, 5, 5)),
        Probe("5 words of width 2, d_k = 8", _input(160, 5, 2, 8)),
        Probe("d_k = 1", _input(163, 3, 4, 1), "edge"),
        Probe("one word only", _input(166, 1, 3, 2), "edge"),
    ),
    recognize=_table_of_the_toy,
    praise="All words share one w_q, so its gradient is a sum.",
)

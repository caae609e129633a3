"""Notebook 01: context vectors, the weighted sums of all rows."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import (
    STACKED,
    WHOLE,
    WHOLE_HINT,
    shares,
    table,
    total,
    turned,
)

MIX = (
    "A[query, key]: row i holds the shares that token i gives to all tokens,"
    " so context i is the sum of all rows of x, each times its share."
)


def _without_own(weights):
    return weights * (1 - np.eye(weights.shape[-2], weights.shape[-1]))


def _hard(weights, x):
    return x[weights.argmax(axis=-1)]


def _shared(weights):
    return weights / total(weights)


def _column_totals(weights):
    return turned(total(weights, axis=-2))


_ON_THEIR_SIDE = Bug(
    "the weights are used on their side",
    lambda a, x: turned(a) @ x,
    MIX + " Here its columns have been used, and they do not sum to 1.",
)
_RESIDUAL = Bug(
    "x itself is added or subtracted",
    (
        lambda a, x: a @ x + x,
        lambda a, x: (a @ x + x) / 2,
        lambda a, x: a @ x - x,
    ),
    "The context vector is the mix alone. What you add has a name, too: a"
    " residual connection hands a layer's input on beside its result. It"
    " comes in notebook 04.",
)
NOT_USED = Bug(
    "the weights that were passed are not used",
    (
        lambda a, x: x @ turned(x) @ x,
        lambda a, x: softmax(x @ turned(x)) @ x,
    ),
    "The first argument holds the weights, whoever computed them. This"
    " answer makes its own from x.",
)

BUGS = (
    _ON_THEIR_SIDE,
    Bug(
        "this multiplies number by number",
        (
            lambda a, x: a * x,
            lambda a, x: turned(a) * x,
            lambda a, x: a * turned(x),
        ),
        MIX + " The operator * makes no sums; @ does.",
    ),
    Bug(
        "the product is in the other order",
        (lambda a, x: x @ a, lambda a, x: x @ turned(a)),
        MIX + " In A @ B the rows of A say how to mix the rows of B.",
    ),
    Bug(
        "every token counts the same",
        (
            lambda a, x: x.mean(axis=-2, keepdims=True) + 0 * (a @ x),
            lambda a, x: x.sum(axis=-2, keepdims=True) + 0 * (a @ x),
        ),
        MIX + " Here the weights make no difference.",
    ),
    Bug(
        "x comes back as it was",
        (lambda a, x: x, lambda a, x: total(a) * x),
        MIX + " The weights of a row sum to 1: added up before they meet x,"
        " nothing is left of them.",
    ),
    Bug(
        "each row is only scaled, not mixed",
        (
            lambda a, x: _column_totals(a) * x,
            lambda a, x: np.diagonal(a, axis1=-2, axis2=-1)[..., None] * x,
        ),
        MIX + " Here a context holds nothing of the other tokens.",
    ),
    Bug(
        "only the token with the largest weight is taken",
        (_hard, lambda a, x: a.max(axis=-1, keepdims=True) * _hard(a, x)),
        "That is a hard choice. Every token contributes by its share.",
    ),
    Bug(
        "the token's own vector is left out",
        (
            lambda a, x: _without_own(a) @ x,
            lambda a, x: _shared(_without_own(a)) @ x,
        ),
        "The diagonal belongs to the weights: a token's own vector enters the"
        " mix with its share.",
    ),
    Bug(
        "the weights are divided once more",
        (
            lambda a, x: a / total(a, axis=-2) @ x,
            lambda a, x: a @ x / x.shape[-2],
            lambda a, x: a @ x / np.sqrt(x.shape[-1]),
        ),
        MIX + " They are shares already.",
    ),
    Bug(
        "the softmax is taken again",
        (lambda a, x: softmax(a) @ x, lambda a, x: softmax(a @ x)),
        "The weights are shares already, and the context needs no softmax: it"
        " may hold any number.",
    ),
    _RESIDUAL,
    Bug(
        "the contexts are summed or averaged",
        (
            lambda a, x: (a @ x).sum(axis=-2),
            lambda a, x: (a @ x).mean(axis=-2),
        ),
        "There is one context vector for each token, not one for the whole"
        " sentence.",
    ),
    Bug(
        "this is the context of one token",
        (
            lambda a, x: a[0] @ x,
            lambda a, x: a[1] @ x,
            lambda a, x: a[-1] @ x,
            lambda a, x: a[:1] @ x,
            lambda a, x: a @ x * np.eye(a.shape[-2])[:1].T,
        ),
        "Every token has its own row of weights, and gets its own context. If"
        " you use a loop: is `return` inside the loop?",
    ),
    Bug(
        "only the last term of each sum is kept",
        lambda a, x: a[..., -1:] * x[..., -1:, :],
        MIX + " In a loop `=` forgets what came before; `+=` adds up.",
    ),
    Bug(
        "the shares are not yet added up",
        (
            lambda a, x: a[..., None] * x[..., None, :, :],
            lambda a, x: (a[..., None] * x[..., None, :, :]).sum(axis=-1),
        ),
        MIX + " The sum runs over the keys.",
    ),
    Bug(
        "later tokens are left out",
        (lambda a, x: np.tril(a) @ x, lambda a, x: _shared(np.tril(a)) @ x),
        "That is a causal mask, for models that write text word by word. Here"
        " every token may look at every token.",
    ),
    Bug(
        "one token is left out",
        (
            lambda a, x: a[..., 1:] @ x[..., 1:, :],
            lambda a, x: a[..., :-1] @ x[..., :-1, :],
        ),
        MIX + " Does a loop start at 1, or end one token early?",
    ),
    Bug(
        "the weights have been changed before the mix",
        (
            lambda a, x: a**2 @ x,
            lambda a, x: _shared(a**2) @ x,
            lambda a, x: np.sqrt(a) @ x,
            lambda a, x: np.log(a) @ x,
            lambda a, x: np.exp(a) @ x,
            lambda a, x: (a - a.mean(axis=-1, keepdims=True)) @ x,
            lambda a, x: (1 - a) @ x,
        ),
        MIX + " They are shares already.",
    ),
    Bug(
        "x has been changed before the mix",
        (
            lambda a, x: a @ (x - x.mean(axis=-1, keepdims=True)),
            lambda a, x: a @ (x / np.sqrt(total(x * x))),
            lambda a, x: a @ np.abs(x),
            lambda a, x: a @ softmax(x),
        ),
        MIX + " The rows of x enter as they are.",
    ),
    NOT_USED,
    Bug(
        "the mix is taken twice",
        lambda a, x: a @ a @ x,
        MIX + " Here the contexts have been mixed once more.",
    ),
    Bug(
        "the result is turned on its side",
        (
            lambda a, x: turned(a @ x),
            lambda a, x: turned(turned(a) @ x),
            lambda a, x: turned(x) @ a.mean(axis=-1, keepdims=True),
        ),
        "A context stands in a row, like the token it belongs to.",
    ),
)

_BY_WEIGHTS = (
    "There are as many contexts as rows of the weights; x may have more rows"
    " or fewer."
)
_ONE_HOT = np.eye(3)[[2, 0, 0]]

context_vectors = Exercise(
    name="context_vectors",
    call="context_vectors(weights, x)",
    reference=lambda weights, x: weights @ x,
    results=("context",),
    shape="one row per query, as wide as x",
    probes=(
        Probe("3 tokens of width 2", (shares(24, 3, 3), table(21, 3, 2))),
        Probe("2 tokens of width 4", (shares(22, 2, 2), table(22, 2, 4))),
        Probe("3 tokens of width 3", (shares(31, 3, 3), table(23, 3, 3))),
        Probe("weights of 0 and 1 only", (_ONE_HOT, table(24, 3, 2)), "hard"),
        Probe("one token only", (np.ones((1, 1)), table(25, 1, 3)), "hard"),
        Probe(
            "2 queries and 3 keys",
            (shares(27, 2, 3), table(26, 3, 4)),
            "hard",
            _BY_WEIGHTS,
        ),
        Probe(
            "4 queries and 2 keys",
            (shares(28, 4, 2), table(28, 2, 3)),
            "hard",
            _BY_WEIGHTS,
        ),
        Probe(
            "whole numbers", (shares(22, 2, 2), WHOLE), "beyond", WHOLE_HINT
        ),
        Probe(
            STACKED,
            (shares(27, 2, 3, 3), table(27, 2, 3, 4)),
            "beyond",
            "The operator @ multiplies the last two axes and leaves the axes"
            " before them alone.",
        ),
    ),
    bugs=BUGS,
    proves=(
        "Each context vector is a weighted sum of all rows of x, with the"
        " row of weights that belongs to its token."
    ),
)

"""From weights and values to contexts: a weighted sum of the values.

Four steps: the weights as they enter the mix, the values as they enter it,
the product, and what follows it.
"""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import softmax, t, total

_MIX = (
    "Row i of the weights says how much query i takes from each row of the"
    " values."
)
_CAUSAL = (
    "That is a causal mask, for models that write text word by word. Here"
    " every token may look at every token."
)


def _hard(a):
    return np.eye(a.shape[-1])[a.argmax(axis=-1)]


def _without_own(a):
    return a * (1 - np.eye(a.shape[-2], a.shape[-1]))


def _again(a):
    return a / total(a)


def _weights(*changes):
    return [lambda c, f=f: f(c.weights) for f in changes]


entering = Step(
    "entering",
    lambda c: c.weights,
    Mistake(
        "the weights are transposed in the mix",
        f"{_MIX} Here its columns have been used, and they do not sum to 1.",
        *_weights(t),
    ),
    Mistake(
        "only the token with the largest weight is taken",
        "That is a hard choice. Every token contributes by its weight.",
        *_weights(_hard, lambda a: a.max(axis=-1, keepdims=True) * _hard(a)),
    ),
    Mistake(
        "the token's own vector is left out",
        "The diagonal belongs to the weights: a token's own vector enters the"
        " mix with its weight.",
        *_weights(_without_own, lambda a: _again(_without_own(a))),
    ),
    Mistake(
        "the softmax is taken again in the mix",
        "The weights are a softmax already.",
        *_weights(softmax, lambda a: softmax(a, -2)),
    ),
    Mistake(
        "later tokens are left out of the mix",
        _CAUSAL,
        *_weights(np.tril, lambda a: _again(np.tril(a)), np.triu),
    ),
    Mistake(
        "the weights are normalized along the columns",
        f"{_MIX} Its rows sum to 1 already; nothing is left to divide.",
        *_weights(lambda a: a / total(a, -2)),
    ),
    Mistake(
        "the weights have been changed before the mix",
        f"{_MIX} They are used as they are.",
        *_weights(
            np.square,
            lambda a: _again(a**2),
            np.sqrt,
            np.round,
            np.log,
            np.exp,
            lambda a: a - a.mean(axis=-1, keepdims=True),
            lambda a: 1 - a,
            lambda a: a - a.max(axis=-1, keepdims=True),
            lambda a: a / a.max(axis=-1, keepdims=True),
            lambda a: a[..., ::-1],
            lambda a: a[..., ::-1, :],
            lambda a: 1.0 * (a > 1 / a.shape[-1]),
        ),
    ),
    Mistake(
        "the mix is taken twice",
        f"{_MIX} Here the contexts have been mixed once more.",
        *_weights(lambda a: a @ a),
    ),
)


def _values(*changes):
    return [lambda c, f=f: f(c.value) for f in changes]


vectors_in = Step(
    "vectors_in",
    lambda c: c.value,
    Mistake(
        "the vectors have been changed before the mix",
        f"{_MIX} The vectors enter as they are.",
        *_values(
            lambda v: v - v.mean(axis=-1, keepdims=True),
            lambda v: v - v.mean(axis=-2, keepdims=True),
            lambda v: v / np.sqrt(total(v * v)),
            lambda v: v / np.sqrt((v * v).sum()),
            np.abs,
            np.square,
            softmax,
            lambda v: v[..., ::-1, :],
        ),
    ),
    Mistake(
        "the vectors are transposed in the mix",
        "The rows of the values are what is mixed: weights times values.",
        *_values(t),
    ),
)


def _scaled(factor):
    return lambda c: factor(c.entering) * c.vectors_in


def _column_totals(a):
    return t(total(a, -2))


mixed = Step(
    "mixed",
    lambda c: c.entering @ c.vectors_in,
    Mistake(
        "this multiplies number by number",
        f"{_MIX} The operator * makes no sums; @ does.",
        lambda c: c.entering * c.vectors_in,
        lambda c: c.entering * t(c.vectors_in),
    ),
    Mistake(
        "the product is in the other order",
        f"{_MIX} In A @ B the rows of A say how to mix the rows of B.",
        lambda c: c.vectors_in @ c.entering,
        lambda c: t(c.vectors_in) @ c.entering,
        lambda c: t(c.vectors_in) @ t(c.entering),
    ),
    Mistake(
        "every token counts the same",
        f"{_MIX} Here the weights make no difference.",
        *(
            lambda c, f=f: (
                f(c.vectors_in, -2, keepdims=True) + 0 * c.entering[..., :1]
            )
            for f in (np.mean, np.sum)
        ),
        lambda c: c.vectors_in.mean(axis=-2),
    ),
    Mistake(
        "the values come back as they were",
        f"{_MIX} The weights of a row sum to 1: added up before they meet the"
        " values, nothing is left of them.",
        lambda c: c.vectors_in + 0.0,
        _scaled(total),
    ),
    Mistake(
        "each row is only scaled, not mixed",
        f"{_MIX} Here a context holds nothing of the other tokens.",
        _scaled(_column_totals),
        _scaled(lambda a: np.diagonal(a, axis1=-2, axis2=-1)[..., None]),
        _scaled(lambda a: a.max(axis=-1, keepdims=True)),
        _scaled(lambda a: a.mean(axis=-1, keepdims=True)),
    ),
    Mistake(
        "only the last term of each sum is kept",
        f"{_MIX} In a loop `=` forgets what came before; `+=` adds up.",
        lambda c: c.entering[..., -1:] * c.vectors_in[..., -1:, :],
        lambda c: c.entering[..., :1] * c.vectors_in[..., :1, :],
    ),
    Mistake(
        "the weighted vectors are not yet added up",
        f"{_MIX} The sum runs over the keys.",
        lambda c: c.entering[..., None] * c.vectors_in[..., None, :, :],
        lambda c: (c.entering[..., None] * c.vectors_in[..., None, :, :]).sum(
            axis=-1
        ),
    ),
    Mistake(
        "one token is left out of the mix",
        f"{_MIX} Does a loop start at 1, or end one token early?",
        lambda c: c.entering[..., 1:] @ c.vectors_in[..., 1:, :],
        lambda c: c.entering[..., :-1] @ c.vectors_in[..., :-1, :],
    ),
)


def _contexts(*changes):
    return [lambda c, f=f: f(c.mixed, c) for f in changes]


context = Step(
    "context",
    lambda c: c.mixed,
    Mistake(
        "the contexts are divided once more",
        f"{_MIX} They sum to 1 already; nothing is left to divide.",
        *_contexts(
            lambda z, c: z / c.value.shape[-2],
            lambda z, c: z / c.value.shape[-1],
            lambda z, c: z / np.sqrt(c.value.shape[-1]),
            lambda z, c: z / np.sqrt(c.value.shape[-2]),
            lambda z, c: z / c.weights.sum(),
        ),
    ),
    Mistake(
        "a softmax is taken of the contexts",
        "A context may hold any number; only the weights are a softmax.",
        *_contexts(lambda z, c: softmax(z), lambda z, c: softmax(z, -2)),
    ),
    Mistake(
        "the vectors themselves are added or subtracted",
        "The context vector is the mix alone. What you add has a name, too: a"
        " residual connection hands a layer's input on beside its result. It"
        " comes in notebook 04.",
        *_contexts(
            lambda z, c: z + c.value,
            lambda z, c: (z + c.value) / 2,
            lambda z, c: z - c.value,
            lambda z, c: c.value - z,
            lambda z, c: z * c.value,
        ),
    ),
    Mistake(
        "the contexts are added up from row to row",
        f"{_MIX} Each row starts from nothing; in a loop, reset the sum.",
        *_contexts(lambda z, c: np.cumsum(z, axis=-2)),
    ),
    Mistake(
        "the contexts are multiplied with the vectors once more",
        f"{_MIX} One product is enough.",
        *_contexts(lambda z, c: z @ t(c.value)),
    ),
)

MIX = (entering, vectors_in, mixed, context)

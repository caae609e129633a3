"""From weights and values to contexts: a weighted sum of the values."""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import softmax, t, total

_MIX = (
    "Row i of the weights says how much query i takes from each row of the"
    " values."
)


def _hard(c):
    return c.value[c.weights.argmax(axis=-1)]


def _without_own(a):
    return a * (1 - np.eye(a.shape[-2], a.shape[-1]))


def _again(a):
    return a / total(a)


def _changed(change):
    return lambda c: change(c.weights) @ c.value


def _changed_value(change):
    return lambda c: c.weights @ change(c.value)


context = Step(
    "context",
    lambda c: c.weights @ c.value,
    Mistake(
        "the weights are transposed in the mix",
        _MIX + " Here its columns have been used, and they do not sum to 1.",
        lambda c: t(c.weights) @ c.value,
    ),
    Mistake(
        "this multiplies number by number",
        _MIX + " The operator * makes no sums; @ does.",
        lambda c: c.weights * c.value,
        lambda c: t(c.weights) * c.value,
        lambda c: c.weights * t(c.value),
    ),
    Mistake(
        "the product is in the other order",
        _MIX + " In A @ B the rows of A say how to mix the rows of B.",
        lambda c: c.value @ c.weights,
        lambda c: c.value @ t(c.weights),
        lambda c: t(c.value) @ c.weights,
        lambda c: t(c.value) @ t(c.weights),
        lambda c: t(t(c.value) @ c.weights),
        lambda c: c.weights @ t(c.value),
    ),
    Mistake(
        "every token counts the same",
        _MIX + " Here the weights make no difference.",
        lambda c: (
            c.value.mean(axis=-2, keepdims=True) + 0 * (c.weights @ c.value)
        ),
        lambda c: (
            c.value.sum(axis=-2, keepdims=True) + 0 * (c.weights @ c.value)
        ),
        lambda c: c.value.mean(axis=-2),
    ),
    Mistake(
        "the values come back as they were",
        _MIX + " The weights of a row sum to 1: added up before they meet the"
        " values, nothing is left of them.",
        lambda c: c.value + 0.0,
        lambda c: total(c.weights) * c.value,
    ),
    Mistake(
        "each row is only scaled, not mixed",
        _MIX + " Here a context holds nothing of the other tokens.",
        lambda c: t(total(c.weights, -2)) * c.value,
        lambda c: (
            np.diagonal(c.weights, axis1=-2, axis2=-1)[..., None] * c.value
        ),
        lambda c: c.weights.max(axis=-1, keepdims=True) * c.value,
        lambda c: c.weights.mean(axis=-1, keepdims=True) * c.value,
    ),
    Mistake(
        "only the token with the largest weight is taken",
        "That is a hard choice. Every token contributes by its weight.",
        _hard,
        lambda c: c.weights.max(axis=-1, keepdims=True) * _hard(c),
    ),
    Mistake(
        "the token's own vector is left out",
        "The diagonal belongs to the weights: a token's own vector enters the"
        " mix with its weight.",
        _changed(_without_own),
        _changed(lambda a: _again(_without_own(a))),
    ),
    Mistake(
        "the contexts are divided once more",
        _MIX + " They sum to 1 already; nothing is left to divide.",
        _changed(lambda a: a / total(a, -2)),
        lambda c: c.weights @ c.value / c.value.shape[-2],
        lambda c: c.weights @ c.value / c.value.shape[-1],
        lambda c: c.weights @ c.value / np.sqrt(c.value.shape[-1]),
        lambda c: c.weights @ c.value / np.sqrt(c.value.shape[-2]),
        lambda c: c.weights @ c.value / total(c.weights, -2).sum(),
        lambda c: c.weights @ c.value / c.weights.max(),
    ),
    Mistake(
        "a softmax is taken in the mix",
        "The weights are a softmax already, and the context needs none: it"
        " may hold any number.",
        _changed(softmax),
        _changed(lambda a: softmax(a, -2)),
        lambda c: softmax(c.weights @ c.value),
        lambda c: softmax(c.weights @ c.value, -2),
    ),
    Mistake(
        "the vectors themselves are added or subtracted",
        "The context vector is the mix alone. What you add has a name, too: a"
        " residual connection hands a layer's input on beside its result. It"
        " comes in notebook 04.",
        lambda c: c.weights @ c.value + c.value,
        lambda c: (c.weights @ c.value + c.value) / 2,
        lambda c: c.weights @ c.value - c.value,
        lambda c: c.value - c.weights @ c.value,
        lambda c: c.weights @ c.value * c.value,
    ),
    Mistake(
        "only the last term of each sum is kept",
        _MIX + " In a loop `=` forgets what came before; `+=` adds up.",
        lambda c: c.weights[..., -1:] * c.value[..., -1:, :],
        lambda c: c.weights[..., :1] * c.value[..., :1, :],
    ),
    Mistake(
        "the weighted vectors are not yet added up",
        _MIX + " The sum runs over the keys.",
        lambda c: c.weights[..., None] * c.value[..., None, :, :],
        lambda c: (c.weights[..., None] * c.value[..., None, :, :]).sum(-1),
    ),
    Mistake(
        "later tokens are left out of the mix",
        "That is a causal mask, for models that write text word by word. Here"
        " every token may look at every token.",
        _changed(np.tril),
        _changed(lambda a: _again(np.tril(a))),
        _changed(np.triu),
    ),
    Mistake(
        "one token is left out of the mix",
        _MIX + " Does a loop start at 1, or end one token early?",
        lambda c: c.weights[..., 1:] @ c.value[..., 1:, :],
        lambda c: c.weights[..., :-1] @ c.value[..., :-1, :],
    ),
    Mistake(
        "the weights have been changed before the mix",
        _MIX + " They are used as they are.",
        _changed(np.square),
        _changed(lambda a: _again(a**2)),
        _changed(np.sqrt),
        _changed(np.round),
        _changed(np.abs),
        _changed(np.log),
        _changed(np.exp),
        _changed(lambda a: a - a.mean(axis=-1, keepdims=True)),
        _changed(lambda a: 1 - a),
        _changed(lambda a: a - a.max(axis=-1, keepdims=True)),
        _changed(lambda a: a / a.max(axis=-1, keepdims=True)),
        _changed(lambda a: a[..., ::-1]),
        _changed(lambda a: a[..., ::-1, :]),
        _changed(lambda a: 1.0 * (a > 1 / a.shape[-1])),
    ),
    Mistake(
        "the vectors have been changed before the mix",
        _MIX + " The vectors enter as they are.",
        _changed_value(lambda v: v - v.mean(axis=-1, keepdims=True)),
        _changed_value(lambda v: v - v.mean(axis=-2, keepdims=True)),
        _changed_value(lambda v: v / np.sqrt(total(v * v))),
        _changed_value(lambda v: v / np.sqrt((v * v).sum())),
        _changed_value(np.abs),
        _changed_value(np.square),
        _changed_value(softmax),
        _changed_value(lambda v: v[..., ::-1, :]),
    ),
    Mistake(
        "the contexts are added up from row to row",
        _MIX + " Each row starts from nothing; in a loop, reset the sum.",
        lambda c: np.cumsum(c.weights @ c.value, axis=-2),
    ),
    Mistake(
        "the contexts are multiplied with the vectors once more",
        _MIX + " One product is enough.",
        lambda c: c.weights @ c.value @ t(c.value),
        lambda c: c.weights @ t(c.value) @ c.value,
    ),
    Mistake(
        "the mix is taken twice",
        _MIX + " Here the contexts have been mixed once more.",
        lambda c: c.weights @ c.weights @ c.value,
    ),
)

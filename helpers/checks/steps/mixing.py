"""From weights and values to contexts: a weighted sum of the values.

Four steps: the weights as they enter the mix, the values as they enter it,
the product, and what follows it.
"""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import on, softmax, t, total

_MIX = (
    "Row i of the weights says how much query i takes from each row of the"
    " values."
)
_ONE = "Each row of the weights sums to 1 already; nothing is left to divide."


def _hard(a):
    return np.eye(a.shape[-1])[a.argmax(axis=-1)]


def _again(a):
    return a / total(a)


def _turned_shape(a):
    return a.reshape(*a.shape[:-2], a.shape[-1], a.shape[-2])


entering = Step(
    "entering",
    lambda c: c.weights,
    Mistake(
        "the weights are transposed in the mix",
        f"{_MIX} Here its columns have been used.",
        *on("weights", t),
    ),
    Mistake(
        "a reshape of the weights changes their order",
        f"{_MIX} They enter as they are; and a reshape is no transpose, it"
        " keeps the reading order.",
        *on("weights", _turned_shape, lambda a: t(_turned_shape(a))),
    ),
    Mistake(
        "only the token with the largest weight is taken",
        "That is a hard choice. Every token contributes by its weight.",
        *on(
            "weights",
            _hard,
            lambda a: a.max(axis=-1, keepdims=True) * _hard(a),
        ),
    ),
    Mistake(
        "only the query with the largest weight is taken for each key",
        f"{_MIX} Every token contributes by its weight.",
        *on("weights", lambda a: _hard(t(a))),
    ),
    Mistake(
        "the softmax is taken again in the mix",
        "The weights are a softmax already.",
        *on("weights", softmax, lambda a: softmax(a, -2)),
    ),
    Mistake(
        "later tokens are left out of the mix",
        "That is a causal mask, for models that write text word by word. Here"
        " every token may look at every token.",
        *on("weights", np.tril, lambda a: _again(np.tril(a))),
    ),
    Mistake(
        "the weights are normalized along the columns",
        _ONE,
        *on("weights", lambda a: a / total(a, -2)),
    ),
    Mistake(
        "the weights are rounded before the mix",
        "Round only what you print.",
        *on("weights", *(lambda a, n=n: np.round(a, n) for n in range(4))),
    ),
)

vectors_in = Step(
    "vectors_in",
    lambda c: c.value,
    Mistake(
        "the vectors are transposed in the mix",
        "The rows of the values are what is mixed: weights times values.",
        *on("value", t),
    ),
)


def _scaled(*factors):
    return [lambda c, f=f: f(c.entering) * c.vectors_in for f in factors]


def _products(c):
    """Weight by vector, not yet added up: (T_q, T_k, d)."""
    return c.entering[..., None] * c.vectors_in[..., None, :, :]


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
    ),
    Mistake(
        "the values come back as they were",
        f"{_MIX} Added up before they meet the values, nothing is left of"
        " them.",
        lambda c: c.vectors_in + 0.0,
        *_scaled(total),
    ),
    Mistake(
        "the sum runs over the queries, not over the keys",
        f"{_MIX} The sum over the keys is what mixes those rows.",
        *(lambda c, f=f: f(_products(c), axis=-3) for f in (np.sum, np.mean)),
    ),
    Mistake(
        "the sum runs over the numbers of each vector, not over the keys",
        f"{_MIX} The sum over the keys is what mixes those rows.",
        *(lambda c, f=f: f(_products(c), axis=-1) for f in (np.sum, np.mean)),
    ),
    Mistake(
        "the mean over the keys is taken, not the sum",
        _ONE,
        lambda c: _products(c).mean(axis=-2),
    ),
    Mistake(
        "each row is only scaled, not mixed",
        f"{_MIX} Here a context holds nothing of the other tokens.",
        *_scaled(
            lambda a: np.diagonal(a, axis1=-2, axis2=-1)[..., None],
            lambda a: a.max(axis=-1, keepdims=True),
            lambda a: a.mean(axis=-1, keepdims=True),
        ),
    ),
    Mistake(
        "only the last term of each sum is kept",
        f"{_MIX} In a loop `=` forgets what came before; `+=` adds up.",
        lambda c: c.entering[..., -1:] * c.vectors_in[..., -1:, :],
    ),
    Mistake(
        "the weighted vectors are not yet added up",
        f"{_MIX} Sum over the keys.",
        _products,
    ),
    Mistake(
        "one token is left out of the mix",
        f"{_MIX} Does a loop start at 1, or end one token early?",
        lambda c: c.entering[..., 1:] @ c.vectors_in[..., 1:, :],
        lambda c: c.entering[..., :-1] @ c.vectors_in[..., :-1, :],
    ),
)


def _aligned(c):
    """The values as rows of the contexts, as far as both reach."""
    found = np.zeros_like(c.mixed)
    length = min(c.mixed.shape[-2], c.value.shape[-2])
    found[..., :length, :] = c.value[..., :length, :]
    return found


context = Step(
    "context",
    lambda c: c.mixed,
    Mistake(
        "the contexts are divided once more",
        _ONE,
        lambda c: c.mixed / c.value.shape[-2],
        lambda c: c.mixed / np.sqrt(c.value.shape[-1]),
        lambda c: c.mixed / c.weights.sum(),
    ),
    Mistake(
        "the vectors themselves are added or subtracted",
        "The context is the mix alone. What you add has a name, too: it is a"
        " residual connection, and comes in notebook 04.",
        lambda c: c.mixed + c.value,
        lambda c: c.mixed - c.value,
        lambda c: c.mixed + _aligned(c),
    ),
)

MIX = (entering, vectors_in, mixed, context)
# for weights (T, T), which a reshape does not change
SQUARE_MIX = (
    entering.but(without=("a reshape of the weights changes their order",)),
    *MIX[1:],
)

"""Exercise: multi-head attention as a whole."""

import numpy as np

from helpers import attention
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import (
    finite,
    rows_sum_to_one,
    shares_not_negative,
    table,
    turned,
)


def _layer(seed, heads, length, d_model, d_k, d_v, *batch):
    return (
        table(seed, *batch, length, d_model),
        table(seed + 1, d_model, heads * d_k),
        table(seed + 2, d_model, heads * d_k),
        table(seed + 3, d_model, heads * d_v),
        table(seed + 4, heads * d_v, d_model),
        heads,
    )


def _general(
    *arguments,
    split=attention.split_heads,
    merge=attention.merge_heads,
    root=lambda q, x: np.sqrt(q.shape[-1]),
    axis=-1,
    swapped=False,
    context=lambda a, v: a @ v,
    project=lambda merged, w_o: merged @ w_o,
):
    """Run the layer with one step replaced by another."""
    *(x, w_q, w_k, w_v, w_o), heads = arguments
    heads = int(heads)
    q, k, v = (split(x @ w, heads) for w in (w_q, w_k, w_v))
    if swapped:
        q, k = k, q
    scores = q @ turned(k) / root(q, x)
    weights = attention.softmax(scores, axis=axis)
    return project(merge(context(weights, v)), w_o), weights


def _variant(**steps):
    return lambda *arguments: _general(*arguments, **steps)


def _poured_in(x, heads):
    return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


def _woven_in(x, heads):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, heads), -1, -3)


def _poured_out(z):
    return z.reshape(*z.shape[:-3], z.shape[-2], -1)


def _one_head(x, w_q, w_k, w_v, w_o, heads):
    output, weights = _general(x, w_q, w_k, w_v, w_o, 1)
    return output, weights[..., 0, :, :]


def _narrow(w, heads):
    return w[:, : w.shape[1] // heads]


def _same_for_all(x, w_q, w_k, w_v, w_o, heads):
    w_q, w_k, w_v = (
        np.tile(_narrow(w, heads), heads) for w in (w_q, w_k, w_v)
    )
    return _general(x, w_q, w_k, w_v, w_o, heads)


multi_head_attention = Exercise(
    name="multi_head_attention",
    call="multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads)",
    reference=_general,
    results=("output", "weights"),
    shape="(T, d_model) and one T by T table per head",
    probes=(
        Probe("3 words, 2 heads", _layer(431, 2, 3, 4, 2, 2)),
        Probe("4 words, 3 heads", _layer(437, 3, 4, 5, 2, 1)),
        Probe("5 words, 2 heads, d_v = 3", _layer(443, 2, 5, 4, 2, 3)),
        Probe("4 words, 2 heads, d_model = 4", _layer(449, 2, 4, 4, 2, 2)),
        Probe("one head", _layer(455, 1, 3, 4, 3, 2), "hard"),
        Probe("one word", _layer(461, 2, 1, 3, 2, 2), "hard"),
        Probe("2 sentences at once", _layer(467, 2, 3, 4, 2, 2, 2), "beyond"),
    ),
    properties=(finite, shares_not_negative, rows_sum_to_one),
    bugs=(
        Bug(
            "the scale is missing",
            _variant(root=lambda q, x: 1.0),
            "Each head divides its scores by the square root of d_k.",
        ),
        Bug(
            "the scale takes the root of another width",
            (
                lambda *a: _general(
                    *a, root=lambda q, x: np.sqrt(a[1].shape[1])
                ),
                _variant(root=lambda q, x: np.sqrt(x.shape[-1])),
                _variant(root=lambda q, x: np.sqrt(x.shape[-2])),
                lambda *a: _general(*a, root=lambda q, x: np.sqrt(a[-1])),
            ),
            "The number of heads, of words or of all columns is not it. A"
            " score of one head is a sum of d_k products, and d_k is the"
            " width of *one* head: all columns of w_q, divided by the heads.",
        ),
        Bug(
            "divided by d_k instead of its root",
            _variant(root=lambda q, x: q.shape[-1]),
            "The spread of a sum of d_k products grows with the root of d_k.",
        ),
        Bug(
            "the rows are poured straight into the heads",
            (
                _variant(split=_poured_in),
                _variant(split=_poured_in, merge=_poured_out),
            ),
            "reshape(H, T, d) gives the first head the first *words*, cut"
            " into pieces. First (T, H, d), then exchange the axes.",
        ),
        Bug(
            "the heads are interleaved",
            _variant(split=_woven_in),
            "Head h owns the columns h*d to (h+1)*d of its projection.",
        ),
        Bug(
            "the heads are poured back without exchanging the axes",
            _variant(merge=_poured_out),
            "Undo the split in reverse: exchange heads and words, then"
            " reshape.",
        ),
        Bug(
            "w_o is missing",
            _variant(project=lambda merged, w_o: merged),
            "The heads stand side by side. The product with w_o mixes them,"
            " and leads back to d_model.",
        ),
        Bug(
            "the output is divided by the number of heads",
            lambda *a: (_general(*a)[0] / a[-1], _general(*a)[1]),
            "The heads are concatenated, not averaged.",
        ),
        Bug(
            "this is one wide head",
            (
                _one_head,
                lambda *a: _general(*a[:-1], 1),
            ),
            "num_heads is not used: one softmax over the full width. Split"
            " query, key and value first, so that each head has scores of"
            " its own.",
        ),
        Bug(
            "all heads do the same",
            _same_for_all,
            "Each head has columns of its own in w_q, w_k and w_v.",
        ),
        Bug(
            "softmax along the queries",
            _variant(axis=-2),
            "Each query hands out shares that sum to 1: the last axis.",
        ),
        Bug(
            "softmax across the heads",
            _variant(axis=-3),
            "The heads do not compete. In each head, each query hands out"
            " shares that sum to 1: the last axis.",
        ),
        Bug(
            "queries and keys have changed places",
            _variant(swapped=True),
            "Rows ask, columns answer: query @ key transposed.",
        ),
        Bug(
            "the weights are used on their side",
            _variant(context=lambda a, v: turned(a) @ v),
            "Row i of the weights says what word i takes: weights @ value.",
        ),
        Bug(
            "output and weights have changed places",
            lambda *a: _general(*a)[::-1],
            "Return the output first, then the weights.",
        ),
        Bug(
            "the weights are not returned",
            lambda *a: _general(*a)[0],
            "Two results are asked for: the output, and the weights.",
        ),
        Bug(
            "w_o is used on its side",
            _variant(project=lambda merged, w_o: merged @ w_o.T),
            "The merged table has H*d_v columns, and w_o has H*d_v rows.",
        ),
    ),
    proves=(
        "You have written section 3.2.2 of the paper. Each head has a softmax"
        " of its own, so a word can look at two places at once."
    ),
)

"""Self-attention without its table of weights: online softmax, in blocks.

The context of `helpers.attention`, with one block of the table at a time:
memory grows with T, not with its square. Milakov & Gimelshein (2018),
*Online normalizer calculation for softmax*; blocks and backward pass: Dao
et al. (2022), *FlashAttention*; one number a row that is kept for it: Dao
(2023), *FlashAttention-2*, section 3.1.
"""

import math

import numpy as np

from helpers import validation

BLOCKS = 128, 512  # queries, keys


@np.errstate(all="ignore")
def blockwise_attention(
    query, key, value, *, is_causal=False, scale=None, blocks=BLOCKS
):
    """Mix values by how well each query matches each key, block by block.

    Parameters
    ----------
    query : array (..., T_q, d_k)
    key : array (..., T_k, d_k)
    value : array (..., T_k, d_v)
    is_causal, scale
        As in `attention`; blocks that it hides are not computed.
    blocks : pair of int
        Queries and keys of a block; at least 1 each.

    Returns
    -------
    context : array (..., T_q, d_v)
    log_sums : array (..., T_q)
        log(sum(exp(scores))) of each row; -inf if there is no key.

    Raises
    ------
    TypeError, ValueError
        As in `attention.scaled_dot_product_attention`, and for `blocks`.
    """
    qkv, shape, options = _check(query, key, value, is_causal, scale, blocks)
    wide = np.result_type(*qkv, np.float32)  # float16 cannot count far
    context, log_sums = np.zeros(shape, wide), np.empty(shape[:-1], wide)
    for at in np.ndindex(shape[:-2]):
        parts = (_part(a, at) for a in qkv)
        log_sums[at] = _attend(*parts, context[at], *options)
    return tuple(
        a.astype(qkv[0].dtype, copy=False) for a in (context, log_sums)
    )


def _attend(query, key, value, context, *options):
    """Add up the context of one head, and return its log_sums (T_q,)."""
    highest = np.full((len(query), 1), -np.inf, context.dtype)  # (T_q, 1)
    total = np.zeros((len(query), 1), context.dtype)
    for rows, columns, scores in _score_blocks(query, key, *options):
        new = np.maximum(highest[rows], scores.max(axis=-1, keepdims=True))
        scores -= new
        weights = np.exp(scores, out=scores)  # not yet divided by their sum
        rescale = np.exp(highest[rows] - new)  # (R, 1), 1 if none was higher
        total[rows] *= rescale
        total[rows] += weights.sum(axis=-1, keepdims=True)
        context[rows] *= rescale
        context[rows] += weights @ value[columns]
        highest[rows] = new
    log_sums = highest + np.log(total)
    total[total == 0] = 1  # no key: the context stays 0
    context /= total
    return log_sums[:, 0]


def _score_blocks(query, key, is_causal, scale, query_block, key_block):
    """Yield each block that is not hidden: rows, columns, scores (R, C).

    `rows` and `columns` are slices of R queries and of C keys.
    """
    for top in range(0, len(query), query_block):
        rows = slice(top, min(top + query_block, len(query)))
        seen = min(rows.stop, len(key)) if is_causal else len(key)
        for left in range(0, seen, key_block):
            columns = slice(left, min(left + key_block, seen))
            scores = (query[rows] * scale) @ key[columns].T
            validation.finite_scores(scores, query, key)
            if is_causal and columns.stop > top + 1:
                past = np.tri(*scores.shape, top - left, dtype=bool)
                scores[~past] = -np.inf
            yield rows, columns, scores


@np.errstate(all="ignore")
def blockwise_attention_backward(
    grad_context, query, key, value, context, log_sums, *, is_causal=False,
    scale=None, blocks=BLOCKS,
):  # fmt: skip
    """Return the gradients with respect to query, key and value.

    Takes the gradient with respect to the context, the arguments of the
    forward pass and what it returned; the weights of each block are computed
    again. Each gradient has the shape of its input. Raises as it does.
    """
    qkv, shape, options = _check(query, key, value, is_causal, scale, blocks)
    given = (
        validation.of_shape("grad_context", grad_context, shape),
        validation.of_shape("context", context, shape),
        validation.of_shape("log_sums", log_sums, shape[:-1], finite=False),
    )
    validation.no_positive_infinity("log_sums", given[2])
    grads = [np.zeros(a.shape, a.dtype) for a in qkv]
    for at in np.ndindex(shape[:-2]):
        parts = [_part(a, at) for a in qkv] + [a[at] for a in given]
        _add_gradients([_part(a, at) for a in grads], *parts, *options)
    for name, gradient in zip(("query", "key", "value"), grads, strict=True):
        validation.finite_gradient(name, gradient)
    return tuple(grads)


def _add_gradients(
    grads, query, key, value, grad_context, context, log_sums, *options
):
    """Add the gradients of one head to `grads`."""
    # the mean of each row of grad_context @ value.T, by its weights: (T_q, 1)
    mean = np.einsum("td,td->t", grad_context, context)[:, None]
    for rows, columns, scores in _score_blocks(query, key, *options):
        scores -= log_sums[rows, None]
        weights = np.exp(scores, out=scores)  # as they are in the table
        grads[2][columns] += weights.T @ grad_context[rows]
        grad_scores = grad_context[rows] @ value[columns].T  # (R, C)
        grad_scores -= mean[rows]
        grad_scores *= weights
        grad_scores *= options[1]  # scale
        grads[0][rows] += grad_scores @ key[columns]
        grads[1][columns] += grad_scores.T @ query[rows]


def _check(query, key, value, is_causal, scale, blocks):
    """Return the arrays, the shape of the context, the options."""
    qkv = validation.query_key_value(query, key, value)
    batch = np.broadcast_shapes(*(a.shape[:-2] for a in qkv))
    shape = *batch, qkv[0].shape[-2], qkv[2].shape[-1]
    scale = 1 / math.sqrt(qkv[1].shape[-1]) if scale is None else scale
    scale = qkv[1].dtype.type(validation.real_number("scale", scale))
    is_causal = validation.flag("is_causal", is_causal)
    blocks = validation.positive_integers("blocks", blocks, 2)
    return qkv, shape, (is_causal, scale, *blocks)


def _part(array, at):
    """The matrix of `array` at a place of the batch that it broadcasts to."""
    at = at[len(at) - (array.ndim - 2) :]  # axes that it has itself
    last = np.subtract(array.shape[:-2], 1)  # 0 where one serves all places
    return array[tuple(np.minimum(at, last))]

"""Self-attention in NumPy: the forward pass, one function per idea.

Rows are tokens and ``weights[..., query, key]`` says how much a query takes
from a key, so every row of weights sums to 1. All functions take any number
of leading batch axes and never change their arguments. float16, float32 and
float64 stay what they are; integers become float64.
"""

import math

import numpy as np

from helpers import validation

# Rounding to 0 or infinity is expected here; validation names real trouble,
# whatever np.errstate or warning filter the caller has set.
_quiet = np.errstate(all="ignore")
# exp of +-40, and sums of it, are far from the limits of float32: scores this
# small need no shift, which saves two passes over all of them.
_SMALL = 40.0
_CACHED = 1 << 18  # numbers that stay in a processor's cache between passes


@_quiet
def softmax(scores, axis=-1):
    """Turn scores into shares between 0 and 1 that sum to 1 along `axis`.

    Parameters
    ----------
    scores : array (..., T)
        Any real numbers. -inf marks an entry that gets no share.
    axis : int
        The axis to share along: the keys.

    Returns
    -------
    weights : array of the same shape
        A slice that is -inf throughout has nothing to share: all zeros.

    Raises
    ------
    TypeError, ValueError
        For anything but real numbers, NaN, +infinity, or a bad axis.
    """
    scores = validation.float_array("scores", scores, finite=False)
    axis = validation.axis("axis", axis, scores)
    return _softmax_in_place(scores.copy(), axis)


def _softmax_in_place(scores, axis=-1, name="scores"):
    highest = scores.max(axis=axis, keepdims=True)
    validation.highest_score(name, highest, scores)
    highest[highest == -np.inf] = 0  # no key left: avoids -inf - -inf
    scores -= highest  # exp of at most 0 cannot overflow
    return _shares_in_place(scores, axis)


def _shares_in_place(scores, axis=-1):
    weights = np.exp(scores, out=scores)
    wide = np.result_type(weights, np.float32)  # float16 cannot count far
    last = np.moveaxis(weights, axis, -1)  # a view; einsum outruns sum there
    total = np.einsum("...k->...", last, dtype=wide)
    total = np.expand_dims(total, axis)
    total[total == 0] = 1  # no key left: the weights stay 0
    weights /= total
    return weights


@_quiet
def scaled_dot_product_attention(
    query, key, value, *, mask=None, is_causal=False, scale=None
):
    """Mix values by how well each query matches each key.

    ``softmax(query @ key.T * scale) @ value``: Vaswani et al. (2017),
    *Attention Is All You Need*, section 3.2.1, equation 1.

    Parameters
    ----------
    query : array (..., T_q, d_k)
    key : array (..., T_k, d_k)
    value : array (..., T_k, d_v)
        Batch axes broadcast against each other.
    mask : array that broadcasts to (..., T_q, T_k), optional
        Boolean: True where a query may attend. Floating point: added to the
        scores. Integers are refused, because 0 and 1 could mean either.
    is_causal : bool
        A query sees only keys at its own position and before, counted from
        the first query and the first key. Combines with `mask`.
    scale : float, optional
        Factor of the scores; 1/sqrt(d_k) if None.

    Returns
    -------
    context : array (..., T_q, d_v)
    weights : array (..., T_q, T_k)
        A query with no key left gets weights 0 and context 0.

    Raises
    ------
    TypeError, ValueError
        For shapes that do not fit, NaN, infinity or scores that overflow;
        the message names the argument and the shapes.
    """
    query, key, value = validation.query_key_value(query, key, value)
    if scale is None:
        scale = 1 / math.sqrt(key.shape[-1])
    scale = validation.real_number("scale", scale)
    is_causal = validation.flag("is_causal", is_causal)
    scores, bound = _scores(query, key, scale)
    bound += _apply_mask(scores, mask, is_causal)
    weights = _weights_in_place(scores, bound)  # (..., T_q, T_k)
    context = weights @ value  # (..., T_q, d_v)
    return context, weights


def _scores(query, key, scale):
    # T*d multiplications instead of T*T: scale the smaller array
    scaled = query * query.dtype.type(scale)  # (..., T_q, d_k)
    scores = scaled @ key.swapaxes(-1, -2)  # (..., T_q, T_k)
    return scores, validation.score_bound(scores, scaled, key)


def _weights_in_place(scores, bound):
    """Return the softmax over the keys; no score is larger than bound."""
    if not bound <= _SMALL:  # NaN is not small
        return _softmax_in_place(scores, name="mask")
    for rows in _blocks(scores):
        _shares_in_place(rows)
    return scores


def _blocks(scores):
    """Yield all rows as views of some rows each."""
    if not scores.size or not scores.flags.c_contiguous:
        yield scores
        return
    rows = scores.reshape(-1, scores.shape[-1])  # a view: it is contiguous
    step = max(1, _CACHED // rows.shape[1])
    for start in range(0, len(rows), step):
        yield rows[start : start + step]


def _apply_mask(scores, mask, is_causal):
    """Mask in place; return how much larger an allowed score can be now."""
    growth = 0.0
    if mask is not None:
        mask = validation.attention_mask(mask, scores.shape)
        if mask.dtype == bool:
            np.copyto(scores, -np.inf, where=~mask)
        else:
            scores += mask.astype(scores.dtype, copy=False)
            sizes = np.abs(mask)
            growth = float(sizes.max(where=sizes < np.inf, initial=0))
    if is_causal:
        later = ~np.tri(*scores.shape[-2:], dtype=bool)  # (T_q, T_k)
        np.copyto(scores, -np.inf, where=later)
    return growth


def split_heads(x, num_heads):
    """Cut the width into heads: (..., T, H*d) -> (..., H, T, d).

    Vaswani et al. (2017), section 3.2.2. Raises ValueError if `num_heads`
    does not divide the width.
    """
    x = validation.float_array("x", x, ndim=2)
    num_heads = validation.head_count("x", x, num_heads)
    size = x.shape[-1] // num_heads  # d; -1 fails for an empty batch
    heads = x.reshape(*x.shape[:-1], num_heads, size)  # (..., T, H, d)
    return heads.swapaxes(-2, -3).copy()  # (..., H, T, d)


def merge_heads(x):
    """Undo `split_heads`: (..., H, T, d) -> (..., T, H*d)."""
    x = validation.float_array("x", x, ndim=3)
    *batch, num_heads, tokens, size = x.shape
    heads = x.swapaxes(-2, -3).copy()  # (..., T, H, d)
    return heads.reshape(*batch, tokens, num_heads * size)  # (..., T, H*d)


@_quiet
def multi_head_attention(
    x,
    w_q,
    w_k,
    w_v,
    w_o,
    num_heads,
    *,
    b_q=None,
    b_k=None,
    b_v=None,
    b_o=None,
    mask=None,
    is_causal=False,
):
    """Attend with several heads at once and project what they found.

    Vaswani et al. (2017), section 3.2.2.

    Parameters
    ----------
    x : array (..., T, d_model)
    w_q, w_k : array (d_model, H*d_k)
    w_v : array (d_model, H*d_v)
    w_o : array (H*d_v, d_model)
    num_heads : int
        H; head h owns columns h*d to (h+1)*d of each projection.
    b_q, b_k, b_v, b_o : array as wide as its projection, optional
    mask, is_causal
        As in `scaled_dot_product_attention`, for scores (..., H, T, T); give
        a mask per sentence as (B, 1, T, T).

    Returns
    -------
    output : array (..., T, d_model)
    weights : array (..., H, T, T)

    Raises
    ------
    TypeError, ValueError
        For arguments that do not fit; the message names them.
    """
    x = validation.float_array("x", x, ndim=2)
    w_q, b_q = validation.projection("q", x, w_q, b_q)
    w_k, b_k = validation.projection("k", x, w_k, b_k)
    w_v, b_v = validation.projection("v", x, w_v, b_v)
    w_o = validation.float_array("w_o", w_o, ndim=2)
    validation.head_projections(x, w_q, w_k, w_v, w_o, num_heads)
    query = _project("q", x, w_q, b_q)  # (..., T, H*d_k)
    key = _project("k", x, w_k, b_k)  # (..., T, H*d_k)
    value = _project("v", x, w_v, b_v)  # (..., T, H*d_v)
    context, weights = scaled_dot_product_attention(
        split_heads(query, num_heads),  # (..., H, T, d_k)
        split_heads(key, num_heads),  # (..., H, T, d_k)
        split_heads(value, num_heads),  # (..., H, T, d_v)
        mask=mask,
        is_causal=is_causal,
    )
    merged = merge_heads(context)  # (..., T, H*d_v)
    w_o, b_o = validation.projection("o", merged, w_o, b_o)
    return _project("o", merged, w_o, b_o), weights  # (..., T, d_model)


def _project(name, x, weight, bias):
    y = x @ weight  # (..., T, width)
    y = y if bias is None else y + bias
    return validation.float_array(f"input @ w_{name} + b_{name}", y)

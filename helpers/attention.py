"""Self-attention in NumPy: the forward pass, one function per idea.

Rows are tokens and ``weights[..., query, key]`` says how much of a key's
value goes to a query, so every row of weights sums to 1. All functions take
any number of leading batch axes and never change their arguments. float16,
float32 and float64 stay what they are; integers become float64.
"""

import math

import numpy as np

from helpers import validation

# validation names what is wrong, whatever warning filter the caller has set
_quiet = np.errstate(all="ignore")


@_quiet
def softmax(scores, axis=-1):
    """Turn scores into weights between 0 and 1 that sum to 1 along `axis`.

    Parameters
    ----------
    scores : array (..., T)
        Any real numbers. -inf marks an entry of weight 0.
    axis : int
        The axis along which the weights sum to 1: the keys.

    Returns
    -------
    weights : array of the same shape
        All zeros where a slice is -inf throughout.

    Raises
    ------
    TypeError, ValueError
        For anything but real numbers, NaN, +infinity, or a bad axis.
    """
    scores = validation.float_array("scores", scores, finite=False, empty=True)
    axis = validation.axis("axis", axis, scores)
    validation.no_positive_infinity("scores", scores)
    return softmax_in_place(scores.copy(), axis)


def softmax_in_place(scores, axis=-1):
    """Overwrite scores with their softmax, unchecked."""
    highest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    highest[highest == -np.inf] = 0  # no key left: avoids -inf - -inf
    scores -= highest  # exp of at most 0 cannot overflow
    weights = np.exp(scores, out=scores)
    wide = np.result_type(weights, np.float32)  # float16 cannot count far
    last = weights.swapaxes(axis, -1)  # a view; einsum outruns sum
    total = np.einsum("...k->...", last, dtype=wide)[..., None]
    total[total == 0] = 1  # no key left: the weights stay 0
    weights /= total.swapaxes(axis, -1)
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
    is_causal = validation.flag("is_causal", is_causal)
    scale = _factor(scale, key)  # of queries: fewer numbers than scores
    scores = (query * scale) @ key.swapaxes(-1, -2)  # (..., T_q, T_k)
    validation.finite_scores(scores, query, key)
    scores = _hide(scores, mask, is_causal)  # -inf where hidden
    weights = softmax_in_place(scores)  # (..., T_q, T_k)
    context = weights @ value  # (..., T_q, d_v)
    return context, weights


def _factor(scale, key):
    """Return the scale in the precision of the keys."""
    if scale is None:
        scale = 1 / math.sqrt(key.shape[-1])
    return key.dtype.type(validation.real_number("scale", scale))


def _hide(scores, mask, is_causal):
    """Apply the masks in place."""
    if mask is not None:
        mask = validation.attention_mask(mask, scores)
        if mask.dtype == bool:
            np.copyto(scores, -np.inf, where=~mask)
        else:
            scores += mask
            validation.no_positive_infinity("mask: scores + mask", scores)
    if is_causal:
        later = ~np.tri(*scores.shape[-2:], dtype=bool)  # (T_q, T_k)
        np.copyto(scores, -np.inf, where=later)
    return scores


def split_heads(x, num_heads):
    """Cut the width into heads: (..., T, H*d) -> (..., H, T, d).

    Vaswani et al. (2017), section 3.2.2. Raises ValueError if `num_heads`
    does not divide the width.
    """
    x = validation.float_array("x", x, ndim=2, empty=True)
    num_heads = validation.head_count("x", x, num_heads)
    return view_heads(x, num_heads).copy()


def view_heads(x, num_heads):
    """Return what `split_heads` copies: (..., T, H*d) -> (..., H, T, d).

    Unchecked, because training calls it at every step.
    """
    size = x.shape[-1] // num_heads  # d; -1 fails for an empty batch
    heads = x.reshape(*x.shape[:-1], num_heads, size)  # (..., T, H, d)
    return heads.swapaxes(-2, -3)  # (..., H, T, d)


def merge_heads(x):
    """Undo `split_heads`: (..., H, T, d) -> (..., T, H*d)."""
    return join_heads(validation.float_array("x", x, ndim=3, empty=True))


def join_heads(x):
    """Do as `merge_heads`, unchecked: training calls it at every step."""
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
    """Attend with several heads at once and project their contexts.

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
    x, w, b, num_heads = validation.layer(
        x, (w_q, w_k, w_v, w_o), (b_q, b_k, b_v, b_o), num_heads
    )
    query, key, value = (
        view_heads(_project(x, w[n], b[n]), num_heads) for n in "qkv"
    )  # (..., H, T, d_k), and (..., H, T, d_v)
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=is_causal
    )
    output = _project(join_heads(context), w["o"], b["o"])
    output = validation.float_array("output", output, empty=True)
    return output, weights  # (..., T, d_model), (..., H, T, T)


def _project(x, w, b):
    """``x @ w + b``, in one product of all rows: faster where w is wide."""
    return np.tensordot(x, w, axes=1) + b

"""Self-attention backward: how the loss changes with every input.

Each function takes the gradient of a loss by its forward function's output
and returns the gradients by its inputs (reverse-mode differentiation, the
chain rule from the end to the beginning: Baydin et al. (2018), *Automatic
Differentiation in Machine Learning*, section 3.2). A gradient has the
shape of what it belongs to. Masks are constants and get none.
"""

import math

import numpy as np

from helpers import validation
from helpers.attention import (
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)


def softmax_backward(grad_weights, weights, axis=-1):
    """Return the gradient by the scores of ``weights = softmax(scores)``.

    The Jacobian of one row p is ``diag(p) - p p.T``; times the gradient g
    by the weights, that is ``p * (g - sum(p * g))``, without building it.

    Parameters
    ----------
    grad_weights, weights : array (..., T)
        Gradient of the loss by the weights, and the weights themselves.
    axis : int
        The axis that the softmax shared along.

    Returns
    -------
    grad_scores : array (..., T)
        Sums to 0 along `axis`: adding a number to all scores of a row
        changes nothing. A row of zero weights (no key left) gets zeros.

    Raises
    ------
    TypeError, ValueError
        For shapes that differ, a bad axis, NaN or infinity.
    """
    grad_weights = validation.float_array("grad_weights", grad_weights)
    weights = validation.float_array("weights", weights)
    _same_shape("grad_weights", grad_weights, "weights", weights)
    axis = validation.axis("axis", axis, weights)
    return _softmax_backward(grad_weights, weights, axis)


def _softmax_backward(grad_weights, weights, axis=-1):
    mean = (weights * grad_weights).sum(axis=axis, keepdims=True)
    return weights * (grad_weights - mean)


def scaled_dot_product_attention_backward(
    grad_context, query, key, value, *, mask=None, is_causal=False, scale=None
):
    """Return the gradients by query, key and value.

    The backward pass of `attention.scaled_dot_product_attention`, whose
    arguments these are; its forward pass is run again for the weights.

    Parameters
    ----------
    grad_context : array (..., T_q, d_v)
        Gradient of the loss by the context, and of its shape.
    query : array (..., T_q, d_k)
    key : array (..., T_k, d_k)
    value : array (..., T_k, d_v)
    mask, is_causal, scale
        As in the forward pass.

    Returns
    -------
    grad_query, grad_key, grad_value : arrays
        Each of the shape of its input: where an input was broadcast over
        batch axes, its gradient is summed over them.

    Raises
    ------
    TypeError, ValueError
        As in the forward pass, and if grad_context has another shape than
        the context.
    """
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=is_causal, scale=scale
    )
    query, key, value = validation.query_key_value(query, key, value)
    grad_context = validation.float_array("grad_context", grad_context, ndim=2)
    _same_shape("grad_context", grad_context, "context", context)
    grad_context = grad_context.astype(context.dtype, copy=False)
    scale = 1 / math.sqrt(key.shape[-1]) if scale is None else float(scale)
    # context = weights @ value
    grad_weights = grad_context @ value.swapaxes(-1, -2)  # (..., T_q, T_k)
    grad_value = weights.swapaxes(-1, -2) @ grad_context  # (..., T_k, d_v)
    # weights = softmax(scores)
    grad_scores = _softmax_backward(grad_weights, weights)  # (..., T_q, T_k)
    # scores = scale * query @ key.T
    grad_scores *= scale
    grad_query = grad_scores @ key  # (..., T_q, d_k)
    grad_key = grad_scores.swapaxes(-1, -2) @ query  # (..., T_k, d_k)
    return (
        _sum_to(query.shape, grad_query),
        _sum_to(key.shape, grad_key),
        _sum_to(value.shape, grad_value),
    )


def multi_head_attention_backward(
    grad_output,
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
    """Return the gradients by x, the four matrices and their biases.

    The backward pass of `attention.multi_head_attention`, whose arguments
    these are; its forward pass is run again for what happened inside.

    Parameters
    ----------
    grad_output : array (..., T, d_model)
        Gradient of the loss by the output, and of its shape.
    x : array (..., T, d_model)
    w_q, w_k : array (d_model, H*d_k)
    w_v : array (d_model, H*d_v)
    w_o : array (H*d_v, d_model)
    num_heads : int
    b_q, b_k, b_v, b_o, mask, is_causal
        As in the forward pass.

    Returns
    -------
    dict
        "x", "w_q", "w_k", "w_v", "w_o", and those of "b_q", "b_k", "b_v",
        "b_o" that were given: each gradient of the shape of its argument.
        All words share the matrices, so theirs are sums over the words.

    Raises
    ------
    TypeError, ValueError
        As in the forward pass, and if grad_output has another shape than
        the output.
    """
    biases = {"q": b_q, "k": b_k, "v": b_v, "o": b_o}
    output, _ = multi_head_attention(
        *(x, w_q, w_k, w_v, w_o, num_heads),
        **{f"b_{name}": bias for name, bias in biases.items()},
        **dict(mask=mask, is_causal=is_causal),
    )
    x = validation.float_array("x", x, ndim=2)
    grad_output = validation.float_array("grad_output", grad_output, ndim=2)
    _same_shape("grad_output", grad_output, "output", output)
    options = dict(mask=mask, is_causal=is_causal)
    matrices = {"q": w_q, "k": w_k, "v": w_v, "o": w_o}
    matrices = {n: np.asarray(w) for n, w in matrices.items()}
    heads = [  # query, key, value, each (..., H, T, d)
        split_heads(_project(x, matrices[n], biases[n]), num_heads)
        for n in "qkv"
    ]
    context, _ = scaled_dot_product_attention(*heads, **options)
    # output = merge_heads(context) @ w_o + b_o
    sources = {"q": x, "k": x, "v": x, "o": merge_heads(context)}
    grad_merged = grad_output @ matrices["o"].T  # (..., T, H*d_v)
    grad_heads = scaled_dot_product_attention_backward(
        split_heads(grad_merged, num_heads), *heads, **options
    )
    # query = split_heads(x @ w_q + b_q), and so on
    grads = {n: merge_heads(g) for n, g in zip("qkv", grad_heads, strict=True)}
    grads["o"] = grad_output
    found = {"x": sum(grads[n] @ matrices[n].T for n in "qkv")}
    for n, grad in grads.items():
        grad = grad.reshape(-1, grad.shape[-1])  # (words, width)
        source = sources[n].reshape(len(grad), -1)  # (words, rows of w)
        found[f"w_{n}"] = source.T @ grad
        if biases[n] is not None:
            found[f"b_{n}"] = grad.sum(axis=0)
    return found


def _project(x, weight, bias):
    return x @ weight if bias is None else x @ weight + np.asarray(bias)


def _sum_to(shape, gradient):
    """Sum over the axes along which an input of `shape` was broadcast."""
    extra = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(extra)))
    repeated = tuple(
        i for i, size in enumerate(shape) if size != gradient.shape[i]
    )
    return gradient.sum(axis=repeated, keepdims=True)


def _same_shape(name, array, other_name, other):
    if array.shape != other.shape:
        raise ValueError(
            f"{name}: expected the shape of {other_name}, {other.shape},"
            f" got {array.shape}"
        )

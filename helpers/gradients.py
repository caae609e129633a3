"""Self-attention backward: how the loss changes with every input.

Each function takes the gradient of a loss with respect to the output of its
forward function and returns the gradients with respect to the inputs
(reverse-mode differentiation, the chain rule from the end to the beginning:
Baydin et al. (2018), *Automatic Differentiation in Machine Learning*,
section 3.2). A gradient has the shape of what it belongs to. Masks are
constants and get none.
"""

import math

import numpy as np

from helpers import validation
from helpers.attention import (
    join_heads,
    scaled_dot_product_attention,
    split_heads,
)


def softmax_backward(grad_weights, weights, axis=-1):
    """Return the gradient with respect to the scores of a softmax.

    The Jacobian of one row p is ``diag(p) - p p.T``; times the gradient g
    with respect to the weights, that is ``p * (g - sum(p * g))``, without
    building it.

    Parameters
    ----------
    grad_weights, weights : array (..., T)
        Gradient of the loss with respect to the weights, and the weights.
    axis : int
        The axis along which the weights sum to 1.

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
    grad_weights = validation.float_array(
        "grad_weights", grad_weights, empty=True
    )
    weights = validation.float_array("weights", weights, empty=True)
    _same_shape("grad_weights", grad_weights, "weights", weights)
    axis = validation.axis("axis", axis, weights)
    return _softmax_backward(grad_weights, weights, axis)


def _softmax_backward(grad_weights, weights, axis=-1):
    mean = (weights * grad_weights).sum(axis=axis, keepdims=True)
    grad_scores = grad_weights - mean
    grad_scores *= weights  # in place, on every Python: one table less
    return grad_scores


def attention_backward(grad_context, query, key, value, weights, scale=None):
    """Return the gradients of attention whose weights are already known.

    What `scaled_dot_product_attention_backward` does after its forward
    pass. Unchecked, because training calls it at every step.

    Parameters
    ----------
    grad_context : array (..., T_q, d_v)
    query : array (..., T_q, d_k)
    key : array (..., T_k, d_k)
    value : array (..., T_k, d_v)
    weights : array (..., T_q, T_k)
        What the forward pass returned.
    scale : float, optional
        1/sqrt(d_k) if None.

    Returns
    -------
    grad_query, grad_key, grad_value : arrays
        With the batch axes of the context.
    """
    scale = 1 / math.sqrt(key.shape[-1]) if scale is None else float(scale)
    # context = weights @ value
    grad_value = weights.swapaxes(-1, -2) @ grad_context  # (..., T_k, d_v)
    # scores = scale * query @ key.T; no name keeps the gradient of weights
    grad_scores = scale * _softmax_backward(
        grad_context @ value.swapaxes(-1, -2), weights
    )  # (..., T_q, T_k)
    grad_query = grad_scores @ key  # (..., T_q, d_k)
    grad_key = grad_scores.swapaxes(-1, -2) @ query  # (..., T_k, d_k)
    return grad_query, grad_key, grad_value


def scaled_dot_product_attention_backward(
    grad_context, query, key, value, *, mask=None, is_causal=False, scale=None
):
    """Return the gradients with respect to query, key and value.

    The backward pass of `attention.scaled_dot_product_attention`, whose
    arguments these are; its forward pass is run again for the weights.

    Parameters
    ----------
    grad_context : array (..., T_q, d_v)
        Gradient of the loss with respect to the context.
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
    inputs = validation.query_key_value(query, key, value)
    grad_context = _like("grad_context", grad_context, "context", context)
    grads = attention_backward(grad_context, *inputs, weights, scale)
    return tuple(
        _sum_to(array.shape, grad)
        for array, grad in zip(inputs, grads, strict=True)
    )


def weight_gradient(x, grad_output):
    """Return the gradient with respect to the matrix of ``x @ weight``.

    All words share the matrix, so its gradient is a sum over the words.

    x (..., rows), grad_output (..., width) -> (rows, width).
    """
    words = math.prod(x.shape[:-1])  # -1 fails for rows of width 0
    flat_x = x.reshape(words, x.shape[-1])  # (words, rows)
    return flat_x.T @ grad_output.reshape(words, grad_output.shape[-1])


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
    """Return the gradients with respect to x, the matrices and the biases.

    The backward pass of `attention.multi_head_attention`, whose arguments
    these are; its forward pass is run again for what happened inside.

    Parameters
    ----------
    grad_output : array (..., T, d_model)
        Gradient of the loss with respect to the output.
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

    Raises
    ------
    TypeError, ValueError
        As in the forward pass, and if grad_output has another shape than
        the output.
    """
    weights, biases = (w_q, w_k, w_v, w_o), (b_q, b_k, b_v, b_o)
    x, w, b, num_heads = validation.layer(x, weights, biases, num_heads)
    heads = [split_heads(x @ w[n] + b[n], num_heads) for n in "qkv"]
    context, attended = scaled_dot_product_attention(
        *heads, mask=mask, is_causal=is_causal
    )
    merged = join_heads(context)  # (..., T, H*d_v)
    output = merged @ w["o"] + b["o"]  # (..., T, d_model)
    grads = {"o": _like("grad_output", grad_output, "output", output)}
    grad_merged = grads["o"] @ w["o"].T  # (..., T, H*d_v)
    grad_heads = attention_backward(
        split_heads(grad_merged, num_heads), *heads, attended
    )
    # query = split_heads(x @ w_q + b_q), and so on
    grads |= {n: join_heads(g) for n, g in zip("qkv", grad_heads, strict=True)}
    found = {"x": sum(grads[n] @ w[n].T for n in "qkv")}
    for n, bias in zip("qkvo", biases, strict=True):
        found[f"w_{n}"] = weight_gradient(merged if n == "o" else x, grads[n])
        if bias is not None:
            over_words = tuple(range(grads[n].ndim - 1))
            found[f"b_{n}"] = grads[n].sum(axis=over_words)
    return found


def _like(name, gradient, other_name, other):
    """Return a gradient in the shape and precision of what it belongs to."""
    gradient = validation.float_array(name, gradient, ndim=2, empty=True)
    _same_shape(name, gradient, other_name, other)
    return gradient.astype(other.dtype, copy=False)


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


def finite_differences(function, x, step=1e-5):
    """Return the gradient of a scalar function, number by number.

    Central differences, ``(f(x + step) - f(x - step)) / (2 * step)``: slow,
    but it knows nothing of the derivation that it checks. Press et al.
    (2007), *Numerical Recipes*, section 5.7.

    function: takes an array of the shape of x, returns one number.
    """
    validation.function("function", function)
    step = validation.real_number("step", step, above=0)
    x = validation.float_array("x", x, ndim=0, empty=True)
    x = np.array(x, dtype=np.float64)  # (...): a copy
    gradient = np.empty_like(x)
    for index in np.ndindex(x.shape):
        middle = x[index]
        x[index] = middle + step
        above = function(x.copy())
        x[index] = middle - step
        gradient[index] = (above - function(x.copy())) / (2 * step)
        x[index] = middle
    return gradient

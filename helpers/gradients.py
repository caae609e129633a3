"""Self-attention backward: how the loss changes with every input.

Each function takes the gradient of a loss by its forward function's output
and returns the gradients by its inputs (reverse-mode differentiation, the
chain rule from the end to the beginning: Baydin et al. (2018), *Automatic
Differentiation in Machine Learning*, section 3.2). A gradient has the
shape of what it belongs to. Masks are constants and get none.
"""

import math

from helpers import validation
from helpers.attention import scaled_dot_product_attention


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

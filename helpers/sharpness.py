"""How sharp attention is, and how much its scores can still learn."""

import numpy as np

from helpers import validation
from helpers.gradients import softmax_backward


def normalized_entropy(weights):
    """Return the entropy of each row, 1 for even, 0 for all on one key.

    ``-sum(p * log p) / log(T)`` (Shannon 1948, section 6), with 0 for
    ``0 * log 0``. weights (..., T), T at least 2 -> (...).
    """
    weights = validation.float_array("weights", weights)
    if weights.shape[-1] < 2:
        raise ValueError(f"weights: one key has no entropy: {weights.shape}")
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1) / np.log(weights.shape[-1])


def jacobian_norm(weights):
    """Return the size of the softmax's Jacobian for each row of weights.

    The Frobenius norm of ``diag(p) - p p.T``, by its closed form
    ``sqrt(sum p^2 - 2 sum p^3 + (sum p^2)^2)``. weights (..., T) -> (...).
    """
    weights = validation.float_array("weights", weights)
    squares = (weights**2).sum(axis=-1)
    cubes = (weights**3).sum(axis=-1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def score_gradients(model, examples):
    """Return how far the loss of each sentence pulls at its scores: (B,).

    The norm of the gradient of one sentence's cross-entropy by the scaled
    scores of a `models.AttentionReadout` with one head and one answer.
    """
    sentences = examples.sentences
    rows = np.arange(len(sentences))
    logits, weights = model.forward(
        examples.x, sentences.position, examples.mask
    )
    grad = np.exp(logits - logits.max(axis=1, keepdims=True))  # (B, C)
    grad /= grad.sum(axis=1, keepdims=True)
    grad[rows, sentences.labels[:, 0]] -= 1
    # context = weights @ x @ w_v, logits = context @ w_c + b_c
    told = model.arrays["w_v"] @ model.arrays["w_c"]  # (d_model, C)
    grad_weights = (examples.x @ (grad @ told.T)[:, :, None])[..., 0]  # (B, T)
    return np.linalg.norm(
        softmax_backward(grad_weights, weights[:, 0]), axis=1
    )

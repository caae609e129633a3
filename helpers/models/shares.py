"""The softmax of the trained models, unchecked: `fit` runs it often."""

import numpy as np


def shares(scores, mask):
    """Return the softmax of scores (..., T) over what the mask allows.

    mask: broadcasts to scores; True somewhere in every row.
    """
    scores = np.where(mask, scores, -np.inf)  # (..., T)
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores, out=scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def shares_backward(grad, weights):
    """Return the gradient by the scores, as `gradients.softmax_backward`."""
    return weights * (grad - (weights * grad).sum(axis=-1, keepdims=True))

"""Classifiers that differ in one thing: controls of notebook 04's claims."""

import numpy as np

from helpers.attention import join_heads
from helpers.models.attention_layer import AttentionLayer
from helpers.models.classifier import AttentionClassifier


class SigmoidLayer(AttentionLayer):
    """Each weight is the sigmoid of its score: no word competes.

    The log of the number of words is subtracted first, so that scores of 0
    give nearly even weights, as they do in a softmax: Ramapuram et al.
    (2024), *Theory, Analysis, and Best Practices for Sigmoid
    Self-Attention*. Rows sum to anything.
    """

    def attend(self, mask):
        """As in `AttentionLayer`."""
        scores = self.scale * self.query @ self.key.swapaxes(-1, -2)
        scores -= np.log(mask.sum(axis=-1, keepdims=True))
        weights = mask * (1 + np.tanh(scores / 2)) / 2  # the sigmoid
        return weights @ self.value, weights

    def attend_backward(self, grad_context):
        """As in `AttentionLayer`."""
        weights = self.weights
        grad_weights = grad_context @ self.value.swapaxes(-1, -2)
        grad_scores = self.scale * grad_weights * weights * (1 - weights)
        return (
            grad_scores @ self.key,
            grad_scores.swapaxes(-1, -2) @ self.query,
            weights.swapaxes(-1, -2) @ grad_context,
        )


class InsideLayer(AttentionLayer):
    """The words are added to the concatenated heads, before w_o."""

    def merge(self, context):
        """As in `AttentionLayer`; H*d_v is d_model."""
        return self.x_query + join_heads(context)

    def backward(self, grad_output, *, words):
        """As in `AttentionLayer`."""
        grads, grad_x_query, grad_x = super().backward(
            grad_output, words=words
        )
        inside = grad_output @ self.w["w_o"].T  # (B, T_q, d_model)
        return grads, inside + grad_x_query, grad_x


class SigmoidClassifier(AttentionClassifier):
    """One layer whose weights are sigmoids of the scores."""

    layer_class = SigmoidLayer


class InsideClassifier(AttentionClassifier):
    """Layers with the sum before w_o: heads*d_v is d_model, and output."""

    layer_class = InsideLayer


class JoinedClassifier(AttentionClassifier):
    """The heads are only joined: w_o is the identity, and stays it."""

    def _draw(self, rng, gain):
        arrays = super()._draw(rng, gain)
        outputs = {n: a for n, a in arrays.items() if n.startswith("w_o")}
        return arrays | {n: np.eye(*a.shape) for n, a in outputs.items()}

    def add_gradients(self, of_layer, i, grads):
        """As in `AttentionClassifier`; w_o gets none."""
        of_layer["w_o"] = np.zeros_like(of_layer["w_o"])
        super().add_gradients(of_layer, i, grads)


class AveragedClassifier(AttentionClassifier):
    """All heads share the same rows of w_o, as if they were averaged."""

    def _draw(self, rng, gain):
        arrays = super()._draw(rng, gain)
        rows = arrays["w_o"][: self.options["d_v"]]  # of the first head
        return arrays | {"w_o": np.tile(rows, (self.heads, 1))}

    def add_gradients(self, of_layer, i, grads):
        """As in `AttentionClassifier`; every head gets the same rows."""
        of_layer["w_o"] = same_rows(of_layer["w_o"], self.heads)
        super().add_gradients(of_layer, i, grads)


def same_rows(w_o, heads):
    """Give every head the mean of the heads' rows of w_o."""
    blocks = w_o.reshape(heads, -1, w_o.shape[1])  # (H, d_v, d_model)
    return np.tile(blocks.mean(axis=0), (heads, 1))

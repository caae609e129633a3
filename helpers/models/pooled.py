"""One vector for the whole sentence: the mean of all words' rows."""

import numpy as np

from helpers.gradients import weight_gradient
from helpers.models.attention_layer import AttentionLayer
from helpers.models.classifier import AttentionClassifier


class PooledClassifier(AttentionClassifier):
    """One layer of heads and W_O; the answers are read off the mean row.

    Every word attends, and ``logits = mean @ w_c + b_c``, where mean
    (B, d_model) is over the words that are there. Other options than heads,
    widths, scale, gain and seed are not supported.
    """

    def forward(self, x, position, mask):
        """As in `AttentionClassifier`; `position` chooses weights only."""
        self.clear_cache()
        x, position, mask = self.check_sentences(x, position, mask)
        layer = AttentionLayer(*self.layer_matrices(0), self.heads, self.scale)
        rows, weights = layer.forward(x, x, mask)  # (B, T, d_model)
        self._layers.append(layer)
        self._share = mask[..., None] / mask.sum(axis=1)[:, None, None]
        self._mean = (rows * self._share).sum(axis=1)  # (B, d_model)
        logits = self._mean @ self.parameters["w_c"] + self.parameters["b_c"]
        return logits, weights[np.arange(len(x)), :, position]

    def backward(self, grad_logits):
        """Return {name: gradient} for the last `forward`."""
        grad = grad_logits @ self.parameters["w_c"].T  # (B, d_model)
        grads, _, _ = self._layers[0].backward(
            grad[:, None] * self._share, words=False
        )
        grads["w_c"] = weight_gradient(self._mean, grad_logits)
        return grads | {"b_c": grad_logits.sum(axis=0)}

"""Two other ways to score a key, for comparison with the dot product."""

import math

import numpy as np

from helpers import validation
from helpers.attention import softmax
from helpers.gradients import softmax_backward, weight_gradient
from helpers.training import loss_and_gradient


class ScoringClassifier:
    """A classifier as notebook 02's, whose scores are no dot products.

    kind: "additive" is ``tanh(q + k) @ w_s`` (Bahdanau et al. 2015, *Neural
    Machine Translation by Jointly Learning to Align and Translate*, section
    A.1.2); "QK-norm" is ``g * cos(q, k)`` (Henry et al. 2020, *Query-Key
    Normalization for Transformers*), with one learned number g that starts
    at 4. d_k: width of queries and keys. seed: of the initial weights,
    normal with variance 1/rows. For `training.fit`; `forward` is as that of
    `models.AttentionClassifier`.
    """

    classes = (2,)

    def __init__(self, kind, d_k, *, seed, d_model=64, d_v=16):
        validation.choice("kind", kind, ("additive", "QK-norm"))
        rng = np.random.default_rng(seed)
        shapes = dict(
            w_q=(d_model, d_k), w_k=(d_model, d_k), w_v=(d_model, d_v),
            w_c=(d_v, 2), w_s=(d_k, 1),
        )  # fmt: skip
        self.kind = kind
        self.parameters = {"b_c": np.zeros(2)}
        for name, shape in shapes.items():
            drawn = rng.standard_normal(shape) / math.sqrt(shape[0])
            self.parameters[name] = drawn
        if kind == "QK-norm":
            self.parameters["w_s"] = np.array([[4.0]])  # g

    @property
    def num_parameters(self):
        """How many numbers training changes."""
        return sum(array.size for array in self.parameters.values())

    def forward(self, x, position, mask):
        """Return logits (B, 2) and weights (B, 1, T)."""
        p = self.parameters
        x_query = x[np.arange(len(x)), position]  # (B, d_model)
        query, key = (x_query @ p["w_q"])[:, None], x @ p["w_k"]
        score = _additive if self.kind == "additive" else _cosine
        scores, self._back = score(query, key, p["w_s"])  # (B, T)
        self._weights = softmax(np.where(mask, scores, -np.inf))
        self._mixed = (self._weights[:, None] @ x)[:, 0]  # (B, d_model)
        self._context = self._mixed @ p["w_v"]  # (B, d_v)
        self._x, self._x_query = x, x_query
        logits = self._context @ p["w_c"] + p["b_c"]
        return logits, self._weights[:, None]

    def loss_and_gradients(self, x, position, mask, labels):
        """Return the loss of a batch and {name: gradient}, for `fit`."""
        p, (logits, _) = self.parameters, self.forward(x, position, mask)
        loss, grad = loss_and_gradient(logits, labels, self.classes)
        grads = {"b_c": grad.sum(axis=0)}
        grads["w_c"] = weight_gradient(self._context, grad)
        grad = grad @ p["w_c"].T  # (B, d_v)
        grads["w_v"] = weight_gradient(self._mixed, grad)
        grad = (x @ (grad @ p["w_v"].T)[:, :, None])[..., 0]  # (B, T)
        grad = softmax_backward(grad, self._weights)
        grad_query, grad_key, grads["w_s"] = self._back(grad)
        grads["w_q"] = weight_gradient(self._x_query, grad_query)
        grads["w_k"] = weight_gradient(self._x, grad_key)
        return loss, grads


def _additive(query, key, w_s):
    """Score by a small network; return scores and their backward."""
    bent = np.tanh(query + key)  # (B, T, d_k)

    def backward(grad):  # (B, T)
        grad_sum = grad[..., None] * w_s[:, 0] * (1 - bent**2)
        return (
            grad_sum.sum(axis=1),
            grad_sum,
            weight_gradient(bent, grad[..., None]),
        )

    return (bent @ w_s)[..., 0], backward


def _cosine(query, key, gain):
    """Score by the angle alone; return scores and their backward."""
    lengths = [np.linalg.norm(v, axis=-1)[..., None] for v in (query, key)]
    query, key = query / lengths[0], key / lengths[1]
    cosines = (key * query).sum(axis=-1)  # (B, T)

    def backward(grad):  # (B, T)
        pull = (gain * grad[:, :, None], cosines[..., None])
        grad_key = pull[0] * (query - pull[1] * key) / lengths[1]
        grad_query = pull[0] * (key - pull[1] * query) / lengths[0]
        grad_gain = np.full((1, 1), (grad * cosines).sum())
        return grad_query.sum(axis=1), grad_key, grad_gain

    return gain[0, 0] * cosines, backward

"""Layers of attention on top of each other, with a residual connection."""

import math

import numpy as np

from helpers import validation
from helpers.models.shares import shares, shares_backward


class AttentionStack:
    """Every word attends, then attends to what the others became.

    A layer returns ``x + concatenate(contexts of the heads) @ w_o``; without
    the residual connection the ``x +`` is left out. After the last layer the
    query word alone answers: ``x[query] @ w_c + b_c``, with `hidden` after
    one more layer of max(0, x @ w_1 + b_1). The last layer is computed for
    the query word only, because nobody reads the others.

    Parameters
    ----------
    d_model, d_k, d_v : int
        Widths of a word vector, and of a head's queries and values.
    classes : sequence of int
        How many classes each of the G answers has.
    layers, heads : int
        L, and H in every layer.
    residual : bool
    hidden : int
        Width of the layer before the answers, 0 for none.
    seed : int
        Of the initial weights: normal, variance 1/rows, float64.
    gain : float
        Factor of the initial w_q and w_k.

    Attributes
    ----------
    arrays : dict
        w_q0, w_k0, w_v0, w_o0, then those of layer 1, and so on.
    parameters : int
    layer_weights : list of L arrays
        Of the last forward pass: (B, H, T, T), the last (B, H, 1, T).
    """

    def __init__(
        self,
        d_model=64,
        d_k=16,
        d_v=16,
        classes=(2,),
        *,
        layers=2,
        heads=1,
        residual=True,
        hidden=0,
        seed=0,
        gain=1.0,
    ):
        self.classes = tuple(classes)
        self.layers = validation.positive_integer("layers", layers)
        self.heads = validation.positive_integer("heads", heads)
        self.residual = validation.flag("residual", residual)
        self.scale = 1 / math.sqrt(d_k)
        rng = np.random.default_rng(seed)
        self.arrays = {}
        for layer in range(layers):
            self._add(rng, f"w_q{layer}", d_model, heads * d_k, gain)
            self._add(rng, f"w_k{layer}", d_model, heads * d_k, gain)
            self._add(rng, f"w_v{layer}", d_model, heads * d_v)
            self._add(rng, f"w_o{layer}", heads * d_v, d_model)
        if hidden:
            self._add(rng, "w_1", d_model, hidden)
            self.arrays["b_1"] = np.zeros(hidden)
        self._add(rng, "w_c", hidden or d_model, sum(self.classes))
        self.arrays["b_c"] = np.zeros(sum(self.classes))

    def _add(self, rng, name, rows, columns, gain=1.0):
        drawn = rng.standard_normal((rows, columns)) / math.sqrt(rows)
        self.arrays[name] = gain * drawn

    @property
    def parameters(self):
        """How many numbers training changes."""
        return sum(array.size for array in self.arrays.values())

    def forward(self, x, query, mask, *, head_gain=None):
        """Answer for B sentences.

        x (B, T, d_model), query (B,) positions of the words that ask, mask
        (B, T) True where there is a word; head_gain (L, H), optional: a
        factor for the context of each head, 0 removes it.

        Returns logits (B, sum(classes)) and the last layer's weights
        (B, H, T).
        """
        rows = np.arange(len(x))
        self._seen, self.layer_weights = [], []
        for layer in range(self.layers):
            last = layer == self.layers - 1
            asks = x[rows, query][:, None] if last else x  # (B, T_q, d_model)
            gains = None if head_gain is None else head_gain[layer]
            x = self._layer(layer, asks, x, mask, gains)
        told = x[:, 0]  # (B, d_model)
        self._query, self._told = query, told
        if "w_1" in self.arrays:
            self._hidden = told @ self.arrays["w_1"] + self.arrays["b_1"]
            told = np.maximum(self._hidden, 0)  # (B, hidden)
        logits = told @ self.arrays["w_c"] + self.arrays["b_c"]
        return logits, self.layer_weights[-1][:, :, 0]

    def forget(self):
        """Drop what the last `forward` kept: with many words that is much."""
        self._seen, self.layer_weights = [], []

    def _layer(self, layer, asks, x, mask, gains):
        w_q, w_k, w_v, w_o = (self.arrays[f"w_{n}{layer}"] for n in "qkvo")
        q = self._split(_times(asks, w_q))  # (B, H, T_q, d_k)
        k = self._split(_times(x, w_k))  # (B, H, T, d_k)
        v = self._split(_times(x, w_v))  # (B, H, T, d_v)
        scores = (self.scale * q) @ k.swapaxes(2, 3)  # (B, H, T_q, T)
        weights = shares(scores, mask[:, None, None])
        context = weights @ v  # (B, H, T_q, d_v)
        if gains is not None:
            context = context * np.reshape(gains, (-1, 1, 1))
        merged = _merge(context)  # (B, T_q, H*d_v)
        self.layer_weights.append(weights)
        self._seen.append((asks, x, q, k, v, weights, merged))
        added = _times(merged, w_o)  # (B, T_q, d_model)
        return asks + added if self.residual else added

    def backward(self, grad_logits):
        """Return {name: gradient} for the last `forward`."""
        grad = grad_logits @ self.arrays["w_c"].T  # (B, hidden or d_model)
        told, grads = self._told, {"b_c": grad_logits.sum(axis=0)}
        if "w_1" in self.arrays:
            grad *= self._hidden > 0
            grads["b_1"] = grad.sum(axis=0)
            grads["w_1"] = told.T @ grad
            told = np.maximum(self._hidden, 0)
            grad = grad @ self.arrays["w_1"].T
        grads["w_c"] = told.T @ grad_logits
        grad = grad[:, None]  # (B, 1, d_model)
        for layer in reversed(range(self.layers)):
            grad_qkv = self._layer_backward(layer, grad, grads)
            if layer == 0:  # the words are frozen
                break
            grad_asks, grad = self._input_gradients(layer, grad, *grad_qkv)
            if layer == self.layers - 1:
                grad[np.arange(len(grad)), self._query] += grad_asks[:, 0]
            else:
                grad += grad_asks
        return grads

    def _layer_backward(self, layer, grad, grads):
        """Fill in `grads`; return the gradients by query, key and value."""
        asks, x, q, k, v, weights, merged = self._seen[layer]
        grad_merged = _times(grad, self.arrays[f"w_o{layer}"].T)
        grad_context = self._split(grad_merged)  # (B, H, T_q, d_v)
        grad_weights = grad_context @ v.swapaxes(2, 3)  # (B, H, T_q, T)
        grad_scores = self.scale * shares_backward(grad_weights, weights)
        grad_q = _merge(grad_scores @ k)  # (B, T_q, H*d_k)
        grad_k = _merge(grad_scores.swapaxes(2, 3) @ q)  # (B, T, H*d_k)
        grad_v = _merge(weights.swapaxes(2, 3) @ grad_context)
        for name, source, gradient in (
            ("q", asks, grad_q),
            ("k", x, grad_k),
            ("v", x, grad_v),
            ("o", merged, grad),
        ):
            grads[f"w_{name}{layer}"] = _flat(source).T @ _flat(gradient)
        return grad_q, grad_k, grad_v

    def _input_gradients(self, layer, grad, grad_q, grad_k, grad_v):
        """Return the gradients by asks and by x: (B, T_q or T, d_model)."""
        w_q, w_k, w_v = (self.arrays[f"w_{n}{layer}"] for n in "qkv")
        grad_asks = _times(grad_q, w_q.T)
        if self.residual:
            grad_asks = grad_asks + grad
        grad_kv = np.concatenate([grad_k, grad_v], axis=-1)
        w_kv = np.concatenate([w_k, w_v], axis=1)  # (d_model, H*(d_k + d_v))
        return grad_asks, _times(grad_kv, w_kv.T)

    def _split(self, x):
        """(B, T, H*d) -> (B, H, T, d)."""
        return x.reshape(*x.shape[:2], self.heads, -1).swapaxes(1, 2)


def _merge(x):
    """(B, H, T, d) -> (B, T, H*d)."""
    return x.swapaxes(1, 2).reshape(len(x), x.shape[2], -1)


def _times(x, matrix):
    """``x @ matrix`` as one product, which is faster than one a sentence."""
    return (_flat(x) @ matrix).reshape(*x.shape[:2], -1)


def _flat(x):
    """(B, T, d) -> (B*T, d)."""
    return x.reshape(-1, x.shape[-1])

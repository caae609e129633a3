"""Attention from one word, and what it tells: the course's first learner."""

import math

import numpy as np

from helpers import validation
from helpers.models.files import check_shapes, load_arrays, save_arrays
from helpers.models.shares import shares, shares_backward
from helpers.models.variants import (
    check_options,
    initial_arrays,
    shapes_of,
)


class AttentionReadout:
    """One word of a sentence attends to all; a linear layer answers.

    ``logits = concatenate(contexts of the heads) [@ w_o] @ w_c + b_c``, the
    contexts those of the query word alone. For one query no key and no
    value need be built: ``(x @ w_k) @ q`` is ``x @ (w_k @ q)``, and
    ``a @ (x @ w_v)`` is ``(a @ x) @ w_v``. The numbers are the same, the
    work is T times less; `project` builds all three.

    Parameters
    ----------
    d_model, d_k, d_v : int
        Widths of a word vector, and of a head's queries and values.
    classes : sequence of int
        How many classes each of the G answers has.
    heads : int
        H.
    seed : int
        Of the initial weights: normal, variance 1/rows, float64.
    scoring : str
        "learned"; "tied": w_k is w_q; "frozen": w_q and w_k stay as drawn;
        "uniform": all words weigh the same, there are no w_q and w_k.
    values : str
        "learned"; "identity": the values are the word vectors themselves
        (one head; d_v is then d_model).
    output : bool
        Project the concatenated heads with w_o (H*d_v, d_model).
    scale : float, optional
        Factor of the scores; 1/sqrt(d_k) if None.
    gain : float
        Factor of the initial w_q and w_k.

    Attributes
    ----------
    arrays : dict
        w_q, w_k (d_model, H*d_k), w_v (d_model, H*d_v), w_o, w_c
        (width, sum(classes)), b_c: those that this model has.
    parameters : int
        How many numbers training changes.
    """

    def __init__(
        self,
        d_model=64,
        d_k=16,
        d_v=16,
        classes=(2,),
        *,
        heads=1,
        seed=0,
        scoring="learned",
        values="learned",
        output=False,
        scale=None,
        gain=1.0,
    ):
        self.options = dict(
            d_model=d_model,
            d_k=d_k,
            d_v=d_v,
            classes=list(classes),
            heads=heads,
            scoring=scoring,
            values=values,
            output=output,
            scale=scale,
        )
        if scale is None:
            d_k = validation.positive_integer("d_k", d_k)
            self.options["scale"] = 1 / math.sqrt(d_k)
        self._take(self.options)
        rng = np.random.default_rng(seed)
        self.arrays = initial_arrays(self.options, rng, gain)

    def _take(self, options):
        self.options = check_options(options)
        self.scale, self.heads = options["scale"], options["heads"]
        self.classes = tuple(options["classes"])

    @property
    def parameters(self):
        """How many numbers training changes."""
        return sum(self.arrays[name].size for name in self._trained())

    def _trained(self):
        if self.options["scoring"] != "frozen":
            return list(self.arrays)
        return [name for name in self.arrays if name not in ("w_q", "w_k")]

    def forward(self, x, query, mask, *, head_gain=None):
        """Answer for B sentences.

        Parameters
        ----------
        x : array (B, T, d_model)
        query : array (B,) of integers
            Position of the word that asks.
        mask : array (B, T) of bool
            True where there is a word.
        head_gain : array (H,), optional
            Factor of each head's context: 0 removes a head.

        Returns
        -------
        logits : array (B, sum(classes))
        weights : array (B, H, T)
            How much the query word takes from every word.
        """
        asks = x[np.arange(len(x)), query]  # (B, d_model)
        q, weights = self._attend(x, asks, mask)
        mixed = (weights @ x).swapaxes(0, 1)  # (H, B, d_model)
        context = mixed  # (H, B, d_v)
        if "w_v" in self.arrays:
            context = mixed @ self._heads("w_v")
        if head_gain is not None:
            context = context * np.reshape(head_gain, (self.heads, 1, 1))
        merged = context.swapaxes(0, 1).reshape(len(x), -1)  # (B, H*d_v)
        told = merged
        if "w_o" in self.arrays:
            told = merged @ self.arrays["w_o"]  # (B, d_model)
        self._seen = x, asks, q, weights, mixed, merged, told
        return told @ self.arrays["w_c"] + self.arrays["b_c"], weights

    def _attend(self, x, asks, mask):
        """Return the queries (H, B, d_k) and the weights (B, H, T)."""
        if self.options["scoring"] == "uniform":
            weights = np.repeat(mask[:, None] / 1.0, self.heads, axis=1)
            return None, weights / weights.sum(axis=-1, keepdims=True)
        q = asks @ self._heads("w_q")  # (H, B, d_k)
        found = q @ self._keys().swapaxes(1, 2)  # (H, B, d_model)
        scores = found.swapaxes(0, 1) @ x.swapaxes(1, 2)  # (B, H, T)
        return q, shares(scores * self.scale, mask[:, None])

    def backward(self, grad_logits):
        """Return {name: gradient} for the last `forward`, frozen ones left
        out; grad_logits (B, sum(classes)).
        """
        x, asks, q, weights, mixed, merged, told = self._seen
        grads = {"w_c": told.T @ grad_logits, "b_c": grad_logits.sum(axis=0)}
        grad = grad_logits @ self.arrays["w_c"].T  # (B, width)
        if "w_o" in self.arrays:
            grads["w_o"] = merged.T @ grad
            grad = grad @ self.arrays["w_o"].T  # (B, H*d_v)
        grad = grad.reshape(len(x), self.heads, -1).swapaxes(0, 1)
        if "w_v" in self.arrays:  # grad is (H, B, d_v)
            grads["w_v"] = _side_by_side(mixed.swapaxes(1, 2) @ grad)
            grad = grad @ self._heads("w_v").swapaxes(1, 2)
        if self.options["scoring"] in ("learned", "tied"):  # (H, B, d_model)
            grad = grad.swapaxes(0, 1) @ x.swapaxes(1, 2)  # (B, H, T)
            grad = shares_backward(grad, weights)
            grad = (grad * self.scale) @ x  # (B, H, d_model)
            self._scoring_gradients(grads, grad.swapaxes(0, 1), asks, q)
        return grads

    def _scoring_gradients(self, grads, grad_found, asks, q):
        grad_k = _side_by_side(grad_found.swapaxes(1, 2) @ q)
        grad_q = _side_by_side(asks.T @ (grad_found @ self._keys()))
        if "w_k" in self.arrays:
            grads["w_q"], grads["w_k"] = grad_q, grad_k
        else:
            grads["w_q"] = grad_q + grad_k  # one matrix, two uses

    def _heads(self, name):
        """Return one matrix per head: (H, d_model, d)."""
        matrix = self.arrays[name]
        return matrix.reshape(len(matrix), self.heads, -1).swapaxes(0, 1)

    def _keys(self):
        return self._heads("w_k" if "w_k" in self.arrays else "w_q")

    def project(self, x):
        """Return query, key, value of every word: (..., T, H*d) each."""
        if self.options["scoring"] == "uniform":
            raise ValueError("a model with uniform weights has no query")
        key = self.arrays.get("w_k", self.arrays["w_q"])
        value = x @ self.arrays["w_v"] if "w_v" in self.arrays else x
        return x @ self.arrays["w_q"], x @ key, value

    def save(self, path):
        """Write arrays and options to a safetensors file."""
        save_arrays(path, self.arrays, self.options)

    @classmethod
    def load(cls, path):
        """Read a model that `save` wrote.

        Raises FileNotFoundError, or ValueError if the file is damaged or
        its arrays do not fit its options.
        """
        arrays, options = load_arrays(path)
        model = cls.__new__(cls)
        try:
            model._take(options)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path}: no AttentionReadout, its options are wrong: {error}"
            ) from None
        check_shapes(path, arrays, shapes_of(model.options))
        model.arrays = arrays
        return model


def _side_by_side(matrices):
    """(H, d_model, d) -> (d_model, H*d)."""
    return matrices.swapaxes(0, 1).reshape(matrices.shape[1], -1)

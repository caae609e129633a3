"""The course's model: attention layers, and one word that answers."""

import math

import numpy as np

from helpers import validation
from helpers.attention import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from helpers.gradients import attention_backward, weight_gradient
from helpers.models.files import check_shapes, load_arrays, save_arrays
from helpers.models.options import check_options, parameter_shapes
from helpers.training import loss_and_gradient


class AttentionClassifier:
    """Layers of multi-head attention; the word that asks gives the answers.

    Every word attends in every layer but the last, where the word that asks
    does alone, because nobody reads the others. With z its row after the
    last layer: ``logits = z @ w_c + b_c``, or, with `hidden`,
    ``logits = max(0, z @ w_1 + b_1) @ w_c + b_c``.

    Parameters
    ----------
    d_model, d_k, d_v : int
        Widths of a word vector, and of a head's queries and values.
    classes : sequence of int
        How many classes each of the G answers has.
    layers, heads : int
        L, and H in every layer.
    residual : bool
        Add the input of each layer to its output; needs `output`.
    output : bool
        Project the concatenated heads with w_o (H*d_v, d_model); several
        layers need it.
    hidden : int
        Width of a ReLU layer before the answers, 0 for none.
    scoring : str
        "learned"; "tied": w_k is w_q; "frozen": w_q and w_k stay as drawn;
        "uniform": all words weigh the same, there are no w_q and w_k.
    values : str
        "learned"; "identity": the values are the word vectors themselves
        (one head; d_v is then d_model).
    average_heads : bool
        All heads share the same rows of w_o, as if they were averaged.
    scale : float, optional
        Factor of the scores; 1/sqrt(d_k) if None.
    gain : float
        Factor of the initial w_q and w_k.
    seed : int
        Of the initial weights: normal, variance 1/rows, float64.

    Attributes
    ----------
    parameters : dict of arrays
        w_q, w_k (d_model, H*d_k), w_v (d_model, H*d_v), w_o (H*d_v,
        d_model), w_1, b_1, w_c (width, sum(classes)), b_c: those that this
        model has. Several layers: w_q0, w_k0, w_v0, w_o0, w_q1, …
    num_parameters : int
    weights : list of L arrays
        Of the last forward pass: (B, H, T, T), the last (B, H, 1, T).
    """

    def __init__(
        self,
        d_model=64,
        d_k=16,
        d_v=16,
        classes=(2,),
        *,
        layers=1,
        heads=1,
        residual=False,
        output=False,
        hidden=0,
        scoring="learned",
        values="learned",
        average_heads=False,
        scale=None,
        gain=1.0,
        seed=0,
    ):
        options = dict(
            d_model=d_model,
            d_k=d_k,
            d_v=d_v,
            classes=list(classes),
            layers=layers,
            heads=heads,
            residual=residual,
            output=output,
            hidden=hidden,
            scoring=scoring,
            values=values,
            average_heads=average_heads,
            scale=scale,
        )
        self._set_options(options)
        self.parameters = self._draw(np.random.default_rng(seed), gain)

    def _set_options(self, options):
        self.options = check_options(options)
        self.classes = tuple(options["classes"])
        self.layers, self.heads = options["layers"], options["heads"]
        self.scale = options["scale"]
        self.clear_cache()

    def _draw(self, rng, gain):
        gain = validation.real_number("gain", gain)
        # all are drawn, so that variants of one seed share the rest
        arrays = {}
        for name, shape in parameter_shapes(self.options, absent=True).items():
            if name.startswith("b_"):
                arrays[name] = np.zeros(shape)
                continue
            arrays[name] = rng.standard_normal(shape) / math.sqrt(shape[0])
            if name[:3] in ("w_q", "w_k"):
                arrays[name] *= gain
            if name[:3] == "w_o" and self.options["average_heads"]:
                rows = arrays[name][: shape[0] // self.heads]  # of one head
                arrays[name] = np.tile(rows, (self.heads, 1))
        return {name: arrays[name] for name in parameter_shapes(self.options)}

    @property
    def num_parameters(self):
        """How many numbers training changes."""
        frozen = self.options["scoring"] == "frozen"
        return sum(
            array.size
            for name, array in self.parameters.items()
            if not (frozen and name[:3] in ("w_q", "w_k"))
        )

    def forward(self, x, position, mask, *, head_mask=None):
        """Answer for B sentences.

        Parameters
        ----------
        x : array (B, T, d_model)
        position : array (B,) of int
            Where the word that asks stands.
        mask : array (B, T) of bool
            True where there is a word.
        head_mask : array (H,) or (L, H), optional
            Factor of each head's context: 0 switches a head off.

        Returns
        -------
        logits : array (B, sum(classes))
        weights : array (B, H, T)
            Of the word that asks, in the last layer.
        """
        self.clear_cache()
        if head_mask is not None:
            head_mask = np.reshape(head_mask, (self.layers, self.heads, 1, 1))
        for i in range(self.layers):
            last = i == self.layers - 1
            x_query = x[np.arange(len(x)), position][:, None] if last else x
            factor = None if head_mask is None else head_mask[i]
            x = self._layer(i, x_query, x, mask, factor)
        z, p = x[:, 0], self.parameters  # (B, width)
        self._position, self._z = position, z
        if "w_1" in p:
            self._hidden = z = np.maximum(z @ p["w_1"] + p["b_1"], 0)
        return z @ p["w_c"] + p["b_c"], self.weights[-1][:, :, 0]

    def _layer(self, i, x_query, x, mask, head_mask):
        """Return the rows of x_query (B, T_q, d_model) after layer i."""
        query, key, value = (
            split_heads(array, self.heads)  # (B, H, T_q or T, d)
            for array in self._query_key_value(i, x_query, x)
        )
        context, weights = scaled_dot_product_attention(
            query, key, value, mask=mask[:, None, None], scale=self.scale
        )
        if head_mask is not None:
            context *= head_mask
        merged = merge_heads(context)  # (B, T_q, H*d_v)
        self.weights.append(weights)
        self._cache.append((x_query, x, query, key, value, merged))
        w_o = self._matrix("w_o", i)
        out = merged if w_o is None else merged @ w_o
        return x_query + out if self.options["residual"] else out

    def _query_key_value(self, i, x_query, x):
        """Return query (B, T_q, H*d_k), key and value (B, T, H*d)."""
        w_q, w_k, w_v = (self._matrix(n, i) for n in ("w_q", "w_k", "w_v"))
        value = x if w_v is None else x @ w_v
        if w_q is None:  # all scores are equal
            query, key = (
                np.zeros((*a.shape[:-1], self.heads)) for a in (x_query, x)
            )
            return query, key, value
        return x_query @ w_q, x @ (w_q if w_k is None else w_k), value

    def _matrix(self, name, i):
        return self.parameters.get(self._name(name, i))

    def _name(self, name, i):
        return f"{name}{i}" if self.layers > 1 else name

    def loss_and_gradients(self, x, position, mask, labels):
        """Return the loss of a batch and {name: gradient}, for `fit`.

        labels (B, G); the loss sums over the G answers.
        """
        logits, _ = self.forward(x, position, mask)
        loss, grad = loss_and_gradient(logits, labels, self.classes)
        return loss, self.backward(grad)

    def backward(self, grad_logits):
        """Return {name: gradient} for the last `forward`, frozen ones left
        out; grad_logits (B, sum(classes)).
        """
        p, grads = self.parameters, {"b_c": grad_logits.sum(axis=0)}
        z = self._hidden if "w_1" in p else self._z
        grads["w_c"] = weight_gradient(z, grad_logits)
        grad = grad_logits @ p["w_c"].T  # (B, hidden or width)
        if "w_1" in p:
            grad = grad * (self._hidden > 0)
            grads["b_1"] = grad.sum(axis=0)
            grads["w_1"] = weight_gradient(self._z, grad)
            grad = grad @ p["w_1"].T  # (B, width)
        grad = grad[:, None]  # (B, 1, width)
        for i in reversed(range(self.layers)):
            by_qkv = self._layer_backward(i, grad, grads)
            if i > 0:  # the words are frozen
                grad = self._input_gradient(i, grad, *by_qkv)
        return grads

    def _layer_backward(self, i, grad, grads):
        """Fill in `grads`; return those of query, key and value."""
        x_query, x, query, key, value, merged = self._cache[i]
        w_o = self._matrix("w_o", i)
        if w_o is not None:
            grad_w_o = weight_gradient(merged, grad)
            if self.options["average_heads"]:
                grad_w_o = same_rows(grad_w_o, self.heads)
            grads[self._name("w_o", i)] = grad_w_o
            grad = grad @ w_o.T  # (B, T_q, H*d_v)
        by_qkv = attention_backward(
            split_heads(grad, self.heads),  # (B, H, T_q, d_v)
            *(query, key, value, self.weights[i], self.scale),
        )
        by_qkv = [merge_heads(g) for g in by_qkv]  # (B, T_q or T, H*d)
        for n, source, g in zip("qkv", (x_query, x, x), by_qkv, strict=True):
            self._add(grads, f"w_{n}", i, weight_gradient(source, g))
        return by_qkv

    def _add(self, grads, name, i, gradient):
        """Add the gradient of a projection, if this model learns it."""
        scoring = self.options["scoring"]
        if name == "w_k" and scoring == "tied":
            grads[self._name("w_q", i)] += gradient  # one matrix, two uses
        elif self._matrix(name, i) is not None and not (
            name != "w_v" and scoring == "frozen"
        ):
            grads[self._name(name, i)] = gradient

    def _input_gradient(self, i, grad, grad_q, grad_k, grad_v):
        """Return the gradient with respect to the words of layer i."""
        w_q, w_k, w_v = (self._matrix(n, i) for n in ("w_q", "w_k", "w_v"))
        grad_x = grad_v if w_v is None else grad_v @ w_v.T
        grad_x_query = grad if self.options["residual"] else 0
        if w_q is not None:
            grad_x = grad_x + grad_k @ (w_q if w_k is None else w_k).T
            grad_x_query = grad_x_query + grad_q @ w_q.T
        if i < self.layers - 1:
            return grad_x + grad_x_query  # (B, T, d_model)
        grad_x[np.arange(len(grad_x)), self._position] += grad_x_query[:, 0]
        return grad_x

    def project(self, x):
        """Return query, key and value of every word: (..., T, H*d) each.

        Of the first layer, if there are several.
        """
        if self.options["scoring"] == "uniform":
            raise ValueError("a model with uniform weights has no query")
        return self._query_key_value(0, x, x)

    def clear_cache(self):
        """Drop what the last `forward` kept: with many words that is much."""
        self._cache, self.weights = [], []

    def save(self, path):
        """Write parameters and options to a safetensors file."""
        options = self.options | {"scale": self.scale}
        save_arrays(path, self.parameters, options)

    @classmethod
    def load(cls, path):
        """Read a model that `save` wrote.

        Raises FileNotFoundError, or ValueError if the file is damaged or
        its arrays do not fit its options.
        """
        arrays, options = load_arrays(path)
        model = cls.__new__(cls)
        try:
            model._set_options(options)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path}: no AttentionClassifier, its options are wrong:"
                f" {error}"
            ) from None
        check_shapes(path, arrays, parameter_shapes(model.options))
        model.parameters = arrays
        return model


def same_rows(w_o, heads):
    """Give every head the mean of the heads' rows of w_o."""
    blocks = w_o.reshape(heads, -1, w_o.shape[1])  # (H, d_v, d_model)
    return np.tile(blocks.mean(axis=0), (heads, 1))

"""Attention from one word, and what it tells: the course's first learner."""

import math

import numpy as np

from helpers import validation
from helpers.models.files import check_shapes, load_arrays, save_arrays

SCORING = ("learned", "tied", "frozen", "uniform")
VALUES = ("learned", "identity")
ABSENT = {  # arrays that a variant does not have
    "learned": (),
    "tied": ("w_k",),
    "frozen": (),
    "uniform": ("w_q", "w_k"),
    "identity": ("w_v",),
}
OPTIONS = (
    "d_model",
    "d_k",
    "d_v",
    "classes",
    "heads",
    "scoring",
    "values",
    "output",
    "scale",
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
        self._check()
        gain = validation.real_number("gain", gain)
        self.arrays = self._initial(np.random.default_rng(seed), gain)

    def _check(self):
        options = self.options
        for name in ("d_model", "d_k", "d_v", "heads"):
            validation.positive_integer(name, options[name])
        for count in options["classes"]:
            validation.positive_integer("classes", count)
        validation.flag("output", options["output"])
        _one_of("scoring", options["scoring"], SCORING)
        _one_of("values", options["values"], VALUES)
        if options["values"] == "identity":
            if options["heads"] != 1:
                raise ValueError("values='identity' needs heads=1")
            options["d_v"] = options["d_model"]
        self.scale = validation.real_number("scale", options["scale"])
        self.classes = tuple(options["classes"])
        self.heads = options["heads"]

    def _initial(self, rng, gain):
        # All are drawn, so that variants of one seed share the rest.
        arrays = {
            name: rng.standard_normal(shape) / math.sqrt(shape[0])
            for name, shape in self._all_shapes().items()
        }
        arrays["b_c"][:] = 0
        arrays["w_q"] *= gain
        arrays["w_k"] *= gain
        return {name: arrays[name] for name in self._shapes()}

    def _all_shapes(self):
        options = self.options
        d_model, heads = options["d_model"], options["heads"]
        keys, values = heads * options["d_k"], heads * options["d_v"]
        width = d_model if options["output"] else values
        answers = sum(self.classes)
        return {
            "w_q": (d_model, keys),
            "w_k": (d_model, keys),
            "w_v": (d_model, values),
            "w_c": (width, answers),
            "w_o": (values, d_model),
            "b_c": (answers,),
        }

    def _shapes(self):
        absent = ABSENT[self.options["scoring"]]
        absent += ABSENT[self.options["values"]]
        absent += () if self.options["output"] else ("w_o",)
        shapes = self._all_shapes()
        return {name: shapes[name] for name in shapes if name not in absent}

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
        if self.options["scoring"] == "uniform":
            found = q = None
            weights = np.repeat(mask[:, None] / 1.0, self.heads, axis=1)
            weights /= weights.sum(axis=-1, keepdims=True)  # (B, H, T)
        else:
            q = asks @ self._heads("w_q")  # (H, B, d_k)
            found = q @ self._keys().swapaxes(1, 2)  # (H, B, d_model)
            scores = found.swapaxes(0, 1) @ x.swapaxes(1, 2)  # (B, H, T)
            weights = _shares(scores * self.scale, mask[:, None])
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
            grad = weights * (grad - (weights * grad).sum(-1, keepdims=True))
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
            model.options = {name: options[name] for name in OPTIONS}
            model._check()
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path}: no AttentionReadout, its options are wrong: {error}"
            ) from None
        check_shapes(path, arrays, model._shapes())
        model.arrays = arrays
        return model


def _shares(scores, mask):
    scores = np.where(mask, scores, -np.inf)  # (B, H, T)
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores, out=scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def _side_by_side(matrices):
    """(H, d_model, d) -> (d_model, H*d)."""
    return matrices.swapaxes(0, 1).reshape(matrices.shape[1], -1)


def _one_of(name, value, allowed):
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}: expected one of {allowed}, got {value!r}")

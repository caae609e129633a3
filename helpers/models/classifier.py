"""The course's model: attention layers, and one word that answers."""

import math

import numpy as np

from helpers import validation
from helpers.gradients import weight_gradient
from helpers.models.attention_layer import AttentionLayer
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
        Add the input of each layer to its output. Needs `output`.
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
        (one head; d_v is then d_model); "keys": the values are the keys
        (w_v is w_k; d_v is then d_k).
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

    A model made of this one may replace `layer_class`, `layer_matrices` and
    `add_gradients`, or `forward` and `backward` as a whole.
    """

    layer_class = AttentionLayer

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
        scale=None,
        gain=1.0,
        seed=0,
    ):
        options = dict(
            d_model=d_model,
            d_k=d_k,
            d_v=d_v,
            classes=list(validation.positive_integers("classes", classes)),
            layers=layers,
            heads=heads,
            residual=residual,
            output=output,
            hidden=hidden,
            scoring=scoring,
            values=values,
            scale=scale,
        )
        self._set_options(options)
        self.parameters = self._draw(validation.seeded("seed", seed), gain)

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

        Raises
        ------
        TypeError, ValueError
            For arrays that do not fit, or a position outside of x.
        """
        self.clear_cache()
        x, position, mask = self.check_sentences(x, position, mask)
        head_mask = self._head_mask(head_mask)
        for i in range(self.layers):
            last = i == self.layers - 1
            x_query = x[np.arange(len(x)), position][:, None] if last else x
            layer = self.layer_class(
                *self.layer_matrices(i),
                self.heads,
                self.scale,
                residual=self.options["residual"],
            )
            x, weights = layer.forward(x_query, x, mask, head_mask[i])
            self.weights.append(weights)
            self._layers.append(layer)
        z, p = x[:, 0], self.parameters  # (B, width)
        self._position, self._z = position, z
        if "w_1" in p:
            self._hidden = z = np.maximum(z @ p["w_1"] + p["b_1"], 0)
        return z @ p["w_c"] + p["b_c"], self.weights[-1][:, :, 0]

    def check_sentences(self, x, position, mask):
        """Return the three as arrays, or raise naming what does not fit."""
        d_model = self.options["d_model"]
        return validation.sentences(x, position, mask, d_model)

    def _head_mask(self, factors):
        """Return one array (H,) or None for each layer."""
        if factors is None:
            return [None] * self.layers
        factors = validation.float_array("head_mask", factors)
        layers, heads = self.layers, self.heads
        if layers == 1 and factors.ndim == 1:
            factors = factors[None]
        return validation.of_shape("head_mask", factors, (layers, heads))

    def layer_matrices(self, i):
        """Return w_q, w_k, w_v and w_o of layer i, None for absent ones.

        As `AttentionLayer` takes them: with the columns of all H heads.
        """
        key = "w_q" if self.options["scoring"] == "tied" else "w_k"
        value = key if self.options["values"] == "keys" else "w_v"
        names = ("w_q", key, value, "w_o")
        return [self.parameters.get(self._name(name, i)) for name in names]

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
        if not self._layers:
            raise RuntimeError("backward: call forward first")
        grad_logits = validation.of_shape(
            "grad_logits", grad_logits, (len(self._z), sum(self.classes))
        )
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
            of_layer, grad_x_query, grad_x = self._layers[i].backward(
                grad, words=i > 0
            )
            self.add_gradients(of_layer, i, grads)
            if i > 0:  # the words of the first layer are frozen
                grad = self._together(i, grad_x_query, grad_x)
        return grads

    def add_gradients(self, of_layer, i, grads):
        """Add the gradients of layer i, as far as this model learns them.

        of_layer: {name: gradient} of the arrays of `layer_matrices`, under
        the names w_q, w_k, w_v, w_o. grads: {name of a parameter:
        gradient}, to be filled.
        """
        scoring = self.options["scoring"]
        if self.options["values"] == "keys":
            of_layer["w_k"] = of_layer["w_k"] + of_layer.pop("w_v")
        if scoring == "tied":
            of_layer["w_q"] = of_layer["w_q"] + of_layer.pop("w_k")
        for name, gradient in of_layer.items():
            if scoring != "frozen" or name in ("w_v", "w_o"):
                grads[self._name(name, i)] = gradient

    def _together(self, i, grad_x_query, grad_x):
        """Add the gradients of the words that ask in layer i to all words."""
        if i < self.layers - 1:
            return grad_x + grad_x_query  # (B, T, d_model)
        grad_x[np.arange(len(grad_x)), self._position] += grad_x_query[:, 0]
        return grad_x

    def project(self, x):
        """Return query, key and value of every word: (..., T, H*d) each.

        Of the first layer, if there are several.
        """
        x = validation.float_array("x", x, ndim=2)
        width = self.options["d_model"]
        x = validation.of_shape("x", x, (*x.shape[:-1], width))
        w_q, w_k, w_v, _ = self.layer_matrices(0)
        if w_q is None:
            raise ValueError("a model with uniform weights has no query")
        return x @ w_q, x @ w_k, x if w_v is None else x @ w_v

    def clear_cache(self):
        """Drop what the last `forward` kept: with many words that is much."""
        self._layers, self.weights = [], []

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

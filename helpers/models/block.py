"""The Transformer block: attention, then a feed-forward layer."""

import math

import numpy as np

from helpers import validation
from helpers.attention import (
    join_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    view_heads,
)
from helpers.gradients import attention_backward, weight_gradient
from helpers.layers import (
    feed_forward,
    feed_forward_backward,
    layer_norm,
    layer_norm_backward,
)

ATTENTION = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")
FEED_FORWARD = ("w_1", "b_1", "w_2", "b_2")
PARTS = (("gain_1", "bias_1", *ATTENTION), ("gain_2", "bias_2", *FEED_FORWARD))


def transformer_block(x, parameters, num_heads, *, is_causal=True):
    """Let the words attend, then change each one by itself.

    ``x = x + attention(norm(x))``, then ``x + feed_forward(norm(x))``: the
    block of Vaswani et al. (2017), section 3.1, with the norms before each
    part (pre-norm: Xiong et al. (2020), *On Layer Normalization in the
    Transformer Architecture*, section 3).

    Parameters
    ----------
    x : array (..., T, d)
    parameters : dict of arrays
        gain_1, bias_1 (d,); w_q, w_k, w_v, w_o (d, d), b_q, b_k, b_v, b_o
        (d,); gain_2, bias_2 (d,); w_1 (d, hidden), b_1 (hidden,), w_2
        (hidden, d), b_2 (d,). Without w_q the attention is left out,
        without w_1 the feed-forward layer.
    num_heads : int
    is_causal : bool
        A word sees itself and the words before it only.

    Returns
    -------
    output : array (..., T, d)
    weights : array (..., H, T, T), or None without attention

    Raises
    ------
    TypeError, ValueError
        For arrays that are missing or do not fit; the message names them.
    """
    x, block = _checked(x, parameters, num_heads, is_causal)
    return block.forward(x), block.weights


def transformer_block_backward(
    grad_output, x, parameters, num_heads, *, is_causal=True
):
    """Return the gradient with respect to x, and {name: gradient}.

    grad_output (..., T, d), the rest as in `transformer_block`, whose
    forward pass is run again. Raises as it does.
    """
    x, block = _checked(x, parameters, num_heads, is_causal)
    block.forward(x)
    return block.backward(
        validation.of_shape("grad_output", grad_output, x.shape)
    )


def block_parts(parameters, num_heads):
    """Return norm_1, attention, norm_2, feed_forward of a causal block.

    Each is a function (..., T, d) -> (..., T, d); the parameters are those
    of `transformer_block`, and may be among others.
    """
    known = (name for part in PARTS for name in part)
    p = {name: parameters[name] for name in known}
    check_parameters(p, len(p["gain_1"]))
    own = {name: p[name] for name in ATTENTION}
    options = dict(num_heads=num_heads, is_causal=True)
    return (
        lambda x: layer_norm(x, p["gain_1"], p["bias_1"]),
        lambda x: multi_head_attention(x, **own, **options)[0],
        lambda x: layer_norm(x, p["gain_2"], p["bias_2"]),
        lambda x: feed_forward(x, *(p[name] for name in FEED_FORWARD)),
    )


def _checked(x, parameters, num_heads, is_causal):
    x = validation.float_array("x", x, ndim=2)
    num_heads = validation.head_count("x", x, num_heads)
    is_causal = validation.flag("is_causal", is_causal)
    parameters = check_parameters(parameters, x.shape[-1])
    return x, Block(parameters, num_heads, is_causal=is_causal)


class Block:
    """One block in a model: `forward` keeps what `backward` needs.

    The arguments are those of `transformer_block`, unchecked. Without gain_1
    there is no first norm, without gain_2 no second one.

    A block made of this one may replace `forward` with `backward`, or
    `attend` with `attend_backward`.
    """

    def __init__(self, parameters, num_heads, *, is_causal):
        self.p, self.num_heads = parameters, num_heads
        self.is_causal, self.weights = is_causal, None
        self.normed = {}  # what each norm has read

    def forward(self, x, mask=None, cache=None):
        """(..., T, d) -> (..., T, d); sets `weights`.

        mask: as in `scaled_dot_product_attention`. cache: called with the
        new keys and values (..., H, T, d_k); returns those of all words so
        far. The rows of x then are the last of the text.
        """
        if "w_q" in self.p:
            x = x + self._attend(self._norm("1", x), mask, cache)
        if "w_1" in self.p:
            x = x + self._feed(self._norm("2", x))
        return x

    def backward(self, grad):
        """Return grad_x and {name: gradient} of the last `forward`.

        grad (..., T, d), with respect to what it returned.
        """
        grads = {}
        if "w_1" in self.p:
            inside = self._feed_back(grad, grads)
            grad = grad + self._norm_back("2", inside, grads)
        if "w_q" in self.p:
            inside = self._attend_back(grad, grads)
            grad = grad + self._norm_back("1", inside, grads)
        return grad, grads

    def attend(self, query, key, value, mask, is_causal):
        """Return context (..., H, T, d_k) and weights (..., H, T, T_k).

        query (..., H, T, d_k), key and value (..., H, T_k, d_k).
        """
        return scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=is_causal
        )

    def attend_backward(self, grad_context):
        """Return the gradients with respect to query, key and value."""
        return attention_backward(grad_context, *self.heads, self.weights)

    def _norm(self, which, x):
        self.normed[which] = x
        if (gain := f"gain_{which}") not in self.p:
            return x
        return layer_norm(x, self.p[gain], self.p[f"bias_{which}"])

    def _norm_back(self, which, grad, grads):
        if (gain := f"gain_{which}") in self.p:
            grad, grads[gain], grads[f"bias_{which}"] = layer_norm_backward(
                grad, self.normed[which], self.p[gain]
            )
        return grad

    def _attend(self, x, mask, cache):
        p, self.x = self.p, x
        self.heads = [
            view_heads(x @ p[f"w_{n}"] + p[f"b_{n}"], self.num_heads)
            for n in "qkv"
        ]  # (..., H, T, d_k) each
        query, key, value = self.heads
        if cache is not None:
            key, value = cache(key, value)  # of all words so far
            later = key.shape[-2] - query.shape[-2]  # words before these
            mask = np.tri(query.shape[-2], key.shape[-2], later, dtype=bool)
        is_causal = self.is_causal and cache is None
        context, self.weights = self.attend(query, key, value, mask, is_causal)
        self.merged = join_heads(context)  # (..., T, d)
        return self.merged @ p["w_o"] + p["b_o"]

    def _attend_back(self, grad, grads):
        p = self.p
        grads["w_o"] = weight_gradient(self.merged, grad)
        by_head = self.attend_backward(
            view_heads(grad @ p["w_o"].T, self.num_heads)
        )  # (..., H, T, d_k) each
        by_part = dict(zip("qkv", map(join_heads, by_head), strict=True))
        grads |= {
            f"w_{n}": weight_gradient(self.x, by_part[n]) for n in by_part
        }
        for n, each in (by_part | {"o": grad}).items():
            grads[f"b_{n}"] = each.reshape(-1, each.shape[-1]).sum(axis=0)
        return sum(by_part[n] @ p[f"w_{n}"].T for n in by_part)

    def _feed(self, x):
        self.fed = x
        return feed_forward(x, *(self.p[name] for name in FEED_FORWARD))

    def _feed_back(self, grad, grads):
        w_1, b_1, w_2, _ = (self.p[name] for name in FEED_FORWARD)
        results = feed_forward_backward(grad, self.fed, w_1, b_1, w_2)
        grads |= dict(zip(FEED_FORWARD, results[1:], strict=True))
        return results[0]


def block_parameters(
    d_model, hidden, *, attention=True, feed_forward=True, seed=0
):
    """Draw the parameters of a block: {name: array}, as it wants them.

    Matrices are normal with variance 1/rows, gains 1, biases 0. Left out:
    attention=False, feed_forward=False. seed: an int or a Generator; the
    same numbers are drawn for every variant, in the order of `PARTS`: stored
    runs rest on it.
    """
    d = validation.positive_integer("d_model", d_model)
    hidden = validation.positive_integer("hidden", hidden)
    attention = validation.flag("attention", attention)
    feed_forward = validation.flag("feed_forward", feed_forward)
    rng = validation.seeded("seed", seed)
    drawn = {}
    for name, shape in _shapes(d, hidden).items():
        if name[0] == "w":
            drawn[name] = rng.standard_normal(shape) / math.sqrt(shape[0])
        else:
            drawn[name] = np.full(shape, float(name.startswith("gain")))
    wanted = zip((attention, feed_forward), PARTS, strict=True)
    return {n: drawn[n] for use, names in wanted if use for n in names}


def _shapes(d, hidden):
    """Return {name: shape} of all parameters, in the order of `PARTS`."""
    shapes = {name: (d,) for part in PARTS for name in part}
    shapes |= {name: (d, d) for name in ATTENTION if name[0] == "w"}
    return shapes | dict(w_1=(d, hidden), b_1=(hidden,), w_2=(hidden, d))


def check_parameters(parameters, d):
    """Return the arrays, or raise ValueError naming what does not fit."""
    validation.array_dict("parameters", parameters)
    w_1 = validation.float_array("w_1", parameters.get("w_1", 0.0), ndim=0)
    hidden = w_1.shape[-1] if w_1.ndim else 1
    shapes = _shapes(d, hidden)
    if unknown := sorted(parameters.keys() - shapes.keys()):
        raise ValueError(f"parameters: no such arrays: {unknown}")
    for part in PARTS:
        missing = [n for n in part if n not in parameters]
        if missing and any(n[0] == "w" and n in parameters for n in part):
            raise ValueError(f"parameters: {missing} are missing")
    return {
        name: validation.of_shape(name, array, shapes[name])
        for name, array in parameters.items()
    }

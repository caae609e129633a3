"""One layer of attention inside a model, forward and backward."""

import numpy as np

from helpers.attention import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from helpers.gradients import attention_backward, weight_gradient


class AttentionLayer:
    """Some words attend to all words of their sentence, with H heads.

    Parameters
    ----------
    w_q, w_k : array (d_model, H*d_k), or None: all words weigh the same
    w_v : array (d_model, H*d_v), or None: the values are the words
    w_o : array (H*d_v, d_model), or None: the heads are concatenated only
    heads : int
    scale : float
        Factor of the scores.
    residual : False, True or "inside"
        Add the words to the output; "inside": to the contexts, before w_o.
    sigmoid : bool
        Each weight is the sigmoid of its score: no word competes with
        another.
    """

    def __init__(
        self,
        w_q,
        w_k,
        w_v,
        w_o,
        heads,
        scale,
        *,
        residual=False,
        sigmoid=False,
    ):
        self.w = dict(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)
        self.heads, self.scale = heads, scale
        self.residual, self.sigmoid = residual, sigmoid

    def forward(self, x_query, x, mask, head_mask=None):
        """Attend, and keep what `backward` needs.

        x_query (B, T_q, d_model), x (B, T, d_model), mask (B, T) True where
        there is a word; head_mask (H,), optional: a factor of each context.

        Returns output (B, T_q, width) and weights (B, H, T_q, T).
        """
        self.x_query, self.x, w_o = x_query, x, self.w["w_o"]
        self.query = self._project(x_query, "w_q")  # (B, H, T_q, d_k)
        self.key = self._project(x, "w_k")  # (B, H, T, d_k)
        self.value = self._project(x, "w_v")  # (B, H, T, d_v)
        attend = (
            gated_attention if self.sigmoid else scaled_dot_product_attention
        )
        context, self.weights = attend(
            self.query,
            self.key,
            self.value,
            mask=mask[:, None, None],
            scale=self.scale,
        )  # (B, H, T_q, d_v), (B, H, T_q, T)
        if head_mask is not None:
            context = context * np.reshape(head_mask, (-1, 1, 1))
        self.merged = merge_heads(context)  # (B, T_q, H*d_v)
        if self.residual == "inside":
            self.merged = x_query + self.merged
        output = self.merged if w_o is None else self.merged @ w_o
        if self.residual is True:
            output = x_query + output
        return output, self.weights  # (B, T_q, width), (B, H, T_q, T)

    def _project(self, x, name):
        """Return (B, H, T, d); without a matrix the words, or zeros."""
        if self.w[name] is None:
            zeros = np.zeros((len(x), self.heads, x.shape[1], 1))
            return x[:, None] if name == "w_v" else zeros
        return split_heads(x @ self.w[name], self.heads)

    def backward(self, grad_output, *, words):
        """Return the gradients for that of the output, (B, T_q, width).

        Of the last `forward`, without a head_mask. words: also those with
        respect to x_query and x, else None.

        Returns {name: gradient} of the matrices, grad_x_query (B, T_q,
        d_model) and grad_x (B, T, d_model).
        """
        w, grads, grad = self.w, {}, grad_output
        if w["w_o"] is not None:
            grads["w_o"] = weight_gradient(self.merged, grad)
            grad = grad @ w["w_o"].T  # (B, T_q, H*d_v)
        grad_x_query = {True: grad_output, "inside": grad}.get(
            self.residual, 0
        )
        back = gated_backward if self.sigmoid else attention_backward
        by_head = back(
            split_heads(grad, self.heads),
            self.query,
            self.key,
            self.value,
            self.weights,
            self.scale,
        )
        grad_x = 0
        for name, part in zip(("w_q", "w_k", "w_v"), by_head, strict=True):
            read = self.x_query if name == "w_q" else self.x
            if w[name] is None:
                grad_read = part.sum(axis=1) if name == "w_v" else 0
            else:
                part = merge_heads(part)  # (B, T, H*d)
                grads[name] = weight_gradient(read, part)
                grad_read = part @ w[name].T if words else 0
            if name == "w_q":
                grad_x_query = grad_x_query + grad_read
            else:
                grad_x = grad_x + grad_read
        return grads, grad_x_query, grad_x


def gated_attention(query, key, value, *, mask, scale):
    """Attend without competition: the sigmoid of each score is a weight.

    The log of the number of words is subtracted first, so that scores of 0
    give nearly even weights, as they do in a softmax: Ramapuram et al.
    (2024), *Theory, Analysis, and Best Practices for Sigmoid
    Self-Attention*.

    query (..., T_q, d), key (..., T, d), value (..., T, d_v), mask that
    broadcasts to (..., T_q, T), True where there is a word; as
    `scaled_dot_product_attention`, but rows sum to anything.
    """
    scores = scale * query @ key.swapaxes(-1, -2)  # (..., T_q, T)
    scores -= np.log(mask.sum(axis=-1, keepdims=True))
    weights = mask * (1 + np.tanh(scores / 2)) / 2  # the sigmoid
    return weights @ value, weights


def gated_backward(grad_context, query, key, value, weights, scale):
    """Return the gradients of the above, as `attention_backward` does."""
    grad_weights = grad_context @ value.swapaxes(-1, -2)  # (..., T_q, T)
    grad_scores = scale * grad_weights * weights * (1 - weights)
    return (
        grad_scores @ key,
        grad_scores.swapaxes(-1, -2) @ query,
        weights.swapaxes(-1, -2) @ grad_context,
    )

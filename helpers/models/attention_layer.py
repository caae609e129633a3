"""One layer of attention inside a model, forward and backward."""

import numpy as np

from helpers.attention import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from helpers.gradients import (
    attention_backward,
    scores_backward,
    weight_gradient,
)


class AttentionLayer:
    """Some words attend to all words of their sentence, with H heads.

    ``(x_query @ w_q) @ (x @ w_k).T`` is ``x_query @ (w_q @ w_k.T) @ x.T``,
    and ``weights @ (x @ w_v)`` is ``(weights @ x) @ w_v``: attention runs on
    the words themselves, and no key and no value is built. The numbers are
    the same, and training with four heads takes a third of the time.

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
        another. One layer only.
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
        self.heads, self.scale, self.w_o = heads, scale, w_o
        self.residual, self.sigmoid = residual, sigmoid
        self.w_q, self.w_k, self.w_v = (
            None if w is None else split_heads(w, heads)
            for w in (w_q, w_k, w_v)
        )  # (H, d_model, d) each

    def forward(self, x_query, x, mask, head_mask=None):
        """Attend, and keep what `backward` needs.

        x_query (B, T_q, d_model), x (B, T, d_model), mask (B, T) True where
        there is a word; head_mask (H,), optional: a factor of each context.

        Returns output (B, T_q, width) and weights (B, H, T_q, T).
        """
        self.x, self.shape = x, (self.heads, *x_query.shape)
        self.rows = x_query.reshape(-1, x.shape[-1])  # (N, d_model), N = B*T_q
        self.query = np.zeros(self.shape)  # (H, B, T_q, d_model)
        if self.w_q is not None:
            self.bilinear = self.w_q @ self.w_k.mT  # (H, d_model, d_model)
            self.query = (self.rows @ self.bilinear).reshape(self.shape)
        attend = (
            gated_attention if self.sigmoid else scaled_dot_product_attention
        )
        mixed, self.weights = attend(
            self.query, x, x, mask=mask[:, None], scale=self.scale
        )  # (H, B, T_q, d_model), (H, B, T_q, T)
        self.mixed = mixed.reshape(self.heads, *self.rows.shape)  # (H, N, ·)
        context = self.mixed
        if self.w_v is not None:
            context = self.mixed @ self.w_v  # (H, N, d_v)
        if head_mask is not None:
            context = context * np.reshape(head_mask, (-1, 1, 1))
        output = merge_heads(context)  # (N, H*d_v)
        if self.residual == "inside":
            output = self.rows + output
        self.merged = output
        if self.w_o is not None:
            output = self.merged @ self.w_o  # (N, d_model)
        output = output.reshape(*x_query.shape[:2], -1)  # (B, T_q, width)
        if self.residual is True:
            output = x_query + output
        return output, self.weights.swapaxes(0, 1)

    def backward(self, grad_output, *, words):
        """Return the gradients for that of the output, (B, T_q, width).

        Of the last `forward`, without a head_mask. words: also those with
        respect to x_query and x, else None.

        Returns {name: gradient} of the matrices, grad_x_query (B, T_q,
        d_model) and grad_x (B, T, d_model).
        """
        grads = {}
        grad = grad_output.reshape(len(self.rows), -1)  # (N, width)
        if self.w_o is not None:
            grads["w_o"] = weight_gradient(self.merged, grad)
            grad = grad @ self.w_o.T  # (N, H*d_v)
        passed = {True: grad_output, "inside": grad}.get(self.residual)
        grad = split_heads(grad, self.heads)  # (H, N, d_v)
        if self.w_v is not None:
            grads["w_v"] = merge_heads(self.mixed.mT @ grad)
            grad = grad @ self.w_v.mT  # (H, N, d_model)
        grad = grad.reshape(self.shape)  # (H, B, T_q, d_model)
        if not words:
            back = gated_backward if self.sigmoid else scores_backward
            scores = back(grad, self.x, self.weights)
            self._scoring(self.scale * scores @ self.x, grads)
            return grads, None, None
        grad_query, grad_key, grad_value = attention_backward(
            grad, self.query, self.x, self.x, self.weights, self.scale
        )
        self._scoring(grad_query, grads)
        grad_x_query = 0
        if self.w_q is not None:
            by_head = grad_query.reshape(self.mixed.shape) @ self.bilinear.mT
            grad_x_query = by_head.sum(axis=0).reshape(self.shape[1:])
        if passed is not None:
            grad_x_query = grad_x_query + passed.reshape(self.shape[1:])
        return grads, grad_x_query, (grad_key + grad_value).sum(axis=0)

    def _scoring(self, grad_query, grads):
        """Add the gradients of w_q and w_k."""
        if self.w_q is not None:
            grad_query = grad_query.reshape(self.mixed.shape)
            grad_bilinear = self.rows.T @ grad_query  # (H, d_model, d_model)
            grads["w_q"] = merge_heads(grad_bilinear @ self.w_k)
            grads["w_k"] = merge_heads(grad_bilinear.mT @ self.w_q)


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


def gated_backward(grad_context, value, weights):
    """Return the gradient with respect to the scores of the above."""
    grad_weights = grad_context @ value.swapaxes(-1, -2)  # (..., T_q, T)
    return grad_weights * weights * (1 - weights)

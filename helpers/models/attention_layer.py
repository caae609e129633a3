"""One layer of attention inside a model, forward and backward."""

import numpy as np

from helpers.attention import (
    join_heads,
    scaled_dot_product_attention,
    view_heads,
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
    residual : bool
        Add the words to the output.

    A layer made of this one may replace `attend` with `attend_backward`, or
    `merge` with `backward`.
    """

    def __init__(self, w_q, w_k, w_v, w_o, heads, scale, *, residual=False):
        self.w = dict(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)
        self.heads, self.scale, self.residual = heads, scale, residual

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
        context, self.weights = self.attend(mask[:, None, None])
        if head_mask is not None:
            context = context * np.reshape(head_mask, (-1, 1, 1))
        self.merged = self.merge(context)  # (B, T_q, H*d_v)
        output = self.merged if w_o is None else self.merged @ w_o
        if self.residual:
            output = x_query + output
        return output, self.weights  # (B, T_q, width), (B, H, T_q, T)

    def _project(self, x, name):
        """Return (B, H, T, d); without a matrix the words, or zeros."""
        if self.w[name] is None:
            zeros = np.zeros((len(x), self.heads, x.shape[1], 1))
            return x[:, None] if name == "w_v" else zeros
        return view_heads(x @ self.w[name], self.heads)

    def attend(self, mask):
        """Return context (B, H, T_q, d_v) and weights (B, H, T_q, T)."""
        return scaled_dot_product_attention(
            self.query, self.key, self.value, mask=mask, scale=self.scale
        )

    def attend_backward(self, grad_context):
        """Return the gradients with respect to query, key and value."""
        return attention_backward(
            grad_context,
            self.query,
            self.key,
            self.value,
            self.weights,
            self.scale,
        )

    def merge(self, context):
        """Put the heads side by side: (B, T_q, H*d_v)."""
        return join_heads(context)

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
        by_head = self.attend_backward(view_heads(grad, self.heads))
        grad_x_query, grad_x = grad_output if self.residual else 0, 0
        for name, part in zip(("w_q", "w_k", "w_v"), by_head, strict=True):
            read = self.x_query if name == "w_q" else self.x
            if w[name] is None:
                grad_read = part.sum(axis=1) if name == "w_v" else 0
            else:
                part = join_heads(part)  # (B, T, H*d)
                grads[name] = weight_gradient(read, part)
                grad_read = part @ w[name].T if words else 0
            if name == "w_q":
                grad_x_query = grad_x_query + grad_read
            else:
                grad_x = grad_x + grad_read
        return grads, grad_x_query, grad_x

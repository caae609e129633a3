"""Heads that share their keys and values: grouped-query attention."""

import numpy as np

from helpers import validation
from helpers.models.classifier import AttentionClassifier


class GroupedClassifier(AttentionClassifier):
    """One layer of H heads that share G heads of keys and values.

    Ainslie et al. (2023), *GQA: Training Generalized Multi-Query Transformer
    Models from Multi-Head Checkpoints*; G = 1 is multi-query attention:
    Shazeer (2019), *Fast Transformer Decoding: One Write-Head is All You
    Need*. All but the following is as in `AttentionClassifier`.

    Parameters
    ----------
    key_value_heads : int
        G, a divisor of `heads`; each serves heads/G heads in a row. w_k is
        then (d_model, G*d_k), and w_v (d_model, G*d_v).
    """

    def __init__(
        self, d_model=64, d_k=16, d_v=16, classes=(2,), *, key_value_heads,
        heads=1, output=False, gain=1.0, seed=0,
    ):  # fmt: skip
        super().__init__(
            d_model, d_k, d_v, classes,
            heads=heads, output=output, gain=gain, seed=seed,
        )  # fmt: skip
        groups = validation.positive_integer(
            "key_value_heads", key_value_heads
        )
        if self.heads % groups:
            raise ValueError(
                f"key_value_heads: expected a divisor of {self.heads} heads,"
                f" got {groups}"
            )
        self.key_value_heads = groups
        for name in ("w_k", "w_v"):
            own = self._split(self.parameters[name], self.heads)
            first = own[:, :, :1]  # the head of a group that was drawn first
            self.parameters[name] = _joined(first)

    @property
    def cached_numbers(self):
        """How many numbers a cache keeps of each word."""
        return sum(self.parameters[n].shape[1] for n in ("w_k", "w_v"))

    def _split(self, matrix, heads):
        """(d_model, heads*d) -> (d_model, G, heads/G, d)."""
        groups = self.key_value_heads
        return matrix.reshape(len(matrix), groups, heads // groups, -1)

    def layer_matrices(self, i):
        """Return the matrices of all H heads, shared ones repeated."""
        w_q, w_k, w_v, w_o = super().layer_matrices(i)
        return w_q, self._repeat(w_k), self._repeat(w_v), w_o

    def _repeat(self, matrix):
        """(d_model, G*d) -> (d_model, H*d)."""
        split = self._split(matrix, self.key_value_heads)
        copies = self.heads // self.key_value_heads
        return _joined(np.repeat(split, copies, axis=2))

    def add_gradients(self, of_layer, i, grads):
        """Add up the gradients of the heads that share a matrix."""
        for name in ("w_k", "w_v"):
            split = self._split(of_layer[name], self.heads)
            of_layer[name] = _joined(split.sum(axis=2))  # (d_model, G*d)
        super().add_gradients(of_layer, i, grads)


def _joined(split):
    """(d_model, ...) -> (d_model, all the rest)."""
    return split.reshape(len(split), -1)

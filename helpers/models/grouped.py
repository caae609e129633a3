"""Heads that share their keys and values: grouped-query attention."""

import numpy as np

from helpers import validation
from helpers.models.classifier import AttentionClassifier


class GroupedClassifier(AttentionClassifier):
    """One layer of H heads that share G heads of keys and values.

    Ainslie et al. (2023), *GQA: Training Generalized Multi-Query Transformer
    Models from Multi-Head Checkpoints*; G = 1 is multi-query attention:
    Shazeer (2019), *Fast Transformer Decoding: One Write-Head is All You
    Need*.

    Parameters
    ----------
    *sizes, **options
        Of `AttentionClassifier`; one layer, with w_k and w_v of its own.
    key_value_heads : int
        G, a divisor of `heads`; each serves heads/G heads in a row. w_k is
        then (d_model, G*d_k), and w_v (d_model, G*d_v).

    Raises
    ------
    TypeError, ValueError
        For a G that is no divisor, and for layers, scoring or values that
        leave nothing to share.
    """

    def __init__(self, *sizes, key_value_heads, **options):
        super().__init__(*sizes, **options)
        groups = validation.positive_integer(
            "key_value_heads", key_value_heads
        )
        if self.heads % groups:
            raise ValueError(
                f"key_value_heads: expected a divisor of {self.heads} heads,"
                f" got {groups}"
            )
        if not {"w_k", "w_v"} <= self.parameters.keys():
            raise ValueError(
                "layers, scoring, values: expected one layer with w_k and"
                f" w_v, got {[*self.parameters]}"
            )
        self.key_value_heads = groups
        for name in ("w_k", "w_v"):
            own = self.parameters[name].reshape(
                -1, groups, self.heads // groups, self._width(name)
            )  # (d_model, G, H/G, d): keep the first head of each group
            self.parameters[name] = own[:, :, 0].reshape(len(own), -1)

    @property
    def cached_numbers(self):
        """How many numbers a cache keeps of each word."""
        return sum(self.parameters[n].shape[1] for n in ("w_k", "w_v"))

    def _width(self, name):
        return self.options["d" + name[1:]]

    def _matrices(self, i):
        """Return the matrices of all H heads, shared ones repeated."""
        w_q, w_k, w_v, w_o = super()._matrices(i)
        return w_q, self._repeat("w_k", w_k), self._repeat("w_v", w_v), w_o

    def _repeat(self, name, matrix):
        split = matrix.reshape(len(matrix), -1, self._width(name))  # G heads
        copies = self.heads // self.key_value_heads
        return np.repeat(split, copies, axis=1).reshape(len(matrix), -1)

    def _add(self, found, i, grads):
        """Add up the gradients of the heads that share a matrix."""
        for name in ("w_k", "w_v"):
            shape = self.key_value_heads, -1, self._width(name)
            split = found[name].reshape(len(found[name]), *shape)
            found[name] = split.sum(axis=2).reshape(len(split), -1)
        super()._add(found, i, grads)

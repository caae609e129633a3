"""The language model of 09 in NumPy: 06's, with a GELU in its blocks."""

import numpy as np

from helpers.layers import gelu
from helpers.models.block import Block
from helpers.models.language_model import LanguageModel


class GeluBlock(Block):
    """A block that reads only: its feed-forward layer has a GELU."""

    def _feed(self, x, mask, cache):
        hidden = gelu(x @ self.p["w_1"] + self.p["b_1"])  # (..., T, hidden)
        return hidden @ self.p["w_2"] + self.p["b_2"]

    def backward(self, grad):
        """Not here: PyTorch trains this model."""
        raise NotImplementedError("backward: train this model with PyTorch")


class TextLanguageModel(LanguageModel):
    """`LanguageModel` of characters, with weights that PyTorch trained.

    Parameters
    ----------
    characters : sequence of V strings
    arrays : dict of arrays
        vectors (V, d), and the parameters of a `LanguageModel`.
    num_heads : int
    """

    block_class = GeluBlock

    def __init__(self, characters, arrays, num_heads):
        layers = sum(name.endswith(".w_q") for name in arrays)
        parameters = {n: np.asarray(a) for n, a in arrays.items()}
        super().__init__(
            characters,
            parameters.pop("vectors"),
            layers=layers,
            num_heads=num_heads,
            hidden=parameters["block0.w_1"].shape[1],
            max_length=len(parameters["positions"]),
        )
        self.parameters = parameters

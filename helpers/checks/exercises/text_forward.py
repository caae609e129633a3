"""What text_forward.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.exercises.block_forward import norm, on_tensors_too
from helpers.checks.steps.tools import softmax, table

__all__ = ["added_again", "model", "softmax", "with_tensors"]
WIDTH, SIZE = 4, 6  # of the stream, and of the vocabulary


class Table:
    """A table of vectors, as nn.Embedding has it."""

    def __init__(self, array):
        self._array = array

    @property
    def weight(self):
        """The table (rows, d): a tensor, if there are any."""
        torch = sys.modules.get("torch")
        return torch.from_numpy(self._array) if torch else self._array

    def __call__(self, ids):
        """Look up rows."""
        return self.weight[ids]


class Blocks(tuple):
    """The blocks one after the other, as nn.Sequential has them."""

    def __call__(self, x):
        """Go through all of them."""
        return functools.reduce(lambda rows, block: block(rows), self, x)


class ModelParts:
    """The layers of a language model as functions of arrays."""

    def __init__(self, layers):
        for name, layer in layers.items():
            setattr(self, name, layer)

    def __repr__(self):
        return "a small model"

    def copy(self):
        """Return the same: no answer changes it."""
        return self


def model(seed, texts, length, context):
    """Return a model whose layers all differ, and ids (B, T)."""
    mix, out = table(seed + 1, WIDTH, WIDTH) / 2, table(seed + 2, WIDTH, SIZE)

    def block(x):  # each place, and the mean of those up to it
        count = np.arange(1, x.shape[-2] + 1)[:, None]
        return x + np.cumsum(np.maximum(x @ mix, 0), axis=-2) / count

    layers = dict(norm=norm(1.5), logits=lambda x: x @ out + 0.25)
    layers = {n: on_tensors_too(layer) for n, layer in layers.items()}
    layers["blocks"] = Blocks([on_tensors_too(block)] * 2)
    layers["characters"] = Table(table(seed, SIZE, WIDTH))
    layers["positions"] = Table(table(seed + 3, context, WIDTH))
    ids = np.random.default_rng(seed + 4).integers(0, SIZE, (texts, length))
    return ModelParts(layers), ids


def added_again(blocks, x):
    """Return the stream if each block's result is added to what it reads."""
    return functools.reduce(lambda rows, block: rows + block(rows), blocks, x)


def with_tensors(function):
    """Return a function that hands over ids as a tensor, if there are any."""

    @functools.wraps(function)
    def answer(own, ids):
        torch = sys.modules.get("torch")
        return function(own, torch.as_tensor(ids) if torch else ids)

    return answer

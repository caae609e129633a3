"""What text_forward.txt takes from Python."""

import functools

import numpy as np

from helpers.checks.exercises.block_forward import (
    Linear,
    Norm,
    Parts,
    with_tensors,
)
from helpers.checks.steps.tools import softmax, table

__all__ = ["added_again", "model", "softmax", "with_tensors"]
WIDTH, SIZE = 4, 6  # of the stream, and of the vocabulary


class Table:
    """A table of vectors (rows, d), as nn.Embedding has it."""

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, ids):
        """Look up rows."""
        return self.weight[ids]

    def module(self, torch):
        """Return the same as a module."""
        return torch.nn.Embedding.from_pretrained(
            torch.from_numpy(self.weight.copy())
        )


class Toy:
    """A block that is no block: a row gets the mean of those up to it."""

    def __init__(self, mix):
        self.mix = mix

    def __call__(self, x):
        """Return rows as large as x (B, T, d), an array or a tensor."""
        mix = np.maximum(np.asarray(x) @ self.mix, 0)  # (B, T, d)
        count = np.arange(1, x.shape[-2] + 1)[:, None]
        mean = np.cumsum(mix, axis=-2) / count
        return x + (mean if isinstance(x, np.ndarray) else x.new_tensor(mean))

    def module(self, torch):
        """Return the same as a module."""
        made = torch.nn.Module()
        made.forward = self
        return made


class Blocks(tuple):
    """The blocks one after the other, as nn.Sequential has them."""

    def __call__(self, x):
        """Go through all of them."""
        return functools.reduce(lambda rows, block: block(rows), self, x)

    def module(self, torch):
        """Return the same as a module."""
        return torch.nn.Sequential(*(block.module(torch) for block in self))


def model(seed, texts, length, context):
    """Return a model whose layers all differ, and ids (B, T)."""
    mix, out = table(seed + 1, WIDTH, WIDTH) / 2, table(seed + 2, WIDTH, SIZE)
    layers = dict(
        characters=Table(table(seed, SIZE, WIDTH)),
        positions=Table(table(seed + 3, context, WIDTH)),
        blocks=Blocks([Toy(mix)] * 2),
        norm=Norm(1.5, WIDTH),
        logits=Linear(out, 0.25),
    )
    ids = np.random.default_rng(seed + 4).integers(0, SIZE, (texts, length))
    return Parts("a small model", layers), ids


def added_again(blocks, x):
    """Return the stream if each block's result is added to what it reads."""
    return functools.reduce(lambda rows, block: rows + block(rows), blocks, x)

"""What text_forward.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.exercises.block_forward import (
    Parts,
    linear,
    norm,
    with_tensors,
)
from helpers.checks.steps.tools import softmax, table

__all__ = ["added_again", "model", "softmax", "with_tensors"]
WIDTH, SIZE = 4, 6  # of the stream, and of the vocabulary


def lookup(rows):
    """Return nn.Embedding with a table (rows, d)."""
    torch = sys.modules["torch"]
    return torch.nn.Embedding.from_pretrained(torch.from_numpy(rows.copy()))


def toy_block(mix):
    """Return a block that is none: rows get the mean of those up to them."""
    torch = sys.modules["torch"]

    class Toy(torch.nn.Module):
        def forward(self, x):  # (B, T, d)
            mixed = torch.relu(x @ torch.from_numpy(mix))
            count = torch.arange(1, x.shape[-2] + 1)[:, None]
            return x + mixed.cumsum(-2) / count

    return Toy()


def model(seed, texts, length, context):
    """Return a model whose layers all differ, and ids (B, T)."""
    rows, places = table(seed, SIZE, WIDTH), table(seed + 3, context, WIDTH)
    mix, out = table(seed + 1, WIDTH, WIDTH) / 2, table(seed + 2, WIDTH, SIZE)

    def make():
        blocks = (toy_block(mix) for _ in range(2))
        return dict(
            characters=lookup(rows),
            positions=lookup(places),
            blocks=sys.modules["torch"].nn.Sequential(*blocks),
            norm=norm(1.5, WIDTH),
            logits=linear(out, 0.25),
        )

    ids = np.random.default_rng(seed + 4).integers(0, SIZE, (texts, length))
    return Parts("a small model", make), ids


def added_again(blocks, x):
    """Return the stream if each block's result is added to what it reads."""
    return functools.reduce(lambda rows, block: rows + block(rows), blocks, x)

"""What block_forward.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.steps.tools import table


class BlockParts:
    """The layers of a block as functions of arrays (B, T, d)."""

    def __init__(self, num_heads, layers):
        self.num_heads = num_heads
        for name, layer in layers.items():
            setattr(self, name, layer)

    def __repr__(self):
        return f"a block with {self.num_heads} heads"

    def copy(self):
        """Return the same: no answer changes it."""
        return self


def block(seed, texts, length, width, heads):
    """Return a block whose layers all differ, and x (B, T, d)."""
    matrices = [table(seed + i, width, width) / 2 for i in range(6)]
    query, key, value, output, first, second = matrices
    layers = dict(
        norm_1=norm(1.5),
        query=lambda x: x @ query,
        key=lambda x: x @ key + 0.25,
        value=lambda x: x @ value,
        output=lambda x: x @ output + 0.5,
        norm_2=norm(0.75),
        feed_forward=lambda x: np.maximum(x @ first + 0.3, 0) @ second,
    )
    layers = {n: on_tensors_too(layer) for n, layer in layers.items()}
    return BlockParts(heads, layers), table(seed + 6, texts, length, width)


def norm(gain):
    """Return a layer norm of arrays."""

    def normed(x):
        gap = x - x.mean(axis=-1, keepdims=True)
        return gain * gap / (x.std(axis=-1, keepdims=True) + 0.01)

    return normed


def past(x, more=0):
    """Return a mask: True for a character's past, and `more` after it."""
    length = x.shape[1]
    return x.new_ones(length, length).tril(more).bool()


def with_tensors(function):
    """Return a function that hands over x as a tensor, if there are any."""

    @functools.wraps(function)
    def answer(block, x):
        torch = sys.modules.get("torch")
        return function(block, torch.as_tensor(x) if torch else x)

    return answer


def on_tensors_too(layer):
    """Return a layer that gives a tensor if it is given one."""

    def either(x):
        torch = sys.modules.get("torch")
        if torch and isinstance(x, torch.Tensor):
            return torch.from_numpy(np.ascontiguousarray(layer(x.numpy())))
        return layer(x)

    return either

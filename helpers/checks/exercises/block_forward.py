"""What block_forward.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.steps.tools import table

EPS = 0.01  # of the norms: large, so that leaving it out shows


class Linear:
    """A matrix (d_in, d_out) and a bias, as nn.Linear has them."""

    def __init__(self, matrix, bias):
        self.matrix, self.bias = matrix, np.full(matrix.shape[1], bias)

    def __call__(self, x):
        """Return (..., d_out) for x (..., d_in)."""
        return x @ self.matrix + self.bias

    def module(self, torch):
        """Return the same as a module."""
        made = torch.nn.Linear(*self.matrix.shape, dtype=torch.float64)
        made.weight.data = torch.from_numpy(self.matrix.T.copy())
        made.bias.data = torch.from_numpy(self.bias)
        return made


class Norm:
    """A layer norm with one gain for all columns."""

    def __init__(self, gain, width):
        self.gain, self.width = gain, width

    def __call__(self, x):
        """Return rows of mean 0, as large as x."""
        gap = x - x.mean(axis=-1, keepdims=True)
        return self.gain * gap / np.sqrt(x.var(axis=-1, keepdims=True) + EPS)

    def module(self, torch):
        """Return the same as a module."""
        made = torch.nn.LayerNorm(self.width, EPS, dtype=torch.float64)
        made.weight.data[:] = self.gain
        return made


class FeedForward:
    """Two matrices with a ReLU between them."""

    def __init__(self, first, second):
        self.layers = Linear(first, 0.3), Linear(second, 0.0)

    def __call__(self, x):
        """Return rows as large as x."""
        first, second = self.layers
        return second(np.maximum(first(x), 0))

    def module(self, torch):
        """Return the same as a module."""
        first, second = (layer.module(torch) for layer in self.layers)
        return torch.nn.Sequential(first, torch.nn.ReLU(), second)


class Parts:
    """The layers of a module as functions of arrays, or as a true module."""

    def __init__(self, words, layers, **numbers):
        self._words, self._layers, self._numbers = words, layers, numbers
        for name, value in {**layers, **numbers}.items():
            setattr(self, name, value)

    def __repr__(self):
        return self._words

    def copy(self):
        """Return the same: each answer gets a module of its own."""
        return self

    def module(self, torch):
        """Return a module with the same layers, whose parameters rest."""
        made = torch.nn.Module()
        for name, layer in self._layers.items():
            setattr(made, name, layer.module(torch))
        for name, number in self._numbers.items():
            setattr(made, name, number)
        return made.requires_grad_(False)


def block(seed, texts, length, width, heads):
    """Return a block whose layers all differ, and x (B, T, d)."""
    matrices = [table(seed + i, width, width) / 2 for i in range(6)]
    query, key, value, output, first, second = matrices
    layers = dict(
        norm_1=Norm(1.5, width),
        query=Linear(query, 0.0),
        key=Linear(key, 0.25),
        value=Linear(value, 0.0),
        output=Linear(output, 0.5),
        norm_2=Norm(0.75, width),
        feed_forward=FeedForward(first, second),
    )
    made = Parts(f"a block with {heads} heads", layers, num_heads=heads)
    return made, table(seed + 6, texts, length, width)


def past(x, more=0):
    """Return a mask: True for a character's past, and `more` after it."""
    length = x.shape[1]
    return x.new_ones(length, length).tril(more).bool()


def with_tensors(function):
    """Return a function that hands over a module and a tensor, if it can."""

    @functools.wraps(function)
    def answer(parts, array):
        torch = sys.modules.get("torch")
        if torch is None:
            return function(parts, array)
        given = isinstance(parts, Parts)  # and not a module already
        own = parts.module(torch) if given else parts
        return function(own, torch.as_tensor(array))

    return answer

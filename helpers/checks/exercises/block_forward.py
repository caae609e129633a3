"""What block_forward.txt takes from Python."""

import functools
import sys

from helpers.checks.steps.tools import table

EPS = 0.01  # of the norms: large, so that leaving it out shows


class Parts:
    """What is handed over as a module; `make` returns {name: value} of it."""

    def __init__(self, words, make):
        self._words, self._make = words, make

    def __repr__(self):
        return self._words

    def copy(self):
        """Return the same: each answer gets a module of its own."""
        return self

    def module(self):
        """Return a new module whose parameters are not trained."""
        module = sys.modules["torch"].nn.Module()
        for name, value in self._make().items():
            setattr(module, name, value)
        return module.requires_grad_(False)


def linear(matrix, bias=0.0):
    """Return nn.Linear with a matrix (d_in, d_out) and one bias for all."""
    torch = sys.modules["torch"]
    layer = torch.nn.Linear(*matrix.shape, dtype=torch.float64)
    layer.weight.data = torch.from_numpy(matrix.T.copy())
    layer.bias.data[:] = bias
    return layer


def norm(gain, width):
    """Return nn.LayerNorm with one gain for all columns."""
    torch = sys.modules["torch"]
    layer = torch.nn.LayerNorm(width, EPS, dtype=torch.float64)
    layer.weight.data[:] = gain
    return layer


def block(seed, texts, length, width, heads):
    """Return a block whose layers all differ, and x (B, T, d)."""
    matrices = [table(seed + i, width, width) / 2 for i in range(6)]
    query, key, value, output, first, second = matrices

    def make():
        nn = sys.modules["torch"].nn
        return dict(
            num_heads=heads,
            norm_1=norm(1.5, width),
            query=linear(query),
            key=linear(key, 0.25),
            value=linear(value),
            output=linear(output, 0.5),
            norm_2=norm(0.75, width),
            feed_forward=nn.Sequential(
                linear(first, 0.3), nn.ReLU(), linear(second)
            ),
        )

    made = Parts(f"a block with {heads} heads", make)
    return made, table(seed + 6, texts, length, width)


def past(x, more=0):
    """Return a mask: True for a character's past, and `more` after it."""
    length = x.shape[1]
    return x.new_ones(length, length).tril(more).bool()


def with_tensors(function):
    """Return a function that hands over a module and a tensor."""

    @functools.wraps(function)
    def answer(parts, array):
        given = isinstance(parts, Parts)  # and not a module already
        own = parts.module() if given else parts
        return function(own, sys.modules["torch"].as_tensor(array))

    return answer

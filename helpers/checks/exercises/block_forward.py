"""What block_forward.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.steps.tools import named_by_error, table

_WIDTH = (
    "a layer gets rows whose width is not d",
    "The layers take (B, T, d). Cut into heads only after query, key and"
    " value, and join only the heads, before output.",
)
_ERRORS = {  # part of the message: what is wrong, and what helps
    "mismatch in its core dimension": _WIDTH,
    "mat1 and mat2 shapes": _WIDTH,
}


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
        norm_1=_norm(1.5),
        query=lambda x: x @ query,
        key=lambda x: x @ key + 0.25,
        value=lambda x: x @ value,
        output=lambda x: x @ output + 0.5,
        norm_2=_norm(0.75),
        feed_forward=lambda x: np.maximum(x @ first + 0.3, 0) @ second,
    )
    layers = {n: _on_tensors_too(layer) for n, layer in layers.items()}
    return BlockParts(heads, layers), table(seed + 6, texts, length, width)


def _norm(gain):
    def norm(x):
        gap = x - x.mean(axis=-1, keepdims=True)
        return gain * gap / (x.std(axis=-1, keepdims=True) + 0.01)

    return norm


def cut_columns(x, heads):
    """(B, T, H * d_k) -> (B, H, T, d_k)."""
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def cut_rows(x, heads):
    """As a learner who forgets to exchange two axes cuts x."""
    return x.reshape(len(x), heads, x.shape[1], -1)


def cut_steps(x, heads):
    """Let a head take every H-th column."""
    return np.moveaxis(x.reshape(*x.shape[:2], -1, heads), -1, 1)


def cut_late(x, heads):
    """Leave the heads behind the places: (B, T, H, d_k)."""
    return x.reshape(*x.shape[:2], heads, -1)


def cut_narrow(x, heads):
    """Make d_k heads of H columns."""
    return x.reshape(*x.shape[:2], -1, heads).swapaxes(1, 2)


def join_columns(context):
    """(B, H, T, d_k) -> (B, T, H * d_k)."""
    texts, heads, length, width = context.shape
    return context.swapaxes(1, 2).reshape(texts, length, heads * width)


def attend(query, key, value, scale, visible):
    """Mix the values of what is visible; where nothing is, the mix is 0."""
    scores = np.where(visible, query @ key.swapaxes(-1, -2) * scale, -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - np.maximum(highest, -1e9))
    total = weights.sum(axis=-1, keepdims=True)
    return weights @ value / np.where(total > 0, total, 1)


def with_tensors(function):
    """Return a function that hands over x as a tensor, if there are any."""

    @functools.wraps(function)
    def answer(block, x):
        torch = sys.modules.get("torch")
        return function(block, torch.from_numpy(x) if torch else x)

    return answer


def _on_tensors_too(layer):
    """Return a layer that gives a tensor if it is given one."""

    def either(x):
        torch = sys.modules.get("torch")
        if torch and isinstance(x, torch.Tensor):
            return torch.from_numpy(np.ascontiguousarray(layer(x.numpy())))
        return layer(x)

    return either


from_errors = functools.partial(named_by_error, _ERRORS)

"""Layers by hand, and against torch."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn import functional

from helpers.layers import (
    embed,
    feed_forward,
    feed_forward_backward,
    layer_norm,
    layer_norm_backward,
    sinusoidal_positions,
)


def test_positions_by_hand():
    found = sinusoidal_positions(3, 4, base=100.0)
    slow = 2 / 10  # frequency 100 ** (-2 / 4)
    expected = [np.sin(2), np.cos(2), np.sin(slow), np.cos(slow)]
    assert found.shape == (3, 4)
    assert found[0] == pytest.approx([0, 1, 0, 1])
    assert found[2] == pytest.approx(expected)
    slow = 2 / 100  # the base is 10,000 unless given
    assert sinusoidal_positions(3, 4)[2, 2] == pytest.approx(np.sin(slow))


X = np.random.default_rng(0).standard_normal((2, 3, 4))
GRAD = np.random.default_rng(1).standard_normal((2, 3, 4))
GAIN, BIAS = np.random.default_rng(2).standard_normal((2, 4))


def matrices():
    rng = np.random.default_rng(3)
    shapes = (4, 7), (7,), (7, 4), (4,)
    return [rng.standard_normal(shape) for shape in shapes]


def torch_gradients(function, *arrays):
    """Torch's output, and its gradients of (GRAD * output).sum()."""
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    output = function(*leaves)
    output.backward(torch.tensor(GRAD))
    return output.detach().numpy(), [leaf.grad.numpy() for leaf in leaves]


def assert_same(ours, theirs):
    for our, their in zip(ours, theirs, strict=True):
        assert_allclose(our, their, rtol=0, atol=1e-12)
        assert our.shape == their.shape


@pytest.mark.parametrize("eps", [1e-5, 0.3])
def test_layer_norm_is_torchs(eps):
    expected, gradients = torch_gradients(
        lambda x, g, b: functional.layer_norm(x, (4,), g, b, eps),
        X,
        GAIN,
        BIAS,
    )
    assert_same([layer_norm(X, GAIN, BIAS, eps)], [expected])
    assert_same(layer_norm_backward(GRAD, X, GAIN, eps), gradients)


def test_feed_forward_is_torchs():
    def theirs(x, w_1, b_1, w_2, b_2):
        return functional.relu(x @ w_1 + b_1) @ w_2 + b_2

    expected, gradients = torch_gradients(theirs, X, *matrices())
    assert_same([feed_forward(X, *matrices())], [expected])
    found = feed_forward_backward(GRAD, X, *matrices()[:3])
    assert_same(found, gradients)


def test_embedding_is_torchs():
    tokens = np.array([[4, 0, 4], [1, 2, 4]])  # a word three times, one never
    table = np.random.default_rng(4).standard_normal((5, 4))
    expected = functional.embedding(torch.tensor(tokens), torch.tensor(table))
    assert_same([embed(tokens, table)], [expected])

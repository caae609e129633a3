"""The block and the language model against torch and themselves."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch import nn

from helpers import torch_bridge
from helpers.models import (
    block_parameters,
    transformer_block,
    transformer_block_backward,
)
from helpers.models.block import Block

X = np.random.default_rng(0).standard_normal((2, 5, 8))
GRAD = np.random.default_rng(1).standard_normal((2, 5, 8))


def parameters():
    """No gain is 1, no bias is 0."""
    rng = np.random.default_rng(2)
    drawn = block_parameters(8, 12)
    return {
        name: array + 0.3 * rng.standard_normal(array.shape)
        for name, array in drawn.items()
    }


def causal(length=5):
    return nn.Transformer.generate_square_subsequent_mask(
        length, dtype=torch.float64
    )


@pytest.mark.parametrize("is_causal", [True, False])
def test_block_is_torchs_encoder_layer(is_causal):
    ours, weights = transformer_block(X, parameters(), 2, is_causal=is_causal)
    module = torch_bridge.to_encoder_layer(2, parameters())
    x = torch.tensor(X, requires_grad=True)
    theirs = module(x, src_mask=causal() if is_causal else None)
    theirs.backward(torch.tensor(GRAD))
    assert_allclose(ours, theirs.detach(), rtol=0, atol=1e-12)
    assert weights.shape == (2, 2, 5, 5)
    assert (np.triu(weights, 1) == 0).all() == is_causal
    grad_x, grads = transformer_block_backward(
        GRAD, X, parameters(), 2, is_causal=is_causal
    )
    assert_allclose(grad_x, x.grad, rtol=0, atol=1e-12)
    names = torch_bridge.TORCH_NAMES
    found = dict(module.named_parameters())
    for name, ours in names.items():
        expected = found.pop(f"self_attn.{name}").grad
        stacked = np.concatenate([grads.pop(n).T for n in ours])
        assert_allclose(stacked, expected, rtol=0, atol=1e-12)
    for name, ours in torch_bridge.LAYER_NAMES.items():
        expected = found.pop(name).grad
        assert_allclose(grads.pop(ours).T, expected, rtol=0, atol=1e-12)
    assert not grads and not found


@pytest.mark.parametrize("is_causal", [True, False])
def test_post_norm_is_torchs_too(is_causal):
    block = Block(parameters(), 2, is_causal=is_causal, pre_norm=False)
    ours = block.forward(X)
    module = torch_bridge.to_encoder_layer(2, parameters())
    module.norm_first = False
    x = torch.tensor(X, requires_grad=True)
    theirs = module(x, src_mask=causal() if is_causal else None)
    theirs.backward(torch.tensor(GRAD))
    assert_allclose(ours, theirs.detach(), rtol=0, atol=1e-12)
    grad_x, grads = block.backward(GRAD)
    assert_allclose(grad_x, x.grad, rtol=0, atol=1e-12)
    for name, ours in torch_bridge.LAYER_NAMES.items():
        expected = module.get_parameter(name).grad
        assert_allclose(grads[ours].T, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("gone", ["w_q", "w_1"])
def test_a_part_that_is_taken_away_adds_nothing(gone):
    left = block_parameters(
        8, 12, attention=gone != "w_q", feed_forward=gone != "w_1"
    )
    silent = block_parameters(8, 12)
    for name in ("w_o", "b_o") if gone == "w_q" else ("w_2", "b_2"):
        silent[name] = silent[name] * 0
    with_part, _ = transformer_block(X, silent, 2)
    without, weights = transformer_block(X, left, 2)
    assert_allclose(without, with_part, rtol=0, atol=1e-12)
    assert (weights is None) == (gone == "w_q")
    grad_with, all_grads = transformer_block_backward(GRAD, X, silent, 2)
    grad_x, grads = transformer_block_backward(GRAD, X, left, 2)
    assert_allclose(grad_x, grad_with, rtol=0, atol=1e-12)
    assert grads.keys() == left.keys() < all_grads.keys()


def test_bad_parameters_are_named():
    missing = parameters()
    del missing["b_q"]
    with pytest.raises(ValueError, match=r"parameters: \['b_q'\] are missing"):
        transformer_block(X, missing, 2)
    with pytest.raises(ValueError, match=r"no such arrays: \['w_x'\]"):
        transformer_block(X, parameters() | {"w_x": X}, 2)
    with pytest.raises(ValueError, match="x: contains NaN"):
        transformer_block(X * np.nan, parameters(), 2)
    with pytest.raises(ValueError, match="num_heads"):
        transformer_block(X, parameters(), 3)
    with pytest.raises(ValueError, match=r"\['norm|\['w_1|w_1"):
        torch_bridge.to_encoder_layer(
            2, block_parameters(8, 12, feed_forward=False)
        )

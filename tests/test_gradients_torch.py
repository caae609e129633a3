"""Hand-derived gradients against torch's autograd."""

import numpy as np
import pytest
import torch
from test_gradients import BATCHES, NAMES, OPTIONS, inputs

from helpers.attention import softmax
from helpers.gradients import relative_error
from helpers.gradients import (
    scaled_dot_product_attention_backward,
    softmax_backward,
)


def torch_attention(query, key, value, mask=None, is_causal=False, scale=None):
    scores = query @ key.transpose(-1, -2)
    scores = scores * (query.shape[-1] ** -0.5 if scale is None else scale)
    allowed = torch.ones(scores.shape[-2:], dtype=torch.bool)
    if mask is not None and mask.dtype == bool:
        allowed = allowed & torch.from_numpy(mask)
    elif mask is not None:
        scores = scores + torch.from_numpy(np.where(mask < -9, 0, mask))
        allowed = allowed & torch.from_numpy(mask > -9)
    if is_causal:
        allowed = torch.tril(allowed)
    scores = scores.masked_fill(~allowed, -torch.inf)
    weights = torch.softmax(scores, -1)
    weights = torch.where(allowed.any(-1, keepdim=True), weights, 0.0)
    return weights @ value


@pytest.mark.parametrize("batches", BATCHES)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_attention_backward_equals_autograd(batches, options):
    *arrays, grad = inputs(batches)
    leaves = [torch.from_numpy(a.copy()).requires_grad_() for a in arrays]
    context = torch_attention(*leaves, **options)
    context.backward(torch.from_numpy(grad))
    ours = scaled_dot_product_attention_backward(grad, *arrays, **options)
    for name, gradient, leaf in zip(NAMES, ours, leaves, strict=True):
        expected = torch.nan_to_num(leaf.grad).numpy()
        assert gradient.shape == expected.shape, name
        assert relative_error(gradient, expected) <= 1e-10, name


def test_torch_scaled_dot_product_attention_agrees():
    *arrays, grad = inputs(BATCHES[1])
    leaves = [torch.from_numpy(a).requires_grad_() for a in arrays]
    context = torch.nn.functional.scaled_dot_product_attention(*leaves)
    context.backward(torch.from_numpy(grad))
    ours = scaled_dot_product_attention_backward(grad, *arrays)
    for gradient, leaf in zip(ours, leaves, strict=True):
        assert relative_error(gradient, leaf.grad.numpy()) <= 1e-10


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_backward_equals_the_jacobian_of_autograd(axis):
    rng = np.random.default_rng(2)
    scores, grad = rng.standard_normal((2, 3, 4, 5))
    leaf = torch.from_numpy(scores).requires_grad_()
    torch.softmax(leaf, axis).backward(torch.from_numpy(grad))
    ours = softmax_backward(grad, softmax(scores, axis=axis), axis=axis)
    assert relative_error(ours, leaf.grad.numpy()) <= 1e-10

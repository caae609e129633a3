"""The backward pass of several heads against torch's."""

import numpy as np
import pytest
import torch
from test_heads import D_K, HEADS, T, backward, each_option, forward, inputs

from helpers.gradients import relative_error


def torch_forward(x, w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, mask, is_causal):
    def heads(y):
        return y.unflatten(-1, (HEADS, -1)).transpose(-2, -3)

    q, k, v = heads(x @ w_q + b_q), heads(x @ w_k + b_k), heads(x @ w_v + b_v)
    scores = q @ k.transpose(-1, -2) / D_K**0.5
    allowed = torch.ones(T, T, dtype=torch.bool)
    if mask is not None and mask.dtype == bool:
        allowed = allowed & torch.from_numpy(mask)
    elif mask is not None:
        scores = scores + torch.from_numpy(np.where(mask < -9, 0, mask))
        allowed = allowed & torch.from_numpy(mask > -9)
    if is_causal:
        allowed = torch.tril(allowed)
    scores = scores.masked_fill(~allowed, -1e30)
    weights = torch.softmax(scores, -1) * allowed
    return (weights @ v).transpose(-2, -3).flatten(-2) @ w_o + b_o


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)])
@each_option
def test_backward_equals_autograd(batch, options):
    arrays, grad = inputs(batch)
    leaves = {
        n: torch.tensor(a, requires_grad=True) for n, a in arrays.items()
    }
    output = torch_forward(
        **leaves,
        mask=options.get("mask"),
        is_causal=options.get("is_causal", False),
    )
    ours_forward = forward(arrays, **options)
    assert relative_error(ours_forward, output.detach().numpy()) <= 1e-12
    output.backward(torch.from_numpy(grad))
    ours = backward(grad, arrays, **options)
    assert ours.keys() == arrays.keys()
    for name, leaf in leaves.items():
        expected = leaf.grad.numpy()
        assert ours[name].shape == expected.shape, name
        if name != "b_k":  # that one is 0 on paper
            assert relative_error(ours[name], expected) <= 1e-9, name

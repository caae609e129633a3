"""The optimizers and the loss against torch's."""

import numpy as np
import pytest
import torch

from helpers.gradients import relative_error
from helpers.training import SGD, Adam, cross_entropy


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(Adam, torch.optim.Adam), (SGD, torch.optim.SGD)],
)
def test_optimizers_step_as_in_torch(ours, theirs):
    rng = np.random.default_rng(0)
    arrays = {
        "a": rng.standard_normal((3, 4)),
        "b": rng.standard_normal(5) * 1e-6,
    }
    leaves = {
        n: torch.from_numpy(a.copy()).requires_grad_()
        for n, a in arrays.items()
    }
    our, their = ours(arrays, 0.05), theirs(leaves.values(), lr=0.05)
    for _ in range(20):
        gradients = {
            n: rng.standard_normal(a.shape) * 10.0 ** rng.integers(-6, 3)
            for n, a in arrays.items()
        }
        for name, gradient in gradients.items():
            leaves[name].grad = torch.from_numpy(gradient)
        their.step()
        our.step(gradients)
        for name, array in arrays.items():
            expected = leaves[name].detach().numpy()
            np.testing.assert_allclose(array, expected, rtol=1e-12, atol=1e-15)


def test_cross_entropy_and_its_gradient_equal_torch():
    rng = np.random.default_rng(0)
    logits, labels = rng.standard_normal((7, 4)), rng.integers(0, 4, 7)
    leaf = torch.from_numpy(logits).requires_grad_()
    expected = torch.nn.functional.cross_entropy(
        leaf, torch.from_numpy(labels)
    )
    expected.backward()
    loss, gradient = cross_entropy(logits, labels)
    assert loss == pytest.approx(expected.item(), rel=1e-12)
    assert relative_error(gradient, leaf.grad.numpy()) <= 1e-10

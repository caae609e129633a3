"""Hand-derived gradients against torch's and against finite differences."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.attention import scaled_dot_product_attention, softmax
from helpers.gradient_check import finite_differences, relative_error
from helpers.gradients import (
    scaled_dot_product_attention_backward,
    softmax_backward,
)

NAMES = ("query", "key", "value")
MASK = np.array([[1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 1]], bool)
OPTIONS = {
    "plain": {},
    "causal": {"is_causal": True},
    "scale": {"scale": 0.7},
    "negative scale": {"scale": -2.0},
    "zero scale": {"scale": 0.0},
    "mask with an empty row": {"mask": MASK},
    "mask and causal": {"mask": MASK, "is_causal": True},
    "added mask": {"mask": np.where(MASK, 0.5, -np.inf)},
    "large scores": {"scale": 6.0},
}
BATCHES = [
    ((), (), ()),
    ((2,), (2,), (2,)),
    ((2, 1), (4,), (2, 4)),
    ((), (3,), ()),
    ((3,), (), (1,)),
    ((), (), (2, 2)),
]


def inputs(batches=((), (), ()), seed=0):
    rng = np.random.default_rng(seed)
    shapes = ((3, 4), (5, 4), (5, 6))
    arrays = [
        rng.standard_normal((*batch, *shape))
        for batch, shape in zip(batches, shapes, strict=True)
    ]
    shape = np.broadcast_shapes(*batches)
    return *arrays, rng.standard_normal((*shape, 3, 6))


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


@pytest.mark.parametrize("batches", BATCHES)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_attention_backward_equals_finite_differences(batches, options):
    *arrays, grad = inputs(batches, seed=1)
    ours = scaled_dot_product_attention_backward(grad, *arrays, **options)
    for i, name in enumerate(NAMES):

        def loss(x, i=i):
            changed = [*arrays[:i], x, *arrays[i + 1 :]]
            context, _ = scaled_dot_product_attention(*changed, **options)
            return (grad * context).sum()

        expected = finite_differences(loss, arrays[i])
        assert relative_error(ours[i], expected) <= 1e-6, name


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


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
@settings(max_examples=50, deadline=None)
def test_score_gradients_sum_to_zero_in_every_row(seed, width):
    rng = np.random.default_rng(seed)
    weights = softmax(rng.standard_normal((4, width)) * 5)
    found = softmax_backward(rng.standard_normal((4, width)), weights)
    assert np.abs(found.sum(axis=-1)).max() < 1e-12


def test_a_word_that_may_not_be_seen_gets_no_gradient():
    query, key, value, grad = inputs()
    mask = np.array([True, True, False, True, True])
    _, grad_key, grad_value = scaled_dot_product_attention_backward(
        grad, query, key, value, mask=mask
    )
    assert not grad_key[2].any() and not grad_value[2].any()


def test_types_stay_and_inputs_are_not_changed():
    arrays = [a.astype(np.float32) for a in inputs()]
    *forward, grad = arrays
    copies = [a.copy() for a in arrays]
    found = scaled_dot_product_attention_backward(grad, *forward)
    assert all(gradient.dtype == np.float32 for gradient in found)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grad_context": np.ones((3, 5))}, "grad_context"),
        ({"grad_context": np.ones((2, 3, 6))}, "grad_context"),
        ({"grad_context": np.full((3, 6), np.nan)}, "grad_context"),
        ({"grad_context": "one"}, "grad_context"),
        ({"key": np.ones((5, 3))}, "query and key"),
        ({"mask": np.ones((3, 5), int)}, "mask"),
        ({"scale": "half"}, "scale"),
    ],
)
def test_bad_input_is_named(change, message):
    query, key, value, grad = inputs()
    arguments = dict(grad_context=grad, query=query, key=key, value=value)
    with pytest.raises((TypeError, ValueError), match=message):
        scaled_dot_product_attention_backward(**(arguments | change))


def test_softmax_backward_refuses_other_shapes():
    with pytest.raises(ValueError, match="grad_weights"):
        softmax_backward(np.ones((2, 3)), np.ones((3, 2)))
    with pytest.raises(ValueError, match="axis"):
        softmax_backward(np.ones((2, 3)), np.ones((2, 3)), axis=2)


def test_relative_error_refuses_other_shapes():
    with pytest.raises(ValueError, match="same shape"):
        relative_error(np.ones(3), np.ones((3, 1)))

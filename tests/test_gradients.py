"""Hand-derived gradients against finite differences and by hand."""

import numpy as np
import pytest

from helpers.attention import scaled_dot_product_attention, softmax
from helpers.gradients import finite_differences, relative_error
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
    shapes = ((3, 2), (5, 2), (5, 4))
    arrays = [
        rng.standard_normal((*batch, *shape))
        for batch, shape in zip(batches, shapes, strict=True)
    ]
    shape = np.broadcast_shapes(*batches)
    return *arrays, rng.standard_normal((*shape, 3, 4))


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


def test_softmax_backward_of_a_known_row():
    found = softmax_backward([[1.0, 0.0, 0.0]], [[0.5, 0.25, 0.25]])
    np.testing.assert_allclose(found, [[0.25, -0.125, -0.125]], atol=1e-15)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_backward_equals_finite_differences(axis):
    rng = np.random.default_rng(2)
    scores, grad = rng.standard_normal((2, 3, 4, 5))
    found = softmax_backward(grad, softmax(scores, axis=axis), axis=axis)
    expected = finite_differences(
        lambda s: (grad * softmax(s, axis=axis)).sum(), scores
    )
    assert relative_error(found, expected) <= 1e-6


@pytest.mark.parametrize("width", range(1, 7))
def test_score_gradients_sum_to_zero_in_every_row(width):
    rng = np.random.default_rng(width)
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
        ({"grad_context": np.ones((2, 3, 4))}, "grad_context"),
        ({"grad_context": np.full((3, 4), np.nan)}, "grad_context"),
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
    with pytest.raises(ValueError, match="axis: 2 is out of range"):
        softmax_backward(np.ones((2, 3)), np.ones((2, 3)), axis=2)
    with pytest.raises(ValueError, match="^weights: contains NaN"):
        softmax_backward(np.ones((2, 3)), np.full((2, 3), np.nan))


def test_relative_error_by_hand():
    assert relative_error([1, -3], [1, 1]) == 4
    assert relative_error([4, 0], [2, 0]) == 1
    assert relative_error([1e-3], [0]) == 1e-3
    assert relative_error([0.0], [0]) == 0


def test_relative_error_refuses_other_shapes():
    with pytest.raises(ValueError, match="same shape"):
        relative_error(np.ones(3), np.ones((3, 1)))

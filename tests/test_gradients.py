"""Hand-derived gradients against torch's autograd."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from helpers.attention import multi_head_attention, softmax
from helpers.gradients import (
    finite_differences,
    multi_head_attention_backward,
    scaled_dot_product_attention_backward,
    softmax_backward,
)

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


def inputs(batches=BATCHES[0], queries=3, keys=5, d_v=4):
    """Return query, key, value, and a gradient of the context."""
    rng = np.random.default_rng(1)
    shapes = (queries, 2), (keys, 2), (keys, d_v)
    arrays = [
        rng.standard_normal((*batch, *shape))
        for batch, shape in zip(batches, shapes, strict=True)
    ]
    batch = np.broadcast_shapes(*batches)
    return *arrays, rng.standard_normal((*batch, queries, d_v))


def torch_attention(query, key, value, mask=None, is_causal=False, scale=None):
    """Return the context; torch takes one mask only."""
    if mask is None:
        mask = np.ones((query.shape[-2], key.shape[-2]), bool)
    if is_causal:
        later = ~np.tri(*mask.shape, dtype=bool)
        mask = np.where(later, False if mask.dtype == bool else -np.inf, mask)
    return torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=torch.from_numpy(mask), scale=scale
    )


def torch_gradients(function, arrays, grad):
    """Return torch's gradients of (grad * function(*arrays)).sum()."""
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    function(*leaves).backward(torch.from_numpy(grad))
    return [leaf.grad.numpy() for leaf in leaves]


# softmax


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_backward(rng, axis):
    scores, grad = rng.standard_normal((2, 3, 4, 5))
    found = softmax_backward(grad, softmax(scores, axis=axis), axis=axis)
    (expected,) = torch_gradients(
        lambda s: torch.softmax(s, axis), [scores], grad
    )
    largest = np.abs(expected).max() or 1.0
    assert_allclose(found, expected, rtol=0, atol=1e-10 * largest)


# scaled_dot_product_attention


@pytest.mark.parametrize("batches", BATCHES, ids=str)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_attention_backward(batches, options):
    *arrays, grad = inputs(batches)
    found = scaled_dot_product_attention_backward(grad, *arrays, **options)
    by_torch = torch_gradients(
        lambda *leaves: torch_attention(*leaves, **options), arrays, grad
    )
    for ours, theirs in zip(found, by_torch, strict=True):
        largest = np.abs(theirs).max() or 1.0
        assert_allclose(ours, theirs, rtol=0, atol=1e-10 * largest)


@pytest.mark.parametrize(
    "sizes",
    [{"queries": 0}, {"keys": 0}, {"d_v": 0},
     {"batches": ((0,), (0,), (0,))}, {"batches": ((0,), (1,), ())}],
    ids=str,
)  # fmt: skip
def test_axes_of_length_0_as_in_torch(sizes):
    *arrays, grad = inputs(**sizes)
    found = scaled_dot_product_attention_backward(grad, *arrays)
    expected = torch_gradients(
        torch.nn.functional.scaled_dot_product_attention, arrays, grad
    )
    for ours, theirs in zip(found, expected, strict=True):
        assert_array_equal(ours, theirs)


# multi_head_attention

T, D_MODEL, HEADS, D_K, D_V = 5, 6, 2, 3, 4
SEEN = np.random.default_rng(0).random((T, T)) < 0.6
SEEN[2] = False  # a word that may look at nothing


def layer(batch=(), biases="qkvo"):
    """Return the arrays of a layer by name, and a gradient of its output."""
    rng = np.random.default_rng(0)
    shapes = {
        "x": (*batch, T, D_MODEL),
        "w_q": (D_MODEL, HEADS * D_K),
        "w_k": (D_MODEL, HEADS * D_K),
        "w_v": (D_MODEL, HEADS * D_V),
        "w_o": (HEADS * D_V, D_MODEL),
    }
    shapes |= {f"b_{n}": shapes[f"w_{n}"][1:] for n in biases}
    arrays = {n: rng.standard_normal(shape) for n, shape in shapes.items()}
    return arrays, rng.standard_normal(shapes["x"])


def backward(grad, arrays, **options):
    return multi_head_attention_backward(
        grad, **arrays, num_heads=HEADS, **options
    )


def torch_layer(x, w_q, w_k, w_v, w_o, b_q=0, b_k=0, b_v=0, b_o=0, **options):
    query, key, value = (
        (x @ w + b).unflatten(-1, (HEADS, -1)).transpose(-2, -3)
        for w, b in ((w_q, b_q), (w_k, b_k), (w_v, b_v))
    )
    context = torch_attention(query, key, value, **options)
    return context.transpose(-2, -3).flatten(-2) @ w_o + b_o


@pytest.mark.parametrize(
    "batch, biases", [((), "qkvo"), ((3,), "v"), ((2, 2), ""), ((2,), "qkvo")]
)
@pytest.mark.parametrize(
    "options",
    [{}, {"is_causal": True}, {"mask": SEEN},
     {"mask": SEEN, "is_causal": True},
     {"mask": np.where(SEEN, 0.5, -np.inf)}],
    ids=["plain", "causal", "mask", "mask and causal", "added mask"],
)  # fmt: skip
def test_layer_equals_torch_forward_and_backward(batch, biases, options):
    arrays, grad = layer(batch, biases)
    tensors = {n: torch.tensor(a) for n, a in arrays.items()}
    output, _ = multi_head_attention(**arrays, num_heads=HEADS, **options)
    assert_allclose(output, torch_layer(**tensors, **options), atol=1e-12)
    found = backward(grad, arrays, **options)
    assert found.keys() == arrays.keys()
    by_torch = torch_gradients(
        lambda *leaves: torch_layer(
            **dict(zip(arrays, leaves, strict=True)), **options
        ),
        arrays.values(),
        grad,
    )
    for name, expected in zip(arrays, by_torch, strict=True):
        assert found[name].shape == expected.shape, name
        assert_allclose(found[name], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("batch", [(0,), (2, 0), (2,)])
def test_empty_batches_and_values_teach_the_bias_at_most(batch):
    arrays, grad = layer(batch, "o")
    arrays |= {"w_v": np.ones((D_MODEL, 0)), "w_o": np.ones((0, D_MODEL))}
    output, _ = multi_head_attention(**arrays, num_heads=HEADS)
    assert_array_equal(output, np.broadcast_to(arrays["b_o"], output.shape))
    for name, gradient in backward(grad, arrays).items():
        assert gradient.shape == arrays[name].shape
        assert gradient.any() == (name == "b_o" and grad.size > 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_types_stay_and_arguments_are_not_changed(dtype):
    arrays = [a.astype(dtype) for a in inputs()]
    named, grad = layer((2,))
    named = {n: a.astype(dtype) for n, a in named.items()}
    given = [*arrays, *named.values(), grad]
    copies = [a.copy() for a in given]
    found = [*scaled_dot_product_attention_backward(arrays[3], *arrays[:3])]
    found += backward(grad, named).values()
    assert {gradient.dtype for gradient in found} == {np.dtype(dtype)}
    for array, copy in zip(given, copies, strict=True):
        assert_array_equal(array, copy)


# The tools that check


def test_finite_differences_of_a_known_function():
    x = np.array([[1, 2], [3, -4]])
    found = finite_differences(lambda a: (a**3).sum() + a[0, 0] * a[1, 1], x)
    assert_allclose(found, [[3 - 4, 12], [27, 48 + 1]], rtol=1e-8)
    assert x.tolist() == [[1, 2], [3, -4]]
    assert finite_differences(lambda a: a**2, 3.0) == pytest.approx(6)

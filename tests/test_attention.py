"""helpers.attention against numbers worked out by hand, and torch."""

import math
import tracemalloc
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from helpers.attention import (
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)

INF = np.inf
LOW = np.finfo(float).min


def qkv(rng, *batch, queries=3, keys=5, d_k=4, d_v=6):
    shapes = (queries, d_k), (keys, d_k), (keys, d_v)
    return [rng.normal(size=batch + shape) for shape in shapes]


def tensors(*arrays):
    return [torch.from_numpy(np.array(array)) for array in arrays]


def attend_in_torch(query, key, value, **options):
    """Context and weights, which are what an identity as value gives."""
    eye = np.eye(key.shape[-2])
    eye = np.broadcast_to(eye, (*value.shape[:-2], *eye.shape))
    both = torch.nn.functional.scaled_dot_product_attention(
        *tensors(query, key, np.concatenate([value, eye], -1)), **options
    )
    return both.split([value.shape[-1], len(eye.T)], dim=-1)


# softmax


def test_softmax_by_hand():
    assert_allclose(softmax([0.0, math.log(3)]), [0.25, 0.75], rtol=1e-15)
    assert_array_equal(softmax([[-3.0], [1e300]]), [[1], [1]])
    assert_array_equal(softmax([1.7e308, 0.0, -1.7e308]), [1, 0, 0])
    weights = softmax([[-INF, 3, -INF, 3], [-INF] * 4, [0] * 4])
    assert_array_equal(weights, [[0, 0.5, 0, 0.5], [0] * 4, [0.25] * 4])


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3, np.int64(1)])
@pytest.mark.parametrize("size", [1e-3, 1, 1e3, 1e300])
def test_softmax_equals_torch(rng, axis, size):
    scores = size * rng.normal(size=(2, 3, 4))
    expected = torch.softmax(torch.from_numpy(scores), int(axis))
    assert_allclose(softmax(scores, axis), expected, rtol=1e-12, atol=1e-300)


def test_softmax_counts_far_in_float16():
    zeros = np.zeros((5000, 2), np.float16)
    for axis, scores in ((0, zeros), (1, zeros.T)):
        weights = softmax(scores, axis=axis)
        assert weights.dtype == np.float16
        assert_allclose(weights.astype(float).sum(axis=axis), 1, rtol=2e-3)


# scaled_dot_product_attention: the equation


@pytest.mark.parametrize(
    "scale", [0.3, -1.5, 0, 2, np.float32(0.25), np.array(0.5), 1e-320]
)
def test_scale_is_used_as_given(rng, scale):
    arrays = qkv(rng)
    found = scaled_dot_product_attention(*arrays, scale=scale)
    expected = attend_in_torch(*arrays, scale=float(scale))
    for a, b in zip(found, expected, strict=True):
        assert_allclose(a, b, rtol=1e-12)


# Masks


@pytest.mark.parametrize("kind", [bool, float])
@pytest.mark.parametrize(
    "shape",
    [(), (1,), (5,), (1, 5), (3, 1), (3, 5), (2, 1, 1), (1, 3, 5), (2, 3, 5),
     (4, 1, 3, 5), (4, 2, 1, 1), (4, 2, 3, 5)],
)  # fmt: skip
def test_masks_of_every_shape_broadcast_as_in_torch(rng, kind, shape):
    arrays = qkv(rng, 4, 2)
    mask = rng.normal(size=shape)
    mask = mask < 0.3 if kind is bool else np.where(mask < 1, mask, -INF)
    context, weights = scaled_dot_product_attention(*arrays, mask=mask)
    full = np.broadcast_to(mask, (4, 2, 3, 5))
    expected = torch.nn.functional.scaled_dot_product_attention(
        *tensors(*arrays), attn_mask=tensors(full)[0]
    )
    assert_allclose(context, expected, rtol=1e-11, atol=1e-13)
    assert_array_equal(weights > 0, full if kind is bool else full > -INF)


@pytest.mark.parametrize("low", [-1e9, LOW])
@pytest.mark.parametrize("dtype", [np.float32, float])
def test_a_large_float_mask_hides(rng, low, dtype):
    arrays = [array.astype(dtype) for array in qkv(rng)]
    allowed = np.tri(3, 5, dtype=bool)
    expected = scaled_dot_product_attention(*arrays, mask=allowed)[1]
    mask = np.where(allowed, 0, low)
    found = scaled_dot_product_attention(*arrays, mask=mask)[1]
    assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("height", [LOW, -1e3, -30.0, 30.0, 1e3])
def test_a_mask_as_high_for_every_key_changes_little(rng, height):
    arrays = qkv(rng)
    mask = np.array([height, 0, 0])[:, None]  # (T_q, 1)
    found = scaled_dot_product_attention(*arrays, mask=mask)[1]
    assert_allclose(found.sum(axis=-1), 1, rtol=1e-12)
    if height > LOW:  # there the scores are lost in rounding
        expected = scaled_dot_product_attention(*arrays)[1]
        assert_allclose(found, expected, rtol=1e-12)


# Axes of length 0


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    "sizes",
    [{"queries": 0}, {"keys": 0}, {"d_v": 0}, {"queries": 0, "keys": 0},
     {"batch": (0,)}, {"batch": (2, 0)}, {"batch": (0, 2), "keys": 0}],
    ids=str,
)  # fmt: skip
def test_axes_of_length_0_as_in_torch(rng, sizes, masked, causal):
    sizes = dict(sizes)
    arrays = qkv(rng, *sizes.pop("batch", (2,)), **sizes)
    mask = rng.random((arrays[0].shape[-2], arrays[1].shape[-2])) < 0.5
    context, weights = scaled_dot_product_attention(
        *arrays, mask=mask if masked else None, is_causal=causal
    )
    query, key, value = tensors(*arrays)
    expected = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, is_causal=causal
    )
    assert context.shape == expected.shape
    assert weights.shape == (query @ key.mT).shape
    if not arrays[1].shape[-2]:
        assert not context.any()  # no key: nothing to read


def test_empty_softmax_heads_and_layers():
    assert softmax(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert softmax(np.zeros((3, 0)), axis=0).shape == (3, 0)
    w = np.ones((4, 4))
    for shape in ((2, 0, 3, 4), (0, 4), (2, 0, 4), (0, 3, 4)):
        x = np.zeros(shape)
        heads = split_heads(x, 2)
        assert heads.shape == (*shape[:-2], 2, shape[-2], 2)
        assert merge_heads(heads).shape == shape
        output, weights = multi_head_attention(x, w, w, w, w, 2)
        assert output.shape == shape
        assert weights.shape == (*shape[:-2], 2, shape[-2], shape[-2])
    assert split_heads(np.zeros((3, 0)), 2).shape == (2, 3, 0)


# Numbers, types and memory


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floating_types_stay(rng, dtype):
    arrays = [a.astype(dtype) for a in qkv(rng)]
    mask = np.array([[0, 1, -2, 0.5, -INF]])
    exact = scaled_dot_product_attention(
        *(a.astype(float) for a in arrays), mask=mask
    )
    found = scaled_dot_product_attention(*arrays, mask=mask)
    tolerance = 20 * float(np.finfo(dtype).eps)
    for a, b in zip(found, exact, strict=True):
        assert a.dtype == dtype
        assert_allclose(a.astype(float), b, rtol=tolerance, atol=tolerance)
    assert softmax(arrays[0]).dtype == dtype
    assert split_heads(arrays[0], 2).dtype == dtype
    x, w = (rng.normal(size=(4, 4)).astype(dtype) for _ in range(2))
    output, weights = multi_head_attention(x, w, w, w, w, 2, b_q=w[0])
    assert output.dtype == weights.dtype == dtype


@pytest.mark.parametrize("dtype", [int, np.int8, np.uint16, np.uint64])
def test_integers_become_float64(dtype):
    x = np.array([[1, 2], [0, 1], [3, 0]], dtype)
    context, weights = scaled_dot_product_attention(x, x, x)
    expected = scaled_dot_product_attention(*[x.astype(float)] * 3)
    assert context.dtype == weights.dtype == np.float64
    assert_array_equal(context, expected[0])


def test_mixed_types_take_the_wider(rng):
    query, key, value = (array.astype("f4") for array in qkv(rng))
    found = scaled_dot_product_attention(
        query.astype("f2"), key, value.tolist()
    )
    assert [a.dtype for a in found] == [np.float64] * 2
    found = scaled_dot_product_attention(
        query, key, value, mask=np.zeros(5), scale=np.float64(0.5)
    )
    assert [a.dtype for a in found] == [np.float32] * 2


def _read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


STORED = {
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "reversed": lambda x: x[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
    "read-only": _read_only,
    "list": lambda x: x.tolist(),
    "tensor": lambda x: torch.from_numpy(x.copy()),
}


@pytest.mark.parametrize("stored", STORED.values(), ids=STORED)
def test_storage_does_not_matter(rng, stored):
    arrays, w = qkv(rng, 2), rng.normal(size=(4, 4))
    mask = rng.random((2, 3, 5)) < 0.7
    x = arrays[0]

    def results(change, mask):
        yield from scaled_dot_product_attention(
            *map(change, arrays), mask=mask
        )
        yield softmax(change(x))
        yield merge_heads(split_heads(change(x), 2))
        yield multi_head_attention(change(x), *[change(w)] * 4, 2)[0]

    other = mask.tolist() if isinstance(stored(x), list) else mask
    found, expected = results(stored, other), results(np.array, mask)
    for a, b in zip(found, expected, strict=True):
        assert isinstance(a, np.ndarray) and a.dtype == np.float64
        assert a.dtype.isnative
        assert_allclose(a, b, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("size", [12, 40, 100, 1e4])
@pytest.mark.parametrize("sign", [-1, 1])
def test_scores_of_every_size_in_narrow_types(rng, dtype, size, sign):
    """exp(12) overflows float16, exp(89) float32."""
    query = np.array([[sign * size]], dtype)  # (1, 1)
    key = (1 - rng.random((100, 1)) / size).astype(dtype)
    found = scaled_dot_product_attention(query, key, key, scale=1)[1]
    expected = softmax((query @ key.T).astype(float))
    assert_allclose(found.astype(float), expected, rtol=4e-3, atol=1e-6)


@pytest.mark.parametrize("caller", ["raise", "warn"])
def test_callers_numeric_alarms_stay_silent(rng, caller):
    query, key, value = qkv(rng)
    w = rng.normal(size=(4, 4))
    with np.errstate(all=caller), warnings.catch_warnings():
        warnings.simplefilter("error")
        softmax([1.7e308, 0.0, -1.7e308, -INF])
        softmax([-INF, -INF])
        softmax(np.array([6e4, -6e4], np.float16))
        for size in (1e-200, 1e-160, 1, 1e3, 1e150):
            for mask in (None, np.zeros((3, 5), bool), np.full(5, -1e300)):
                scaled_dot_product_attention(
                    size * query, size * key, size * value, mask=mask
                )
        for size in (1e-100, 1, 1e20):
            multi_head_attention(size * query, *[size * w] * 4, 2)


def test_arguments_are_neither_changed_nor_shared(rng):
    x, w = rng.normal(size=(2, 3, 4)), rng.normal(size=(4, 4, 4))
    biases = dict(zip(("b_q", "b_k", "b_v", "b_o"), w[0], strict=True))
    masks = [rng.random((3, 3)) < 0.5, rng.normal(size=(3, 3))]
    given = [x, w, *masks]
    before = [array.copy() for array in given]
    results = [softmax(x)]
    results += [split_heads(x, heads) for heads in (1, 2, 4)]
    results += [merge_heads(a) for a in (x, x[:1], x[:, :1])]
    for mask in masks:
        options = {"mask": mask, "is_causal": True}
        results += scaled_dot_product_attention(x, x, x, scale=2.0, **options)
        results += multi_head_attention(x, *w, 1, **biases, **options)
    for array, copy in zip(given, before, strict=True):
        assert_array_equal(array, copy)
        assert not any(np.shares_memory(array, r) for r in results)
    assert all(result.flags.writeable for result in results)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("kind", [None, bool, np.float32])
def test_extra_memory_is_at_most_two_tables_of_scores(rng, kind, causal):
    arrays = rng.normal(size=(3, 4, 256, 16)).astype(np.float32)
    mask = None if kind is None else np.ones((256, 256), kind)
    tracemalloc.start()
    _, weights = scaled_dot_product_attention(
        *arrays, mask=mask, is_causal=causal
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 2 * weights.nbytes


# Heads


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 12])
def test_heads_are_column_slices_in_every_batch(rng, heads):
    x, size = rng.normal(size=(2, 7, 5, 12)), 12 // heads
    cut = split_heads(x, heads)
    assert cut.shape == (2, 7, heads, 5, size)
    for h in range(heads):
        columns = slice(h * size, (h + 1) * size)
        assert_array_equal(cut[:, :, h], x[..., columns])
    assert_array_equal(merge_heads(cut), x)


# What holds whatever the numbers


def floats(size):
    return st.floats(-size, size, allow_subnormal=False)


@given(
    hnp.arrays(
        float, hnp.array_shapes(max_dims=3, max_side=6), elements=floats(1e308)
    )
)
def test_weights_lie_between_0_and_1_and_sum_to_1(scores):
    weights = softmax(scores)
    assert ((weights >= 0) & (weights <= 1)).all()
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
    order = np.argsort(scores, axis=-1, kind="stable")
    assert (np.diff(np.take_along_axis(weights, order, -1)) >= 0).all()


@st.composite
def problems(draw, size=10.0):
    """Arguments (query, key, value, mask, is_causal) that broadcast."""
    queries, keys, d_k, d_v = (draw(st.integers(1, 6)) for _ in range(4))
    *batches, last = draw(
        hnp.mutually_broadcastable_shapes(num_shapes=4, max_dims=2, max_side=3)
    ).input_shapes
    cores = (queries, d_k), (keys, d_k), (keys, d_v)
    arrays = [
        draw(hnp.arrays(float, batch + core, elements=floats(size)))
        for batch, core in zip(batches, cores, strict=True)
    ]
    scores = np.broadcast_shapes(batches[0], batches[1])
    if np.broadcast_shapes(scores, last) != scores:
        last = ()  # a mask may not enlarge the scores
    mask = draw(hnp.arrays(bool, (*last, queries, keys)))
    return *arrays, mask, draw(st.booleans())


@given(problems(), floats(3.0), st.booleans())
def test_any_batch_equals_torch(problem, scale, added):
    """causal is aligned at the top left, and combines with a mask."""
    *arrays, mask, causal = problem
    context, weights = scaled_dot_product_attention(
        *arrays,
        mask=np.where(mask, 0, -INF) if added else mask,
        is_causal=np.bool_(causal),
        scale=scale,
    )
    batch = context.shape[:-2]
    allowed = mask & np.tri(*mask.shape[-2:], dtype=bool) if causal else mask
    *full, weights = (
        np.broadcast_to(a, batch + a.shape[-2:]) for a in (*arrays, weights)
    )
    (allowed,) = tensors(allowed)
    expected = attend_in_torch(*full, attn_mask=allowed, scale=scale)
    assert_allclose(context, expected[0], rtol=1e-9, atol=1e-9)
    assert_allclose(weights, expected[1], rtol=1e-9, atol=1e-12)


@given(problems(size=1e150))
def test_huge_inputs_give_finite_contexts_between_the_values(problem):
    query, key, value, mask, causal = problem
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=causal
    )
    assert np.isfinite(weights).all()
    slack = 1e-12 * (1 + abs(value).max())
    low = np.minimum(value.min(axis=-2, keepdims=True), 0) - slack
    high = np.maximum(value.max(axis=-2, keepdims=True), 0) + slack
    assert ((context >= low) & (context <= high)).all()

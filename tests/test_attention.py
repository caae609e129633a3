"""helpers.attention against results worked out by hand or by loops.

No torch and no hypothesis here: the mutants run these tests often.
"""

import math
import tracemalloc
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from helpers import attention
from helpers.attention import (
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)

INF = np.inf


def attend_by_loops(query, key, value, allowed, scale):
    """One query, one key at a time: lists and floats only."""
    context, weights = [], []
    for i, q in enumerate(query.tolist()):
        scores = {
            j: scale * math.fsum(a * b for a, b in zip(q, k, strict=True))
            for j, k in enumerate(key.tolist())
            if allowed[i][j]
        }
        top = max(scores.values(), default=0.0)
        shares = {j: math.exp(s - top) for j, s in scores.items()}
        total = math.fsum(shares.values())
        row = [
            shares[j] / total if j in shares else 0.0 for j in range(len(key))
        ]
        columns = zip(*value.tolist(), strict=True)
        weights.append(row)
        context.append(
            [
                math.fsum(w * v for w, v in zip(row, c, strict=True))
                for c in columns
            ]
        )
    return np.array(context), np.array(weights)


def qkv(rng, *batch, queries=3, keys=5, d_k=4, d_v=6):
    return (
        rng.normal(size=(*batch, queries, d_k)),
        rng.normal(size=(*batch, keys, d_k)),
        rng.normal(size=(*batch, keys, d_v)),
    )


# softmax


def test_softmax_of_two_scores():
    assert_allclose(softmax([0.0, math.log(3)]), [0.25, 0.75], rtol=1e-15)


def test_softmax_shares_along_the_last_axis(rng):
    scores = rng.normal(size=(3, 5))
    expected = np.exp(scores) / np.exp(scores).sum(axis=1)[:, None]
    assert_allclose(softmax(scores), expected, rtol=1e-13)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3, np.int64(1)])
def test_softmax_axis(rng, axis):
    scores = rng.normal(size=(2, 3, 4))
    expected = np.moveaxis(softmax(np.moveaxis(scores, axis, -1)), -1, axis)
    assert_allclose(softmax(scores, axis=axis), expected, rtol=1e-13)
    assert_allclose(softmax(scores, axis).sum(axis=axis), 1, rtol=1e-13)


@pytest.mark.parametrize("size", [1e4, 1e300, 1.7e308])
def test_softmax_of_huge_scores(size):
    assert_array_equal(softmax([size, 0.0, -size]), [1, 0, 0])
    assert_allclose(softmax([size, size]), [0.5, 0.5])


def test_softmax_of_rows_of_different_height():
    rows = softmax([[1e4, 1e4], [0, 0], [-1e4, -1e4]])
    assert_array_equal(rows, np.full((3, 2), 0.5))


def test_softmax_ignores_minus_infinity():
    assert_array_equal(softmax([-INF, 3.0, -INF, 3.0]), [0, 0.5, 0, 0.5])


def test_softmax_of_nothing_is_zero():
    shares = softmax([[-INF, -INF], [0.0, 0.0]])
    assert_array_equal(shares, [[0, 0], [0.5, 0.5]])


def test_softmax_counts_far_in_float16():
    zeros = np.zeros((5000, 2), np.float16)
    for axis, scores in ((0, zeros), (1, zeros.T)):
        shares = softmax(scores, axis=axis)
        assert shares.dtype == np.float16
        assert_allclose(shares.astype(float).sum(axis=axis), 1, rtol=2e-3)


def test_softmax_of_one_entry_is_one():
    assert_array_equal(softmax([[-3.0], [1e300]]), [[1], [1]])


def test_empty_batches():
    x, w = np.zeros((2, 0, 3, 4)), np.ones((4, 4))
    assert softmax(x).shape == (2, 0, 3, 4)
    context, weights = scaled_dot_product_attention(x, x, x, is_causal=True)
    assert context.shape == (2, 0, 3, 4)
    assert weights.shape == (2, 0, 3, 3)
    heads = split_heads(x, 2)
    assert heads.shape == (2, 0, 2, 3, 2)
    assert merge_heads(heads).shape == x.shape
    output, weights = multi_head_attention(x, w, w, w, w, 2)
    assert output.shape == x.shape
    assert weights.shape == (2, 0, 2, 3, 3)


# scaled_dot_product_attention


def test_worked_example():
    """Scores ln 3 and 0, so shares 3/4 and 1/4."""
    query = [[math.log(3), 0.0]]
    key = [[1.0, 0.0], [0.0, 1.0]]
    value = [[8.0, 0.0, 4.0], [0.0, 4.0, 4.0]]
    context, weights = scaled_dot_product_attention(query, key, value, scale=1)
    assert_allclose(weights, [[0.75, 0.25]], rtol=1e-15)
    assert_allclose(context, [[6.0, 1.0, 4.0]], rtol=1e-15)


def test_scale_is_one_over_the_root_of_d_k():
    """d_k = 4, q.k = 2 ln 3: divided by 2 that is ln 3."""
    query = np.full((1, 4), math.log(3))
    key = np.array([[0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]])
    _, weights = scaled_dot_product_attention(query, key, np.eye(2))
    assert_allclose(weights, [[0.75, 0.25]], rtol=1e-14)


@pytest.mark.parametrize(
    "scale", [0.3, -1.5, 0, 2, np.float32(0.25), np.array(0.5), 1e-320]
)
def test_scale_is_used_as_given(rng, scale):
    query, key, value = qkv(rng)
    context, weights = scaled_dot_product_attention(
        query, key, value, scale=scale
    )
    expected = attend_by_loops(
        query, key, value, np.ones((3, 5)), float(scale)
    )
    assert_allclose(context, expected[0], rtol=1e-12)
    assert_allclose(weights, expected[1], rtol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("queries, keys", [(3, 5), (5, 3), (4, 4), (1, 1)])
def test_against_loops(rng, queries, keys, masked, causal):
    query, key, value = qkv(rng, queries=queries, keys=keys)
    allowed = rng.random((queries, keys)) < (0.6 if masked else 2)
    context, weights = scaled_dot_product_attention(
        query,
        key,
        value,
        mask=allowed if masked else None,
        is_causal=causal,
    )
    if causal:
        allowed = [
            [allowed[i, j] and j <= i for j in range(keys)]
            for i in range(queries)
        ]
    expected = attend_by_loops(query, key, value, allowed, 0.5)
    assert_allclose(context, expected[0], rtol=1e-12, atol=1e-15)
    assert_allclose(weights, expected[1], rtol=1e-12, atol=1e-15)


def test_rows_are_queries(rng):
    """A square case with lopsided weights: transposes would show."""
    query, key = np.diag([9.0, 9.0, 9.0]), np.eye(3)[[1, 1, 2]]
    context, weights = scaled_dot_product_attention(
        query, key, np.eye(3), scale=1
    )
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    assert_allclose(weights[0], 1 / 3, rtol=1e-14)
    assert_allclose(weights[1], [0.5, 0.5, 0], atol=1e-3)
    assert_allclose(context, weights, rtol=1e-14)


def test_causal_is_aligned_at_the_top_left(rng):
    query, key, value = qkv(rng, queries=2, keys=4)
    _, weights = scaled_dot_product_attention(
        query, key, value, is_causal=True
    )
    assert_array_equal(weights > 0, [[1, 0, 0, 0], [1, 1, 0, 0]])
    query, key, value = qkv(rng, queries=4, keys=2)
    _, weights = scaled_dot_product_attention(
        query, key, value, is_causal=True
    )
    assert_array_equal(weights > 0, [[1, 0], [1, 1], [1, 1], [1, 1]])


@pytest.mark.parametrize(
    "shape",
    [(), (1,), (5,), (1, 5), (3, 1), (1, 1), (3, 5), (2, 1, 1), (2, 1, 5),
     (2, 3, 1), (1, 3, 5), (2, 3, 5), (4, 1, 3, 5), (4, 2, 1, 1),
     (1, 1, 1, 1), (4, 2, 3, 5)],
)  # fmt: skip
@pytest.mark.parametrize("kind", [bool, np.float64])
def test_masks_of_every_shape_broadcast(rng, kind, shape):
    query, key, value = qkv(rng, 4, 2)
    if kind is bool:
        mask = rng.random(shape) < 0.5
        allowed = np.broadcast_to(mask, (4, 2, 3, 5))
        added = np.zeros(allowed.shape)
    else:
        mask = rng.normal(size=shape)
        added = np.broadcast_to(mask, (4, 2, 3, 5))
        allowed = np.ones(added.shape, bool)
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask
    )
    scores = query @ key.swapaxes(-1, -2) / 2 + added
    shares = np.exp(scores) * allowed
    total = shares.sum(axis=-1, keepdims=True)
    expected = shares / np.where(total == 0, 1, total)
    assert_allclose(weights, expected, rtol=1e-12)
    assert_allclose(context, expected @ value, rtol=1e-12, atol=1e-15)


def test_true_means_may_attend(rng):
    query, key, value = qkv(rng)
    mask = [True, False, True, False, False]
    _, weights = scaled_dot_product_attention(query, key, value, mask=mask)
    assert_array_equal(weights > 0, np.broadcast_to(mask, (3, 5)))


def test_float_mask_is_added_after_scaling():
    query, key = np.zeros((1, 4)), np.zeros((3, 4))
    mask = [math.log(1), math.log(2), math.log(5)]
    _, weights = scaled_dot_product_attention(query, key, key, mask=mask)
    assert_allclose(weights, [[1 / 8, 2 / 8, 5 / 8]], rtol=1e-14)


def test_small_scores_without_a_shift_equal_shifted_ones(rng, monkeypatch):
    query, key, value = qkv(rng, 2)
    mask = rng.random((3, 5)) < 0.5
    mask[1] = False  # a query without a key
    plain = scaled_dot_product_attention(query, key, value, mask=mask)
    monkeypatch.setattr(attention, "_SMALL", -1.0)
    shifted = scaled_dot_product_attention(query, key, value, mask=mask)
    for got, expected in zip(plain, shifted, strict=True):
        assert_allclose(got, expected, rtol=1e-13)


@pytest.mark.parametrize("axes", [(0, 1, 2, 3), (1, 0, 2, 3)])
def test_many_rows_are_shared_block_by_block(rng, axes, monkeypatch):
    monkeypatch.setattr(attention, "_CACHED", 60)  # 6 rows of 9 numbers
    query = rng.standard_normal((2, 3, 7, 4)).transpose(axes)
    key = rng.standard_normal((2, 3, 9, 4)).transpose(axes)
    mask = rng.random((7, 9)) < 0.8
    context, weights = scaled_dot_product_attention(query, key, key, mask=mask)
    scores = np.where(mask, query @ key.swapaxes(-1, -2) / 2, -INF)
    assert_allclose(weights, softmax(scores), rtol=1e-12)
    assert_allclose(context, softmax(scores) @ key, rtol=1e-12)


def test_boolean_mask_equals_its_float_form(rng):
    query, key, value = qkv(rng, 2)
    mask = rng.random((3, 5)) < 0.5
    added = np.where(mask, 0.0, -INF)
    for got, expected in zip(
        scaled_dot_product_attention(query, key, value, mask=added),
        scaled_dot_product_attention(query, key, value, mask=mask),
        strict=True,
    ):
        assert_allclose(got, expected, rtol=1e-13)


@pytest.mark.parametrize("kind", [bool, np.float64])
def test_mask_and_causal_combine(rng, kind):
    query, key, value = qkv(rng, queries=4, keys=4)
    allowed = rng.random((4, 4)) < 0.7
    mask = allowed if kind is bool else np.where(allowed, 0.25, -INF)
    _, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=True
    )
    assert_array_equal(weights > 0, np.tril(allowed))


@pytest.mark.parametrize("kind", [bool, np.float64])
def test_a_query_with_no_key_gets_zeros(rng, kind):
    query, key, value = qkv(rng)
    allowed = np.array([[1, 1, 0, 0, 0], [0] * 5, [0, 0, 0, 0, 1]], bool)
    mask = allowed if kind is bool else np.where(allowed, 0.0, -INF)
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask
    )
    assert_array_equal(weights[1], 0)
    assert_array_equal(context[1], 0)
    assert_allclose(weights[[0, 2]].sum(axis=-1), 1, rtol=1e-14)


def test_no_key_left_after_mask_and_causal(rng):
    query, key, value = qkv(rng, queries=2, keys=2)
    mask = np.array([[False, True], [True, True]])
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=True
    )
    assert_array_equal(context[0], 0)
    assert_array_equal(weights[0], 0)


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3, 4), (5, 4), (5, 6)),
        ((3, 4), (2, 5, 4), (2, 5, 6)),
        ((7, 1, 3, 4), (1, 2, 5, 4), (2, 5, 6)),
        ((3, 4), (5, 4), (2, 5, 6)),
        ((2, 3, 4), (2, 5, 4), (5, 6)),
        ((0, 3, 4), (1, 5, 4), (1, 5, 6)),
    ],
)
def test_batch_axes_broadcast(rng, shapes):
    query, key, value = (rng.normal(size=shape) for shape in shapes)
    context, weights = scaled_dot_product_attention(query, key, value)
    batch = np.broadcast_shapes(*(shape[:-2] for shape in shapes))
    assert context.shape == (*batch, 3, 6)
    full = [
        np.broadcast_to(a, (*batch, *a.shape[-2:]))
        for a in (query, key, value)
    ]
    got = np.broadcast_to(weights, (*batch, 3, 5))
    for at in np.ndindex(batch):
        expected = attend_by_loops(
            *(a[at] for a in full), np.ones((3, 5)), 0.5
        )
        assert_allclose(context[at], expected[0], rtol=1e-12)
        assert_allclose(got[at], expected[1], rtol=1e-12)


# Numbers, types and memory


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floating_types_stay(rng, dtype):
    arrays = [a.astype(dtype) for a in qkv(rng)]
    exact = scaled_dot_product_attention(*(a.astype(float) for a in arrays))
    got = scaled_dot_product_attention(*arrays, mask=np.zeros((3, 5)))
    tolerance = 20 * float(np.finfo(dtype).eps)
    for a, b in zip(got, exact, strict=True):
        assert a.dtype == dtype
        assert_allclose(a.astype(float), b, rtol=tolerance, atol=tolerance)
    assert softmax(arrays[0]).dtype == dtype
    assert split_heads(arrays[0], 2).dtype == dtype
    x = rng.normal(size=(3, 4)).astype(dtype)
    w = rng.normal(size=(4, 4)).astype(dtype)
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
    query, key, value = qkv(rng)
    context, weights = scaled_dot_product_attention(
        query.astype(np.float16), key.astype(np.float32), value.tolist()
    )
    assert context.dtype == weights.dtype == np.float64
    context, weights = scaled_dot_product_attention(
        query.astype("f4"), key.astype("f4"), value.astype("f4"),
        mask=np.zeros(5), scale=np.float64(0.5),
    )  # fmt: skip
    assert context.dtype == weights.dtype == np.float32


def _big_endian(x):
    return x.astype(x.dtype.newbyteorder(">"))


def _strided(x):
    wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1] + 1))
    wide[..., 1::2] = x
    return wide[..., 1::2]


def _reversed(x):
    return x[..., ::-1, ::-1].copy()[..., ::-1, ::-1]


def _read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def _list(x):
    return x.tolist()


@pytest.mark.parametrize(
    "store",
    [_big_endian, _strided, _reversed, _read_only, _list, np.asfortranarray],
)
def test_storage_does_not_matter(rng, store):
    arrays = qkv(rng, 2)
    mask = rng.random((2, 3, 5)) < 0.7
    expected = scaled_dot_product_attention(*arrays, mask=mask)
    mask_stored = mask.tolist() if store is _list else mask
    got = scaled_dot_product_attention(*map(store, arrays), mask=mask_stored)
    for a, b in zip(got, expected, strict=True):
        assert a.dtype == np.dtype(float) and a.dtype.isnative
        assert_allclose(a, b, rtol=1e-13, atol=1e-15)
    assert_allclose(softmax(store(arrays[0])), softmax(arrays[0]), rtol=1e-14)
    assert_array_equal(
        merge_heads(split_heads(store(arrays[0]), 2)), arrays[0]
    )
    w = rng.normal(size=(4, 4))
    assert_allclose(
        multi_head_attention(store(arrays[0]), *[store(w)] * 4, 2)[0],
        multi_head_attention(arrays[0], *[w] * 4, 2)[0],
        rtol=1e-12,
        atol=1e-14,
    )


@pytest.mark.parametrize("size", [1e2, 1e77, 1e150])
def test_large_scores_stay_finite(rng, size):
    query, key, value = qkv(rng)
    context, weights = scaled_dot_product_attention(
        size * query, size * key, value
    )
    best = (query @ key.T).argmax(axis=-1)
    assert_allclose(weights, np.eye(5)[best], atol=1e-12)
    assert_allclose(context, value[best], rtol=1e-12)


def test_large_float_mask_acts_as_none_allowed(rng):
    query, key, value = qkv(rng)
    allowed = np.tri(3, 5, dtype=bool)
    expected = scaled_dot_product_attention(query, key, value, mask=allowed)
    for low in (-1e9, np.finfo(np.float64).min):
        mask = np.where(allowed, 0, low)
        got = scaled_dot_product_attention(query, key, value, mask=mask)
        assert_allclose(got[1], expected[1], rtol=1e-14)
        narrow = [a.astype(np.float32) for a in (query, key, value)]
        got = scaled_dot_product_attention(*narrow, mask=mask)
        assert_allclose(got[1], expected[1], rtol=1e-5)


def test_results_have_the_byte_order_of_the_machine():
    assert softmax(np.arange(3, dtype=">f8")).dtype.isnative


def test_a_flag_of_numpy_is_a_flag(rng):
    arrays = qkv(rng)
    one, other = (
        scaled_dot_product_attention(*arrays, is_causal=flag)[1]
        for flag in (True, np.True_)
    )
    assert_array_equal(one, other)


def test_a_float_mask_is_added_in_float16(rng):
    arrays = [array.astype(np.float16) for array in qkv(rng)]
    mask = np.array([[0, 1, -2, 0.5, -INF]])
    weights = scaled_dot_product_attention(*arrays, mask=mask)[1]
    query, key, _ = (array.astype(float) for array in arrays)
    expected = softmax(query @ key.T / 2 + mask)
    assert_allclose(weights, expected, atol=4e-3)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("height", [-1e3, -30.0, 30.0, 1e3])
def test_a_mask_as_high_for_every_key_changes_nothing(rng, height, is_causal):
    query, key, value = qkv(rng)
    mask = np.array([height, 0, 0])[:, None]  # (T_q, 1)
    options = {"is_causal": is_causal}
    expected = scaled_dot_product_attention(query, key, value, **options)
    options["mask"] = mask
    got = scaled_dot_product_attention(query, key, value, **options)
    assert_allclose(got[1], expected[1], rtol=1e-12)


def test_a_low_mask_where_the_bound_is_unknown():
    query, key = np.full((2, 3), 1e200), np.zeros((4, 3))  # inf * 0: NaN
    mask = np.full((2, 4), -1e3)
    weights = scaled_dot_product_attention(query, key, key, mask=mask)[1]
    assert_array_equal(weights, 0.25)


@pytest.mark.parametrize("size", [30, 50, 85, 100, 300, 1e4])
@pytest.mark.parametrize("sign", [-1, 1])
def test_scores_of_every_size_in_float32(rng, size, sign):
    query = np.array([[sign * size]], np.float32)  # (1, 1)
    key = (1 - rng.random((100, 1)) / size).astype(np.float32)
    found = scaled_dot_product_attention(query, key, key, scale=1)[1]
    expected = softmax(query @ key.T.astype(float))
    assert_allclose(found, expected, rtol=2e-7 * size + 1e-6)


def test_a_row_longer_than_a_block(rng):
    key = rng.normal(size=((1 << 18) + 1, 1))
    query = np.ones((2, 1))
    weights = scaled_dot_product_attention(query, key, key)[1]
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_smallest_numbers(dtype):
    tiny = np.full((2, 3), np.finfo(dtype).tiny)
    context, weights = scaled_dot_product_attention(tiny, tiny, tiny)
    assert_array_equal(weights, 0.5)
    assert_array_equal(context, tiny)


@pytest.mark.parametrize("caller", ["errstate", "warnings"])
def test_callers_numeric_alarms_stay_silent(rng, caller):
    query, key, value = qkv(rng)
    w = rng.normal(size=(4, 4))
    with np.errstate(all="raise" if caller == "errstate" else "warn"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            softmax([1.7e308, 0.0, -1.7e308, -INF])
            softmax([0.0, -740.0])
            softmax([-INF, -INF])
            softmax(np.array([6e4, -6e4], np.float16))
            for size in (1e-200, 1e-160, 1, 1e3, 1e150):
                for mask in (None, np.zeros((3, 5), bool), np.full(5, -1e300)):
                    scaled_dot_product_attention(
                        size * query, size * key, size * value, mask=mask
                    )
            for size in (1e-100, 1, 1e20):
                multi_head_attention(size * query, *[size * w] * 4, 2)


def test_arguments_are_not_changed(rng):
    query, key, value = arrays = qkv(rng, 2, keys=3, d_v=4)
    weights = [rng.normal(size=(4, 4)) for _ in range(4)]
    biases = dict(
        zip(("b_q", "b_k", "b_v", "b_o"), rng.normal(size=(4, 4)), strict=True)
    )
    masks = [rng.random((3, 3)) < 0.5, rng.normal(size=(3, 3))]
    given = [*arrays, *weights, *biases.values(), *masks]
    before = [array.copy() for array in given]
    softmax(query)
    split_heads(query, 2)
    merge_heads(query)
    for mask in masks:
        scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=True, scale=2.0
        )
        multi_head_attention(query, *weights, 2, **biases, mask=mask)
    for array, copy in zip(given, before, strict=True):
        assert_array_equal(array, copy)


def test_results_share_no_memory_with_arguments(rng):
    x = rng.normal(size=(2, 3, 4))
    eye = np.eye(4)
    results = [
        softmax(x),
        *scaled_dot_product_attention(x, x, x),
        *(split_heads(x, heads) for heads in (1, 2, 4)),
        *(merge_heads(a) for a in (x, x[:1], x[:, :1])),
        *multi_head_attention(x, eye, eye, eye, eye, 1),
    ]
    for result in results:
        assert not np.shares_memory(result, x)
        assert result.flags.writeable


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


def test_split_heads_gives_neighboring_columns_to_a_head():
    x = np.array([[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]])
    assert_array_equal(
        split_heads(x, 3),
        [
            [[0, 1], [10, 11]],
            [[2, 3], [12, 13]],
            [[4, 5], [14, 15]],
        ],
    )


def test_split_heads_keeps_batch_axes(rng):
    x = rng.normal(size=(2, 7, 5, 12))
    heads = split_heads(x, 4)
    assert heads.shape == (2, 7, 4, 5, 3)
    for b, c, h in np.ndindex(2, 7, 4):
        assert_array_equal(heads[b, c, h], x[b, c, :, 3 * h : 3 * h + 3])


def test_merge_heads_puts_heads_side_by_side(rng):
    heads = rng.normal(size=(2, 3, 5, 4))
    merged = merge_heads(heads)
    assert merged.shape == (2, 5, 12)
    for b in range(2):
        assert_array_equal(merged[b], np.hstack(list(heads[b])))


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 12])
def test_merge_undoes_split(rng, heads):
    x = rng.normal(size=(2, 5, 12))
    assert_array_equal(merge_heads(split_heads(x, heads)), x)


def mha_by_head(x, w_q, w_k, w_v, w_o, heads, biases=(0, 0, 0, 0), **options):
    """Head by head with column slices, on one sentence."""
    query, key, value = (
        x @ w + b for w, b in zip((w_q, w_k, w_v), biases, strict=False)
    )
    d_k, d_v = w_q.shape[1] // heads, w_v.shape[1] // heads
    contexts, weights = [], []
    for h in range(heads):
        context, share = scaled_dot_product_attention(
            query[:, h * d_k : (h + 1) * d_k],
            key[:, h * d_k : (h + 1) * d_k],
            value[:, h * d_v : (h + 1) * d_v],
            **options,
        )
        contexts.append(context)
        weights.append(share)
    return np.hstack(contexts) @ w_o + biases[3], np.array(weights)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [1, 2, 3])
def test_multi_head_attention_head_by_head(rng, heads, causal):
    """d_k = 2 and d_v = 3 a head, d_model = 5, T = 4, with biases."""
    x = rng.normal(size=(2, 4, 5))
    w_q, w_k = rng.normal(size=(2, 5, 2 * heads))
    w_v, w_o = rng.normal(size=(5, 3 * heads)), rng.normal(size=(3 * heads, 5))
    biases = [rng.normal(size=w.shape[1]) for w in (w_q, w_k, w_v, w_o)]
    names = dict(zip(("b_q", "b_k", "b_v", "b_o"), biases, strict=True))
    output, weights = multi_head_attention(
        x, w_q, w_k, w_v, w_o, heads, **names, is_causal=causal
    )
    assert output.shape == (2, 4, 5)
    assert weights.shape == (2, heads, 4, 4)
    for b in range(2):
        expected = mha_by_head(
            x[b], w_q, w_k, w_v, w_o, heads, biases, is_causal=causal
        )
        assert_allclose(output[b], expected[0], rtol=1e-11, atol=1e-13)
        assert_allclose(weights[b], expected[1], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("name", ["b_q", "b_k", "b_v", "b_o"])
def test_every_bias_counts(rng, name):
    """b_k shifts all scores of a query alike, so it alone changes nothing."""
    x, w = rng.normal(size=(3, 4)), rng.normal(size=(4, 4, 4))
    bias = rng.normal(size=4)
    plain = multi_head_attention(x, *w, 2)[0]
    biased = multi_head_attention(x, *w, 2, **{name: bias})[0]
    if name == "b_k":
        assert_allclose(biased, plain, rtol=1e-12)
    elif name == "b_o":
        assert_allclose(biased, plain + bias, rtol=1e-12)
    elif name == "b_v":
        assert_allclose(biased, plain + bias @ w[3], rtol=1e-12)
    else:
        assert abs(biased - plain).max() > 0.01


def test_multi_head_mask_per_sentence(rng):
    x, w = rng.normal(size=(2, 3, 4)), rng.normal(size=(4, 4, 4))
    real = np.array([[True, True, False], [True, True, True]])
    _, weights = multi_head_attention(x, *w, 2, mask=real[:, None, None, :])
    assert_array_equal(weights[0, ..., 2], 0)
    assert (weights[1] > 0).all()


def test_multi_head_query_with_no_key_gives_the_output_bias(rng):
    x, w = rng.normal(size=(3, 4)), rng.normal(size=(4, 4, 4))
    mask = np.array([[True] * 3, [False] * 3, [True] * 3])
    output, weights = multi_head_attention(x, *w, 2, b_o=w[0, 0], mask=mask)
    assert_array_equal(weights[:, 1], 0)
    assert_allclose(output[1], w[0, 0], rtol=1e-14)

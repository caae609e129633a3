"""What must hold for any attention, whatever the numbers (hypothesis)."""

import numpy as np
from hypothesis import assume, given
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

SIZES = st.integers(1, 6)


def floats(size=10.0):
    return st.floats(-size, size, allow_subnormal=False)


@st.composite
def scores(draw, size=1e3):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, max_side=6))
    return draw(hnp.arrays(np.float64, shape, elements=floats(size)))


@st.composite
def problems(draw, size=10.0, square=False):
    """Arguments (query, key, value) with batch axes that broadcast."""
    queries, keys, d_k, d_v = (draw(SIZES) for _ in range(4))
    keys = queries if square else keys
    batches = draw(
        hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=2, max_side=3)
    ).input_shapes
    cores = (queries, d_k), (keys, d_k), (keys, d_v)
    return [
        draw(hnp.arrays(np.float64, batch + core, elements=floats(size)))
        for batch, core in zip(batches, cores, strict=True)
    ]


def score_shape(query, key):
    batch = np.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    return (*batch, query.shape[-2], key.shape[-2])


@st.composite
def masked_problems(draw):
    query, key, value = draw(problems())
    shape = score_shape(query, key)
    start = draw(st.integers(0, len(shape)))
    ones = draw(st.lists(st.booleans(), min_size=len(shape) - start,
                         max_size=len(shape) - start))  # fmt: skip
    mask_shape = tuple(
        1 if one else side
        for one, side in zip(ones, shape[start:], strict=True)
    )
    mask = draw(
        st.one_of(
            hnp.arrays(bool, mask_shape),
            hnp.arrays(
                np.float64,
                mask_shape,
                elements=st.one_of(floats(), st.just(-np.inf)),
            ),
        )
    )
    return query, key, value, mask, draw(st.booleans())


def allowed_by(mask, causal, shape):
    allowed = mask if mask.dtype == bool else mask > -np.inf
    allowed = np.broadcast_to(allowed, shape)
    return allowed & np.tri(*shape[-2:], dtype=bool) if causal else allowed


@given(scores(size=1e308))
def test_softmax_gives_shares(x):
    shares = softmax(x)
    assert shares.shape == x.shape
    assert ((shares >= 0) & (shares <= 1)).all()
    assert_allclose(shares.sum(axis=-1), 1, rtol=1e-12)


@given(scores(), floats(1e3))
def test_softmax_ignores_a_common_shift(x, shift):
    assert_allclose(softmax(x + shift), softmax(x), rtol=1e-9, atol=1e-300)


@given(scores())
def test_softmax_keeps_the_order(x):
    order = np.argsort(x, axis=-1, kind="stable")
    shares = np.take_along_axis(softmax(x), order, axis=-1)
    assert (np.diff(shares, axis=-1) >= 0).all()


@given(scores(size=50), st.data())
def test_softmax_ratio_is_exp_of_the_difference(x, data):
    i = data.draw(st.integers(0, x.shape[-1] - 1))
    shares = softmax(x)
    expected = shares[..., :1] * np.exp(x - x[..., :1])
    assert_allclose(shares[..., i], expected[..., i], rtol=1e-11)


@given(masked_problems())
def test_weights_are_shares_of_the_allowed_keys(problem):
    query, key, value, mask, causal = problem
    context, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=causal
    )
    shape = score_shape(query, key)
    allowed = allowed_by(mask, causal, shape)
    assert weights.shape == shape
    assert_array_equal(weights[~allowed], 0)
    assert (weights >= 0).all()
    total = allowed.any(axis=-1).astype(float)
    assert_allclose(weights.sum(axis=-1), total, rtol=1e-12)
    batch = np.broadcast_shapes(shape[:-2], value.shape[:-2])
    assert context.shape == (*batch, shape[-2], value.shape[-1])
    empty = np.broadcast_to(total == 0, context.shape[:-1])
    assert_array_equal(context[empty], 0)


@given(masked_problems())
def test_masked_keys_and_values_do_not_matter(problem):
    """Replace every key that no query may see; nothing may change."""
    query, key, value, mask, causal = problem
    shape = score_shape(query, key)
    allowed = allowed_by(mask, causal, shape)
    unseen = ~allowed.reshape(-1, shape[-1]).any(axis=0)
    assume(unseen.any())
    options = {"mask": mask, "is_causal": causal}
    before = scaled_dot_product_attention(query, key, value, **options)
    key, value = key.copy(), value.copy()
    key[..., unseen, :] = 5.0
    value[..., unseen, :] = -7.0
    after = scaled_dot_product_attention(query, key, value, **options)
    for a, b in zip(after, before, strict=True):
        assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@given(problems())
def test_context_lies_between_the_values(problem):
    query, key, value = problem
    context, _ = scaled_dot_product_attention(query, key, value)
    slack = 1e-12 * (1 + abs(value).max())
    low = value.min(axis=-2, keepdims=True) - slack
    high = value.max(axis=-2, keepdims=True) + slack
    assert ((context >= low) & (context <= high)).all()


@given(problems(), st.randoms(use_true_random=False))
def test_order_of_the_keys_does_not_matter(problem, random):
    query, key, value = problem
    order = list(range(key.shape[-2]))
    random.shuffle(order)
    context, weights = scaled_dot_product_attention(query, key, value)
    moved, moved_weights = scaled_dot_product_attention(
        query, key[..., order, :], value[..., order, :]
    )
    assert_allclose(moved, context, rtol=1e-9, atol=1e-9)
    assert_allclose(moved_weights, weights[..., order], rtol=1e-9, atol=1e-12)


@given(problems(), st.randoms(use_true_random=False))
def test_queries_do_not_see_each_other(problem, random):
    query, key, value = problem
    order = list(range(query.shape[-2]))
    random.shuffle(order)
    context, _ = scaled_dot_product_attention(query, key, value)
    moved, _ = scaled_dot_product_attention(query[..., order, :], key, value)
    assert_allclose(moved, context[..., order, :], rtol=1e-9, atol=1e-9)


@given(problems(), st.data())
def test_causal_ignores_the_future(problem, data):
    query, key, value = problem
    now = data.draw(st.integers(0, min(query.shape[-2], key.shape[-2]) - 1))
    whole, _ = scaled_dot_product_attention(query, key, value, is_causal=True)
    past, _ = scaled_dot_product_attention(
        *(a[..., : now + 1, :] for a in (query, key, value)), is_causal=True
    )
    assert_allclose(whole[..., : now + 1, :], past, rtol=1e-9, atol=1e-9)


@given(problems(), floats(5))
def test_context_is_linear_in_the_values(problem, factor):
    query, key, value = problem
    context, weights = scaled_dot_product_attention(query, key, value)
    other, same = scaled_dot_product_attention(
        query, key, factor * value + value[..., ::-1]
    )
    assert_array_equal(same, weights)
    assert_allclose(
        other, factor * context + context[..., ::-1], rtol=1e-9, atol=1e-9
    )


@given(problems(), floats(3))
def test_scale_multiplies_the_scores(problem, scale):
    query, key, value = problem
    got = scaled_dot_product_attention(query, key, value, scale=scale)
    expected = scaled_dot_product_attention(
        scale * query, key, value, scale=1.0
    )
    assert_allclose(got[0], expected[0], rtol=1e-9, atol=1e-9)


@given(problems())
def test_a_batch_is_its_members(problem):
    query, key, value = problem
    context, weights = scaled_dot_product_attention(query, key, value)
    batch = context.shape[:-2]
    full = [
        np.broadcast_to(a, (*batch, *a.shape[-2:]))
        for a in (query, key, value, weights)
    ]
    for at in np.ndindex(batch):
        one, shares = scaled_dot_product_attention(*(a[at] for a in full[:3]))
        assert_allclose(context[at], one, rtol=1e-9, atol=1e-9)
        assert_allclose(full[3][at], shares, rtol=1e-9, atol=1e-12)


@given(problems(size=1e150))
def test_huge_inputs_stay_finite(problem):
    query, key, value = problem
    for array in scaled_dot_product_attention(query, key, value):
        assert np.isfinite(array).all()


@given(
    SIZES,
    SIZES,
    SIZES,
    hnp.array_shapes(min_dims=0, min_side=0, max_side=3),
)
def test_split_and_merge_are_inverses(heads, tokens, width, batch):
    count = heads * tokens * width * int(np.prod(batch))
    x = np.arange(float(count)).reshape(*batch, tokens, heads * width)
    cut = split_heads(x, heads)
    assert cut.shape == (*batch, heads, tokens, width)
    assert_array_equal(merge_heads(cut), x)
    assert_array_equal(split_heads(merge_heads(cut), heads), cut)


@given(SIZES, st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_heads_are_independent(tokens, heads, causal, seed):
    """Renumbering the heads renumbers the weights, the output stays."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(2, tokens, 5))
    w_q, w_k, w_v = rng.normal(size=(3, 5, 3 * heads))
    w_o = rng.normal(size=(3 * heads, 5))
    order = rng.permutation(heads)
    columns = np.arange(3 * heads).reshape(heads, 3)[order].ravel()
    output, weights = multi_head_attention(
        x, w_q, w_k, w_v, w_o, heads, is_causal=causal
    )
    moved, moved_weights = multi_head_attention(
        x,
        *(w[:, columns] for w in (w_q, w_k, w_v)),
        w_o[columns],
        heads,
        is_causal=causal,
    )
    assert_allclose(moved, output, rtol=1e-9, atol=1e-11)
    assert_allclose(moved_weights, weights[:, order], rtol=1e-9, atol=1e-12)

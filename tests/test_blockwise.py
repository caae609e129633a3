"""helpers.blockwise against the table of weights."""

import platform
import tracemalloc

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from helpers import validation
from helpers.attention import scaled_dot_product_attention
from helpers.blockwise import blockwise_attention, blockwise_attention_backward
from helpers.experiments import timing
from helpers.gradients import scaled_dot_product_attention_backward

SHAPES = {  # query, key, value
    "one head": ((7, 4), (7, 4), (7, 3)),
    "fewer queries": ((3, 4), (8, 4), (8, 3)),
    "fewer keys": ((8, 4), (3, 4), (3, 5)),
    "heads": ((2, 3, 7, 4), (2, 3, 7, 4), (2, 3, 7, 4)),
    "shared keys": ((2, 3, 7, 4), (2, 1, 7, 4), (7, 3)),
    "shared queries": ((7, 4), (3, 7, 4), (2, 1, 7, 4)),
}
BLOCKS = [(1, 1), (2, 3), (3, 2), (7, 1), (128, 512)]
causal_or_not = pytest.mark.parametrize("is_causal", [False, True])


def inputs(shapes, size=1.0):
    rng = np.random.default_rng(1000)
    return [size * rng.standard_normal(shape) for shape in shapes]


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("blocks", BLOCKS)
@causal_or_not
def test_equals_the_table(shapes, blocks, is_causal):
    """Forward and backward; other tests compare the table with torch."""
    arrays = inputs(shapes, 3.0)
    scale = 0.7 if is_causal else -0.7
    options = {"is_causal": is_causal, "scale": scale}
    context, log_sums = blockwise_attention(*arrays, **options, blocks=blocks)
    table, _ = scaled_dot_product_attention(*arrays, **options)
    assert_allclose(context, table, rtol=0, atol=1e-12)
    scores = torch.tensor(scale * arrays[0] @ arrays[1].swapaxes(-1, -2))
    hidden = ~torch.ones(scores.shape, dtype=bool).tril()
    if is_causal:
        scores[hidden] = -torch.inf
    expected = torch.logsumexp(scores, -1).expand(log_sums.shape)
    assert_allclose(log_sums, expected, atol=1e-12)
    grad = np.random.default_rng(1).standard_normal(context.shape)
    given = grad, *arrays
    found = blockwise_attention_backward(
        *given, context, log_sums, **options, blocks=blocks
    )
    table = scaled_dot_product_attention_backward(*given, **options)
    for ours, theirs in zip(found, table, strict=True):
        assert ours.shape == theirs.shape
        assert_allclose(ours, theirs, rtol=0, atol=1e-11)


@pytest.mark.parametrize("order", [1, -1])
def test_large_scores_that_rise_or_fall_do_not_overflow(order):
    query, key = np.ones((1, 1)), np.arange(6.0)[::order, None] * 1e3
    value = np.eye(6)
    found, log_sums = blockwise_attention(query, key, value, blocks=(1, 2))
    assert_array_equal(found[0], np.eye(6)[::order][-1])
    assert log_sums.tolist() == [5e3]


def test_each_row_is_held_by_its_own_highest_score():
    """A row far below another is as right as alone."""
    query, key = np.array([[1.0], [1e3]]), np.array([[1.0], [2.0]])
    found, log_sums = blockwise_attention(query, key, np.eye(2))
    table, _ = scaled_dot_product_attention(query, key, np.eye(2))
    assert_allclose(found, table, rtol=1e-12)
    assert_allclose(log_sums, [2 + np.log1p(np.exp(-1)), 2e3], rtol=1e-12)


def test_float16_is_summed_in_float32():
    ones = np.ones((3000, 1), np.float16)  # float16 stops counting at 2048
    _, log_sums = blockwise_attention(ones[:1], 0 * ones, ones, blocks=(1, 1))
    assert_allclose(log_sums, np.log(3000), atol=5e-3)


@pytest.mark.parametrize(
    "shapes",
    [((3, 2), (0, 2), (0, 4)), ((0, 2), (5, 2), (5, 4)),
     ((3, 2), (5, 2), (5, 0)), ((0, 3, 2), (5, 2), (5, 4))],
)  # fmt: skip
@causal_or_not
def test_axes_of_length_0_as_with_a_table(shapes, is_causal):
    arrays = inputs(shapes)
    forward = blockwise_attention(*arrays, is_causal=is_causal)
    table = scaled_dot_product_attention(*arrays, is_causal=is_causal)[0]
    assert_array_equal(forward[0], table)
    assert (forward[1] == -np.inf).all() == (0 in shapes[1] or 0 in shapes[0])
    grad = np.ones(table.shape)
    for ours, array in zip(
        blockwise_attention_backward(grad, *arrays, *forward),
        arrays,
        strict=True,
    ):
        assert_array_equal(ours, np.zeros(array.shape))


@pytest.mark.parametrize(
    ("dtype", "atol"), [(np.float16, 3e-3), (np.float32, 2e-6)]
)
def test_types_stay_and_arguments_are_not_changed(dtype, atol):
    arrays = [a.astype(dtype) for a in inputs([(600, 4)] * 3)]
    copies = [a.copy() for a in arrays]
    context, log_sums = blockwise_attention(*arrays)
    grads = blockwise_attention_backward(arrays[2], *arrays, context, log_sums)
    found = [context, log_sums, *grads]
    assert {array.dtype for array in found} == {np.dtype(dtype)}
    exact, _ = scaled_dot_product_attention(*(a.astype(float) for a in arrays))
    assert_allclose(context, exact, rtol=0, atol=atol)
    for array, copy in zip(arrays, copies, strict=True):
        assert_array_equal(array, copy)
    integers = np.arange(8).reshape(4, 2)
    whole, _ = blockwise_attention(integers, integers, integers)
    assert whole.dtype == float


def test_blocks_that_a_causal_mask_hides_are_not_computed(monkeypatch):
    sizes = []

    def spy(scores, query, key):
        sizes.append(scores.shape)

    monkeypatch.setattr(validation, "finite_scores", spy)
    blockwise_attention(*inputs([(8, 2)] * 3), is_causal=True, blocks=(2, 4))
    assert sizes == [(2, 2), (2, 4), (2, 4), (2, 2), (2, 4), (2, 4)]


@causal_or_not
def test_memory_grows_with_the_length_not_with_its_square(is_causal):
    peaks = []
    for length in (256, 1024):
        arrays = inputs([(length, 4)] * 3)
        tracemalloc.start()
        options = {"is_causal": is_causal, "blocks": (32, 32)}
        forward = blockwise_attention(*arrays, **options)
        blockwise_attention_backward(arrays[2], *arrays, *forward, **options)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 4 * peaks[0]
    assert peaks[1] < 1024 * 1024 * 8 / 20  # of one table


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="allocators differ"
)
def test_blocks_and_torch_in_place_take_less_time_than_step_by_step():
    """Notebook 10 says so. A busy machine gets more than one try.

    A table is 64 MiB, which glibc never keeps for the next call.
    """
    arrays = [a.astype(np.float32) for a in inputs([(4096, 64)] * 3)]
    query, key, value = map(torch.from_numpy, arrays)
    table = torch.empty(4096, 4096)

    def in_place():
        scores = torch.matmul(query, key.T, out=table).div_(8)
        return torch.softmax(scores, -1, out=scores) @ value

    def are_faster():
        times = timing.median_times(
            {
                "ours": lambda: blockwise_attention(*arrays),
                "in place": in_place,
                "torch": lambda: torch.softmax(query @ key.T / 8, -1) @ value,
            },
            count=3,
        )
        return max(times["ours"], times["in place"]) < 0.75 * times["torch"]

    assert any(are_faster() for _ in range(8))


def test_callers_numeric_alarms_stay_silent():
    arrays = inputs([(9, 2)] * 3, 30.0)
    with np.errstate(all="raise"):
        forward = blockwise_attention(*arrays, blocks=(2, 2))
        blockwise_attention_backward(arrays[2], *arrays, *forward)
        blockwise_attention(arrays[0], arrays[1][:0], arrays[2][:0])

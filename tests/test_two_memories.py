"""A model of two memories: exact, and it counts what really happens."""

import numpy as np
import pytest

from helpers.attention import scaled_dot_product_attention
from helpers.experiments.two_memories import Machine, in_blocks, whole_matrix

WAYS = [whole_matrix, in_blocks]
RNG = np.random.default_rng(0)
QUERY, KEY, VALUE = (RNG.standard_normal((n, 6)) for n in (11, 9, 9))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rows, columns", [(1, 1), (4, 3), (128, 64)])
def test_it_computes_attention(way, rows, columns):
    given = QUERY.copy(), KEY.copy(), VALUE[:, :4].copy()
    context, machine = way(*given, rows=rows, columns=columns)
    expected, _ = scaled_dot_product_attention(QUERY, KEY, VALUE[:, :4])
    np.testing.assert_allclose(context, expected, rtol=0, atol=1e-14)
    assert machine.held == 0  # nothing is forgotten in the small memory
    np.testing.assert_array_equal(given[0], QUERY)


def test_bytes_are_those_of_the_paper():
    """Each query block loads all keys; the matrix moves four times."""
    t, d, rows = 64, 8, 16
    qkv = RNG.standard_normal((3, t, d))
    once = 2 * t * d  # query and context
    again = t // rows * 2 * t * d  # keys and values
    _, blocks = in_blocks(*qkv, rows=rows, columns=8)
    assert blocks.bytes_moved == 2 * (once + again)
    _, whole = whole_matrix(*qkv, rows=rows, columns=8)
    assert whole.bytes_moved == 2 * (once + again + 4 * t * t)


def test_operations_of_one_block():
    t, d = 8, 4
    qkv = RNG.standard_normal((3, t, d))
    products = 2 * 2 * t * t * d  # scores and mixture
    _, whole = whole_matrix(*qkv)
    softmax = 5 * t * t  # max, minus, exp, sum, divide
    assert whole.operations == products + softmax + t * d + t * d
    _, blocks = in_blocks(*qkv)
    softmax = 4 * t * t + t * d  # the context is divided, not the weights
    rescale = 5 * t + t * d  # new, minus, exp; total and mixture
    assert blocks.operations == products + softmax + rescale + 2 * t * d


def test_small_blocks_hold_less():
    qkv = RNG.standard_normal((3, 64, 8))
    small, large = (in_blocks(*qkv, rows=n, columns=n)[1] for n in (8, 64))
    assert small.most_held < large.most_held / 4
    assert large.most_held > 64 * 64


def test_what_was_not_loaded_cannot_be_used():
    machine = Machine()
    with pytest.raises(ValueError, match=r"not loaded.*\(11, 6\)"):
        machine.load(QUERY) + QUERY

"""Positions by hand, and what they promise."""

import numpy as np
import pytest

from helpers.layers import sinusoidal_positions


def test_positions_by_hand():
    found = sinusoidal_positions(3, 4, base=100.0)
    slow = 2 / 10  # frequency 100 ** (-2 / 4)
    expected = [np.sin(2), np.cos(2), np.sin(slow), np.cos(slow)]
    assert found.shape == (3, 4)
    assert found[0] == pytest.approx([0, 1, 0, 1])
    assert found[2] == pytest.approx(expected)
    slow = 2 / 100  # the base is 10,000 unless given
    assert sinusoidal_positions(3, 4)[2, 2] == pytest.approx(np.sin(slow))


def test_distance_alone_decides_the_product_of_two_positions():
    table = sinusoidal_positions(30, 16)
    products = table @ table.T
    for distance in range(5):
        line = np.diagonal(products, distance)
        assert line == pytest.approx(line[0])
    assert products[0].argmax() == 0


@pytest.mark.parametrize(
    ("arguments", "error", "name"),
    [
        ((0, 4), ValueError, "length"),
        ((2.5, 4), TypeError, "length"),
        ((3, 5), ValueError, "d_model: expected an even number, got 5"),
        ((3, -2), ValueError, "d_model"),
        ((3, 4, 0.0), ValueError, "base"),
        ((3, 4, -1.0), ValueError, "base"),
        ((3, 4, "slow"), TypeError, "base"),
    ],
)
def test_bad_input_is_named(arguments, error, name):
    with pytest.raises(error, match=name):
        sinusoidal_positions(*arguments)

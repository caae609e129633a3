"""Power laws and their rivals, fitted to losses that are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.experiments import scaling_fits
from helpers.experiments.scaling_fits import FLOOR, LOGARITHM, POWER, SHAPES

SIZES = np.array([1e4, 2e4, 5e4, 8e4, 3e5])
KNOWN = {
    POWER: 5 * SIZES**-0.08,
    FLOOR: 1.2 + 30 * SIZES**-0.4,
    LOGARITHM: 4 - 0.2 * np.log(SIZES),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_curve_of_its_own_shape_is_found(shape):
    losses = KNOWN[shape]
    curve = scaling_fits.fitted(shape, SIZES[:-1], losses[:-1])
    assert_allclose(curve(SIZES), losses, atol=1e-3)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_right_shape_foretells_best(shape):
    rng = np.random.default_rng(0)
    noise = rng.normal(scale=1e-4, size=(len(SIZES), 3))
    off = scaling_fits.foretold(SIZES, KNOWN[shape][:, None] + noise)
    assert [*off] == [*SHAPES] and off[shape].shape == (3,)
    right = {POWER, FLOOR} if shape == POWER else {shape}
    wrong = set(SHAPES) - right
    assert all((off[shape] < off[other]).all() for other in wrong)


def test_a_floor_is_never_below_zero():
    losses = KNOWN[LOGARITHM]
    curves = [scaling_fits.fitted(s, SIZES, losses) for s in (POWER, FLOOR)]
    assert_allclose(curves[0](SIZES), curves[1](SIZES))


def test_least_squares_are_those_of_numpy():
    rng = np.random.default_rng(1)
    losses = rng.uniform(1, 2, size=len(SIZES))
    curve = scaling_fits.fitted(LOGARITHM, SIZES, losses)
    matrix = np.stack([np.ones(len(SIZES)), np.log(SIZES)], axis=1)
    parts = np.linalg.lstsq(matrix, losses, rcond=None)[0]
    assert_allclose(curve(SIZES), matrix @ parts)


@pytest.mark.parametrize(
    "shape, sizes, losses",
    [
        ("line", [1, 2], [2, 1]),
        (POWER, [1, 2, 3], [2, 1]),
        (POWER, [1], [2]),
        (FLOOR, [[1, 2]], [[2, 1]]),
    ],
)
def test_what_cannot_be_fitted_is_refused(shape, sizes, losses):
    with pytest.raises(ValueError, match="shape|sizes"):
        scaling_fits.fitted(shape, sizes, losses)

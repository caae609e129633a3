"""Gradients without a derivation, to check the derived ones."""

import numpy as np

from helpers import validation


def finite_differences(function, x, step=1e-5):
    """Return the gradient of a scalar function by every number in x.

    Central differences, ``(f(x + step) - f(x - step)) / (2 * step)``: slow,
    but it knows nothing of the derivation that it checks. Press et al.
    (2007), *Numerical Recipes*, section 5.7.

    function: takes an array of the shape of x, returns one number.
    """
    x = np.array(x, dtype=np.float64)  # (...): a copy
    gradient = np.empty_like(x)
    for index in np.ndindex(x.shape):
        middle = x[index]
        x[index] = middle + step
        above = function(x.copy())
        x[index] = middle - step
        gradient[index] = (above - function(x.copy())) / (2 * step)
        x[index] = middle
    return gradient


def relative_error(gradient, expected):
    """Return the largest difference, relative to the largest number.

    ``max |gradient - expected| / max |expected|``, a float; 0 if both are
    all zeros.
    """
    gradient = validation.float_array("gradient", gradient, ndim=0)
    expected = validation.float_array("expected", expected, ndim=0)
    if gradient.shape != expected.shape:
        raise ValueError(
            f"gradient {gradient.shape} and expected {expected.shape}:"
            " expected the same shape"
        )
    difference = float(np.abs(gradient - expected).max())
    largest = float(np.abs(expected).max())
    return difference / largest if largest else difference

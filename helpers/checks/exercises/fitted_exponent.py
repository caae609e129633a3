"""What fitted_exponent.txt takes from Python."""

import numpy as np


def fitted(x, y):
    """Return slope and height of the line through all points."""
    dx, dy = x - x.mean(), y - y.mean()
    slope = dx @ dy / (dx @ dx)
    return np.array([slope, y.mean() - slope * x.mean()])


def poly(x, y, degree):
    """Do what np.polyfit does, without a warning."""
    if not np.isfinite([x, y]).all():
        raise ValueError("not finite")
    columns = np.vander(x, degree + 1)
    sizes = np.sqrt((columns**2).sum(axis=0))
    return np.linalg.lstsq(columns / sizes, y, 2.0**-50)[0] / sizes


def all_slopes(x, y):
    """Return the slope between any two points."""
    i, j = np.triu_indices(len(x), 1)
    return (y[j] - y[i]) / (x[j] - x[i])

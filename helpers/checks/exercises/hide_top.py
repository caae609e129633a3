"""What hide_top.txt takes from Python."""

import numpy as np


def apart(seed, *shape):
    """Return scores without ties, some of them negative."""
    order = np.random.default_rng(seed).permutation(np.prod(shape))
    return order.reshape(shape) / 4 - 1


def best(x, axis=-1, choose=np.argmax):
    """Mark the chosen entry along an axis."""
    place = np.expand_dims(choose(x, axis=axis), axis)
    marks = np.zeros(x.shape, bool)
    np.put_along_axis(marks, place, True, axis=axis)
    return marks

"""Layers beside attention: positions, because attention cannot see order."""

import numpy as np

from helpers import validation


def sinusoidal_positions(length, d_model, base=10_000.0):
    """Return one vector per position: waves of falling frequency.

    ``p[t, 2i] = sin(t / base**(2i / d_model))`` and ``p[t, 2i + 1]`` the
    cosine of the same angle: Vaswani et al. (2017), section 3.5. Two
    positions k apart differ by a rotation that depends on k alone, so one
    matrix can look "k words back" from anywhere.

    Parameters
    ----------
    length, d_model : int
        T, and the width, which must be even.
    base : float
        The slowest wave takes nearly 2 pi * base positions; for sentences
        of a dozen words, 100 wastes fewer of the columns.

    Returns
    -------
    positions : array (T, d_model)
        float64, between -1 and 1; row 0 is 0, 1, 0, 1, …

    Raises
    ------
    TypeError, ValueError
        If an argument is no positive number, or d_model is odd.
    """
    length = validation.positive_integer("length", length)
    d_model = validation.positive_integer("d_model", d_model)
    if d_model % 2:
        raise ValueError(f"d_model: expected an even number, got {d_model}")
    base = validation.real_number("base", base)
    if base <= 0:
        raise ValueError(f"base: expected a positive number, got {base}")
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)  # (d_model/2,)
    angles = np.arange(length)[:, None] * frequencies  # (T, d_model/2)
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return waves.reshape(length, d_model)

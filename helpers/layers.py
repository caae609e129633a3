"""What a Transformer has beside attention: positions, norms, GELU."""

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


def layer_norm(x, gain, bias, eps=1e-5):
    """Give every row mean 0 and variance 1, then a learned gain and bias.

    ``(x - mean) / sqrt(variance + eps) * gain + bias``: Ba et al. (2016),
    *Layer Normalization*, equation 4.

    Parameters
    ----------
    x : array (..., d)
    gain, bias : array (d,)
    eps : float
        Keeps a row of equal numbers from dividing by 0.

    Returns
    -------
    rows : array (..., d)

    Raises
    ------
    TypeError, ValueError
        For anything but finite numbers, or widths that differ.
    """
    x = validation.float_array("x", x)
    gain, bias = _norm_rows(x, gain, bias)
    centered = x - x.mean(axis=-1, keepdims=True)  # (..., d)
    variance = (centered**2).mean(axis=-1, keepdims=True)  # (..., 1)
    return centered / np.sqrt(variance + eps) * gain + bias


def _norm_rows(x, gain, bias):
    rows = {"gain": gain, "bias": bias}
    for name, row in rows.items():
        rows[name] = validation.float_array(name, row)
        if rows[name].shape != x.shape[-1:]:
            raise ValueError(
                f"{name}: expected shape {x.shape[-1:]}, got shape"
                f" {rows[name].shape}: x {x.shape}"
            )
    return rows.values()


def gelu(x):
    """Let positive numbers pass and fade out negative ones: (...) -> (...).

    ``x * P(Z <= x)`` for a standard normal Z: Hendrycks and Gimpel (2016),
    *Gaussian Error Linear Units*. Right to 2e-7 times x, since NumPy has no
    error function. Raises TypeError, ValueError for anything but finite
    numbers.
    """
    x = validation.float_array("x", x, empty=True)
    half = 0.5 * _one_minus_erf(np.abs(x) / np.sqrt(x.dtype.type(2)))
    return x * np.where(x > 0, 1 - half, half)  # half = P(Z > |x|)


def _one_minus_erf(x):
    """1 - erf(x) for x >= 0: Abramowitz and Stegun (1964), 7.1.26."""
    t = 1 / (1 + 0.3275911 * x)
    total = 1.061405429 * t
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        total = (total + factor) * t
    return total * np.exp(-x * x)

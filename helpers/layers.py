"""Beside attention: positions, norm, feed-forward, GELU, embedding."""

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
    base = validation.real_number("base", base, above=0)
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)  # (d_model/2,)
    angles = np.arange(length)[:, None] * frequencies  # (T, d_model/2)
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return waves.reshape(length, d_model)


def layer_norm(x, gain, bias, eps=1e-5):
    """Give every row mean 0 and variance 1, then a gain and a bias.

    ``(x - mean) / sqrt(variance + eps) * gain + bias``, mean and variance
    over the last axis: Ba et al. (2016), *Layer Normalization*, section 3.

    Parameters
    ----------
    x : array (..., d)
    gain, bias : array (d,)
    eps : float
        Keeps a row of equal numbers from a division by 0.

    Returns
    -------
    array (..., d)

    Raises
    ------
    TypeError, ValueError
        For shapes that do not fit, NaN or infinity, or an eps of 0 or less.
    """
    x = validation.float_array("x", x)
    gain = validation.of_shape("gain", gain, x.shape[-1:])
    bias = validation.of_shape("bias", bias, x.shape[-1:])
    normal, _ = _normalized(x, eps)
    return normal * gain + bias  # (..., d)


def layer_norm_backward(grad_output, x, gain, eps=1e-5):
    """Return the gradients with respect to x, gain and bias.

    Mean and variance depend on x, too: a gradient along the row of ones or
    along the normalized row itself moves nothing, and is taken out.

    grad_output, x (..., d), gain (d,), eps as in the forward pass ->
    grad_x (..., d), grad_gain (d,), grad_bias (d,). Raises as `layer_norm`.
    """
    x = validation.float_array("x", x)
    gain = validation.of_shape("gain", gain, x.shape[-1:])
    grad_output = validation.of_shape("grad_output", grad_output, x.shape)
    normal, spread = _normalized(x, eps)
    grad = grad_output * gain  # (..., d), of the normalized rows
    along_ones = grad.mean(axis=-1, keepdims=True)  # (..., 1)
    along_row = (grad * normal).mean(axis=-1, keepdims=True)  # (..., 1)
    grad_x = (grad - along_ones - along_row * normal) / spread
    grad_gain = _over_rows(grad_output * normal)
    return grad_x, grad_gain, _over_rows(grad_output)


def _normalized(x, eps):
    """Return rows of mean 0 and variance 1, and what they were divided by."""
    eps = validation.real_number("eps", eps, above=0)
    centered = x - x.mean(axis=-1, keepdims=True)  # (..., d)
    variance = (centered**2).mean(axis=-1, keepdims=True)
    spread = np.sqrt(variance + eps)  # (..., 1)
    return centered / spread, spread


def feed_forward(x, w_1, b_1, w_2, b_2):
    """Change every row by itself: ``max(0, x @ w_1 + b_1) @ w_2 + b_2``.

    Vaswani et al. (2017), section 3.3, equation 2.

    Parameters
    ----------
    x : array (..., d)
    w_1 : array (d, hidden)
    b_1 : array (hidden,)
    w_2 : array (hidden, d)
    b_2 : array (d,)

    Returns
    -------
    array (..., d)

    Raises
    ------
    TypeError, ValueError
        For shapes that do not fit, NaN or infinity.
    """
    x, w_1, b_1, w_2 = _hidden_layer(x, w_1, b_1, w_2)
    b_2 = validation.of_shape("b_2", b_2, w_2.shape[1:])
    return np.maximum(x @ w_1 + b_1, 0) @ w_2 + b_2  # (..., d)


def feed_forward_backward(grad_output, x, w_1, b_1, w_2):
    """Return the gradients with respect to x, w_1, b_1, w_2 and b_2.

    grad_output (..., d), the rest as in `feed_forward`; each gradient has
    the shape of its argument. Where the ReLU gave 0, nothing comes back.
    Raises as `feed_forward`.
    """
    x, w_1, b_1, w_2 = _hidden_layer(x, w_1, b_1, w_2)
    shape = (*x.shape[:-1], w_2.shape[1])
    grad_output = validation.of_shape("grad_output", grad_output, shape)
    rows = x.reshape(-1, x.shape[-1])  # (N, d)
    grad = grad_output.reshape(-1, shape[-1])  # (N, d)
    before = rows @ w_1 + b_1  # (N, hidden)
    grad_w_2 = np.maximum(before, 0).T @ grad  # (hidden, d)
    grad_hidden = (grad @ w_2.T) * (before > 0)  # (N, hidden)
    grad_x = (grad_hidden @ w_1.T).reshape(x.shape)
    grad_w_1 = rows.T @ grad_hidden  # (d, hidden)
    grad_b_1 = grad_hidden.sum(axis=0)  # (hidden,)
    return grad_x, grad_w_1, grad_b_1, grad_w_2, grad.sum(axis=0)


def _hidden_layer(x, w_1, b_1, w_2):
    x = validation.float_array("x", x)
    w_1 = _matrix("w_1", w_1, x.shape[-1])
    b_1 = validation.of_shape("b_1", b_1, w_1.shape[1:])
    return x, w_1, b_1, _matrix("w_2", w_2, w_1.shape[1])


def embed(tokens, table):
    """Look up the row of each token: (..., T) integers -> (..., T, d).

    The same as one-hot rows times the table (V, d), without building them.
    Raises TypeError or ValueError if a token is no row of the table.
    """
    table = validation.float_array("table", table, ndim=2)
    return table[validation.tokens("tokens", tokens, len(table))]


@np.errstate(over="ignore", under="ignore")  # x * x far out, where exp is 0
def gelu(x):
    """Let positive numbers pass and fade out negative ones: (...) -> (...).

    ``x * P(Z <= x)`` for a standard normal Z: Hendrycks and Gimpel (2016),
    *Gaussian Error Linear Units*. Right to 2e-7 times x, since NumPy has no
    error function. Raises TypeError, ValueError for anything but finite
    numbers.
    """
    x = validation.float_array("x", x, empty=True)
    half = 0.5 * _one_minus_erf(np.abs(x) / np.sqrt(x.dtype.type(2)))
    return x * np.abs((x > 0) - half)  # 1 - half or half: P(Z > |x|)


def _one_minus_erf(x):
    """1 - erf(x) for x >= 0: Abramowitz and Stegun (1964), 7.1.26."""
    t = 1 / (1 + 0.3275911 * x)
    total = 1.061405429 * t
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        total += factor
        total *= t
    return total * np.exp(-x * x)


def _matrix(name, value, rows):
    value = validation.float_array(name, value, ndim=2)
    return validation.of_shape(name, value, (rows, value.shape[-1]))


def _over_rows(x):
    return x.reshape(-1, x.shape[-1]).sum(axis=0)  # (..., d) -> (d,)

"""Sinusoids for the check of positions: right ones, and mistakes."""

import numpy as np


def interleaved(angles):
    """(T, d_model/2) -> (T, d_model): sine and cosine in turn."""
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return both.reshape(len(angles), -1)


def angles_of(length, d_model, exponent=None, start=0):
    """Place / 10000 ** exponent: (T, d_model/2), right by default."""
    if exponent is None:
        exponent = np.arange(0, d_model, 2) / d_model
    where = np.arange(start, start + length)[:, None]
    return where / 10_000**exponent


def halves(length, d_model):
    """All sines first, then all cosines."""
    angles = angles_of(length, d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def cosine_first(length, d_model):
    """Cosines in even columns, sines in odd ones."""
    angles = angles_of(length, d_model)
    both = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return both.reshape(length, -1)


def each_column(length, d_model):
    """Give each column, not each pair, a frequency of its own."""
    angles = angles_of(length, d_model, np.arange(d_model) / d_model)
    even = np.arange(d_model) % 2 == 0
    return np.where(even, np.sin(angles), np.cos(angles))


def one_wave(wave):
    """Take one function, sine or cosine, for all columns."""

    def waves(length, d_model):
        return wave(np.repeat(angles_of(length, d_model), 2, axis=1))

    return waves


def with_exponent(factor):
    """Multiply the exponent by a factor."""

    def waves(length, d_model):
        exponent = factor * np.arange(0, d_model, 2) / d_model
        return interleaved(angles_of(length, d_model, exponent))

    return waves


def with_base(base):
    """Take another base than 10000."""

    def waves(length, d_model):
        exponent = np.arange(0, d_model, 2) / d_model
        return interleaved(np.arange(length)[:, None] / base**exponent)

    return waves


def scaled(factor):
    """Multiply the angles by a factor."""
    return lambda t, d: interleaved(angles_of(t, d) * factor)


def one_column_of_two(first):
    """Leave every second column 0, starting at `first`."""

    def waves(length, d_model):
        both = interleaved(angles_of(length, d_model))
        both[:, first::2] = 0
        return both

    return waves

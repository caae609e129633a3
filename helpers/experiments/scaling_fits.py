"""Curves through the losses of some sizes: which one foretells a larger size?

Three shapes are fitted by least squares. A power law is b x^-a, and with a
floor it is c + b x^-a with c at least 0: Kaplan et al. (2020), *Scaling Laws
for Neural Language Models*, section 1.2, and Hoffmann et al. (2022), *Training
Compute-Optimal Large Language Models*, section 3.3. A logarithm, c - b ln x,
is no power law: each doubling of the size takes away the same amount.
"""

import numpy as np

from helpers import validation

POWER, FLOOR, LOGARITHM = "power law", "power law with a floor", "logarithm"
POWERS = POWER, FLOOR
SHAPES = *POWERS, LOGARITHM
EXPONENTS = np.geomspace(1e-3, 3, 3000)


def fitted(shape, sizes, losses):
    """Return a function of sizes, fitted to losses (N,) of sizes (N,).

    shape: one of `SHAPES`; sizes: different, above 0, N at least 2.
    """
    validation.choice("shape", shape, SHAPES)
    sizes, losses = (np.asarray(x, dtype=np.float64) for x in (sizes, losses))
    if sizes.shape != losses.shape or sizes.ndim != 1 or sizes.size < 2:
        raise ValueError(
            "sizes, losses: expected two arrays (N,), N at least 2, got"
            f" {sizes.shape} and {losses.shape}"
        )
    unit = sizes[0]  # so that no number is huge
    if shape == LOGARITHM:
        slope, start = np.polyfit(np.log(sizes / unit), losses, 1)
        return lambda x: start + slope * np.log(x / unit)
    falling = (sizes / unit) ** -EXPONENTS[:, None]  # (E, N)
    factor, floor = _with_floor(falling, losses)
    pure = (falling * losses).sum(-1) / (falling**2).sum(-1)
    no_floor = (floor < 0) | (shape == POWER)
    factor = np.where(no_floor, pure, factor)
    floor = np.where(no_floor, 0, floor)
    off = factor[:, None] * falling + floor[:, None] - losses
    best = (off**2).sum(-1).argmin()
    return lambda x: (
        factor[best] * (x / unit) ** -EXPONENTS[best] + floor[best]
    )


def _with_floor(falling, losses):
    """Return the best factor and floor for each row of `falling` (E, N)."""
    centered = falling - falling.mean(-1, keepdims=True)
    factor = (centered * losses).sum(-1) / (centered**2).sum(-1)
    return factor, losses.mean() - factor * falling.mean(-1)


def foretold(sizes, losses):
    """Return how far each shape is off at the largest size, for each seed.

    Fitted to all sizes but the last. sizes (N,), losses (N, seeds) ->
    {shape: (seeds,)}.
    """
    losses = np.asarray(losses, dtype=np.float64)
    return {
        shape: np.array(
            [
                abs(fitted(shape, sizes[:-1], each[:-1])(sizes[-1]) - each[-1])
                for each in losses.T
            ]
        )
        for shape in SHAPES
    }

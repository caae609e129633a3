"""The course's trainable models, from a linear readout upward."""

from .linear import LinearReadout

__all__ = ["LinearReadout"]

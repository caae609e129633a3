"""The course's trainable models, from a linear readout upward."""

from .linear import LinearReadout
from .readout import AttentionReadout

__all__ = ["AttentionReadout", "LinearReadout"]

"""The course's trainable models, from a linear readout upward."""

from .linear import LinearReadout
from .readout import AttentionReadout
from .stack import AttentionStack

__all__ = ["AttentionReadout", "AttentionStack", "LinearReadout"]

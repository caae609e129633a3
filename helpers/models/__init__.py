"""The course's models: attention that learns, and a linear probe."""

from .classifier import AttentionClassifier, same_rows
from .probe import LinearProbe

__all__ = ["AttentionClassifier", "LinearProbe", "same_rows"]

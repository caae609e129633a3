"""The course's models: attention that learns, and a linear probe."""

from .classifier import AttentionClassifier, same_rows
from .grouped import GroupedClassifier
from .pooled import PooledClassifier
from .probe import LinearProbe

__all__ = [
    "AttentionClassifier",
    "GroupedClassifier",
    "LinearProbe",
    "PooledClassifier",
    "same_rows",
]

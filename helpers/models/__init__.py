"""The course's models: attention that learns, and a linear probe."""

from .block import (
    block_parameters,
    transformer_block,
    transformer_block_backward,
)
from .classifier import AttentionClassifier, same_rows
from .pooled import PooledClassifier
from .probe import LinearProbe

__all__ = [
    "AttentionClassifier",
    "LinearProbe",
    "PooledClassifier",
    "block_parameters",
    "same_rows",
    "transformer_block",
    "transformer_block_backward",
]

"""The course's models: a classifier, a language model, a linear probe."""

from .block import (
    block_parameters,
    transformer_block,
    transformer_block_backward,
)
from .classifier import AttentionClassifier, same_rows
from .language_model import LanguageBatches, LanguageModel
from .pooled import PooledClassifier
from .probe import LinearProbe

__all__ = [
    "AttentionClassifier",
    "LanguageBatches",
    "LanguageModel",
    "LinearProbe",
    "PooledClassifier",
    "block_parameters",
    "same_rows",
    "transformer_block",
    "transformer_block_backward",
]

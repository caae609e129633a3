"""Between this course and PyTorch: the only helpers that import torch."""

from .by_distance import accuracy_by_distance
from .cost import exponent, kept_bytes, median_times, peak_bytes
from .readers import AttentionReader, RecurrentReader, count_parameters
from .training import (
    load_arrays,
    measure_torch,
    tensors,
    to_arrays,
    train_together,
)
from .weights import MIRROR, largest_difference, leaves, multihead, to_numpy

__all__ = [
    "MIRROR",
    "AttentionReader",
    "RecurrentReader",
    "accuracy_by_distance",
    "count_parameters",
    "exponent",
    "kept_bytes",
    "largest_difference",
    "leaves",
    "load_arrays",
    "measure_torch",
    "median_times",
    "multihead",
    "peak_bytes",
    "tensors",
    "to_arrays",
    "to_numpy",
    "train_together",
]

"""Between this course and PyTorch: the only helpers that import torch."""

from .by_distance import RACE, STEPS, accuracy_by_distance, gru
from .cost import exponent, kept_bytes, median_times, memory, peak_bytes, times
from .readers import AttentionReader, RecurrentReader, count_parameters
from .training import (
    load_arrays,
    measure_torch,
    tensors,
    to_arrays,
    train_together,
)
from .weights import (
    MIRROR,
    largest_difference,
    leaves,
    multihead,
    report_same,
    to_numpy,
)

__all__ = [
    "MIRROR",
    "RACE",
    "STEPS",
    "AttentionReader",
    "RecurrentReader",
    "accuracy_by_distance",
    "count_parameters",
    "exponent",
    "gru",
    "kept_bytes",
    "largest_difference",
    "leaves",
    "load_arrays",
    "measure_torch",
    "median_times",
    "memory",
    "multihead",
    "peak_bytes",
    "report_same",
    "tensors",
    "times",
    "to_arrays",
    "to_numpy",
    "train_together",
]

"""Between this course and PyTorch: the only helpers that import torch."""

import os

import torch

from .copying import Copying
from .cost import (
    exponent,
    kept_bytes,
    layer_times,
    memory,
    peak_bytes,
    times,
)
from .distance_race import (
    LEARNING_RATES,
    NETWORKS,
    accuracy,
    as_tensors,
    load_race,
    race,
    race_name,
)
from .induction_runs import load_induction_runs, train_copying
from .networks import AttentionNetwork, RecurrentNetwork, count_parameters
from .order_rows import load_order_runs, old_distances, train_row
from .order_runs import (
    LENGTHS,
    accuracy_by_length,
    order_data,
    train_order,
    weight_beyond,
)
from .ordered import CODES, OrderedNetwork
from .other_weights import (
    WEIGHT_RATES,
    OtherWeights,
    load_weights,
    race_weights,
    weights_name,
)
from .training import (
    TWIN_NAMES,
    measure_torch,
    our_arrays,
    train_together,
    twin_arrays,
)
from .weights import (
    LAYER_NAMES,
    TORCH_NAMES,
    largest_difference,
    leaf_tensors,
    load_parameters,
    tensors,
    to_arrays,
    to_encoder_layer,
    to_multihead_attention,
    to_numpy,
)

__all__ = [
    "CODES",
    "LAYER_NAMES",
    "LEARNING_RATES",
    "LENGTHS",
    "NETWORKS",
    "TORCH_NAMES",
    "TWIN_NAMES",
    "WEIGHT_RATES",
    "AttentionNetwork",
    "Copying",
    "OrderedNetwork",
    "OtherWeights",
    "RecurrentNetwork",
    "accuracy",
    "accuracy_by_length",
    "as_tensors",
    "count_parameters",
    "exponent",
    "kept_bytes",
    "largest_difference",
    "layer_times",
    "leaf_tensors",
    "load_induction_runs",
    "load_order_runs",
    "load_parameters",
    "load_race",
    "load_weights",
    "measure_torch",
    "memory",
    "old_distances",
    "order_data",
    "our_arrays",
    "peak_bytes",
    "race",
    "race_name",
    "race_weights",
    "tensors",
    "times",
    "to_arrays",
    "to_encoder_layer",
    "to_multihead_attention",
    "to_numpy",
    "train_copying",
    "train_order",
    "train_row",
    "train_together",
    "twin_arrays",
    "weight_beyond",
    "weights_name",
]

# torch keeps a number of its own, for the threads that others start.
torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"].split(",")[0]))

"""Between this course and PyTorch: the only helpers that import torch."""

import os

import torch

from .comparison import (
    FAULTS,
    layer_differences,
    planted_fault,
    rotary,
    stages,
)
from .cost import (
    exponent,
    kept_bytes,
    layer_times,
    memory,
    peak_bytes,
)
from .distance_race import (
    LEARNING_RATES,
    NETWORKS,
    accuracy,
    as_tensors,
    race,
)
from .induction import Copying
from .length_generalization import (
    LENGTHS,
    accuracy_by_length,
    order_data,
    train_order,
    weight_beyond,
)
from .networks import AttentionNetwork, RecurrentNetwork, count_parameters
from .normalizers import (
    NORMALIZER_RATES,
    NormalizerNetwork,
    race_normalizer,
)
from .positional_network import CODES, PositionalNetwork
from .ring import Ring, attend_and_pass, ring_attention
from .text_model import (
    MODELS,
    TextModel,
    TransformerBlock,
    load_text_model,
    open_text_model,
    save_text_model,
    text_arrays,
)
from .text_training import (
    BestWeights,
    best_device,
    learning_rate_factor,
    muon_and_adamw,
    text_batch,
    text_loss,
    text_passages,
    text_step,
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

# torch keeps a number of its own, for the threads that others start.
torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"].split(",")[0]))

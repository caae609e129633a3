"""Experiments: train over seeds, measure on held-out words, compare.

`run(name)` trains one model per seed on a task of `helpers.tasks`; all the
rest measures models, or what models are compared with.
"""

from . import (
    baselines,
    control_runs,
    counting,
    encoder_runs,
    facts,
    head_runs,
    language,
    late_mask,
    scale_sweep,
    sense_controls,
    shared_heads,
    stacks,
)
from .evaluation import Evaluation, evaluate
from .heads import accuracy_from_vectors, average_heads, oracle_accuracy
from .measures import (
    auc,
    error_bound,
    normalized_entropy,
    rough_count,
    score_gradient_norms,
    score_spread,
    softmax_jacobian_norm,
)
from .runs import SEEDS, Runs, run, train
from .scoreboard import Scoreboard, mean_sd
from .timing import median_times, time_heads, time_parts, time_ratio

__all__ = [
    "SEEDS",
    "Evaluation",
    "Runs",
    "Scoreboard",
    "accuracy_from_vectors",
    "auc",
    "average_heads",
    "baselines",
    "control_runs",
    "counting",
    "encoder_runs",
    "error_bound",
    "evaluate",
    "facts",
    "head_runs",
    "language",
    "late_mask",
    "mean_sd",
    "median_times",
    "normalized_entropy",
    "oracle_accuracy",
    "rough_count",
    "run",
    "scale_sweep",
    "score_gradient_norms",
    "score_spread",
    "sense_controls",
    "shared_heads",
    "softmax_jacobian_norm",
    "stacks",
    "time_heads",
    "time_parts",
    "time_ratio",
    "train",
]

"""Experiments: train over seeds, measure on held-out words, compare.

`run(name)` trains one model per seed on a task of `helpers.tasks`; all the
rest measures models, or what models are compared with.
"""

from . import (
    baselines,
    copying,
    counting,
    encoder_measures,
    language,
    sense_controls,
    token_counting,
)
from .evaluation import Evaluation, evaluate
from .head_measures import accuracy_from_vectors, average_heads
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
from .stored import load
from .timing import (
    median_times,
    operations_a_byte,
    time_heads,
    time_parts,
    time_ratio,
)

__all__ = [
    "SEEDS",
    "Evaluation",
    "Runs",
    "Scoreboard",
    "accuracy_from_vectors",
    "auc",
    "average_heads",
    "baselines",
    "copying",
    "counting",
    "encoder_measures",
    "error_bound",
    "evaluate",
    "language",
    "load",
    "mean_sd",
    "median_times",
    "normalized_entropy",
    "operations_a_byte",
    "rough_count",
    "run",
    "score_gradient_norms",
    "score_spread",
    "sense_controls",
    "softmax_jacobian_norm",
    "time_heads",
    "time_parts",
    "time_ratio",
    "token_counting",
    "train",
]

"""Experiments: train over seeds, measure on held-out words, compare.

`run(name)` trains one model per seed on a task of `helpers.tasks`; all the
rest measures models, or what models are compared with.
"""

from . import (
    baselines,
    cls_controls,
    clue_pairs,
    copying,
    counting,
    encoder_measures,
    language,
    sense_controls,
    sink_controls,
    tidiness,
    token_counting,
    weight_controls,
)
from .at_start import (
    gradients_at_start,
    query_gradient_norms,
    score_gradient_norms,
    word_score_spread,
)
from .evaluation import Evaluation, evaluate
from .first_look import asker, first_models
from .head_measures import (
    accuracy_from_vectors,
    ask_model,
    average_heads,
    block_parts,
    repeated_pair_gaps,
    sentence_maps,
    with_split,
)
from .measures import (
    auc,
    error_bound,
    normalized_entropy,
    rough_count,
    score_spread,
    softmax_jacobian_norm,
)
from .rises import show_rise, steps_to
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
    "ask_model",
    "asker",
    "auc",
    "average_heads",
    "baselines",
    "copying",
    "counting",
    "block_parts",
    "cls_controls",
    "clue_pairs",
    "encoder_measures",
    "error_bound",
    "evaluate",
    "first_models",
    "gradients_at_start",
    "language",
    "load",
    "mean_sd",
    "median_times",
    "normalized_entropy",
    "operations_a_byte",
    "query_gradient_norms",
    "repeated_pair_gaps",
    "rough_count",
    "run",
    "score_gradient_norms",
    "score_spread",
    "sense_controls",
    "sentence_maps",
    "show_rise",
    "sink_controls",
    "softmax_jacobian_norm",
    "steps_to",
    "tidiness",
    "time_heads",
    "time_parts",
    "time_ratio",
    "token_counting",
    "train",
    "weight_controls",
    "with_split",
    "word_score_spread",
]

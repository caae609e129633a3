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

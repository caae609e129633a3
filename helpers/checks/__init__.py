"""Checks of the exercises: ``checks.NAME(your_function)`` prints feedback.

``EXERCISES`` holds them all by name; machinery.py says how to add one.
"""

from helpers.checks.baseline import (
    all_pairs_scores,
    context_vectors,
    self_attention,
    softmax_over_keys,
)
from helpers.checks.comparison import (
    fitted_exponent,
    padding_masks,
    to_torch,
)
from helpers.checks.heads import (
    add_positions,
    join_heads,
    multi_head_attention,
    split_heads,
)
from helpers.checks.machinery import Exercise
from helpers.checks.projections import (
    grad_w_q,
    project_and_score,
    softmax_backward,
)
from helpers.checks.scaling import (
    dot_product_variance,
    head_scale,
    normalized_entropy,
    softmax_with_temperature,
)

__all__ = [
    "add_positions",
    "all_pairs_scores",
    "context_vectors",
    "dot_product_variance",
    "fitted_exponent",
    "grad_w_q",
    "head_scale",
    "join_heads",
    "multi_head_attention",
    "normalized_entropy",
    "padding_masks",
    "project_and_score",
    "self_attention",
    "softmax_backward",
    "softmax_over_keys",
    "softmax_with_temperature",
    "split_heads",
    "to_torch",
]

EXERCISES = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, Exercise)
}

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
from helpers.checks.machinery import Exercise
from helpers.checks.projections import (
    grad_w_q,
    project_and_score,
    softmax_backward,
)

__all__ = [
    "all_pairs_scores",
    "context_vectors",
    "fitted_exponent",
    "grad_w_q",
    "padding_masks",
    "project_and_score",
    "self_attention",
    "softmax_backward",
    "softmax_over_keys",
    "to_torch",
]

EXERCISES = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, Exercise)
}

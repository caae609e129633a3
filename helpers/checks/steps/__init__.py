"""The steps of attention, each with its right version and its mistakes.

A step is a function of the record `c` of what was computed before it: c.query
(T, d), c.key (T, d), c.value (T, d_v), c.scores (T, T) and so on; axes in
front are allowed.
"""

from helpers.checks.steps.mixing import MIX, SQUARE_MIX
from helpers.checks.steps.scores import finished, given, scale, scores, vectors
from helpers.checks.steps.softmax import exponents, shifted, totals, weights

SOFTMAX = (shifted, exponents, totals, weights)

__all__ = [
    "MIX",
    "SOFTMAX",
    "SQUARE_MIX",
    "finished",
    "given",
    "scale",
    "scores",
    "vectors",
]

"""Notebook 02: one matrix with two jobs gets two gradients."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, t, table

_BOTH = (
    "A small change of w changes the scores twice: through the queries and"
    " through the keys. Both effects add up."
)
_STEP = "A step is learning_rate times the gradient, subtracted from w."


def _probe(seed, d_model, d_k, learning_rate, level="basic"):
    arrays = (table(seed + i, d_model, d_k) for i in range(3))
    words = f"w ({d_model}, {d_k}) at rate {learning_rate}"
    return Probe(words, (*arrays, learning_rate), level)


_gradient = Step(
    "gradient",
    lambda c: c.grad_w_q + c.grad_w_k,
    Mistake(
        "the two gradients are averaged",
        f"{_BOTH} Half of it would be a step at half the rate.",
        lambda c: (c.grad_w_q + c.grad_w_k) / 2,
    ),
    Mistake(
        "only one of the two gradients is used",
        _BOTH,
        lambda c: c.grad_w_q,
        lambda c: c.grad_w_k,
    ),
    Mistake(
        "one gradient is subtracted from the other",
        _BOTH,
        lambda c: c.grad_w_q - c.grad_w_k,
        lambda c: c.grad_w_k - c.grad_w_q,
    ),
    Mistake(
        "the two gradients are multiplied",
        _BOTH,
        lambda c: c.grad_w_q * c.grad_w_k,
        lambda c: c.grad_w_q @ t(c.grad_w_k) @ c.w,
    ),
    Mistake(
        "the larger of the two slopes is taken",
        _BOTH,
        lambda c: np.maximum(c.grad_w_q, c.grad_w_k),
        lambda c: np.where(
            np.abs(c.grad_w_q) > np.abs(c.grad_w_k), c.grad_w_q, c.grad_w_k
        ),
    ),
    Mistake(
        "the gradients are added twice",
        _BOTH,
        lambda c: 2 * (c.grad_w_q + c.grad_w_k),
    ),
)
_step = Step(
    "step",
    lambda c: c.learning_rate * c.gradient,
    Mistake("the learning rate is missing", _STEP, lambda c: c.gradient),
    Mistake(
        "the gradient is divided by the learning rate",
        _STEP,
        lambda c: c.gradient / c.learning_rate,
    ),
    Mistake(
        "the learning rate enters twice",
        _STEP,
        lambda c: c.learning_rate**2 * c.gradient,
    ),
    Mistake(
        "the learning rate counts for one gradient only",
        _STEP,
        lambda c: c.learning_rate * c.grad_w_q + c.grad_w_k,
        lambda c: c.grad_w_q + c.learning_rate * c.grad_w_k,
    ),
)
_moved = Step(
    "moved",
    lambda c: c.w - c.step,
    Mistake(
        "it walks uphill: the gradient is added",
        "The gradient points to where the loss rises.",
        lambda c: c.w + c.step,
    ),
    Mistake(
        "a bracket is missing: one gradient is added to w as it is",
        "The learning rate, and the minus, belong to the sum of the two.",
        lambda c: c.w - c.learning_rate * c.grad_w_q + c.grad_w_k,
        lambda c: c.w - c.learning_rate * c.grad_w_k + c.grad_w_q,
    ),
    Mistake(
        "the step is returned, not the matrix after it",
        f"Asked for is where w stands afterwards. {_STEP}",
        lambda c: c.step,
        lambda c: -c.step,
    ),
    Mistake(
        "w enters more than once",
        f"Both steps start from the same w, and there is one w. {_STEP}",
        lambda c: 2 * c.w - c.step,
        lambda c: (c.w - c.step) / 2,
    ),
)

tied_step = Exercise(
    name="tied_step",
    call="tied_step(w, grad_w_q, grad_w_k, learning_rate)",
    results=("w",),
    shape="the shape of w: (d_model, d_k)",
    steps=(_gradient, _step, _moved),
    probes=(
        _probe(421, 4, 3, 0.5),
        _probe(425, 3, 2, 0.1),
        _probe(429, 5, 5, 0.25),
        _probe(433, 6, 1, 0.2, "edge"),
    ),
    properties=(finite,),
    praise="One matrix, two jobs: its gradients add up.",
)

"""Notebook 02: downhill in steps, the heart of every training loop."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, table

_DOWN = (
    "The gradient points to where the loss rises. Downhill is the other"
    " direction."
)
_ANEW = (
    "After a step you stand somewhere else, and the slope is another one: ask"
    " gradient_of again, at the new w."
)
_RATE = "A step is learning_rate times the gradient, no more and no less."
_COUNT = "range(steps) makes `steps` rounds, and each round is one step."


class Bowl:
    """The gradient of a loss with one lowest point, as a function of w."""

    def __init__(self, seed, *shape):
        rng = np.random.default_rng(seed)
        self.lowest = table(seed, *shape)
        self.steepness = rng.integers(1, 5, shape) / 2

    def __call__(self, w):
        """Return the gradient at w."""
        return self.steepness * (w - self.lowest)

    def __repr__(self):
        return "the slope of a bowl"


def _probe(seed, shape, learning_rate, steps, level="basic"):
    args = table(seed, *shape), Bowl(seed + 50, *shape), learning_rate, steps
    count = f"{steps} step{'s' * (steps != 1)}"
    words = f"w {shape}, {count} at rate {learning_rate}"
    return Probe(words, args, level)


def _walk(change):
    """Repeat ``w = w + change(c, w)``."""

    def walk(c):
        w = np.array(c.w, dtype=float)
        for _ in range(c.count):
            w = w + change(c, w)
        return w

    return walk


def _step(c, w):
    return c.direction * c.rate * c.gradient_of(w)


_direction = Step(
    "direction",
    lambda c: -1,
    Mistake("it walks uphill: the gradient is added", _DOWN, lambda c: 1),
)
_rate = Step(
    "rate",
    lambda c: c.learning_rate,
    Mistake("the learning rate is not used", _RATE, lambda c: 1.0),
    Mistake(
        "the gradient is divided by the learning rate",
        _RATE,
        lambda c: 1 / c.learning_rate,
    ),
    Mistake(
        "the learning rate is shared among the steps",
        f"Every step has the whole rate. {_RATE}",
        lambda c: c.learning_rate / max(c.steps, 1),
    ),
    Mistake(
        "the step is halved, doubled or squared",
        _RATE,
        lambda c: c.learning_rate / 2,
        lambda c: c.learning_rate * 2,
        lambda c: c.learning_rate**2,
    ),
)
_count = Step(
    "count",
    lambda c: c.steps,
    Mistake(
        "only one step is made",
        "Is `return` inside the loop? Or does every round start again from"
        " the first w, because the new one is not kept?",
        lambda c: min(c.steps, 1),
    ),
    Mistake("one step is missing", _COUNT, lambda c: max(c.steps - 1, 0)),
    Mistake("there is one step too many", _COUNT, lambda c: c.steps + 1),
    Mistake(
        "w does not move",
        "A new w must be kept under the name w: w = w - … . An expression"
        " alone, or another name for the result, leaves w as it is.",
        lambda c: 0,
    ),
)
_moved = Step(
    "moved",
    _walk(_step),
    Mistake(
        "the gradient is asked for once, before the first step",
        _ANEW,
        lambda c: c.w + c.count * _step(c, c.w),
    ),
    Mistake(
        "w is replaced by the step",
        "The step is what w moves by: it is subtracted from w.",
        lambda c: _walk(lambda c, w: _step(c, w) - w)(c),
        lambda c: _walk(lambda c, w: -_step(c, w) - w)(c),
    ),
    Mistake(
        "the gradient is returned, not w",
        "Asked for is the place that is reached.",
        lambda c: c.gradient_of(_walk(_step)(c)),
        lambda c: c.gradient_of(c.w),
    ),
    Mistake(
        "the gradient is taken as a factor",
        "The step is subtracted from w, not multiplied with it.",
        _walk(lambda c, w: w * _step(c, w)),
        _walk(lambda c, w: w * _step(c, w) - w),
    ),
    Mistake(
        "all steps have the same length",
        "Where the slope is steep the step is long. The gradient counts as it"
        " is, not its sign or its direction alone.",
        _walk(lambda c, w: c.direction * c.rate * np.sign(c.gradient_of(w))),
        _walk(lambda c, w: _step(c, w) / np.linalg.norm(c.gradient_of(w))),
    ),
    Mistake(
        "only the distance of the last step is returned",
        "Asked for is the place that is reached.",
        lambda c: _walk(_step)(c) - c.w,
        lambda c: c.w - _walk(_step)(c),
    ),
)


def _not_called(exercise, trials):
    """Recognize gradient_of where gradient_of(w) belongs."""
    if not any(Bowl.__name__ in t.got.error for t in trials):
        return None
    return (
        "gradient_of is not called.",
        "It is a function: gradient_of(w), with parentheses, is the gradient"
        " where w stands.",
    )


gradient_descent = Exercise(
    name="gradient_descent",
    call="gradient_descent(w, gradient_of, learning_rate, steps)",
    results=("w",),
    shape="the shape of w",
    steps=(_direction, _rate, _count, _moved),
    probes=(
        _probe(401, (3,), 0.25, 1),
        _probe(402, (2, 3), 0.1, 2),
        _probe(403, (4, 2), 0.3, 3),
        _probe(404, (5,), 0.05, 6),
        _probe(405, (2, 2), 0.2, 0, "edge"),
    ),
    properties=(finite,),
    recognize=_not_called,
    praise="All training loops are this one, made larger.",
)

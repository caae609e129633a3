"""Notebook 02: the training loop, with plain gradient descent."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, table

_DOWN = (
    "The gradient points to where the loss rises. Downhill is the other"
    " direction."
)
_RATE = "A step is learning_rate times the gradient, no more and no less."
_KEPT = (
    "Is there a step in the loop? model.parameters[name] must change: by -=,"
    " or by a new array under its name. An expression alone, or another name"
    " for the result, leaves it as it is."
)


class Line:
    """A model with two arrays: the loss is the mean square of its errors."""

    def __init__(self, w, b):
        self.parameters = {"w": np.array(w), "b": np.array(b)}

    def __repr__(self):
        return "a straight line"

    def copy(self):
        """Return a model of its own, with the same numbers."""
        return Line(**self.parameters)

    def loss_and_gradients(self, x, y):
        """Return the loss, and the slopes by name; x (B, d), y (B,)."""
        off = x @ self.parameters["w"] + self.parameters["b"] - y  # (B,)
        slopes = {"w": x.T @ off, "b": off.sum(keepdims=True)}
        return (off**2).mean() / 2, {n: s / len(y) for n, s in slopes.items()}


class Batches(list):
    """A list with a short name."""

    def __repr__(self):
        return f"{len(self)} batches"

    def copy(self):
        """Return a list of its own."""
        return Batches(self)


def _probe(seed, d, batches, epochs, learning_rate, level="basic"):
    model = Line(table(seed, d), table(seed + 1, 1))
    places = range(seed + 2, seed + 2 + 2 * batches, 2)
    parts = Batches((table(s, 4, d), table(s + 1, 4)) for s in places)
    words = f"{parts}, {epochs} epoch{'s' * (epochs != 1)}"
    words += f" at rate {learning_rate}"
    return Probe(words, (model, parts, epochs, learning_rate), level)


def _slope(slope, loss, x):
    return slope


def _train(
    change,
    *,
    use=_slope,
    mean=np.mean,
    names=("w", "b"),
    late=False,
    same=False,
):
    """Return the loop whose arrays become ``change(array, step)``.

    The step is made of ``use(slope, loss, x)``; x (B, d) is of the batch.
    """

    def train(c):
        model, history = c.model.copy(), []
        for _ in range(c.epochs):
            losses = []
            for i, batch in enumerate(c.batches):
                batch = c.batches[0] if same else batch
                loss, slopes = model.loss_and_gradients(*batch)
                losses.append(loss)
                if late and i + 1 < len(c.batches):
                    continue
                for name in names:
                    used = use(slopes[name], loss, batch[0])
                    step = c.direction * c.rate * used
                    was = model.parameters[name]
                    model.parameters[name] = change(was, step)
            history.append(mean(losses))
        return np.array(history)

    return train


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
        "the step is halved, doubled or squared",
        _RATE,
        lambda c: c.learning_rate / 2,
        lambda c: c.learning_rate * 2,
        lambda c: c.learning_rate**2,
    ),
)
_history = Step(
    "history",
    _train(np.add),
    Mistake("the model does not move", _KEPT, _train(lambda w, step: w)),
    Mistake(
        "an array is replaced by the step",
        "The step is what the array moves by: -= subtracts it, =- does not.",
        _train(lambda w, step: step),
        _train(lambda w, step: -step),
    ),
    Mistake(
        "only one of the arrays moves",
        "Every array of the model makes its step: is the line inside the loop"
        " over the names?",
        _train(np.add, names=("w",)),
        _train(np.add, names=("b",)),
    ),
    Mistake(
        "the slopes are not used",
        "Each array moves by learning_rate times its slopes: slopes[name].",
        _train(np.add, use=lambda slope, loss, x: 1),
        _train(np.add, use=lambda slope, loss, x: loss),
    ),
    Mistake(
        "all numbers of an array move alike",
        "Each number has a slope of its own: subtract the array slopes[name],"
        " not its mean or sum.",
        _train(np.add, use=lambda slope, loss, x: slope.mean()),
        _train(np.add, use=lambda slope, loss, x: slope.sum()),
    ),
    Mistake(
        "it is divided by the slopes",
        _RATE,
        _train(np.add, use=lambda slope, loss, x: 1 / slope),
    ),
    Mistake(
        "the step is divided by the size of the batch",
        "The loss is a mean over the batch already, and so are its slopes.",
        _train(np.add, use=lambda slope, loss, x: slope / len(x)),
    ),
    Mistake(
        "the slopes are multiplied with the loss, or squared",
        _RATE,
        _train(np.add, use=lambda slope, loss, x: slope * loss),
        _train(np.add, use=lambda slope, loss, x: slope**2),
    ),
    Mistake(
        "the last loss of each epoch is kept, not the mean",
        "Asked for is the mean over the batches: np.mean(losses).",
        _train(np.add, mean=lambda losses: losses[-1]),
    ),
    Mistake(
        "there is one step for each epoch",
        "Each batch has slopes of its own, and a step of its own.",
        _train(np.add, late=True),
    ),
    Mistake(
        "the first batch is taken every time",
        "`batch` is another one in each round.",
        _train(np.add, same=True),
    ),
    Mistake(
        "the gradient is taken as a factor",
        "The step is subtracted, not multiplied with.",
        _train(np.multiply),
        _train(lambda w, step: -w * step),
    ),
    Mistake(
        "all steps have the same length",
        "Where the slope is steep the step is long. The gradient counts as it"
        " is, not its sign alone.",
        lambda c: _train(lambda w, s: w + c.rate * np.sign(s))(c),
    ),
)


def _not_unpacked(exercise, trials):
    """Recognize loss_and_gradients(batch), without the star."""
    if not any("loss_and_gradients() missing" in t.got.error for t in trials):
        return None
    return (
        "the batch is handed over as one thing.",
        "It is a tuple of several: loss_and_gradients(*batch), with a star,"
        " hands over its parts.",
    )


train_by_hand = Exercise(
    name="train_by_hand",
    call="train_by_hand(model, batches, epochs, learning_rate)",
    results=("history",),
    shape="one mean loss for each epoch",
    steps=(_direction, _rate, _history),
    probes=(
        _probe(401, 3, 2, 3, 0.1),
        _probe(421, 2, 3, 2, 0.25),
        _probe(441, 4, 2, 4, 0.05),
        _probe(461, 1, 4, 3, 0.2, "edge"),
    ),
    properties=(finite,),
    recognize=_not_unpacked,
    praise="This is how networks learn, large and small.",
)

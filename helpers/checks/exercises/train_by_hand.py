"""What train_by_hand.txt takes from Python."""

import numpy as np

from helpers.checks.steps.tools import table


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


def task(seed, d, batches):
    """Return a model with d numbers and some batches for it."""
    places = range(seed + 2, seed + 2 + 2 * batches, 2)
    parts = Batches((table(s, 4, d), table(s + 1, 4)) for s in places)
    return Line(table(seed, d), table(seed + 1, 1)), parts


def trained(
    c, change, *, use=None, mean=np.mean, names="wb", late=False, same=False
):
    """Return the losses of a loop that makes ``change(array, step)``.

    The step is made of ``use(slope, loss, x)``, with x (B, d) of the batch,
    or of the slope itself.
    """
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
                slope = slopes[name]
                used = use(slope, loss, batch[0]) if use else slope
                step = c.direction * c.rate * used
                was = model.parameters[name]
                model.parameters[name] = change(was, step)
        history.append(mean(losses))
    return np.array(history)


def not_unpacked(exercise, trials):
    """Recognize loss_and_gradients(batch), without the star."""
    if not any("loss_and_gradients() missing" in t.got.error for t in trials):
        return None
    return (
        "the batch is handed over as one thing.",
        "It is a tuple of several: loss_and_gradients(*batch), with a star,"
        " hands over its parts.",
    )

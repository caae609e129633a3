"""Learn by gradient descent: the loss and the loop.

A model, as this module sees it, has

- ``arrays``: {name: float64 array}, which the optimizer changes in place;
- ``classes``: how many classes each of its G answers has, such as (2,);
- ``forward(x, query, mask) -> (logits (B, sum(classes)), weights)``;
- ``backward(grad_logits) -> {name: gradient}`` for the last forward pass;
  arrays without a gradient are frozen.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from helpers.optimizers import SGD, Adam
from helpers.progress import progress

__all__ = [
    "SGD",
    "Adam",
    "Batches",
    "History",
    "TrainingDivergedError",
    "answer_columns",
    "cross_entropy",
    "fit",
    "loss_and_gradient",
]
POOL = 1 << 20  # normal numbers to draw noise from


class TrainingDivergedError(FloatingPointError):
    """The loss is NaN or infinite; the message says when and what to do."""


def cross_entropy(logits, labels):
    """Return the mean surprise at the right classes, and its gradient.

    ``-log(softmax(logits)[right class])``, averaged over the examples; its
    gradient by the logits is ``(softmax(logits) - one_hot) / B``.

    Parameters
    ----------
    logits : array (B, C)
    labels : array (B,) of integers from 0 to C - 1

    Returns
    -------
    loss : float
        In nats: log(C) for blind guessing, 0 for certainty.
    grad_logits : array (B, C)

    Raises
    ------
    ValueError
        If labels do not fit the logits.
    """
    labels = np.asarray(labels)
    if labels.shape != logits.shape[:1] or not (
        0 <= labels.min() <= labels.max() < logits.shape[1]
    ):
        raise ValueError(
            f"labels: expected {len(logits)} integers from 0 to"
            f" {logits.shape[1] - 1}, got shape {labels.shape} with"
            f" {labels.min()} to {labels.max()}; logits {logits.shape}"
        )
    rows = np.arange(len(logits))
    shifted = logits - logits.max(axis=1, keepdims=True)  # (B, C)
    shares = np.exp(shifted)
    totals = shares.sum(axis=1, keepdims=True)  # (B, 1)
    # log of the share itself would be log(0) where the share underflows
    loss = float((np.log(totals[:, 0]) - shifted[rows, labels]).mean())
    grad_logits = shares / totals  # softmax(logits)
    grad_logits[rows, labels] -= 1
    return loss, grad_logits / len(logits)


@lru_cache
def answer_columns(classes):
    """Return the slice of the logits for each answer; classes: a tuple."""
    ends = np.cumsum(classes)
    return tuple(
        slice(end - count, end)
        for end, count in zip(ends, classes, strict=True)
    )


def loss_and_gradient(logits, labels, classes):
    """Sum the cross-entropy over the G answers of a model.

    logits (B, sum(classes)), labels (B, G) -> loss, grad_logits.
    """
    total, grad_logits = 0.0, np.empty_like(logits)
    for answer, columns in enumerate(answer_columns(classes)):
        loss, gradient = cross_entropy(logits[:, columns], labels[:, answer])
        total += loss
        grad_logits[:, columns] = gradient
    return total, grad_logits


@dataclass
class History:
    """What `fit` saw: the mean loss of every epoch, and how it ended."""

    losses: list = field(default_factory=list)
    stopped: bool = False


def fit(
    model,
    examples,
    *,
    seed,
    epochs=10,
    batch=64,
    rate=4e-3,
    decay=True,
    noise=0.5,
    optimizer=Adam,
    after_epoch=None,
    show=True,
):
    """Train a model in place; return a `History`.

    Every epoch takes all examples once, in a new order, `batch` at a time.
    The stop button ends the training; what was learned until then stays in
    the model, and History.stopped is True.

    Parameters
    ----------
    model
        See the top of this module.
    examples : tasks.Examples
    seed : int
        Of the order of the examples and of the noise.
    epochs, batch : int
    rate : float
        Step size of the optimizer.
    decay : bool
        Let the rate fall on a straight line, epoch by epoch, toward 0.
    noise : float
        Standard deviation of normal noise, new for every batch, on the
        word vectors: a word then stands for its neighborhood, and words
        never seen in training are answered better.
    optimizer : callable
        ``optimizer(arrays, rate)``: `Adam` or `SGD`.
    after_epoch : callable, optional
        Called with the number of epochs done.
    show : bool
        Draw a progress bar.

    Raises
    ------
    TrainingDivergedError
        If the loss is NaN or infinite.
    """
    rng = np.random.default_rng(seed)
    optimizer = optimizer(model.arrays, rate)
    draw = Batches(examples, batch, noise, rng)
    history = History()
    try:
        for epoch in progress(range(epochs), "training", show=show):
            if decay:
                optimizer.rate = rate * (1 - epoch / epochs)
            history.losses.append(_epoch(model, optimizer, draw, epoch))
            if after_epoch is not None:
                after_epoch(epoch + 1)
    except KeyboardInterrupt:
        history.stopped = True
        print(
            f"Stopped after {len(history.losses)} of {epochs} epochs."
            " The model keeps what it has learned so far."
        )
    return history


def _epoch(model, optimizer, batches, epoch):
    losses = []
    with np.errstate(over="ignore", invalid="ignore"):  # seen below
        for x, query, mask, labels in batches:
            logits, _ = model.forward(x, query, mask)
            if not np.isfinite(logits).all():
                raise TrainingDivergedError(
                    f"the loss is no longer finite in epoch {epoch + 1}, step"
                    f" {len(losses) + 1} (rate {optimizer.rate:g}): take a"
                    " smaller rate, and build the model anew"
                )
            loss, grad = loss_and_gradient(logits, labels, model.classes)
            optimizer.step(model.backward(grad))
            losses.append(loss)
    return float(np.mean(losses))


class Batches:
    """One epoch's minibatches at each iteration, noise added.

    Yields (x (B, T, d_model), query (B,), mask (B, T), labels (B, G)).
    The noise is a stretch of a long list of normal numbers, begun at a
    random place: as good here as new numbers, at a tenth of their time.
    """

    def __init__(self, examples, batch, noise, rng):
        self.examples, self.batch, self.noise = examples, batch, noise
        self.rng = rng
        if noise:
            largest = batch * examples.x[0].size
            self.pool = noise * rng.standard_normal(max(POOL, 2 * largest))

    def __iter__(self):
        examples, sentences = self.examples, self.examples.sentences
        order = self.rng.permutation(len(examples.x))
        for start in range(0, len(order), self.batch):
            rows = order[start : start + self.batch]
            x = examples.x[rows]  # (B, T, d_model): a copy
            if self.noise:
                begin = self.rng.integers(len(self.pool) - x.size)
                x += self.pool[begin : begin + x.size].reshape(x.shape)
            labels = sentences.labels[rows]
            yield x, sentences.position[rows], examples.mask[rows], labels

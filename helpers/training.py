"""Learn by gradient descent: the loss, two optimizers, and the loop.

A model, as `fit` sees it, has

- ``parameters``: {name: float64 array}, which the optimizer changes in
  place;
- ``loss_and_gradients(*batch) -> (loss, {name: gradient})``; parameters
  without a gradient are frozen.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from helpers import validation
from helpers.attention import softmax
from helpers.progress import progress

NOISE_POOL = 1 << 20  # normal numbers to draw noise from


class TrainingDivergedError(FloatingPointError):
    """The loss is NaN or infinite; the message says when and what to do."""


class SGD:
    """Plain gradient descent: every array moves against its gradient.

    parameters: {name: array}, changed in place by `step`.
    """

    def __init__(self, parameters, learning_rate):
        self.parameters = parameters
        self.learning_rate = validation.real_number(
            "learning_rate", learning_rate
        )

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        for name, gradient in gradients.items():
            self.parameters[name] -= self.learning_rate * gradient


class Adam(SGD):
    """Gradient descent with a step size of its own for every number.

    Kingma and Ba (2015), *Adam: A Method for Stochastic Optimization*,
    algorithm 1, with its names in the comments.

    parameters: {name: array}, changed in place by `step`. beta1, beta2: how
    much of the running means is kept at each step.
    """

    def __init__(
        self, parameters, learning_rate, beta1=0.9, beta2=0.999, epsilon=1e-8
    ):
        super().__init__(parameters, learning_rate)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.steps = 0  # t
        self.mean = {n: np.zeros_like(a) for n, a in parameters.items()}  # m
        self.square = {n: np.zeros_like(a) for n, a in parameters.items()}  # v

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        self.steps += 1
        # Both means started at 0: divide by what is filled so far. As at
        # the end of section 2, on two numbers, not on all the arrays.
        filled = 1 - self.beta1**self.steps
        filled_root = math.sqrt(1 - self.beta2**self.steps)
        rate = self.learning_rate * filled_root / filled
        epsilon = self.epsilon * filled_root
        for name, gradient in gradients.items():
            mean, square = self.mean[name], self.square[name]
            mean *= self.beta1
            mean += (1 - self.beta1) * gradient
            square *= self.beta2
            square += (1 - self.beta2) * gradient**2
            self.parameters[name] -= rate * mean / (np.sqrt(square) + epsilon)


def cross_entropy(logits, labels):
    """Return the mean surprise at the right classes, and its gradient.

    ``-log(softmax(logits)[right class])``, averaged over the examples; its
    gradient with respect to the logits is
    ``(softmax(logits) - one_hot) / B``.

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
    TypeError, ValueError
        If labels do not fit the logits, or a logit is not finite.
    """
    logits = validation.float_array("logits", logits, ndim=2)
    labels = np.asarray(labels)
    if (
        labels.dtype.kind not in "iu"
        or labels.shape != logits.shape[:1]
        or not 0 <= labels.min() <= labels.max() < logits.shape[1]
    ):
        raise ValueError(
            f"labels: expected {len(logits)} integers from 0 to"
            f" {logits.shape[1] - 1}, got shape {labels.shape}, dtype"
            f" {labels.dtype}; logits {logits.shape}"
        )
    rows = np.arange(len(logits))
    shifted = logits - logits.max(axis=1, keepdims=True)  # (B, C)
    # the log of softmax(logits) would be log(0) where that underflows
    log_total = np.log(np.exp(shifted).sum(axis=1))  # (B,)
    loss = float((log_total - shifted[rows, labels]).mean())
    grad_logits = softmax(logits)  # (B, C)
    grad_logits[rows, labels] -= 1
    return loss, grad_logits / len(logits)


def answer_slices(classes):
    """Return the columns of the logits of each answer, as slices."""
    ends = np.cumsum(classes)
    return [
        slice(end - count, end)
        for end, count in zip(ends, classes, strict=True)
    ]


def predict(logits, classes):
    """Return the best class of each of the G answers.

    logits (B, sum(classes)) -> (B, G).
    """
    best = [logits[:, c].argmax(axis=1) for c in answer_slices(classes)]
    return np.stack(best, axis=1)


def loss_and_gradient(logits, labels, classes):
    """Sum the cross-entropy over the G answers of a model.

    logits (B, sum(classes)), labels (B, G) -> loss, grad_logits.
    """
    pairs = zip(answer_slices(classes), labels.T, strict=True)
    parts = [cross_entropy(logits[:, c], answer) for c, answer in pairs]
    losses, gradients = zip(*parts, strict=True)
    return sum(losses), np.concatenate(gradients, axis=1)


class Batches:
    """Examples in batches: one epoch at each iteration, noise added.

    Yields (x (B, T, d_model), position (B,), mask (B, T), labels (B, G)),
    in a new order each time.

    Parameters
    ----------
    examples : tasks.Examples
    seed : int
        Of the order of the examples and of the noise.
    batch_size : int
    noise_std : float
        Standard deviation of normal noise, new for every batch, on the word
        vectors: a word then stands for its neighborhood, and words never
        seen in training are answered better. It is a stretch of a long list
        of normal numbers, begun at a random place: as good here as new
        numbers, at a tenth of their time.
    """

    def __init__(self, examples, *, seed, batch_size=64, noise_std=0.5):
        self.examples = examples
        self.batch_size = validation.positive_integer("batch_size", batch_size)
        self.noise_std = validation.real_number("noise_std", noise_std)
        self.rng = np.random.default_rng(seed)
        if self.noise_std:
            size = max(NOISE_POOL, 2 * self.batch_size * examples.x[0].size)
            self.pool = self.noise_std * self.rng.standard_normal(size)

    def __iter__(self):
        examples, sentences = self.examples, self.examples.sentences
        order = self.rng.permutation(len(examples.x))
        for start in range(0, len(order), self.batch_size):
            rows = order[start : start + self.batch_size]
            x = examples.x[rows]  # (B, T, d_model): a copy
            if self.noise_std:
                begin = self.rng.integers(len(self.pool) - x.size)
                x += self.pool[begin : begin + x.size].reshape(x.shape)
            yield (
                x,
                sentences.position[rows],
                examples.mask[rows],
                sentences.labels[rows],
            )


@dataclass
class History:
    """What `fit` saw: the mean loss of every epoch, and how it ended."""

    losses: list = field(default_factory=list)
    stopped: bool = False


def fit(
    model,
    batches,
    *,
    epochs=10,
    learning_rate=4e-3,
    linear_decay=True,
    optimizer=Adam,
    after_epoch=None,
    show=True,
):
    """Train a model in place; return a `History`.

    The stop button ends the training; what was learned until then stays in
    the model, and History.stopped is True.

    Parameters
    ----------
    model
        See the top of this module.
    batches : iterable
        Gives the batches of one epoch each time, such as `Batches`; their
        items are the arguments of ``model.loss_and_gradients``.
    epochs : int
    learning_rate : float
        Step size of the optimizer.
    linear_decay : bool
        Let the step size fall on a straight line, epoch by epoch, toward 0.
    optimizer : callable
        ``optimizer(parameters, learning_rate)``: `Adam` or `SGD`.
    after_epoch : callable, optional
        Called with the number of epochs done.
    show : bool
        Draw a progress bar, and say so if the training was stopped.

    Raises
    ------
    ValueError
        If there are no batches, or the first loss is NaN or infinite.
    TrainingDivergedError
        If a later loss is NaN or infinite.
    """
    optimizer = optimizer(model.parameters, learning_rate)
    history = History()
    try:
        for epoch in progress(range(epochs), "training", show=show):
            if linear_decay:
                optimizer.learning_rate = learning_rate * (1 - epoch / epochs)
            history.losses.append(_epoch(model, optimizer, batches, epoch))
            if after_epoch is not None:
                after_epoch(epoch + 1)
    except KeyboardInterrupt:
        history.stopped = True
        if show:
            print(
                f"Stopped after {len(history.losses)} of {epochs} epochs."
                " The model keeps what it has learned so far."
            )
    return history


def _epoch(model, optimizer, batches, epoch):
    losses = []
    with np.errstate(over="ignore", invalid="ignore"):  # seen below
        for batch in batches:
            try:
                loss, gradients = model.loss_and_gradients(*batch)
                loss = validation.real_number("loss", loss)
            except validation.NotFiniteError as error:
                if epoch == 0 and not losses:
                    raise  # nothing was learned yet: it is in the batch
                raise TrainingDivergedError(
                    f"the loss is no longer finite in epoch {epoch + 1}, step"
                    f" {len(losses) + 1} (learning_rate"
                    f" {optimizer.learning_rate:g}): take a smaller"
                    f" learning_rate, and build the model anew ({error})"
                ) from None
            optimizer.step(gradients)
            losses.append(loss)
    if not losses:
        raise ValueError(
            f"batches: none in epoch {epoch + 1}; an iterator gives one"
            " epoch only, a list or `Batches` gives many"
        )
    return float(np.mean(losses))

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
from helpers.attention import softmax_in_place
from helpers.progress_bar import progress_bar

NOISE_POOL = 1 << 20  # normal numbers to draw noise from


class TrainingDivergedError(FloatingPointError):
    """The loss is NaN or infinite; the message says when and what to do."""


class SGD:
    """Plain gradient descent: every array moves against its gradient.

    parameters: {name: array}, changed in place by `step`.
    """

    def __init__(self, parameters, learning_rate):
        self.parameters = validation.array_dict("parameters", parameters)
        self.learning_rate = validation.real_number(
            "learning_rate", learning_rate, least=0
        )

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        for name, gradient in self._checked(gradients):
            self.parameters[name] -= self.learning_rate * gradient

    def _checked(self, gradients):
        """Return the pairs of `gradients`, each of a parameter's shape."""
        validation.array_dict("gradients", gradients)
        for name, gradient in gradients.items():
            if name not in self.parameters:
                raise ValueError(f"gradients: no parameter {name!r}")
            shape = np.shape(self.parameters[name])
            if np.shape(gradient) != shape:
                raise ValueError(
                    f"gradients: {name} has shape {np.shape(gradient)}, its"
                    f" parameter {shape}"
                )
        return gradients.items()


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
        self.beta1 = validation.fraction("beta1", beta1)
        self.beta2 = validation.fraction("beta2", beta2)
        self.epsilon = validation.real_number("epsilon", epsilon, above=0)
        self.steps = 0  # t
        self.mean = {n: np.zeros_like(a) for n, a in parameters.items()}  # m
        self.square = {n: np.zeros_like(a) for n, a in parameters.items()}  # v

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        pairs = self._checked(gradients)
        self.steps += 1
        # Both means started at 0: divide by what is filled so far. As at
        # the end of section 2, on two numbers, not on all the arrays.
        filled = 1 - self.beta1**self.steps
        filled_root = math.sqrt(1 - self.beta2**self.steps)
        rate = self.learning_rate * filled_root / filled
        epsilon = self.epsilon * filled_root
        for name, gradient in pairs:
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
    if logits.ndim != 2:
        raise ValueError(f"logits: expected (B, C), got {logits.shape}")
    labels = validation.labels(
        "labels", labels, logits.shape[:1], logits.shape[1]
    )
    rows = np.arange(len(logits))
    weights = softmax_in_place(logits.copy())  # (B, C)
    # -log of the right weight, by the highest, which cannot underflow
    behind = logits.max(axis=1) - logits[rows, labels]  # (B,)
    loss = float((behind - np.log(weights.max(axis=1))).mean())
    weights[rows, labels] -= 1  # softmax(logits) - one_hot
    weights /= len(logits)
    return loss, weights


def answer_slices(classes):
    """Return the columns of the logits of each answer, as slices."""
    ends = np.cumsum(validation.positive_integers("classes", classes))
    ends = ends.tolist()
    return [
        slice(end - count, end)
        for end, count in zip(ends, classes, strict=True)
    ]


def predict(logits, classes):
    """Return the best class of each of the G answers.

    logits (B, sum(classes)) -> (B, G).
    """
    logits, slices = _by_answer(logits, classes)
    best = [logits[:, c].argmax(axis=1) for c in slices]
    return np.stack(best, axis=1)


def loss_and_gradient(logits, labels, classes):
    """Sum the cross-entropy over the G answers of a model.

    logits (B, sum(classes)), labels (B, G) -> loss, grad_logits.
    """
    logits, slices = _by_answer(logits, classes)
    shape = len(logits), len(slices)
    labels = validation.labels("labels", labels, shape, max(classes))
    pairs = zip(slices, labels.T, strict=True)
    parts = [cross_entropy(logits[:, c], answer) for c, answer in pairs]
    losses, gradients = zip(*parts, strict=True)
    return sum(losses), np.concatenate(gradients, axis=1)


def _by_answer(logits, classes):
    """Return logits (B, sum(classes)) and the columns of each answer."""
    slices = answer_slices(classes)
    logits = validation.float_array("logits", logits, ndim=2, finite=False)
    return validation.of_shape(
        "logits", logits, (len(logits), slices[-1].stop)
    ), slices


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
        vectors: a word then represents its neighborhood, and words never
        seen in training are answered better. It is a stretch of a long list
        of normal numbers, begun at a random place: as good here as new
        numbers, at a tenth of their time.

    Drawn are the list, and in each epoch the order and then a place for
    each batch: stored runs rest on this order.
    """

    def __init__(self, examples, *, seed, batch_size=64, noise_std=0.5):
        self.examples = validation.having(
            "examples", examples, "x", "mask", "sentences",
            such_as="tasks.Examples",
        )  # fmt: skip
        self.batch_size = validation.positive_integer("batch_size", batch_size)
        self.noise_std = validation.real_number(
            "noise_std", noise_std, least=0
        )
        self.rng = validation.seeded("seed", seed)
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
    TypeError, ValueError
        If an argument is not what it says above, there are no batches, or
        the first loss is NaN or infinite.
    TrainingDivergedError
        If a later loss is NaN or infinite.
    """
    validation.having(
        "model", model, "parameters", "loss_and_gradients",
        such_as="a model to train",
    )  # fmt: skip
    epochs = validation.integer("epochs", epochs, least=0)
    linear_decay = validation.flag("linear_decay", linear_decay)
    show = validation.flag("show", show)
    if after_epoch is not None:
        validation.function("after_epoch", after_epoch)
    validation.having("batches", batches, "__iter__", such_as="a list")
    validation.function("optimizer", optimizer)
    optimizer = optimizer(model.parameters, learning_rate)
    history = History()
    try:
        for epoch in progress_bar(range(epochs), "training", show=show):
            if linear_decay:
                optimizer.learning_rate = learning_rate * (1 - epoch / epochs)
            history.losses.append(
                _epoch(model, optimizer, batches, history.losses)
            )
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


def _epoch(model, optimizer, batches, before):
    """Return the mean loss of an epoch; before: those of the epochs so far."""
    epoch, losses = len(before), []
    with np.errstate(over="ignore", invalid="ignore"):  # seen below
        for batch in batches:
            try:
                loss, gradients = model.loss_and_gradients(*batch)
                loss = validation.real_number("loss", loss)
            except validation.NotFiniteError as error:
                if epoch == 0 and not losses:
                    raise  # nothing was learned yet: it is in the batch
                so_far = ", ".join(f"{each:.2g}" for each in before) or "none"
                raise TrainingDivergedError(
                    f"the loss is no longer finite in epoch {epoch + 1}, step"
                    f" {len(losses) + 1} (learning_rate"
                    f" {optimizer.learning_rate:g}; losses of the epochs"
                    f" before: {so_far}): take a smaller learning_rate, and"
                    f" build the model anew ({error})"
                ) from None
            optimizer.step(gradients)
            losses.append(loss)
    if not losses:
        raise ValueError(
            f"batches: none in epoch {epoch + 1}; an iterator gives one"
            " epoch only, a list or `Batches` gives many"
        )
    return float(np.mean(losses))

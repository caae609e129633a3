"""What training_step.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.exercises.train_linear import Warmed  # noqa: F401
from helpers.checks.steps.tools import table

OLD_RATE = 7.0  # what the optimizer has before it is told another one
FACTOR = 4  # logits = FACTOR * w[inputs] + b: gradients are long enough
MOMENTUM = 0.5  # the optimizer remembers: another one gives other weights
OLD_GRADIENT = 0.25  # what an earlier step has left in .grad
STEPS = 2


class Bigrams:
    """A model with logits from one row of w for each character.

    w (V + 1, V): a row for each character, and a bias; rate: the learning
    rate of its optimizer at first.
    """

    def __init__(self, w):
        self.w, self.rate = np.array(w), OLD_RATE

    def __repr__(self):
        return "a tiny model"

    def copy(self):
        """Return a model of its own, with the same numbers."""
        return Bigrams(self.w)


def task(seed, texts, length, characters, size):
    """Return the arguments of a step; of size 0, w already fits a little."""
    rng = np.random.default_rng(seed)
    inputs, targets = rng.integers(characters, size=(2, texts, length))
    # few characters come after each: a gradient that does not cancel
    targets = np.where(targets > 0, 0, inputs)
    w = size * table(seed, characters + 1, characters)
    w[:, 0] += 0.5 * (size == 0)
    return Bigrams(w), "its optimizer", inputs, targets, 0.5


def set_rate(optimizer, rate):
    """Set the learning rate of every group."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def as_classes(logits):
    """(B, T, V) read as (B, V, T): positions and characters are mixed."""
    return logits.reshape(len(logits), logits.shape[2], -1)


def divide(model, part, power, least=1):
    """Divide gradients by a power of the norm of all ``part(parameter)``."""
    norm = sum(part(p).square().sum() for p in model.parameters()) ** 0.5
    for p in model.parameters():
        p.grad /= max(least, norm**power)


def with_a_model(function):
    """Return a function that does `STEPS` steps, and returns the weights."""

    @functools.wraps(function)
    def answer(model, optimizer, inputs, targets, learning_rate):
        torch = sys.modules.get("torch")
        if not torch:
            return function(model, optimizer, inputs, targets, learning_rate)
        made = _in_torch(torch, model)
        groups = [{"params": [p]} for p in made.parameters()]
        optimizer = torch.optim.SGD(groups, lr=model.rate, momentum=MOMENTUM)
        batch = torch.as_tensor(inputs), torch.as_tensor(targets)
        for p in made.parameters():
            p.grad = torch.full_like(p, OLD_GRADIENT)
        losses = []
        for _ in range(STEPS):
            loss = function(made, optimizer, *batch, learning_rate)
            if loss is None or loss is ... or _of_all_steps(loss, model):
                return loss
            if isinstance(loss, tuple):
                raise TypeError(f"{SEVERAL} ({len(loss)})")
            if isinstance(loss, torch.Tensor):
                raise TypeError(A_TENSOR)
            losses.append(float(loss))
        parts = [p.detach().numpy() for p in made.parameters()]
        return np.array(losses), np.vstack(parts)

    return answer


def _of_all_steps(value, model):
    """Tell whether these are the losses and weights of the reference."""
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    return [np.shape(part) for part in value] == [(STEPS,), model.w.shape]


def _in_torch(torch, model):
    """Return the model as a module, with the attributes of `Bigrams`."""

    class Rows(torch.nn.Module):
        def __init__(self):
            super().__init__()
            w = torch.tensor(model.w)
            self.rows = torch.nn.Parameter(w[:-1].clone())
            self.bias = torch.nn.Parameter(w[-1].clone())

        def forward(self, inputs):
            return FACTOR * self.rows[inputs] + self.bias

    made = Rows()
    made.w, made.rate = model.w, model.rate
    return made


A_TENSOR = "the loss came back as a tensor"
SEVERAL = "several results came back"

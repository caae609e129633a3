"""What training_step.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.exercises.train_linear import Warmed  # noqa: F401
from helpers.checks.steps.tools import named_by_error, softmax, table

OLD_RATE = 7.0  # what the optimizer has before it is told another one
FACTOR = 4  # logits = FACTOR * w[inputs] + b: gradients are long enough
MOMENTUM = 0.5  # the optimizer remembers: another one gives other weights
STEPS = 2  # the second step shows what was left in .grad


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


def no_clip(grad, w):
    """Return the gradient as it is."""
    return grad


def by_value(grad, w):
    """Clip each number to the range from -1 to 1."""
    return np.clip(grad, -1, 1)


def by_largest(grad, w):
    """Divide by the largest number, if that is above 1."""
    return grad / max(1, np.abs(grad).max())


def by_square(grad, w):
    """Divide by the square of a norm above 1."""
    return grad / max(1, (grad**2).sum())


def by_weights(grad, w):
    """Divide by the norm of the weights, if that is above 1."""
    return grad / max(1, np.linalg.norm(w))


def one_by_one(grad, w):
    """Clip the rows and the bias, each by its own norm."""
    clip = clipped_to(1.0)
    return np.concatenate([clip(grad[:-1], w), clip(grad[-1:], w)])


def unit(grad, w):
    """Bring the gradient to norm 1, also a shorter one."""
    return grad / np.linalg.norm(grad)


def clipped_to(norm):
    """Return a function that brings longer gradients to this norm."""

    def clip(grad, w):
        return grad * min(1, norm / (np.linalg.norm(grad) + 1e-6))

    return clip


def rates(model, rows, bias):
    """Return two learning rates as a column: of the rows, and of the bias."""
    return np.array([[rows]] * (len(model.w) - 1) + [[bias]])


def _mixed(z):
    """(B, T, V) read as (B, V, T), and its axes exchanged: (B, T, V)."""
    return z.reshape(len(z), z.shape[2], z.shape[1]).swapaxes(1, 2)


def _unmixed(z):
    return z.swapaxes(1, 2).reshape(z.shape)


def _gradient(w, inputs, targets, twice, mixed):
    """Return losses (B, T) and their gradients by logit (B, T, V)."""
    logits = FACTOR * w[inputs] + w[-1]
    logits = _mixed(logits) if mixed else logits
    right = np.eye(w.shape[1])[targets]
    chances = softmax(logits)
    losses, by_logit = -np.log((chances * right).sum(-1)), chances - right
    if twice:
        again = softmax(chances)
        grad = again - right
        inner = (grad * chances).sum(-1, keepdims=True)
        losses = -np.log((again * right).sum(-1))
        by_logit = chances * (grad - inner)
    return losses, _unmixed(by_logit) if mixed else by_logit


def _weights_gradient(w, inputs, by_logit):
    grad = np.zeros_like(w)
    np.add.at(grad, inputs.ravel(), FACTOR * by_logit.reshape(-1, w.shape[1]))
    grad[-1] = by_logit.sum((0, 1))
    return grad


def walk(
    c,
    *,
    mixed=False,
    times=1,
    momentum=MOMENTUM,
    limit=np.inf,
    report="loss",
):
    """Return the losses of `STEPS` steps, and the weights after them.

    The record `c` says how a step is done; its rate may be one for each step.
    """
    inputs, targets = c.batch  # (B, T)
    w, kept, speed, shown = np.array(c.model.w), 0.0, 0.0, []
    for step in range(STEPS):
        losses, by_logit = _gradient(w, inputs, targets, c.twice, mixed)
        loss = losses.sum() / c.count
        grad = _weights_gradient(w, inputs, by_logit) / c.count
        grad = (grad + c.keep * kept) * (loss < limit)
        norm = np.linalg.norm(grad)
        kept = grad = c.clip(grad, w)
        rate = c.rate[step] if isinstance(c.rate, tuple) else c.rate
        for _ in range(times):
            speed = momentum * speed + grad
            w = w - c.move * rate * speed
        if report == "late":
            losses, _ = _gradient(w, inputs, targets, c.twice, mixed)
        loss = min(losses.sum() / c.count, limit)
        shown.append(norm if report == "norm" else loss)
    return np.array(shown), w


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
        batch = torch.from_numpy(inputs), torch.from_numpy(targets)
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
    """Tell whether these are the losses and weights that `walk` returns."""
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
_FLAT = (
    "F.cross_entropy takes (N, V) and (N,), with the same N. flatten(0, 1)"
    " joins the axes of the passages and of their places, and leaves V."
)
_ERRORS = {  # part of torch's message: what is wrong, and what helps
    "Expected target size": ("the logits have three axes", _FLAT),
    "1D target must have size": ("all logits are in one long row", _FLAT),
    "Expected input batch_size": (
        "logits and targets are not flattened in the same way",
        _FLAT,
    ),
    "does not require grad": (
        "the loss is not connected with the weights",
        ".detach(), .item(), no_grad() and argmax cut that connection.",
    ),
    "'float' object has no attribute 'backward'": (
        "the loss is a plain number",
        "Call .item() at the end, when the step is done.",
    ),
    "not implemented for 'Long'": (
        "logits and targets are swapped",
        "F.cross_entropy(logits, targets): the logits come first.",
    ),
    A_TENSOR: (
        "the loss is returned as a tensor",
        "The task asks for a number: loss.item(). A tensor would keep the"
        " recorded operations in memory.",
    ),
    SEVERAL: (
        "several results are returned",
        "The task asks for one: the loss as a number.",
    ),
}


from_errors = functools.partial(named_by_error, _ERRORS)

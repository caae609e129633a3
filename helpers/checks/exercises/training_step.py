"""What training_step.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.exercises.train_linear import Warmed  # noqa: F401
from helpers.checks.steps.tools import named_by_error, softmax, table

OLD_RATE = 7.0  # what the optimizer has before it is told another one
FACTOR = 4  # logits = FACTOR * w[inputs]: then gradients are long enough
STEPS = 2  # the second step shows what was left in .grad


class Bigrams:
    """A model with logits from one row of w for each character.

    w (V, V), rate: the learning rate of its optimizer at first.
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
    w = size * table(seed, characters, characters)
    w[:, 0] += 0.5 * (size == 0)
    return Bigrams(w), "its optimizer", inputs, targets, 0.5


def no_clip(grad):
    """Return the gradient as it is."""
    return grad


def by_value(grad):
    """Clip each number to the range from -1 to 1."""
    return np.clip(grad, -1, 1)


def unit(grad):
    """Bring the gradient to norm 1, also a shorter one."""
    return grad / np.linalg.norm(grad)


def clipped_to(norm):
    """Return a function that brings longer gradients to this norm."""

    def clip(grad):
        return grad * min(1, norm / (np.linalg.norm(grad) + 1e-6))

    return clip


def _gradient(w, inputs, targets, twice):
    """Return losses and gradients by logit of all places, (N,) and (N, V)."""
    logits = FACTOR * w[inputs.ravel()]  # (N, V)
    right = np.eye(len(w))[targets.ravel()]
    chances = softmax(logits)
    if not twice:
        return -np.log((chances * right).sum(-1)), chances - right
    again = softmax(chances)
    grad = again - right
    inner = (grad * chances).sum(-1, keepdims=True)
    return -np.log((again * right).sum(-1)), chances * (grad - inner)


def walk(
    c,
    *,
    rate=None,
    clip=None,
    keep=False,
    move=1.0,
    swap=False,
    total=False,
    places=slice(None),
    twice=False,
    late=False,
):
    """Return the losses of `STEPS` steps, and the weights after them."""
    inputs = np.asarray(c.inputs)[:, places]  # (B, T)
    targets = np.asarray(c.targets)[:, places]
    if swap:
        inputs, targets = targets, inputs
    w, kept, losses = np.array(c.model.w), 0.0, []
    rate = c.learning_rate if rate is None else rate
    for _ in range(STEPS):
        loss, by_logit = _gradient(w, inputs, targets, twice)
        grad = np.zeros_like(w)
        np.add.at(grad, inputs.ravel(), FACTOR * by_logit)
        grad = grad if total else grad / inputs.size
        grad = (clip or clipped_to(1.0))(grad + keep * kept)
        kept = grad
        w = w - move * rate * grad
        if late:
            loss, _ = _gradient(w, inputs, targets, twice)
        losses.append(loss.sum() if total else loss.mean())
    return np.array(losses), w


def with_a_model(function):
    """Return a function that does `STEPS` steps, and returns the weights."""

    @functools.wraps(function)
    def answer(model, optimizer, inputs, targets, learning_rate):
        torch = sys.modules.get("torch")
        if not torch:
            return function(model, optimizer, inputs, targets, learning_rate)
        made = _in_torch(torch, model)
        weight = made[0].weight
        optimizer = torch.optim.SGD([weight], lr=model.rate)
        batch = torch.from_numpy(inputs), torch.from_numpy(targets)
        losses = []
        for _ in range(STEPS):
            loss = function(made, optimizer, *batch, learning_rate)
            if loss is None or loss is ... or isinstance(loss, tuple):
                return loss
            losses.append(float(loss))
        return np.array(losses), weight.detach().numpy()

    return answer


def _in_torch(torch, model):
    """Return the model as a module, with the attributes of `Bigrams`."""
    embedding = torch.nn.Embedding.from_pretrained(
        torch.tensor(model.w), freeze=False
    )
    longer = torch.nn.Linear(*model.w.shape, bias=False).double()
    with torch.no_grad():
        longer.weight.copy_(FACTOR * torch.eye(len(model.w)))
    made = torch.nn.Sequential(embedding, longer.requires_grad_(False))
    made.w, made.rate = model.w, model.rate
    return made


_ERRORS = {  # part of torch's message: what is wrong, and what helps
    "Expected target size": (
        "the logits have three axes",
        "F.cross_entropy wants (N, V) and (N,). flatten(0, 1) makes one axis"
        " of the passages and their places.",
    ),
    "does not require grad": (
        "the loss is not connected with the weights",
        ".detach(), .item() or no_grad() cut that connection.",
    ),
    "'float' object has no attribute 'backward'": (
        "the loss is a plain number",
        "Call .item() at the end, when the step is done.",
    ),
    "not implemented for 'Long'": (
        "logits and targets have changed places",
        "F.cross_entropy(logits, targets): the logits come first.",
    ),
}


from_errors = functools.partial(named_by_error, _ERRORS)

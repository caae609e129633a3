"""Notebook 05: the training loop, for one linear layer."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table
from helpers.gradients import softmax_backward

_ZERO = (
    "backward() *adds* to .grad: without zero_grad() every step goes along"
    " the sum of all gradients so far."
)
_INSIDE = (
    "F.cross_entropy takes the logits: the softmax is inside. A second one"
    " makes the gradients small, and nothing warns you."
)
_MEAN = "F.cross_entropy gives the mean over the sentences, which is meant."
_STILL = (
    "w comes back as it went in. step() follows backward(), and zero_grad()"
    " may not stand between them."
)
_COUNT = (
    "`steps` times: loss, zero_grad, backward, step. Does range() start or end"
    " elsewhere? Or does step() come before the first backward()?"
)
_ANEW = (
    "Guess and measure anew in each step: w has moved, and one backward()"
    " uses up its notes."
)
_ERRORS = {  # part of torch's message: what is wrong, and what helps
    "through the graph a second time": (
        "the loss is measured once, before the loop, or from logits that are",
        _ANEW,
    ),
    "mat1 and mat2 shapes": (
        "the matrix product has other shapes than x @ w",
        "x is (B, d) and w (d, C). (nn.Linear would keep w transposed.)",
    ),
    "multi-target not supported": (
        "the labels are one-hot rows",
        "F.cross_entropy(logits, labels) takes whole numbers (B,).",
    ),
    "not implemented for 'Long'": (
        "logits and labels have changed places",
        "F.cross_entropy(logits, labels): the guess comes first.",
    ),
    "expected target dtype": (
        "the labels are not whole numbers",
        "F.cross_entropy(logits, labels) takes whole numbers (B,).",
    ),
    "non-leaf": (
        "w is the result of an operation",
        "The optimizer wants the tensor that you made, and no `.float()` or"
        " `* 1` of it: torch.tensor(w, requires_grad=True).",
    ),
    "the same dtype": (
        "float64 meets float32",
        "x comes as float64; nn.Linear and torch.float32 do not. Keep w as it"
        " comes: torch.tensor(w, requires_grad=True).",
    ),
    "only for scalar outputs": (
        "backward() is called on a table, not on the loss",
        "It starts from one number: that of F.cross_entropy.",
    ),
    "'NoneType'": (
        "w has lost its gradient",
        "`w = w - ...` makes another tensor, without a .grad. step() changes"
        " w itself.",
    ),
}


def _probe(words, seed, b, d, classes, rate, steps, level="basic"):
    x, w = table(seed, b, d), table(seed + 1, d, classes)
    labels = np.arange(b) * 3 % classes
    return Probe(words, (x, labels, w, rate, steps), level)


def _off(logits, labels):
    """Weights minus truth: the gradient with respect to the logits, · B."""
    return softmax(logits) - np.eye(logits.shape[1])[labels.astype(int)]


def _mean(c):
    return lambda w: c.x.T @ _off(c.x @ w, c.labels) / len(c.x)


def _twice(c):
    """The gradient where a softmax stands before the cross-entropy."""

    def gradient(w):
        weights = softmax(c.x @ w)
        grad = _off(weights, c.labels) / len(c.x)
        return c.x.T @ softmax_backward(grad, weights)

    return gradient


def _descend(c, *, steps=None, rate=None, added=False):
    w, total = np.array(c.w), 0.0
    rate = c.learning_rate if rate is None else rate
    for _ in range(c.steps if steps is None else steps):
        total = total * added + c.gradient(w)
        w = w - rate * total
    return w


def _late(c):
    """Each step along the gradient of the step before."""
    w, before = np.array(c.w), 0.0
    for _ in range(c.steps):
        w, before = w - c.learning_rate * before, c.gradient(w)
    return w


def _adam(c):
    w, first, second = np.array(c.w), 0.0, 0.0
    for t in range(1, c.steps + 1):
        grad = c.gradient(w)
        first = 0.9 * first + 0.1 * grad
        second = 0.999 * second + 0.001 * grad**2
        size = np.sqrt(second / (1 - 0.999**t)) + 1e-8
        w = w - c.learning_rate * first / (1 - 0.9**t) / size
    return w


_gradient = Step(
    "gradient",
    _mean,
    Mistake("a softmax stands before the cross-entropy", _INSIDE, _twice),
    Mistake(
        "the losses are added up, not averaged",
        _MEAN,
        lambda c: lambda w: _mean(c)(w) * len(c.x),
    ),
)
_trained = Step(
    "trained",
    _descend,
    Mistake(
        "gradients are never set to zero",
        _ZERO,
        lambda c: _descend(c, added=True),
    ),
    Mistake("w has not moved", _STILL, lambda c: np.array(c.w)),
    Mistake(
        "the step comes before backward()",
        "step() then follows the gradient of the time before.",
        _late,
    ),
    Mistake(
        "each step goes along the gradient of the start",
        f"{_ANEW} `retain_graph=True` keeps old notes, about the old w.",
        lambda c: c.w - c.steps * c.learning_rate * c.gradient(c.w),
    ),
    Mistake(
        "there is one step too few or too many",
        _COUNT,
        lambda c: _descend(c, steps=c.steps - 1),
        lambda c: _descend(c, steps=c.steps + 1),
    ),
    Mistake(
        "there is one step only",
        "Is `return` inside the loop?",
        lambda c: _descend(c, steps=1),
    ),
    Mistake(
        "the steps lead uphill",
        "The loss is to fall: against the gradient. step() does that.",
        lambda c: _descend(c, rate=-c.learning_rate),
    ),
    Mistake(
        "the learning rate is not used",
        "torch.optim.SGD([w], lr=learning_rate); without lr it takes 0.001.",
        lambda c: _descend(c, rate=1e-3),
        lambda c: _descend(c, rate=1.0),
        lambda c: _descend(c, rate=0.1),
        lambda c: _descend(c, rate=0.01),
    ),
    Mistake(
        "another optimizer takes the steps",
        "torch.optim.SGD is asked for, without momentum.",
        _adam,
    ),
    Mistake(
        "the last gradient is returned, not the matrix",
        "w itself has changed: return it.",
        lambda c: c.gradient(_descend(c, steps=c.steps - 1)),
    ),
)


def _from_errors(exercise, trials):
    """Recognize mistakes by what torch says of them."""
    for trial in trials:
        for part, (name, idea) in _ERRORS.items():
            if part in trial.got.error:
                where = [trial.got.line] if trial.got.line else ""
                return f"{name}.", idea, where, trial.got.error
    return None


train_linear = Exercise(
    name="train_linear",
    call="train_linear(x, labels, w, learning_rate, steps)",
    results=("trained",),
    shape="(d, C), as w",
    steps=(_gradient, _trained),
    probes=(
        _probe("3 steps", 701, 5, 4, 3, 0.5, 3),
        _probe("5 steps", 711, 6, 3, 2, 0.3, 5),
        _probe("4 steps of 4 numbers", 721, 4, 4, 4, 2.0, 4),
        _probe("1 step", 731, 7, 2, 3, 0.7, 1, "edge"),
    ),
    recognize=_from_errors,
    praise="That loop trains them all.",
)

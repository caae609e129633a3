"""What train_linear.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.attention import softmax
from helpers.checks.engine.exercise import Exercise
from helpers.checks.steps.tools import named_by_error
from helpers.gradients import softmax_backward

_NOTES = (
    "backward() goes from the loss back to w, along the recorded operations."
)
_ERRORS = {  # part of torch's message: what is wrong, and what helps
    "through the graph a second time": (
        "the loss or its logits are computed once, before the loop",
        "Compute the logits and the loss anew in each step: w has changed, and"
        " one backward() uses up the recorded operations.",
    ),
    "does not require grad": (
        "the loss is not connected with w",
        f"{_NOTES} Is requires_grad=True missing? Or does .detach(), .numpy()"
        " or no_grad() come in between?",
    ),
    "'float' object has no attribute 'backward'": (
        "the loss is a plain number",
        f"{_NOTES} .item() and float() cut that connection.",
    ),
    "mat1 and mat2 shapes": (
        "the shapes in the matrix product are not those of x @ w",
        "x is (B, d) and w is (d, C). (nn.Linear stores w transposed.)",
    ),
    "multi-target not supported": (
        "the labels are one-hot rows",
        "F.cross_entropy(logits, labels) takes whole numbers (B,).",
    ),
    "not implemented for 'Long'": (
        "logits and labels are swapped",
        "F.cross_entropy(logits, labels): the logits come first.",
    ),
    "expected target dtype": (
        "the labels are not whole numbers",
        "F.cross_entropy(logits, labels) takes whole numbers (B,).",
    ),
    "non-leaf": (
        "w is the result of an operation",
        "The optimizer needs the tensor that you made, not `.float()` or"
        " `* 1` of it: torch.tensor(w, requires_grad=True).",
    ),
    "the same dtype": (
        "float64 and float32 are mixed",
        "x and w are float64, and nn.Linear makes float32. Keep the type of w:"
        " torch.tensor(w, requires_grad=True).",
    ),
    "only for scalar outputs": (
        "backward() is called on a matrix, not on the loss",
        "It starts from one number: the loss from F.cross_entropy.",
    ),
    "'NoneType'": (
        "w has lost its gradient",
        "`w = w - ...` makes a new tensor, without a .grad. step() changes"
        " w itself.",
    ),
}


class Warmed(Exercise):
    """An exercise whose answers take steps of an optimizer of PyTorch.

    The first step in a process loads a large part of PyTorch, which takes
    seconds. Here it is taken once, before answers run in processes of their
    own, where what is loaded ends with them.
    """

    def verdict(self, function):
        """Return mark, headline and paragraphs for `function`."""
        torch = sys.modules.get("torch")
        if torch:
            _take_a_step(torch)
        return super().verdict(function)


@functools.cache
def _take_a_step(torch):
    with torch.enable_grad():
        w = torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=1.0)
        w.sum().backward()
        torch.nn.utils.clip_grad_norm_([w], 1.0)
        optimizer.step()
        optimizer.zero_grad()


def _off(logits, labels):
    """Weights minus truth: the gradient with respect to the logits, · B."""
    return softmax(logits) - np.eye(logits.shape[1])[labels.astype(int)]


def mean_gradient(x, labels):
    """Return the gradient of the mean loss as a function of w."""
    return lambda w: x.T @ _off(x @ w, labels) / len(x)


def twice(x, labels):
    """The gradient where a softmax comes before the cross-entropy."""

    def gradient(w):
        weights = softmax(x @ w)
        grad = _off(weights, labels) / len(x)
        return x.T @ softmax_backward(grad, weights)

    return gradient


def squared(x, labels):
    """The gradient of the mean squared error of the weights."""

    def gradient(w):
        weights = softmax(x @ w)
        grad = 2 * (weights - np.eye(w.shape[1])[labels]) / weights.size
        return x.T @ softmax_backward(grad, weights)

    return gradient


def squared_logits(x, labels):
    """The gradient of the mean squared error of the logits."""

    def gradient(w):
        gap = x @ w - np.eye(w.shape[1])[labels]
        return x.T @ (2 * gap / gap.size)

    return gradient


def one_by_one(x, labels, w, rate, steps):
    """Walk along the loss of each sentence in turn, `steps` times."""
    for _ in range(steps):
        for place in range(len(x)):
            part = slice(place, place + 1)
            w = w - rate * mean_gradient(x[part], labels[part])(w)
    return w


def momentum(w, gradient, rate, steps, kept, ahead=False):
    """Walk along a running sum of gradients, or `ahead` of it (Nesterov)."""
    total = 0.0
    for _ in range(steps):
        now = gradient(w)
        total = kept * total + now
        w = w - rate * (now + kept * total if ahead else total)
    return w


def nesterov(w, gradient, rate, steps, kept):
    """Walk with Nesterov's momentum, as torch.optim.SGD has it."""
    return momentum(w, gradient, rate, steps, kept, ahead=True)


def descend(w, gradient, rate, steps, added=False):
    """Walk downhill; `added`: along the sum of all gradients so far."""
    w, total = np.array(w), 0.0
    for _ in range(steps):
        total = total * added + gradient(w)
        w = w - rate * total
    return w


def late(w, gradient, rate, steps):
    """Each step along the gradient of the step before."""
    w, before = np.array(w), 0.0
    for _ in range(steps):
        w, before = w - rate * before, gradient(w)
    return w


def adam(w, gradient, rate, steps, decay):
    """Walk as torch.optim.Adam does, or AdamW with weight decay."""
    w, first, second = np.array(w), 0.0, 0.0
    for t in range(1, steps + 1):
        grad = gradient(w)
        first = 0.9 * first + 0.1 * grad
        second = 0.999 * second + 0.001 * grad**2
        size = np.sqrt(second / (1 - 0.999**t)) + 1e-8
        w = w - rate * decay * w - rate * first / (1 - 0.9**t) / size
    return w


from_errors = functools.partial(named_by_error, _ERRORS)

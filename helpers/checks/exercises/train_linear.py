"""What train_linear.txt takes from Python."""

import numpy as np

from helpers.attention import softmax
from helpers.gradients import softmax_backward

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


def _off(logits, labels):
    """Weights minus truth: the gradient with respect to the logits, · B."""
    return softmax(logits) - np.eye(logits.shape[1])[labels.astype(int)]


def mean_gradient(x, labels):
    """Return the gradient of the mean loss as a function of w."""
    return lambda w: x.T @ _off(x @ w, labels) / len(x)


def twice(x, labels):
    """The gradient where a softmax stands before the cross-entropy."""

    def gradient(w):
        weights = softmax(x @ w)
        grad = _off(weights, labels) / len(x)
        return x.T @ softmax_backward(grad, weights)

    return gradient


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


def adam(w, gradient, rate, steps):
    """Walk as torch.optim.Adam does."""
    w, first, second = np.array(w), 0.0, 0.0
    for t in range(1, steps + 1):
        grad = gradient(w)
        first = 0.9 * first + 0.1 * grad
        second = 0.999 * second + 0.001 * grad**2
        size = np.sqrt(second / (1 - 0.999**t)) + 1e-8
        w = w - rate * first / (1 - 0.9**t) / size
    return w


def from_errors(exercise, trials):
    """Recognize mistakes by what torch says of them."""
    for trial in trials:
        for part, (name, idea) in _ERRORS.items():
            if part in trial.got.error:
                where = [trial.got.line] if trial.got.line else ""
                return f"{name}.", idea, where, trial.got.error
    return None

"""What train_linear.txt takes from Python."""

import functools
import sys

from helpers.checks.engine.exercise import Exercise
from helpers.checks.steps.tools import named_by_error

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


from_errors = functools.partial(named_by_error, _ERRORS)

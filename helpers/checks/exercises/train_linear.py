"""What train_linear.txt takes from Python."""

import functools
import sys

from helpers.checks.engine.exercise import Exercise


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

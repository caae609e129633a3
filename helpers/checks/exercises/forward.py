"""What forward.txt takes from Python."""

import functools
import sys

import numpy as np

from helpers.checks.engine.exercise import Exercise
from helpers.checks.engine.explain import verdict
from helpers.checks.engine.run import sandbox
from helpers.checks.steps.tools import table

LAYERS = "query", "key", "value", "output"


class Layers:
    """The parameters of a module: a matrix and a bias for each layer."""

    def __init__(self, num_heads, **layers):
        self.num_heads, self.layers = num_heads, layers

    def __repr__(self):
        return f"a module with num_heads = {self.num_heads}"

    def copy(self):
        """Return another one with the same numbers."""
        return Layers(self.num_heads, **self.layers)


class WithGradient(Exercise):
    """An exercise whose output must lead gradients back to the module."""

    def verdict(self, function):
        """Return mark, headline and paragraphs for `function`.

        The class, or the method of one of its modules, is judged as well.
        """
        if function == self.reference:  # which returns an array
            return super().verdict(function)
        if isinstance(function, type):
            function = getattr(function, "forward", function)
        function = getattr(function, "__func__", function)
        found = super().verdict(function)
        cut = self._cut_off(function) if found[0] == verdict.RIGHT else ""
        if not cut:
            return found
        return (
            verdict.WRONG,
            "the numbers are right, but no gradient comes back.",
            f"No gradient reaches {cut}, so the module cannot be trained. Does"
            " .detach(), .numpy(), torch.tensor() or no_grad() come in"
            " between? You can do everything with tensors.",
        )

    def _cut_off(self, function):
        """Name the layers whose parameters get no gradient, or return ""."""

        def reached(layers, x):
            module = _made(sys.modules["torch"], layers, function)
            output = function(module, sys.modules["torch"].from_numpy(x))
            if getattr(output, "requires_grad", False):
                output.square().sum().backward()
            grads = [getattr(module, name).weight.grad for name in LAYERS]
            return np.array([g is not None and bool(g.any()) for g in grads])

        found = sandbox.run(reached, [self.probes[0].args], 1)
        flags = found[0].arrays if found and found[0].arrays else [[0] * 4]
        names = zip(LAYERS, flags[0], strict=True)
        return ", ".join(f"self.{name}" for name, flag in names if not flag)


def layer(seed, num_heads, sentences, words, width):
    """Return a module's layers and its input (B, T, d_model)."""
    made = {
        name: (table(seed + i, width, width, step=8), table(seed + i, width))
        for i, name in enumerate(LAYERS)
    }
    return Layers(num_heads, **made), table(seed + 5, sentences, words, width)


def with_module(function):
    """Return a function of `Layers` that calls one of an nn.Module."""
    torch = sys.modules.get("torch")

    @functools.wraps(function)
    def answer(layers, x):
        if torch is None or not isinstance(layers, Layers):
            return function(layers, x)
        return function(_made(torch, layers, function), torch.from_numpy(x))

    return answer


def _made(torch, layers, function):
    """Return a module of the class that `function` is the forward of.

    So the other methods of that class can be called.
    """
    name = getattr(function, "__qualname__", "").rpartition(".")[0]
    kind = getattr(function, "__globals__", {}).get(name)
    if not (isinstance(kind, type) and issubclass(kind, torch.nn.Module)):
        kind = torch.nn.Module
    module = kind.__new__(kind)
    torch.nn.Module.__init__(module)
    module.num_heads = layers.num_heads
    for name, (weight, bias) in layers.layers.items():
        made = torch.nn.Linear(*weight.shape, device="meta")  # no numbers yet
        made.weight = torch.nn.Parameter(torch.tensor(weight))
        made.bias = torch.nn.Parameter(torch.tensor(bias))
        setattr(module, name, made)
    return module

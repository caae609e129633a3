"""What text_layers.txt takes from Python."""

import functools
import sys
import zlib

from helpers.checks.steps.tools import table

TEXTS = 2


class New:
    """The module that the layers go into."""

    def __repr__(self):
        return "a new module"

    def copy(self):
        """Return the same: each answer gets a true module in its place."""
        return self


class Toy(New):
    """A block that is no block: called as the real one, it makes a layer."""

    def __repr__(self):
        return "a toy block"

    def __call__(self, width, num_heads):
        """Return a module (B, T, width) -> (B, T, width)."""
        torch = sys.modules["torch"]
        per_head = width // num_heads  # an error for a width that is no number

        class Layer(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.mix = torch.nn.Linear(width, width)
                self.heads = torch.arange(width) // per_head + 1

            def forward(self, x):
                return x + self.heads * torch.relu(self.mix(x)).cumsum(-2)

        return Layer()


def _numbered(own):
    """Yield (name, parameter); a block's own name becomes its number."""
    blocks = getattr(own, "blocks", None)
    keys = dict(getattr(blocks, "named_children", dict)())
    numbers = {key: str(i) for i, key in enumerate(keys)}
    for name, parameter in own.named_parameters():
        first, _, rest = name.partition(".")
        key, dot, rest = rest.partition(".")
        if first == "blocks" and key in numbers:
            name = f"{first}.{numbers[key]}{dot}{rest}"
        yield name, parameter


def with_module(function):
    """Return a function that lets the made layers read two texts."""

    @functools.wraps(function)
    def answer(self, num_characters, width, num_heads, layers, context, block):
        torch = sys.modules["torch"]
        own = torch.nn.Module()
        sizes = num_characters, width, num_heads, layers, context, block
        said = function(own, *sizes)
        if said is not None and said is not own:  # three dots, or the logits
            return said
        own = own.double()
        for name, p in _numbered(own):
            seed = zlib.crc32(f"{name} {tuple(p.shape)}".encode())
            p.data = torch.from_numpy(table(seed, *p.shape, step=8))
        for each in own.children():
            if getattr(each, "padding_idx", None) is not None:
                each.weight.data[each.padding_idx] = 0  # as it stays
        places = torch.arange(context)
        ids = torch.stack([(places * n + n) % num_characters
                           for n in range(1, TEXTS + 1)])  # fmt: skip
        x = own.characters(ids) + own.positions(places)
        return own.logits(own.norm(own.blocks(x))).detach()

    return answer

"""A model of running text from which parts are left out: notebook 06.

Built up part by part it is a pre-norm Transformer with a ReLU. Without any
part, it learns which character follows each character.
"""

import torch.nn.functional as F
from torch import nn


class PartialBlock(nn.Module):
    """Attention and, if wanted, a feed-forward layer.

    heads : int
    feed_forward : bool
    stream : bool
        Each part reads a normalized copy of x and adds to x. Without it, a
        part reads x as it is and replaces it.
    """

    def __init__(self, width, *, heads, feed_forward, stream):
        super().__init__()
        self.heads, self.stream = heads, stream
        self.projections = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        parts = [self.attend]
        if feed_forward:
            self.feed_forward = nn.Sequential(
                nn.Linear(width, 4 * width),
                nn.ReLU(),
                nn.Linear(4 * width, width),
            )
            parts.append(self.feed_forward)
        self.parts = parts
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in parts)

    def attend(self, x):
        """x (B, T, d_model) -> (B, T, d_model)."""
        heads = [
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.projections(x).chunk(3, -1)
        ]  # (B, H, T, d_k) each
        context = F.scaled_dot_product_attention(*heads, is_causal=True)
        return self.output(context.transpose(1, 2).flatten(-2))

    def forward(self, x):
        """x (B, T, d_model) -> (B, T, d_model)."""
        for norm, part in zip(self.norms, self.parts, strict=True):
            x = x + part(norm(x)) if self.stream else part(x)
        return x


class PartialModel(nn.Module):
    """Characters, positions if wanted, blocks, logits.

    Parameters
    ----------
    num_characters : int
        V, the size of the vocabulary.
    layers, heads : int
    positions, feed_forward, stream : bool
        stream: of `PartialBlock`, and a norm after the last block.
    width, context : int
    """

    def __init__(
        self,
        num_characters,
        *,
        layers=0,
        heads=1,
        positions=False,
        feed_forward=False,
        stream=False,
        width=64,
        context=64,
    ):
        super().__init__()
        self.context = context
        self.characters = nn.Embedding(num_characters, width)
        self.positions = nn.Embedding(context, width) if positions else None
        options = dict(heads=heads, feed_forward=feed_forward, stream=stream)
        blocks = [PartialBlock(width, **options) for _ in range(layers)]
        self.blocks = nn.Sequential(*blocks)
        self.norm = nn.LayerNorm(width) if stream else nn.Identity()
        self.logits = nn.Linear(width, num_characters)

    def forward(self, ids):
        """ids (B, T) of int64, T at most `context` -> (B, T, V)."""
        x = self.characters(ids)
        if self.positions is not None:
            x = x + self.positions.weight[: ids.shape[-1]]
        return self.logits(self.norm(self.blocks(x)))

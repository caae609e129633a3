"""A causal language model of running text, in PyTorch, as 09 writes it."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class TransformerBlock(nn.Module):
    """Attention, then a feed-forward layer, each after a layer norm.

    The pre-norm block of notebook 06 with a GELU instead of the ReLU, and
    with dropout: in training a part of what each layer adds is set to 0.

    width, num_heads : int
        d_model, and into how many heads it is divided.
    dropout : float
    """

    def __init__(self, width, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value, self.output = (
            nn.Linear(width, width) for _ in range(4)
        )
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        """x (B, T, d_model) -> (B, T, d_model)."""
        normal = self.norm_1(x)
        query, key, value = (
            self._split(layer(normal))  # (B, H, T, d_k)
            for layer in (self.query, self.key, self.value)
        )
        context = F.scaled_dot_product_attention(
            query, key, value, is_causal=True
        )
        merged = context.transpose(1, 2).reshape(x.shape)
        x = x + self.dropout(self.output(merged))
        return x + self.dropout(self.feed_forward(self.norm_2(x)))

    def _split(self, x):
        """(B, T, d_model) -> (B, H, T, d_k)."""
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)


class TextModel(nn.Module):
    """Characters and positions, blocks, a layer norm, logits.

    The decoder of Radford et al. (2019), *Language Models are Unsupervised
    Multitask Learners*, section 2.3, as small as its vocabulary.

    Parameters
    ----------
    num_characters : int
        V, the size of the vocabulary.
    layers, width, num_heads : int
    context : int
        How many characters it reads at most, T.
    dropout : float
        For the training alone.
    seed : int
        Of the initial weights.
    """

    def __init__(
        self,
        num_characters,
        *,
        layers=2,
        width=128,
        num_heads=4,
        context=64,
        dropout=0.0,
        seed=0,
    ):
        super().__init__()
        self.context = context
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.characters = nn.Embedding(num_characters, width)
            self.positions = nn.Embedding(context, width)
            self.blocks = nn.Sequential(
                *(
                    TransformerBlock(width, num_heads, dropout)
                    for _ in range(layers)
                )
            )
            self.norm = nn.LayerNorm(width)
            self.logits = nn.Linear(width, num_characters)
            self.dropout = nn.Dropout(dropout)
            self.apply(_initialize)

    def forward(self, ids):
        """Return the logits of each next character.

        ids (B, T) of int64, T at most `context` -> (B, T, V).
        """
        x = self.characters(ids) + self.positions.weight[: ids.shape[-1]]
        return self.logits(self.norm(self.blocks(self.dropout(x))))


def _initialize(module):
    """Give a layer small normal weights; its bias is 0."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


# torch's name in a block: our names of its matrix or gain, and of its bias
BLOCK_NAMES = {
    "norm_1": ("gain_1", "bias_1"),
    "query": ("w_q", "b_q"),
    "key": ("w_k", "b_k"),
    "value": ("w_v", "b_v"),
    "output": ("w_o", "b_o"),
    "norm_2": ("gain_2", "bias_2"),
    "feed_forward.0": ("w_1", "b_1"),
    "feed_forward.2": ("w_2", "b_2"),
}


def text_arrays(model):
    """Return the parameters of a `TextModel` as `models.text` takes them.

    {name: float64 array}; matrices are transposed, since ours are
    multiplied from the right.
    """
    arrays = {
        "vectors": _array(model.characters.weight),
        "positions": _array(model.positions.weight),
    }
    for i, block in enumerate(model.blocks):
        modules = dict(block.named_modules())
        for name, (weight, bias) in BLOCK_NAMES.items():
            arrays[f"block{i}.{weight}"] = _array(modules[name].weight.t())
            arrays[f"block{i}.{bias}"] = _array(modules[name].bias)
    arrays |= {"gain": _array(model.norm.weight)}
    arrays |= {"bias": _array(model.norm.bias)}
    arrays |= {"w_out": _array(model.logits.weight.t())}
    return arrays | {"b_out": _array(model.logits.bias)}


def _array(tensor):
    return np.ascontiguousarray(tensor.detach().cpu().double().numpy())

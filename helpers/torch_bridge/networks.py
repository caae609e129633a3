"""Three networks that read a sentence and answer at its last word."""

import torch
import torch.nn.functional as F
from torch import nn

from helpers.layers import sinusoidal_positions

MAX_LENGTH = 512  # words
BASE = 100  # 10,000 did worse beyond the lengths of training


class AttentionNetwork(nn.Module):
    """One head: the context of the last word answers.

    d: width of queries, keys and values. positions: add sinusoidal
    positions to the word vectors, so that the head can see order.
    """

    def __init__(self, d=32, *, positions=False, d_model=64, classes=2):
        super().__init__()
        self.query, self.key, self.value = (
            nn.Linear(d_model, d, bias=False) for _ in range(3)
        )
        self.answer = nn.Linear(d, classes)
        for layer in (self.query, self.key, self.value, self.answer):
            nn.init.normal_(layer.weight, std=layer.in_features**-0.5)
        nn.init.zeros_(self.answer.bias)
        waves = sinusoidal_positions(MAX_LENGTH, d_model, BASE) * positions
        self.register_buffer("waves", torch.tensor(waves))

    def forward(self, x, position, mask):
        """x (B, T, 64), position (B,), mask (B, T) -> logits (B, 2)."""
        x = x + self.waves[: x.shape[1]]
        x_query = x[torch.arange(len(x)), position, None]  # (B, 1, d_model)
        context = F.scaled_dot_product_attention(
            self.query(x_query),
            self.key(x),
            self.value(x),
            attn_mask=mask[:, None],
        )
        return self.answer(context[:, 0])


class RecurrentNetwork(nn.Module):
    """Word after word changes a state; the state after the last answers.

    kind: `nn.RNN` (tanh), `nn.GRU` or `nn.LSTM`, as torch initializes it.
    width: numbers in the state.
    """

    def __init__(self, kind, width, *, d_model=64, classes=2):
        super().__init__()
        self.network = kind(d_model, width, batch_first=True)
        self.answer = nn.Linear(width, classes)

    def forward(self, x, position, mask):
        """x (B, T, 64), position (B,) -> logits (B, 2).

        Words after the position are not read: the mask is not needed.
        """
        states, _ = self.network(x)  # (B, T, width)
        return self.answer(states[torch.arange(len(x)), position])


def count_parameters(module):
    """Return how many numbers training changes."""
    return sum(p.numel() for p in module.parameters() if p.requires_grad)

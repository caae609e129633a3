"""Attention alone, in layers, with one of five ways to see order.

None; a learned table (Gehring et al. 2017); sinusoids (Vaswani et al. 2017);
rotary positions (Su et al. (2021), *RoFormer*); ALiBi (Press et al. (2022),
*Train Short, Test Long*).
"""

import torch
from torch import nn

from helpers.layers import sinusoidal_positions

CODES = ("none", "learned", "sinusoids", "rotary", "ALiBi")
LOUD = 1.5  # of the sinusoids beside words of size 1
QUIET = 0.7  # of the first queries and keys
MAX_LENGTH = 128  # words


def rotated(x, base):
    """Turn the pairs of columns of x (…, T, d), each at its own speed."""
    length, d = x.shape[-2:]
    speed = base ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)  # (d/2,)
    turn = torch.arange(length, dtype=x.dtype)[:, None] * speed  # (T, d/2)
    cos, sin = turn.cos(), turn.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * cos - odd * sin, even * sin + odd * cos
    return torch.stack(pairs, -1).flatten(-2)


def slopes(heads):
    """Return ALiBi's slope of each head: for 8 heads 1/2, 1/4, … 1/256."""
    return 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)


class Layer(nn.Module):
    """One layer of attention, added to what came in."""

    def __init__(self, code, heads, d, d_model, causal, base, slope):
        super().__init__()
        self.code, self.heads, self.d = code, heads, d
        self.causal, self.base = causal, base
        self.register_buffer("slopes", slopes(heads) * slope)
        self.w_q, self.w_k, self.w_v, self.w_o = (
            nn.Parameter(torch.randn(rows, columns) / rows**0.5)
            for rows, columns in [(d_model, heads * d)] * 3
            + [(heads * d, d_model)]
        )
        with torch.no_grad():
            self.w_q *= QUIET
            self.w_k *= QUIET

    def forward(self, x):
        """x (B, T, d_model) -> the same shape, weights (B, H, T, T)."""
        places = torch.arange(x.shape[1])
        away = places[:, None] - places  # (T, T)
        query, key, value = (
            (x @ w).unflatten(-1, (self.heads, self.d)).transpose(1, 2)
            for w in (self.w_q, self.w_k, self.w_v)
        )  # (B, H, T, d)
        if self.code == "rotary":
            query, key = rotated(query, self.base), rotated(key, self.base)
        scores = query @ key.mT / self.d**0.5
        if self.code == "ALiBi":
            scores = scores - self.slopes[:, None, None] * away.abs()
        if self.causal:
            scores = scores.masked_fill(away < 0, -torch.inf)
        weights = scores.softmax(-1)
        context = (weights @ value).transpose(1, 2).flatten(-2)
        return x + context @ self.w_o, weights


class OrderedNetwork(nn.Module):
    """Layers of attention without anything between them.

    Parameters
    ----------
    code : str
        One of `CODES`: how the network is told about order.
    layers, heads, d : int
        d is the width of one head.
    causal : bool
        Every word sees itself and those before it.
    outputs : int
        Numbers that come out for each word.
    base : float
        Of sinusoids and rotary positions.
    slope : float
        Multiplies all slopes of ALiBi.
    """

    def __init__(
        self,
        code="none",
        *,
        layers=1,
        heads=2,
        d=16,
        causal=False,
        outputs=2,
        base=100.0,
        slope=1.0,
        d_model=64,
    ):
        super().__init__()
        if code not in CODES:
            raise ValueError(f"code: expected one of {CODES}, got {code!r}")
        if code == "learned":
            self.table = nn.Parameter(torch.randn(MAX_LENGTH, d_model))
        else:
            waves = LOUD * sinusoidal_positions(MAX_LENGTH, d_model, base)
            waves = torch.tensor(waves * (code == "sinusoids"))
            self.register_buffer("table", waves)
        options = code, heads, d, d_model, causal, base, slope
        self.layers = nn.ModuleList(Layer(*options) for _ in range(layers))
        self.answer = nn.Linear(d_model, outputs)
        nn.init.normal_(self.answer.weight, std=d_model**-0.5)
        nn.init.zeros_(self.answer.bias)

    def forward(self, x):
        """x (B, T, d_model) -> (B, T, outputs), list of weights (B, H, T, T).

        Raises ValueError if x has more words than `MAX_LENGTH`.
        """
        if x.shape[1] > MAX_LENGTH:
            raise ValueError(
                f"x: at most {MAX_LENGTH} words, got shape {tuple(x.shape)}"
            )
        x, maps = x + self.table[: x.shape[1]], []
        for layer in self.layers:
            x, weights = layer(x)
            maps.append(weights)
        return self.answer(x), maps

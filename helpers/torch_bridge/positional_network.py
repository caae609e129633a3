"""Attention alone, in layers, with one of five ways to see order.

None; a learned table (Gehring et al. 2017); sinusoids (Vaswani et al. 2017);
rotary positions (Su et al. (2021), *RoFormer*); ALiBi (Press et al. (2022),
*Train Short, Test Long*).
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import validation
from helpers.layers import sinusoidal_positions

CODES = ("none", "learned", "sinusoids", "rotary", "ALiBi")
LOUD = 1.5  # of the sinusoids beside words of size 1
QUIET = 0.7  # of the first queries and keys
D_MODEL, MAX_LENGTH = 64, 128  # columns, words


def rotated(x, places, base):
    """Turn the pairs of columns of x (…, T, d), each at its own speed.

    places (T,): how often each row is turned.
    """
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)  # (d/2,)
    turn = places[:, None] * speed  # (T, d/2)
    cos, sin = turn.cos(), turn.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = even * cos - odd * sin, even * sin + odd * cos
    return torch.stack(pairs, -1).flatten(-2)


def slopes(heads):
    """Return ALiBi's slope of each head: for 8 heads 1/2, 1/4, … 1/256."""
    return 2 ** (-8 * torch.arange(1, heads + 1).double() / heads)


class Layer(nn.Module):
    """One layer of attention, added to what came in."""

    def __init__(self, code, heads, d, causal, base, slope, smeared):
        super().__init__()
        self.code, self.heads, self.d = code, heads, d
        self.causal, self.base = causal, base
        self.register_buffer("slopes", slopes(heads) * slope)
        self.w_q, self.w_k, self.w_v, self.w_o = (
            nn.Parameter(torch.randn(rows, columns) / rows**0.5)
            for rows, columns in [(D_MODEL, heads * d)] * 3
            + [(heads * d, D_MODEL)]
        )
        with torch.no_grad():
            self.w_q *= QUIET
            self.w_k *= QUIET
        self.mix = nn.Parameter(torch.zeros(heads)) if smeared else None

    def _smeared(self, key):
        """Mix each key (B, H, T, d) with the one before it."""
        if self.mix is None:
            return key
        before = F.pad(key[:, :, :-1], (0, 0, 1, 0))
        return torch.lerp(key, before, self.mix.sigmoid()[:, None, None])

    def forward(self, x, asked=0, places=None):
        """x (B, T, 64) -> (B, T_q, 64), weights (B, H, T_q, T).

        asked: the first word that has a query; -1: only the last word.
        places (T,): for rotary positions and ALiBi; None: 0 to T - 1.
        """
        places = torch.arange(x.shape[1]) if places is None else places
        x_query = x[:, asked:]
        away = places[asked:, None] - places  # (T_q, T)
        query, key, value = (
            (rows @ w).unflatten(-1, (self.heads, self.d)).transpose(1, 2)
            for rows, w in (
                (x_query, self.w_q),
                (x, self.w_k),
                (x, self.w_v),
            )
        )  # (B, H, T_q or T, d)
        key = self._smeared(key)
        if self.code == "rotary":
            query = rotated(query, places[asked:], self.base)
            key = rotated(key, places, self.base)
        scores = query @ key.mT / self.d**0.5
        if self.code == "ALiBi":
            scores = scores - self.slopes[:, None, None] * away.abs()
        if self.causal:
            later = torch.ones_like(scores[0, 0]).triu(1 + asked % x.shape[1])
            scores = scores.masked_fill(later.bool(), -torch.inf)
        weights = scores.softmax(-1)
        context = (weights @ value).transpose(1, 2).flatten(-2)
        return x_query + context @ self.w_o, weights


class PositionalNetwork(nn.Module):
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
    from_end : bool
        Sinusoids: the last word has number 0, and not the first.
    slope : float
        Multiplies all slopes of ALiBi.
    smeared : bool
        A key also contains that of the previous word. How much of it each
        head learns; it begins with half (Olsson et al. (2022),
        *In-context Learning and Induction Heads*, argument 2).
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
        from_end=False,
        slope=1.0,
        smeared=False,
    ):
        super().__init__()
        if validation.choice("code", code, CODES) == "learned":
            self.table = nn.Parameter(torch.randn(MAX_LENGTH, D_MODEL))
        else:
            waves = LOUD * sinusoidal_positions(MAX_LENGTH, D_MODEL, base)
            waves = torch.tensor(waves * (code == "sinusoids"))
            self.register_buffer("table", waves)
        self.from_end = from_end
        options = code, heads, d, causal, base, slope, smeared
        self.layers = nn.ModuleList(Layer(*options) for _ in range(layers))
        self.answer = nn.Linear(D_MODEL, outputs)
        nn.init.normal_(self.answer.weight, std=D_MODEL**-0.5)
        nn.init.zeros_(self.answer.bias)

    def forward(self, x, asked=0, back=None):
        """x (B, T, 64) -> (B, T_q, outputs), weights of each layer.

        asked: the first word that asks in the last layer; -1: only the last
        word. back (T,): how far from the last word each one is said to stand,
        for rotary positions and ALiBi; None: as it does. Raises ValueError if
        x has more words than `MAX_LENGTH`, or another number than back.
        """
        if x.shape[1] > MAX_LENGTH:
            raise ValueError(
                f"x: at most {MAX_LENGTH} words, got shape {tuple(x.shape)}"
            )
        places = None if back is None else -torch.tensor(np.array(back))
        if back is not None and places.shape != x.shape[1:2]:
            raise ValueError(
                f"back: {x.shape[1]} words, got {tuple(places.shape)}"
            )
        table = self.table[: x.shape[1]]
        x, maps = x + (table.flip(0) if self.from_end else table), []
        for layer in self.layers:
            x, weights = layer(x, asked * (layer is self.layers[-1]), places)
            maps.append(weights)
        return self.answer(x), maps

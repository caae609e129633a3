"""Attention whose weights are no softmax, in the race by distance.

One head, asked late, as "attention" in `distance_race`: the same sentences,
training and size.
"""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from helpers import validation
from helpers.torch_bridge.distance_race import chosen_rate, race
from helpers.torch_bridge.networks import AttentionNetwork


def _even(scores):
    return scores / scores.shape[-1]


def _divided(weights):
    return weights / weights.sum(-1, keepdim=True).clamp_min(1e-9)


def _gates(scores, b):
    return torch.sigmoid(scores + b - math.log(scores.shape[-1]))


# Of scores (..., T); b is one learned number, 0 at first. The offset of the
# sigmoid: Ramapuram et al. (2024), *Theory, Analysis, and Best Practices for
# Sigmoid Self-Attention*. relu / T: Wortsman et al. (2023), *Replacing
# softmax with ReLU in Vision Transformers*.
FROM_SCORES = {
    "softmax": lambda s, b: s.softmax(-1),
    "sigmoid": lambda s, b: torch.sigmoid(s + b),
    "sigmoid, - log T": lambda s, b: _gates(s, b),
    "sigmoid / sum": lambda s, b: _divided(torch.sigmoid(s + b)),
    "sigmoid, - log T, / sum": lambda s, b: _divided(_gates(s, b)),
    "relu / T": lambda s, b: _even(F.relu(s + b)),
    "relu / sum": lambda s, b: _divided(F.relu(s + b)),
    "scores / T": lambda s, b: _even(s),
}
# Linear attention: f(query) . f(key), divided by the sum of the row.
# elu + 1: Katharopoulos et al. (2020), *Transformers are RNNs*. exp:
# among the maps of Zhang et al. (2024), *The Hedgehog & the Porcupine*.
FEATURES = {
    "linear, elu + 1": lambda x: F.elu(x) + 1,
    "linear, exp": torch.exp,
}
NORMS = ", norms"  # at the end of a name: layer norms
# (weights, steps): learning rate; see tools/author/learning_rates.py.
NORMALIZER_RATES = {
    ("softmax", 300): 1e-2,
    ("linear, elu + 1", 300): 2e-2,
    ("linear, exp", 300): 4e-2,
    ("sigmoid", 300): 1e-2,
    ("sigmoid, - log T", 300): 1e-2,
    ("sigmoid / sum", 300): 1e-2,
    ("sigmoid, - log T, / sum", 300): 1e-2,
    ("relu / T", 300): 2e-2,
    ("relu / sum", 300): 2e-2,
    ("scores / T", 300): 4e-2,
    ("softmax", 1200): 1e-2,
    ("linear, elu + 1", 1200): 8e-2,
    ("linear, exp", 1200): 2e-2,
    ("sigmoid, - log T", 1200): 1e-2,
    ("relu / T", 1200): 1e-2,
    ("relu / sum", 1200): 1e-2,
    ("sigmoid", 1200): 1e-2,
    ("scores / T", 1200): 2e-2,
    ("sigmoid / sum", 1200): 1e-2,
    ("sigmoid, - log T, / sum", 1200): 1e-2,
    ("softmax" + NORMS, 1200): 4e-3,
    ("sigmoid, - log T" + NORMS, 1200): 4e-3,
}


class NormalizerNetwork(AttentionNetwork):
    """`AttentionNetwork` with another way from scores to weights.

    kind: a name of `FROM_SCORES` or `FEATURES`. No sentence may be padded.
    """

    def __init__(self, kind):
        super().__init__()
        self.kind = validation.choice("kind", kind, FROM_SCORES | FEATURES)
        self.offset = nn.Parameter(torch.zeros(()))  # b

    def weigh(self, query, key):
        """Query (B, T_q, d), key (B, T, d) -> weights (B, T_q, T)."""
        if self.kind in FEATURES:
            feature = FEATURES[self.kind]
            return _divided(feature(query) @ feature(key).mT)
        scores = query @ key.mT / query.shape[-1] ** 0.5
        return FROM_SCORES[self.kind](scores, self.offset)

    def attend(self, x, position, mask):
        """x (B, T, 64), position (B,), mask all True -> context (B, d)."""
        if not mask.all():
            raise ValueError("mask: sentences of one length only, no padding")
        x_query = x[torch.arange(len(x)), position, None]  # (B, 1, d_model)
        weights = self.weigh(self.query(x_query), self.key(x))  # (B, 1, T)
        return (weights @ self.value(x))[:, 0]

    def forward(self, x, position, mask):
        """x (B, T, 64), position (B,), mask all True -> logits (B, 2)."""
        return self.answer(self.attend(x, position, mask))


class NormedNetwork(NormalizerNetwork):
    """The same head where a Transformer with layer norms has it.

    A norm in front of the attention, an output matrix, the residual sum of
    the last word, and a norm before the answer. It is the smallest such
    form: one layer, no feed-forward layer, queries and keys without norms
    of their own. Gains and biases of the norms are learned.
    """

    def __init__(self, kind):
        super().__init__(kind)
        d, d_model = self.value.out_features, self.value.in_features
        self.before, self.after = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.output = nn.Linear(d, d_model, bias=False)
        self.answer = nn.Linear(d_model, self.answer.out_features)
        for layer in (self.output, self.answer):
            nn.init.normal_(layer.weight, std=layer.in_features**-0.5)
        nn.init.zeros_(self.answer.bias)

    def forward(self, x, position, mask):
        """x (B, T, 64), position (B,), mask all True -> logits (B, 2)."""
        context = self.attend(self.before(x), position, mask)
        last = x[torch.arange(len(x)), position]  # (B, 64)
        return self.answer(self.after(last + self.output(context)))


def build(kind):
    """Return the network of a kind; with `NORMS` at its end, a normed one."""
    plain = kind.removesuffix(NORMS)
    return (NormalizerNetwork if plain == kind else NormedNetwork)(plain)


def race_normalizer(kind, steps, seed, *, learning_rate=None):
    """Train and measure one kind of weights, as `race` does.

    kind: as for `build`. learning_rate: the one of `NORMALIZER_RATES` if
    None. Returns a list: the accuracy at each of `tasks.DISTANCES`. Raises
    ValueError without a rate.
    """
    rate = chosen_rate(learning_rate, NORMALIZER_RATES, (kind, steps))
    make = partial(build, kind)
    return race("late", make, steps, seed, learning_rate=rate)

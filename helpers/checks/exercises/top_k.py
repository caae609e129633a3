"""Notebook 06: probabilities of the k best words, at a temperature."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import WEIGHTS, softmax

_DIVIDE = "The logits are divided by the temperature: hot is even."
_LEFT = "The words that are left must sum to 1 again, in their proportions."
_MINUS = (
    "A logit of 0 is no probability of 0: exp(0) is 1. Minus infinity gives 0."
)
_EXACTLY = "Exactly k words may be chosen, those with the largest logits."


def _best(x, k):
    """Mark the k largest numbers."""
    marks = np.zeros(x.shape, bool)
    marks[np.argsort(-x)[: int(max(k, 0))]] = True
    return marks


def _cut_later(c):
    return np.where(c.kept, softmax(c.scaled), 0)


_scaled = Step(
    "scaled",
    lambda c: c.logits / c.temperature,
    Mistake(
        "the temperature multiplies",
        _DIVIDE,
        lambda c: c.logits * c.temperature,
    ),
    Mistake("the temperature does nothing", _DIVIDE, lambda c: c.logits + 0.0),
    Mistake(
        "the temperature acts after the softmax",
        f"What divides all probabilities alike cancels. {_DIVIDE}",
        lambda c: softmax(c.logits) / c.temperature,
    ),
)
_kept = Step(
    "kept",
    lambda c: _best(c.scaled, c.k),
    Mistake(
        "the k smallest logits are kept",
        f"argsort begins with the smallest. {_EXACTLY}",
        lambda c: _best(-c.scaled, c.k),
    ),
    Mistake(
        "one word too many is kept",
        _EXACTLY,
        lambda c: _best(c.scaled, c.k + 1),
    ),
    Mistake(
        "one word too few is kept",
        f"Is it > where >= belongs? {_EXACTLY}",
        lambda c: _best(c.scaled, c.k - 1),
    ),
    Mistake(
        "the k best words are hidden, and the others kept",
        _EXACTLY,
        lambda c: ~_best(c.scaled, c.k),
    ),
    Mistake(
        "the first or the last k words of the vocabulary are kept",
        f"Their places say nothing: look at the logits. {_EXACTLY}",
        lambda c: np.arange(len(c.logits)) < c.k,
        lambda c: np.arange(len(c.logits)) >= len(c.logits) - c.k,
    ),
    Mistake(
        "the largest logits are chosen without their signs",
        "A logit of -3 is small, however far it is from 0.",
        lambda c: _best(np.abs(c.scaled), c.k),
    ),
    Mistake(
        "no word is hidden",
        _EXACTLY,
        lambda c: np.ones(len(c.logits), bool),
    ),
    Mistake(
        "only the best word is kept",
        _EXACTLY,
        lambda c: _best(c.scaled, 1),
    ),
)
_hidden = Step(
    "hidden",
    lambda c: np.where(c.kept, c.scaled, -np.inf),
    Mistake(
        "the logits of the others become 0",
        _MINUS,
        lambda c: np.where(c.kept, c.scaled, 0.0),
    ),
    Mistake(
        "the others are cut out",
        "The result has a number for every word: 0 for those left out.",
        lambda c: c.scaled[c.kept],
        lambda c: np.sort(c.scaled[c.kept])[::-1],
    ),
    Mistake(
        "minus infinity is multiplied by 0",
        "That is not a number (NaN). np.where chooses without multiplying.",
        lambda c: c.scaled + np.multiply(~c.kept, -np.inf),
    ),
)
_probabilities = Step(
    "probabilities",
    lambda c: softmax(c.hidden),
    Mistake(
        "the others are set to 0 after the softmax, and the rest is left",
        _LEFT,
        _cut_later,
    ),
    Mistake(
        "the lost probability is shared out evenly",
        _LEFT,
        lambda c: np.where(
            c.kept, _cut_later(c) + (1 - _cut_later(c).sum()) / c.k, 0
        ),
    ),
    Mistake(
        "the k words get the same probability",
        _LEFT,
        lambda c: c.kept / c.kept.sum(),
    ),
    Mistake(
        "the softmax is missing",
        "Asked for are probabilities, not logits.",
        lambda c: c.hidden,
        lambda c: np.where(c.kept, c.scaled, 0.0),
    ),
    Mistake(
        "large logits overflow",
        "exp of a large number is infinity. Subtract the largest first, or"
        " take attention.softmax.",
        lambda c: np.exp(c.hidden) / np.exp(c.hidden).sum(),
    ),
)


def _probe(words, logits, k, temperature, level="basic"):
    return Probe(words, (np.array(logits), k, float(temperature)), level)


top_k = Exercise(
    name="top_k",
    call="top_k(logits, k, temperature)",
    results=("probabilities",),
    shape="one number for each word of the vocabulary",
    steps=(_scaled, _kept, _hidden, _probabilities),
    probes=(
        _probe("the best 2 of 5", [1.0, -2.5, 0.25, 2, -0.5], 2, 0.5),
        _probe("the best 3 of 6", [-1, 0.75, -4.0, 0.5, 1.5, 0], 3, 2),
        _probe("the best 3 of 5", [0.5, 1.25, -0.75, -3.0, 2], 3, 0.8),
        _probe("the best 2 of 4", [-1.5, -0.25, -3, -0.5], 2, 1.25),
        _probe("all 4 words", [0.5, -0.5, 2.0, 1], 4, 0.5, "edge"),
        _probe("k = 1", [0.5, -0.5, 1.0, 2], 1, 2, "edge"),
        _probe("a cold one", [40.0, 38.5, 39.75, 37], 3, 0.04, "edge"),
    ),
    properties=WEIGHTS,
    praise="Cut first, then share out.",
)

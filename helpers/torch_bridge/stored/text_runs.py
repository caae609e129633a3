"""Models of running text in notebook 09: a seed takes up to two minutes.

A row holds the loss of each seed on the last tenth of the text, measured
`MEASURED` times in equal distances: (seeds, MEASURED).
"""

import torch

from helpers.experiments.stored import by_seed
from helpers.tasks import running_text
from helpers.torch_bridge.text_model import TextModel
from helpers.torch_bridge.text_training import (
    learning_rate_factor,
    muon_and_adamw,
    text_batch,
    text_loss,
    text_step,
)

SEEDS = range(1000, 1003)
MEASURED = 10
BATCH, RATE, WARM_UP = 32, 8e-3, 100  # as in the notebook
ROWS = {
    "five seconds": dict(layers=1, width=64, context=32, steps=200),
    "two minutes": dict(layers=2, width=128, context=64, steps=1000),
}


def train_curve(name, seed):
    """Return the loss after each tenth of the steps of one of `ROWS`."""
    settings = dict(ROWS[name])
    steps = settings.pop("steps")
    text = running_text.shakespeare()
    characters = running_text.Characters(text)
    ids, held_out = map(
        torch.from_numpy, running_text.split(characters.ids(text))
    )
    model = TextModel(len(characters), seed=seed, **settings)
    optimizer = muon_and_adamw(model)
    generator, curve = torch.Generator().manual_seed(seed), []
    for step in range(steps):
        batch = text_batch(ids, BATCH, model.context, generator)
        rate = RATE * learning_rate_factor(step, steps, WARM_UP)
        text_step(model, optimizer, *batch, rate)
        if (step + 1) % (steps // MEASURED) == 0:
            curve.append(round(text_loss(model, held_out), 4))
    return curve


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    return by_seed(train_curve, name, seeds=seeds)

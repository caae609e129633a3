"""Models of running text in notebook 09: each seed takes up to two minutes.

A row holds the loss of each seed on the last tenth of the text, measured
`MEASURED` times in equal distances: (seeds, MEASURED).
"""

import torch

from helpers.experiments.stored import by_seed
from helpers.tasks import running_text
from helpers.torch_bridge.text_model import TextModel
from helpers.torch_bridge.text_training import TextTraining, text_loss

SEEDS = range(1000, 1003)
MEASURED = 10
ROWS = {
    "ten seconds": dict(layers=1, width=64, context=32, steps=400),
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
    run = TextTraining(model, ids, steps=steps, seed=seed)
    curve = []
    for _ in range(MEASURED):
        for _ in range(steps // MEASURED):
            run.step()
        curve.append(round(text_loss(model, held_out), 4))
    return curve


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    return by_seed(train_curve, name, seeds=seeds)

"""Models of running text in notebook 07: a seed takes up to two minutes.

A row holds the loss of each seed on the last tenth of the text, measured
`MEASURED` times in equal distances: (seeds, MEASURED).
"""

from functools import cache, lru_cache

import torch

from helpers.experiments.stored import by_seed
from helpers.tasks import running_text
from helpers.torch_bridge.text_model import TextModel
from helpers.torch_bridge.text_training import text_loss, training_steps

SEEDS = range(1000, 1003)
MEASURED = 10
ROWS = {
    "five seconds": dict(layers=1, width=64, context=32, steps=200),
    "two minutes": dict(layers=2, width=128, context=64, steps=1000),
}


@cache
def alphabet():
    """Return the `Characters` of the text."""
    return running_text.Characters(running_text.shakespeare())


@cache
def tokens():
    """Return the text's ids: nine tenths to train on, and the last tenth."""
    ids = alphabet().ids(running_text.shakespeare())
    return tuple(map(torch.from_numpy, running_text.split(ids)))


@lru_cache(maxsize=1)  # `text_copy_runs` asks for the same model
def train_model(name, seed):
    """Return a trained model of `ROWS`, and its loss after each tenth."""
    settings = dict(ROWS[name])
    steps = settings.pop("steps")
    model = TextModel(len(alphabet()), seed=seed, **settings)
    read, held_out = tokens()
    curve = []
    for step in training_steps(model, read, steps=steps, seed=seed):
        if step % (steps // MEASURED) == 0:
            curve.append(round(text_loss(model, held_out), 4))
    return model, curve


def train_curve(name, seed):
    """Return the loss after each tenth of the steps of one of `ROWS`."""
    return train_model(name, seed)[1]


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    return by_seed(train_curve, name, seeds=seeds)

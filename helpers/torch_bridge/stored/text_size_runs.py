"""Models of running text by size and by length of text: a quarter of an hour.

A row "WIDTH | 1/PART" holds for each seed the loss of two layers of a width
on the first `MEASURED` characters of the last tenth, and on as many of the
text that was trained on, after `STEPS` steps: [{"new": …, "read": …}, …].
The text that is trained on is the first PARTth of the first nine tenths.
"""

import torch

from helpers.experiments.stored import by_measure
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
WIDTHS, PARTS = (16, 24, 32, 48, 64), (1, 8, 64)
STEPS, BATCH, RATE, WARM_UP = 500, 16, 8e-3, 100
MEASURED = 15_000
ROWS = {
    f"{width} | 1/{part}": (width, part) for part in PARTS for width in WIDTHS
}


def build(width, seed=0):
    """Return a model of one of `WIDTHS`."""
    num_characters = len(running_text.Characters(running_text.shakespeare()))
    return TextModel(num_characters, width=width, seed=seed)


def train_one(width, part, seed):
    """Return the loss on text that is new, and on text that was read."""
    text = running_text.shakespeare()
    ids = running_text.Characters(text).ids(text)
    ids, held_out = map(torch.from_numpy, running_text.split(ids))
    ids, model = ids[: len(ids) // part], build(width, seed)
    optimizer = muon_and_adamw(model)
    generator = torch.Generator().manual_seed(seed)
    for step in range(STEPS):
        batch = text_batch(ids, BATCH, model.context, generator)
        rate = RATE * learning_rate_factor(step, STEPS, WARM_UP)
        text_step(model, optimizer, *batch, rate)
    return {
        "new": round(text_loss(model, held_out[:MEASURED]), 4),
        "read": round(text_loss(model, ids[:MEASURED]), 4),
    }


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    return by_measure(train_one, *ROWS[name], seeds=seeds)

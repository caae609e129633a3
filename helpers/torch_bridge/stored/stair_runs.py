"""Models of Shakespeare's plays, part by part: notebook 06, ten minutes.

A row holds the loss of each seed on the whole last tenth of the text.
"""

import torch

from helpers.experiments.stored import BRIEF, by_seed
from helpers.torch_bridge import text_training
from helpers.torch_bridge.partial_model import PartialModel
from helpers.torch_bridge.stored import text_runs

SEEDS, STEPS, WARM_UP = (0,), 1000, 100
TRIED = (3e-3, 1e-2, 3e-2)  # a row has the best of them
ONE = dict(layers=1, positions=True)
WHOLE = ONE | dict(feed_forward=True, stream=True)
ROWS = {  # (learning rate, options of `PartialModel`, steps if not STEPS)
    "one character": (3e-2, {}),
    "+ attention": (1e-2, dict(layers=1)),
    "+ positions": (1e-2, ONE),
    "+ sum and norm": (3e-2, ONE | dict(stream=True)),
    "+ feed-forward": (3e-2, WHOLE),
    "+ 4 heads": (3e-2, WHOLE | dict(heads=4)),
    "+ second block": (3e-2, WHOLE | dict(heads=4, layers=2)),
    "second block, no sum and norm": (
        1e-2,
        WHOLE | dict(heads=4, layers=2, stream=False),
    ),
    f"{BRIEF} | one character": (3e-2, dict(steps=50)),
}


def run(name, seed, rate=None):
    """Train one of `ROWS` on one seed; return its loss on new text.

    rate: another highest learning rate.
    """
    best, options = ROWS[name]
    rate, options = rate or best, dict(options)
    steps = options.pop("steps", STEPS)
    read, held_out = text_runs.tokens()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = PartialModel(len(text_runs.alphabet()), **options)
    adam = torch.optim.AdamW(model.parameters(), rate, betas=(0.9, 0.99))
    batches = torch.Generator().manual_seed(seed)
    for step in range(steps):
        batch = text_training.text_batch(read, 32, model.context, batches)
        factor = text_training.learning_rate_factor(step, steps, WARM_UP)
        text_training.text_step(model, adam, *batch, rate * factor)
    return round(text_training.text_loss(model, held_out), 4)


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: a loss for each seed."""
    return by_seed(run, name, seeds=seeds)

"""Models of running text by size and by length of text: half an hour.

A row "WIDTH | 1/PART" holds for each seed the loss of two layers of a width
on the first `MEASURED` characters of the last tenth, and on as many of the
text that was trained on, after `STEPS` steps: [{"new": …, "read": …}, …].
The text that is trained on is the first PARTth of the first nine tenths.
"WIDTH | longer" is "WIDTH | 1/1" after `LONGER` times as many steps.
"""

from helpers.experiments.stored import by_measure
from helpers.torch_bridge.stored.text_runs import alphabet, tokens
from helpers.torch_bridge.text_model import TextModel
from helpers.torch_bridge.text_training import text_loss, training_steps

SEEDS = range(1000, 1003)
WIDTHS, PARTS = (16, 24, 32, 48, 64), (1, 8, 64)
STEPS, BATCH, LONGER = 500, 16, 4
MEASURED = 15_000
ROWS = {
    f"{width} | 1/{part}": (width, part, STEPS)
    for part in PARTS
    for width in WIDTHS
} | {f"{width} | longer": (width, 1, LONGER * STEPS) for width in (16, 32, 64)}


def build(width, seed=0):
    """Return a model of one of `WIDTHS`."""
    return TextModel(len(alphabet()), width=width, seed=seed)


def train_one(width, part, steps, seed):
    """Return the loss on text that is new, and on text that was read."""
    ids, held_out = tokens()
    ids, model = ids[: len(ids) // part], build(width, seed)
    settings = dict(steps=steps, batch_size=BATCH, seed=seed)
    for _ in training_steps(model, ids, **settings):
        pass
    return {
        "new": round(text_loss(model, held_out[:MEASURED]), 4),
        "read": round(text_loss(model, ids[:MEASURED]), 4),
    }


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    return by_measure(train_one, *ROWS[name], seeds=seeds)

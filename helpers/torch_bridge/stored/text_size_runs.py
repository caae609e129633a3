"""Models of running text by size and by amount of text: twenty minutes.

"parameters | WIDTH" is two layers of a width, trained on the whole training
part for `STEPS` steps. "text | 1/PART | STEPS" is the width `WIDTH`, trained
on a PARTth of the training part, in pieces of `PIECE` characters from
everywhere, others for each seed. A row holds for each seed the loss on both
halves of the last tenth ("choose", "judge"): the first chooses the number of
steps for an amount of text. In the row `STEP_SIZES`, the narrowest and the
widest model try `RATES` with another seed.
"""

import numpy as np
import torch

from helpers.experiments.stored import BRIEF, by_measure
from helpers.torch_bridge.stored.text_runs import alphabet, tokens
from helpers.torch_bridge.text_model import TextModel
from helpers.torch_bridge.text_training import text_loss, training_steps

SEEDS, TUNING_SEED = range(2000, 2003), 0
WIDTHS, WIDTH = (16, 24, 32, 48, 64, 96), 32
STEPS, BATCH, PIECE = 500, 16, 1000
PARTS = {  # and for how many steps, so that it is read 4 to 33 times
    64: (250, 500),
    32: (250, 500, 1000),
    16: (500, 1000, 2000),
    8: (500, 1000, 2000),
    4: (1000, 2000),
}
STEP_SIZES, RATES = "step sizes", (0.004, 0.008, 0.016)
RATE = 0.016  # the best of them, for both
ROWS = (
    {STEP_SIZES: None}
    | {f"parameters | {width}": (width, 1, STEPS) for width in WIDTHS}
    | {
        f"text | 1/{part} | {steps}": (WIDTH, part, steps)
        for part, numbers in PARTS.items()
        for steps in numbers
    }
    | {f"{BRIEF} | text | 1/64": (WIDTH, 64, 25)}
)


def build(width, seed=0):
    """Return a model of one of `WIDTHS`."""
    return TextModel(len(alphabet()), width=width, seed=seed)


def spread(part, seed):
    """Return a PARTth of the training part: pieces from everywhere."""
    ids, _ = tokens()
    pieces = ids[: len(ids) // PIECE * PIECE].reshape(-1, PIECE)
    drawn = np.random.default_rng(seed).permutation(len(pieces))
    kept = np.sort(drawn[: round(len(pieces) / part)])
    return pieces[torch.from_numpy(kept)].flatten()


def train_model(width, part, steps, seed, **options):
    """Return a trained model, and what it was trained on."""
    ids = tokens()[0] if part == 1 else spread(part, seed)
    model = build(width, seed)
    settings = dict(
        steps=steps, batch_size=BATCH, learning_rate=RATE, seed=seed
    )
    for _ in training_steps(model, ids, **settings | options):
        pass
    return model, ids


def measure(width, part, steps, seed, **options):
    """Return the loss on both halves of the last tenth."""
    model, _ = train_model(width, part, steps, seed, **options)
    _, held_out = tokens()
    halves = held_out.tensor_split(2)
    return {
        name: round(text_loss(model, half), 4)
        for name, half in zip(("choose", "judge"), halves, strict=True)
    }


def with_rates(width):
    """Return the loss of a width with each of `RATES`."""
    return [
        measure(width, 1, STEPS, TUNING_SEED, learning_rate=rate)["choose"]
        for rate in RATES
    ]


def best_of(runs):
    """Return what each amount of text leads to, from the smallest on.

    runs: the rows of the file -> characters (A,), the loss with the number of
    steps that the first half chooses, on the second (A, seeds), and this
    number (A,).
    """
    lengths, losses, chosen = [], [], []
    for part, numbers in PARTS.items():
        rows = [runs[f"text | 1/{part} | {steps}"] for steps in numbers]
        best = int(np.argmin([row["choose"].mean() for row in rows]))
        lengths.append(len(spread(part, SEEDS[0])))
        losses.append(rows[best]["judge"])
        chosen.append(numbers[best])
    return np.array(lengths), np.array(losses), np.array(chosen)


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    if name == STEP_SIZES:
        ends = WIDTHS[0], WIDTHS[-1]
        return {f"{width}": with_rates(width) for width in ends}
    return by_measure(measure, *ROWS[name], seeds=seeds)

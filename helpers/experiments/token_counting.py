"""How many a's, and how many times as many b's: two questions.

Trial room 06b asks them of one attention layer. A text has `number` a's and
`others` times as many b's, so the fraction does not determine the number.
"""

import numpy as np

from helpers.layers import sinusoidal_positions
from helpers.models import AttentionClassifier
from helpers.training import fit, predict

NUMBERS, OTHERS = range(1, 9), range(1, 4)  # in training
D_MODEL, BATCH = 16, 64
TRAINED_ON, MEASURED_ON, EPOCHS, LEARNING_RATE = 6400, 1000, 4, 8e-3
KINDS = {  # question, whether the asker is a key, size of the positions
    "fraction": ("fraction", False, 0),
    "number": ("number", False, 0),
    "number, one reference word": ("number", True, 0),
    "number, positions": ("number", False, 1),
}


def draw(numbers, others, count, seed):
    """Draw texts: is_a, there (B, n) of bool, and number, others (B,).

    numbers, others: what is drawn from, evenly; n is the longest length.
    """
    rng = np.random.default_rng(seed)
    number, other = rng.choice(numbers, count), rng.choice(others, count)
    longest = max(numbers) * (1 + max(others))
    there = np.arange(longest) < (number * (1 + other))[:, None]  # (B, n)
    mixed = np.where(there, rng.random(there.shape), 2)  # 2: behind them all
    rank = mixed.argsort(axis=1).argsort(axis=1)
    return rank < number[:, None], there, number, other


def as_batch(kind, is_a, there, number, other):
    """Return (x, position, mask, labels) for an `AttentionClassifier`.

    The asker comes before the letters. It is among the words that it may
    look at only where the kind has it as a reference.
    """
    question, reference, size = KINDS[kind]
    count, length = is_a.shape
    draw_vectors = np.random.default_rng(0).standard_normal
    asker, b, a = draw_vectors((3, D_MODEL))
    x = np.where(is_a[..., None], a, b)  # (B, n, d)
    if size:
        x = x + size * sinusoidal_positions(length, D_MODEL, 100.0)
    first = np.broadcast_to(asker, (count, 1, D_MODEL))
    x = np.concatenate([first, x], axis=1)  # (B, 1 + n, d)
    mask = np.concatenate([np.full((count, 1), reference), there], axis=1)
    label = number if question == "number" else other
    return x, np.zeros(count, int), mask, label[:, None] - 1


def new_counter(kind, seed, *, numbers=NUMBERS):
    """Return an untrained model for one of `KINDS`."""
    known = numbers if KINDS[kind][0] == "number" else OTHERS
    return AttentionClassifier(
        D_MODEL, 16, 16, classes=(len(known),), hidden=64, seed=seed
    )


def train_counter(kind, seed, *, numbers=NUMBERS, epochs=EPOCHS):
    """Train one of `KINDS` on numbers 1 to some, and OTHERS."""
    texts = draw(numbers, OTHERS, TRAINED_ON, (seed, 0))
    arrays = as_batch(kind, *texts)
    batches = [
        tuple(array[i : i + BATCH] for array in arrays)
        for i in range(0, TRAINED_ON, BATCH)
    ]
    model = new_counter(kind, seed, numbers=numbers)
    fit(model, batches, epochs=epochs, learning_rate=LEARNING_RATE, show=False)
    return model


def accuracy(model, kind, seed, *, numbers=NUMBERS, others=OTHERS):
    """Return how many answers on new texts are right."""
    batch = as_batch(kind, *draw(numbers, others, MEASURED_ON, (seed, 1)))
    logits, _ = model.forward(*batch[:3])
    return float((predict(logits, model.classes) == batch[3]).mean())

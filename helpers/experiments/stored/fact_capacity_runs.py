"""More facts than a small model learns: which parts hold most of them?

Trial room 06b, claim C66: with and without feed-forward layers, at equal
size. 1,000 made-up words each have one of 46 verbs, drawn at random. A text
is such a word, another one, and the verb of the first. A quarter of an hour.
"""

import numpy as np

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import BRIEF, by_seed
from helpers.models.block_variants import LastWordModel
from helpers.training import fit

FACTS, VERBS, WIDTH = 1000, 46, 16
STEPS, LONGER, BATCH, EPOCHS = 1500, 6000, 128, 10
BOTH, TWO = "attention and feed-forward", "two layers of attention"
SIZES = {  # options of `LastWordModel`
    BOTH: dict(hidden=2 * WIDTH),
    TWO: dict(feed_forward=False, layers=2),
}
RATES = {(TWO, LONGER): 8e-3}  # else 16e-3: the best of four on seed 0
ROWS = {  # which of SIZES, steps
    f"{name}, {steps:,} steps": (name, steps)
    for steps in (STEPS, LONGER)
    for name in (BOTH, TWO)
} | {f"{BRIEF} | {TWO}": (TWO, 300)}


class FactBatches:
    """The batches of one epoch: texts of three words, drawn at random.

    verbs: (FACTS,), the verb of each word; steps: how many batches.
    """

    def __init__(self, verbs, rng, steps):
        self.verbs, self.rng, self.steps = verbs, rng, steps

    def __iter__(self):
        for _ in range(self.steps):
            first = self.rng.integers(FACTS, size=BATCH)
            second = self.rng.integers(FACTS, size=BATCH)
            yield texts(first, second, self.verbs), 0


def texts(first, second, verbs):
    """Return (B, 4): the start, two words, and the verb of the first."""
    start = np.zeros_like(first)
    words = 1 + first, 1 + second, 1 + FACTS + verbs[first]
    return np.stack([start, *words], axis=1)


def run(name, seed):
    """Train one row on one seed; return parameters and the right share.

    The share of all facts whose verb has the largest logit of all verbs;
    another word stands between the word and its verb.
    """
    size, steps = ROWS[name]
    rate = RATES.get((size, steps), 16e-3)
    rng = np.random.default_rng((seed, FACTS))
    vocabulary = [f"word {i}" for i in range(1 + FACTS + VERBS)]
    vectors = rng.standard_normal((len(vocabulary), WIDTH))
    verbs = rng.integers(VERBS, size=FACTS)
    options = dict(hidden=WIDTH, max_length=3, seed=seed) | SIZES[size]
    model = LastWordModel(vocabulary, vectors, **options)
    batches = FactBatches(verbs, rng, steps // EPOCHS)
    fit(model, batches, epochs=EPOCHS, learning_rate=rate, show=False)
    first, second = np.arange(FACTS), rng.integers(FACTS, size=FACTS)
    tokens = texts(first, second, verbs)[:, :-1]
    said = model.logits(tokens)[:, -1, 1 + FACTS :].argmax(axis=1)
    return [block_size(model), round(float((said == verbs).mean()), 4)]


def block_size(model):
    """Return how many parameters the blocks of a model have."""
    arrays = model.parameters.items()
    return sum(a.size for name, a in arrays if name.startswith("block"))


def train_row(name, seeds=SEEDS):
    """Return [parameters of the blocks, share of right facts] by seed."""
    return by_seed(run, name, seeds=seeds)

"""More facts than a small model can hold: which parts hold most of them?

Trial room 06b: with and without feed-forward layers, at equal size. 1,000
made-up words each have one of 46 verbs, drawn at random. A text is such a
word, another one, and the verb of the first. All rows take three minutes.
"""

import numpy as np

from helpers.experiments.runs import SEEDS
from helpers.models import LanguageModel
from helpers.training import fit

FACTS, VERBS, WIDTH = 1000, 46, 16
STEPS, BATCH, LEARNING_RATE = 1500, 128, 8e-3
ROWS = {  # options of `FactModel`
    "attention and feed-forward": dict(hidden=2 * WIDTH),
    "two layers of attention": dict(feed_forward=False, layers=2),
    "one layer of attention": dict(feed_forward=False),
}


class FactModel(LanguageModel):
    """A language model that learns the last word of each text alone."""

    def asked_words(self, there):
        last = np.zeros_like(there)
        last[:, -1] = True  # the texts are equally long
        return last


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


def run(name, seed, epochs=10):
    """Train one row on one seed; return parameters and the right share.

    The share of all facts whose verb has the largest logit of all verbs;
    another word stands between the word and its verb.
    """
    rng = np.random.default_rng((seed, FACTS))
    vocabulary = [f"word {i}" for i in range(1 + FACTS + VERBS)]
    vectors = rng.standard_normal((len(vocabulary), WIDTH))
    verbs = rng.integers(VERBS, size=FACTS)
    options = dict(hidden=WIDTH, max_length=3, seed=seed) | ROWS[name]
    model = FactModel(vocabulary, vectors, **options)
    batches = FactBatches(verbs, rng, STEPS // epochs)
    fit(model, batches, epochs=epochs, learning_rate=LEARNING_RATE, show=False)
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
    return [run(name, seed) for seed in seeds]

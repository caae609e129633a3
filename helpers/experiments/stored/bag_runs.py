"""Trained networks that see only the sum of a sentence's word vectors.

Trial room 01: about ten seconds.
"""

import numpy as np

from helpers import tasks
from helpers.experiments.baselines import sum_and_asker
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import SEEDS, train
from helpers.experiments.stored import by_measure
from helpers.layers import feed_forward, feed_forward_backward
from helpers.training import cross_entropy

UNITS = 64  # of the hidden layer
ROWS = {  # how many training sentences: how many epochs
    "4,000 sentences": (4000, 10),
    "12,000 sentences": (12_000, 6),
}


class BagReader:
    """A hidden layer that reads the sum of all words and the word that asks.

    Its first layer is trained as well, unlike `baselines.nonlinear_bag`. d:
    width of a word vector.
    """

    classes = (2,)

    def __init__(self, d, seed):
        rng = np.random.default_rng(seed)
        self.parameters = dict(
            w_1=rng.normal(0, 0.09, (2 * d, UNITS)),
            b_1=np.zeros(UNITS),
            w_2=rng.normal(0, 0.1, (UNITS, 2)),
            b_2=np.zeros(2),
        )

    def forward(self, x, position, mask):
        """x (B, T, d), position (B,), mask (B, T) -> logits (B, 2), None."""
        features = sum_and_asker(x, position, mask)
        return feed_forward(features, **self.parameters), None

    def loss_and_gradients(self, x, position, mask, labels):
        """labels (B, 1) -> mean loss, {name: gradient}."""
        features = sum_and_asker(x, position, mask)  # (B, 2 * d)
        logits = feed_forward(features, **self.parameters)
        loss, grad = cross_entropy(logits, labels[:, 0])
        w_1, b_1, w_2, _ = self.parameters.values()
        _, *grads = feed_forward_backward(grad, features, w_1, b_1, w_2)
        return loss, dict(zip(self.parameters, grads, strict=True))


def run(name, seed):
    """Train one of `ROWS` on one seed; return its two accuracies."""
    count, epochs = ROWS[name]
    task = tasks.load("which_noun", seed, train_count=count)
    model = BagReader(task.train.x.shape[-1], seed)
    if train(model, task.train, seed=seed, epochs=epochs).stopped:
        raise KeyboardInterrupt(f"stopped at seed {seed}; no model kept")
    parts = {"trained": task.train, "held out": task.test}
    right = {n: evaluate(model, part).accuracy for n, part in parts.items()}
    return {name: round(accuracy[0], 6) for name, accuracy in right.items()}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: {"trained", "held out": accuracies}."""
    return by_measure(run, name, seeds=seeds)

"""Trained networks that see only the sum of a sentence's word vectors.

Trial room 01: about ten seconds.
"""

import numpy as np

from helpers import tasks
from helpers.experiments.baselines import sum_and_asker
from helpers.experiments.runs import SEEDS, train
from helpers.experiments.stored import by_measure
from helpers.layers import feed_forward, feed_forward_backward
from helpers.training import cross_entropy

ROWS = {  # how many training sentences: how many epochs
    "4,000 sentences": (4000, 10),
    "12,000 sentences": (12_000, 6),
}


class BagReader:
    """A hidden layer that reads the sum of all words and the word that asks.

    Its first layer is trained as well, unlike `baselines.nonlinear_bag`.
    """

    def __init__(self, d, *, units=64, classes=2, seed=0):
        """d: width of a word vector; units: of the hidden layer."""
        rng = np.random.default_rng(seed)
        self.parameters = dict(
            w_1=rng.normal(0, 0.09, (2 * d, units)),
            b_1=np.zeros(units),
            w_2=rng.normal(0, 0.1, (units, classes)),
            b_2=np.zeros(classes),
        )

    def forward(self, x, position, mask):
        """x (B, T, d), position (B,), mask (B, T) -> logits (B, classes)."""
        features = sum_and_asker(x, position, mask)
        return feed_forward(features, **self.parameters)

    def loss_and_gradients(self, x, position, mask, labels):
        """labels (B, 1) -> mean loss, {name: gradient}."""
        features = sum_and_asker(x, position, mask)  # (B, 2 * d)
        logits = feed_forward(features, **self.parameters)
        loss, grad = cross_entropy(logits, labels[:, 0])
        w_1, b_1, w_2, _ = self.parameters.values()
        _, *grads = feed_forward_backward(grad, features, w_1, b_1, w_2)
        return loss, dict(zip(self.parameters, grads, strict=True))


def accuracy(model, examples):
    """Return the fraction of right answers, a number."""
    sentences = examples.sentences
    logits = model.forward(examples.x, sentences.position, examples.mask)
    return (logits.argmax(axis=-1) == sentences.labels[:, 0]).mean()


def run(name, seed):
    """Train one of `ROWS` on one seed; return its two accuracies."""
    count, epochs = ROWS[name]
    task = tasks.load("which_noun", seed, train_count=count)
    model = BagReader(task.train.x.shape[-1], seed=seed)
    if train(model, task.train, seed=seed, epochs=epochs).stopped:
        raise KeyboardInterrupt(f"stopped at seed {seed}; no model kept")
    parts = {"trained": task.train, "held out": task.test}
    return {n: round(accuracy(model, part), 6) for n, part in parts.items()}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: {"trained", "held out": accuracies}."""
    return by_measure(run, name, seeds=seeds)

"""Models that learn no attention: only a linear probe is fitted."""

import numpy as np

from helpers import tasks
from helpers.attention import scaled_dot_product_attention
from helpers.experiments.runs import SEEDS
from helpers.models import LinearProbe


def bag_of_vectors(x, position, mask):
    """Add up the word vectors: order and question are lost.

    x (B, T, d), position (B,), mask (B, T) -> features (B, d), None.
    """
    return (x * mask[..., None]).sum(axis=1), None


def untrained_attention(x, position, mask, *, sees_itself=True):
    """Let one word attend with query = key = value = word vector.

    x (B, T, d), position (B,) of that word, mask (B, T) -> context (B, d),
    weights (B, T). With ``sees_itself=False`` it attends to all words but
    itself.
    """
    rows = np.arange(len(x))
    if not sees_itself:
        mask = mask.copy()
        mask[rows, position] = False
    context, weights = scaled_dot_product_attention(
        x[rows, position, None],  # (B, 1, d)
        x,
        x,
        mask=mask[:, None],  # (B, 1, T)
    )
    return context[:, 0], weights[:, 0]


def measure(features, seeds=SEEDS, split="test"):
    """Fit a linear probe on fixed features of the task "which_noun".

    Parameters
    ----------
    features : callable
        ``features(x, position, mask) -> (features (B, d), weights (B, T))``,
        weights None where there are none.
    seeds : sequence of int
    split : "test" or "train"
        Which sentences to measure on.

    Returns
    -------
    dict
        accuracy and mass (None without weights), one entry per seed, and
        num_parameters: keyword arguments for `Scoreboard.add`.
    """
    results = [
        _measure(features, tasks.load("which_noun", s), split) for s in seeds
    ]
    accuracy, mass, sizes = zip(*results, strict=True)
    mass = None if mass[0] is None else mass
    return dict(accuracy=accuracy, mass=mass, num_parameters=sizes[0])


def _measure(features, task, split):
    probe = LinearProbe()
    fitted, _ = _features(features, task.train)
    probe.fit(fitted, task.train.sentences.labels[:, 0])
    examples = getattr(task, split)
    measured, weights = _features(features, examples)
    answers = probe.predict(measured)  # (B,)
    accuracy = (answers == examples.sentences.labels[:, 0]).mean()
    mass = None
    if weights is not None:
        mass = attention_mass(weights, examples.sentences.evidence[:, 0])
    return accuracy, mass, probe.num_parameters


def _features(features, examples):
    return features(examples.x, examples.sentences.position, examples.mask)


def attention_mass(weights, evidence):
    """Return the mean weight (B, T) at the positions evidence (B,)."""
    return weights[np.arange(len(weights)), evidence].mean()

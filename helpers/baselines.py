"""Models that learn no attention: only a linear readout is fitted."""

import numpy as np

from helpers import tasks
from helpers.attention import scaled_dot_product_attention
from helpers.models import LinearReadout

SEEDS = (1000, 1001, 1002, 1003, 1004)  # settings were chosen on others


def bag_of_vectors(x, query, mask):
    """Add up the word vectors: order and question are lost.

    x (B, T, d), query (B,), mask (B, T) -> features (B, d), None.
    """
    return (x * mask[..., None]).sum(axis=1), None


def untrained_attention(x, query, mask, *, sees_itself=True):
    """Let the query word attend with query = key = value = word vector.

    x (B, T, d), query (B,), mask (B, T) -> context (B, d), weights (B, T).
    With ``sees_itself=False`` the query may attend to all words but itself.
    """
    rows = np.arange(len(x))
    if not sees_itself:
        mask = mask.copy()
        mask[rows, query] = False
    context, weights = scaled_dot_product_attention(
        x[rows, query, None],  # (B, 1, d)
        x,
        x,
        mask=mask[:, None],  # (B, 1, T)
    )
    return context[:, 0], weights[:, 0]


def measure(features, seeds=SEEDS, split="test"):
    """Fit a linear readout on fixed features of the task "which_noun".

    Parameters
    ----------
    features : callable
        ``features(x, query, mask) -> (features (B, d), weights (B, T))``,
        weights None where there are none.
    seeds : sequence of int
    split : "test" or "train"
        Which sentences to measure on.

    Returns
    -------
    dict
        accuracy and mass (None without weights), one entry per seed, and
        parameters: keyword arguments for `Scoreboard.add`.
    """
    results = [
        _measure(features, tasks.load("which_noun", s), split) for s in seeds
    ]
    accuracy, mass, parameters = zip(*results, strict=True)
    mass = None if mass[0] is None else mass
    return dict(accuracy=accuracy, mass=mass, parameters=parameters[0])


def _measure(features, task, split):
    readout = LinearReadout()
    fitted, _ = _features(features, task.train)
    readout.fit(fitted, task.train.sentences.labels[:, 0])
    examples = getattr(task, split)
    found, weights = _features(features, examples)
    answers = readout.predict(found)  # (B,)
    accuracy = (answers == examples.sentences.labels[:, 0]).mean()
    mass = None
    if weights is not None:
        mass = attention_mass(weights, examples.sentences.evidence[:, 0])
    return accuracy, mass, readout.parameters


def _features(features, examples):
    return features(examples.x, examples.sentences.position, examples.mask)


def attention_mass(weights, targets):
    """Return the mean weight (B, T) at the target positions (B,)."""
    return weights[np.arange(len(weights)), targets].mean()

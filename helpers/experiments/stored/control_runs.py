"""The controls of notebook 02 and its room: 150 runs, some minutes."""

import numpy as np

from helpers.experiments.runs import SEEDS, run
from helpers.models import AttentionClassifier

# Of the rows "blind, reserved nouns": five pairs could not tell 1.7 points
# from the 2 of claim C14, and these seeds had never been used.
MANY = range(8100, 8140)


class BlindClassifier(AttentionClassifier):
    """The word that asks never sees its own key."""

    def forward(self, x, position, mask, **options):
        """As in `AttentionClassifier`, but `position` is masked, too."""
        x, position, mask = self.check_sentences(x, position, mask)
        mask = mask.copy()
        mask[np.arange(len(x)), position] = False
        return super().forward(x, position, mask, **options)


ROWS = {  # name of a row: options of `run`, beside the task "which_noun"
    "d_k = 1": dict(d_k=1),
    "d_k = 2": dict(d_k=2),
    "d_k = 4": dict(d_k=4),
    "uniform weights": dict(scoring="uniform"),
    "no noise": dict(training=dict(noise_std=0)),
    "tied W_Q = W_K, 20 epochs": dict(
        scoring="tied", training=dict(epochs=20)
    ),
    "learned, verbs held out too": dict(task=dict(hold_out_verbs=True)),
    "tied, same size": dict(scoring="tied", d_k=32),
    "tied, blind to itself": dict(scoring="tied", kind=BlindClassifier),
    "learned, blind to itself": dict(kind=BlindClassifier),
    "learned, reserved nouns": dict(task=dict(reserved=True)),
    "tied, reserved nouns": dict(scoring="tied", task=dict(reserved=True)),
    "W_V = W_K, reserved nouns": dict(values="keys", task=dict(reserved=True)),
    "no W_V, reserved nouns": dict(
        values="identity", task=dict(reserved=True)
    ),
    "tied, blind, reserved nouns": dict(
        scoring="tied", kind=BlindClassifier, task=dict(reserved=True)
    ),
    "learned, blind, reserved nouns": dict(
        kind=BlindClassifier, task=dict(reserved=True)
    ),
}


def train_row(name, seeds=None):
    """Train one row of `ROWS` anew.

    Returns
    -------
    dict
        accuracy and mass, one number for each seed, and num_parameters:
        keyword arguments for `Scoreboard.add`.
    """
    if seeds is None:
        seeds = MANY if name.endswith("blind, reserved nouns") else SEEDS
    summary = run("which_noun", seeds=seeds, **ROWS[name]).summary()
    return {key: np.round(value, 6).tolist() for key, value in summary.items()}

"""What becomes of a change in the twelfth decimal, with the scale and without.

Notebook 03: a quarter of an hour. Each model is trained twice; the second time
one number of its first W_Q is larger by `NUDGE`.
"""

import numpy as np

from helpers import tasks
from helpers.experiments import runs
from helpers.experiments.evaluation import evaluate
from helpers.experiments.stored import BRIEF, by_seed
from helpers.models import AttentionClassifier

D_K = 256
NUDGE = 1e-12
# Those of the course, and five on which nothing was chosen.
SEEDS = (*runs.SEEDS, 7000, 7001, 7002, 7003, 7004)
ROWS = {  # name: (scale, learning rate, epochs of Adam)
    "unscaled": (1.0, 0.003, 6),
    "1/sqrt(d_k)": (1 / 16, 0.003, 6),
    "1/sqrt(d_k), small steps": (1 / 16, 0.0004, 6),
    f"{BRIEF} | 1/sqrt(d_k)": (1 / 16, 0.003, 2),
}


def train_once(name, seed, nudge=0.0):
    """Train one model of `ROWS`; W_Q after each epoch, its Evaluation."""
    scale, learning_rate, epochs = ROWS[name]
    data = tasks.load("which_noun", seed)
    model = AttentionClassifier(d_k=D_K, scale=scale, seed=seed)
    model.parameters["w_q"][0, 0] += nudge
    seen = []
    runs.train(
        model,
        data.train,
        seed=seed,
        epochs=epochs,
        learning_rate=learning_rate,
        linear_decay=False,
        after_epoch=lambda _: seen.append(model.parameters["w_q"].copy()),
    )
    return np.array(seen), evaluate(model, data.test)


def compare(name, seed):
    """Train with the nudge and without.

    Returns
    -------
    dict
        accuracy of the model without the nudge; differ: how many of the 1,500
        answers are others with it; gaps: after each epoch, the largest
        difference of a number in W_Q.
    """
    once, plain = train_once(name, seed)
    again, nudged = train_once(name, seed, NUDGE)
    gaps = np.abs(once - again).max(axis=(1, 2))  # (6,)
    return dict(
        accuracy=round(float(plain.accuracy[0]), 4),
        differ=int((plain.correct != nudged.correct).sum()),
        gaps=[float(f"{gap:.1e}") for gap in gaps],
    )


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `compare` of each seed."""
    return by_seed(compare, name, seeds=seeds)

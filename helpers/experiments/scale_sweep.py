"""The training experiment of notebook 03: does the scale matter, and when?

`train_cell` trains one model; data/scaling_runs.json holds all of them,
because together they take minutes. tools/write_scaling_runs.py writes it.
"""

import json
import math

from helpers import tasks
from helpers.embeddings import data_file
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import train
from helpers.models import AttentionClassifier
from helpers.training import SGD, Adam

WIDTHS = (16, 64, 256, 1024)  # d_k
SCALES = {
    "unscaled": lambda d_k: 1.0,
    "1/sqrt(d_k)": lambda d_k: 1 / math.sqrt(d_k),
    "1/d_k": lambda d_k: 1 / d_k,
}
SETTINGS = {  # learning rate, epochs, optimizer, gain of the initial weights
    "brisk Adam": (3e-3, 6, Adam, 1.0),
    "patient Adam": (1e-3, 20, Adam, 1.0),
    "small start": (3e-3, 6, Adam, 0.1),
    "plain SGD": (0.3, 6, SGD, 1.0),
    "long Adam": (3e-3, 20, Adam, 1.0),
    "patient SGD": (0.3, 20, SGD, 1.0),
}


def train_cell(setting, d_k, scale, seed):
    """Train one `AttentionClassifier` at a constant learning rate.

    setting, scale: names from SETTINGS and SCALES.

    Returns
    -------
    dict
        accuracy and mass on held-out words, a list with one number after
        each epoch.
    """
    learning_rate, epochs, optimizer, gain = SETTINGS[setting]
    task = tasks.load("which_noun", seed)
    model = AttentionClassifier(
        d_k=d_k, scale=SCALES[scale](d_k), gain=gain, seed=seed
    )
    curve = []
    history = train(
        model,
        task.train,
        seed=seed,
        epochs=epochs,
        learning_rate=learning_rate,
        linear_decay=False,
        optimizer=optimizer,
        after_epoch=lambda _: curve.append(evaluate(model, task.test)),
    )
    if history.stopped:
        raise KeyboardInterrupt
    return dict(
        accuracy=[round(float(e.accuracy[0]), 4) for e in curve],
        mass=[round(float(e.mass[0, 0]), 4) for e in curve],
    )


def cell_name(setting, d_k, scale):
    """Return the name of one cell of the experiment in the file."""
    return f"{setting} | d_k {d_k} | {scale}"


def load_cells():
    """Return {cell_name(setting, d_k, scale): one `train_cell` per seed}.

    Raises FileNotFoundError or ValueError naming the file.
    """
    text = data_file("scaling_runs.json").read_text(encoding="utf-8")
    return json.loads(text)

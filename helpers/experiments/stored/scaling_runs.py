"""The training experiments of notebook 03: does the scale matter, and when?

A quarter of an hour.
"""

import math
from functools import partial
from itertools import product

import numpy as np

from helpers import tasks
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import SEEDS, train
from helpers.experiments.scoring_functions import ScoringClassifier
from helpers.experiments.stored import by_seed, load
from helpers.models import AttentionClassifier
from helpers.training import SGD, Adam

TUNING_SEEDS = (0, 1, 2, 3, 4)
MORE_SEEDS = tuple(range(1005, 1015))  # where five pairs cannot tell
WIDTHS = (16, 64, 256, 1024)  # d_k
SCALES = {
    "unscaled": lambda d_k: 1.0,
    "1/sqrt(d_k)": lambda d_k: 1 / math.sqrt(d_k),
    "1/d_k": lambda d_k: 1 / d_k,
}
# Unscaled, and c = d_k ** (-1 / 4): initial W_Q and W_K times c, their steps
# as if they were c times as large.
HALVES = {
    "only the start": (True, False),
    "only the steps": (False, True),
    "start and steps": (True, True),
}
SCORING_FUNCTIONS = ("additive", "QK-norm")
SETTINGS = {  # learning rate, epochs, optimizer, gain of the initial weights
    "brisk Adam": (3e-3, 6, Adam, 1.0),
    "patient Adam": (1e-3, 20, Adam, 1.0),
    "small start": (3e-3, 6, Adam, 0.1),
    "plain SGD": (0.3, 6, SGD, 1.0),
    "long Adam": (3e-3, 20, Adam, 1.0),
    "patient SGD": (0.3, 20, SGD, 1.0),
}
RATES = {  # brisk Adam, and the same at other learning rates
    "Adam 0.0003": (3e-4, 6, Adam, 1.0),
    "Adam 0.001": (1e-3, 6, Adam, 1.0),
    "brisk Adam": SETTINGS["brisk Adam"],
    "Adam 0.01": (1e-2, 6, Adam, 1.0),
}
OTHER_RATES = [name for name in RATES if name not in SETTINGS]
WIDE = WIDTHS[1:]
CELLS = [  # (setting, d_k, scale), trained on SEEDS
    *product(SETTINGS, WIDTHS, SCALES),
    *product(("brisk Adam", "plain SGD"), (256, 1024), HALVES),
    *product(("brisk Adam",), (16, 256), SCORING_FUNCTIONS),
    ("patient Adam", 256, "additive"),
    *product(OTHER_RATES, WIDE, SCALES),
]
TUNING_CELLS = [*product(RATES, WIDE, SCALES)]  # trained on TUNING_SEEDS
MORE_CELLS = [("patient Adam", 256, n) for n in ("unscaled", "additive")]


class SmallSteps:
    """An optimizer whose steps of W_Q and W_K are those of smaller ones.

    With ``w_q = factor * w`` the gradient with respect to w_q is that with
    respect to w, divided by the factor; these steps keep w_q at ``factor *
    w``. Adam's steps do not depend on the size of the gradient, apart from
    its epsilon; those of SGD do.
    """

    def __init__(self, parameters, learning_rate, *, optimizer, factor):
        slow = {n: a for n, a in parameters.items() if n in ("w_q", "w_k")}
        rest = {n: a for n, a in parameters.items() if n not in slow}
        if optimizer is SGD:
            own = SGD(slow, learning_rate * factor**2)
        else:
            own = Adam(slow, learning_rate * factor, epsilon=1e-8 / factor)
        self.parts = own, optimizer(rest, learning_rate)

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        for part in self.parts:
            part.step({name: gradients[name] for name in part.parameters})


def train_cell(setting, d_k, scale, seed):
    """Train one model at a constant learning rate.

    setting: a name from SETTINGS or RATES; scale: from SCALES, HALVES or
    SCORING_FUNCTIONS.

    Returns
    -------
    dict
        accuracy and mass on held-out words, a list with one number after
        each epoch.
    """
    learning_rate, epochs, optimizer, gain = (SETTINGS | RATES)[setting]
    task = tasks.load("which_noun", seed)
    if scale in SCORING_FUNCTIONS:
        model = ScoringClassifier(scale, d_k, seed=seed)
    else:
        start, steps = HALVES.get(scale, (False, False))
        factor = d_k**-0.25
        model = AttentionClassifier(
            d_k=d_k,
            scale=SCALES.get(scale, SCALES["unscaled"])(d_k),
            gain=gain * (factor if start else 1),
            seed=seed,
        )
        if steps:
            optimizer = partial(SmallSteps, optimizer=optimizer, factor=factor)
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


def cell_name(setting, d_k, scale, *, seeds=""):
    """Return the name of one cell in the file.

    seeds: "tuning" for TUNING_SEEDS, "more" for MORE_SEEDS, else SEEDS.
    """
    return f"{setting} | d_k {d_k} | {scale}" + (f" | {seeds}" * bool(seeds))


ROWS = {  # {name of a cell: (setting, d_k, scale), its seeds}
    cell_name(*cell): (cell, SEEDS) for cell in CELLS
} | {
    cell_name(*cell, seeds=which): (cell, seeds)
    for which, seeds, cells in (
        ("tuning", TUNING_SEEDS, TUNING_CELLS),
        ("more", MORE_SEEDS, MORE_CELLS),
    )
    for cell in cells
}


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: `train_cell` of each seed."""
    cell, own_seeds = ROWS[name]
    return by_seed(train_cell, *cell, seeds=seeds or own_seeds)


def last_epoch(setting, scale, widths=WIDTHS, *, measure="accuracy", **which):
    """Return what the stored models of one way to train reached: (S, n).

    After the last epoch, a row for each seed, a column for each width;
    measure: "accuracy" or "mass"; which: `seeds` of `cell_name`.
    """
    cells = load("scaling_runs")
    names = [cell_name(setting, d, scale, **which) for d in widths]
    return np.stack([cells[n][measure][:, -1] for n in names], axis=1)


def curves(*settings):
    """Return the last accuracies as panels for `plots.show_curve_panels`."""
    return {
        f"{setting}: held-out accuracy": {
            name: last_epoch(setting, name) for name in SCALES
        }
        for setting in settings
    }


def at_best_rate(scale, d_k):
    """Return the best learning rate of `RATES`, and what it reached.

    The best on TUNING_SEEDS, after six epochs of Adam at one of the widths
    `WIDE`; and the accuracies on SEEDS with it: (S,).
    """
    tuned = {
        name: last_epoch(name, scale, [d_k], seeds="tuning").mean()
        for name in RATES
    }
    best = max(tuned, key=tuned.get)
    return RATES[best][0], last_epoch(best, scale, [d_k])[:, 0]

"""The training experiments of notebook 03: does the scale matter, and when?

A quarter of an hour.
"""

import math
from functools import partial
from itertools import product

import numpy as np

from helpers import tasks, validation
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
DIVISORS = {f"divided by {n}": n for n in (4, 8, 32, 64)}  # at d_k 256
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
SGD_STEPS = {  # plain SGD, W_Q and W_K with larger steps: their root
    "plain SGD": 1,
    "SGD, steps x 16": 4,
    "SGD, steps x 256": 16,
}
OTHER_RATES = [name for name in RATES if name not in SETTINGS]
WIDE = WIDTHS[1:]
CELLS = [  # (setting, d_k, scale), trained on SEEDS
    *product(SETTINGS, WIDTHS, SCALES),
    *product(("brisk Adam", "plain SGD"), (256, 1024), HALVES),
    *product(("brisk Adam",), (16, 256), SCORING_FUNCTIONS),
    ("patient Adam", 256, "additive"),
    *product(OTHER_RATES, WIDE, SCALES),
    *product(("Adam 0.01",), WIDTHS[:1], ("unscaled", "1/sqrt(d_k)")),
    *product(("brisk Adam", "plain SGD"), (256,), DIVISORS),
    *product([*SGD_STEPS][1:], (256,), ("1/d_k",)),
]
TUNING_CELLS = [  # trained on TUNING_SEEDS
    *product(RATES, WIDE, SCALES),
    *product(RATES, WIDTHS[:1], ("unscaled",)),
    *product(SGD_STEPS, (256,), ("1/d_k",)),
]
PAIRED = [
    ("brisk Adam", 256),
    ("patient Adam", 256),
    ("brisk Adam", 64),
    ("Adam 0.01", 16),
]
SHORT, STEADY, LONG = "short", "long", "long, in small steps"
# A short training, and a long one at the same learning rate
LENGTHENED = {"Adam 0.001": "patient Adam", "brisk Adam": "long Adam"}
COMPARED = "unscaled", "1/sqrt(d_k)"
MORE_CELLS = [  # trained on MORE_SEEDS
    *((*way, scale) for way in PAIRED for scale in COMPARED),
    ("patient Adam", 256, "additive"),
]


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


def factor_of(scale, d_k):
    """Return what multiplies the scores; scale: a name for `train_cell`."""
    if scale in DIVISORS:
        return 1 / DIVISORS[scale]
    return SCALES.get(scale, SCALES["unscaled"])(d_k)


def train_cell(setting, d_k, scale, seed):
    """Train one model at a constant learning rate.

    setting: a name from SETTINGS, RATES or SGD_STEPS; scale: from SCALES,
    DIVISORS, HALVES or SCORING_FUNCTIONS.

    Returns
    -------
    dict
        accuracy and mass on held-out words, a list with one number after
        each epoch.
    """
    way = "plain SGD" if setting in SGD_STEPS else setting
    learning_rate, epochs, optimizer, gain = (SETTINGS | RATES)[way]
    task = tasks.load("which_noun", seed)
    if scale in SCORING_FUNCTIONS:
        model = ScoringClassifier(scale, d_k, seed=seed)
    else:
        start, steps = HALVES.get(scale, (False, False))
        factor = d_k**-0.25
        model = AttentionClassifier(
            d_k=d_k,
            scale=factor_of(scale, d_k),
            gain=gain * (factor if start else 1),
            seed=seed,
        )
        if setting in [*SGD_STEPS][1:]:
            steps, factor = True, SGD_STEPS[setting]
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
    best = _best(RATES, scale, d_k)
    return RATES[best][0], last_epoch(best, scale, [d_k])[:, 0]


def at_best_steps():
    """Return the best of `SGD_STEPS` for 1/d_k at d_k 256, and accuracies.

    How many times as large the steps of W_Q and W_K are, chosen on
    TUNING_SEEDS; and the accuracies on SEEDS with them: (S,).
    """
    best = _best(SGD_STEPS, "1/d_k", 256)
    return SGD_STEPS[best] ** 2, last_epoch(best, "1/d_k", [256])[:, 0]


def _best(settings, scale, d_k):
    tuned = {
        name: last_epoch(name, scale, [d_k], seeds="tuning").mean()
        for name in settings
    }
    return max(tuned, key=tuned.get)


def all_pairs():
    """Return {(SHORT, STEADY or LONG, d_k): `pairs_of` these}."""
    cells = [(SHORT, d_k) for d_k in (256, 1024, 64, 16)]
    cells += [(STEADY, 256), (STEADY, 1024), (LONG, 256)]
    return {cell: pairs_of(*cell) for cell in cells}


def pairs_of(how, d_k):
    """Return {scale: accuracies}: pairs of runs with the same start.

    Without a scale and with the root. A SHORT training takes the learning
    rate of `RATES` that is best without a scale on TUNING_SEEDS; a STEADY one
    has the same; a LONG one is patient Adam. On SEEDS (5,), and also on
    MORE_SEEDS (15,) for what `PAIRED` has.
    """
    validation.choice("how", how, (SHORT, STEADY, LONG))
    way = "patient Adam" if how == LONG else _best(RATES, "unscaled", d_k)
    way = LENGTHENED[way] if how == STEADY else way
    which = ("", "more") if (way, d_k) in PAIRED else ("",)
    return {
        scale: np.concatenate(
            [last_epoch(way, scale, [d_k], seeds=s)[:, 0] for s in which]
        )
        for scale in COMPARED
    }


def by_divisor(setting):
    """Return {what divides the scores at d_k 256: accuracies (5,)}."""
    names = {1: "unscaled", 16: "1/sqrt(d_k)", 256: "1/d_k"}
    names |= {number: name for name, number in DIVISORS.items()}
    return {
        number: last_epoch(setting, names[number], [256])[:, 0]
        for number in sorted(names)
    }

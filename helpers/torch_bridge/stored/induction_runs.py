"""The networks of trial room 06 that copy: half an hour.

A network has several rows: "NAME", its curves (seeds, times, 3), "NAME |
loss", their loss (seeds, times), and "NAME | end", what `at_the_end`
measured. "a text" is `one_text` of the first network. Rows of `OTHER_MAKE`
hold curves of accuracy (seeds, times) of a second network.
"""

from functools import cache

import numpy as np
import torch

from helpers import validation
from helpers.experiments.stored import by_seed
from helpers.torch_bridge import plain_copier
from helpers.torch_bridge.induction import Induction

SHOWN = 7  # which text of the test is stored with its weights
STEPS, EVERY = 400, 10  # of the stored runs; they are measured so often
WITH_LOSS = ("2 layers", "1 layer", "2 layers, learned words")
# Learned word vectors begin at 0.3, where ready-made ones have a size of 1
LEARNED = {"test_part": 0, "word_std": 0.3}
# Ready-made word vectors, and a test with nouns from training
KNOWN = {"layers": 2, "steps": 1200, "test_part": 0}
# What differs from a step size of 4e-3 and gaps that vary
NETWORKS = {
    "2 layers": {"layers": 2, "steps": 1200},
    "1 layer": {"layers": 1, "heads": 2, "steps": 1200},
    "1 layer, fixed gap": {"layers": 1, "heads": 2, "fixed_gap": True},
    "1 layer, smeared keys": {"layers": 1, "heads": 2, "smeared": True},
    "2 layers, step size 2e-3": {
        "layers": 2,
        "learning_rate": 2e-3,
        "steps": 1200,
    },
    "2 layers, step size 8e-3": {
        "layers": 2,
        "learning_rate": 8e-3,
        "steps": 1200,
    },
    "2 layers, known nouns": KNOWN,
    "2 layers, known nouns, step size 2e-3": KNOWN | {"learning_rate": 2e-3},
    "2 layers, known nouns, step size 8e-3": KNOWN | {"learning_rate": 8e-3},
    "2 layers, learned words": {"layers": 2} | LEARNED,
    "2 layers, learned words, step size 2e-3": {
        "layers": 2,
        "learning_rate": 2e-3,
        "steps": 600,
    }
    | LEARNED,
    "2 layers, learned words, step size 8e-3": {
        "layers": 2,
        "learning_rate": 8e-3,
    }
    | LEARNED,
    "2 layers, learned words, large start": {
        "layers": 2,
        "test_part": 0,
        "word_std": 1.0,
    },
    "1 layer, learned words": {"layers": 1, "heads": 2} | LEARNED,
    "2 layers, no warm-up": {"layers": 2, "warm_up": 1, "steps": 1200},
    "2 layers, learned words, no warm-up": {"layers": 2, "warm_up": 1}
    | LEARNED,
}

OTHER_STEPS = 1500  # the slowest needs more than 1,000
OTHER_MAKE = {  # {row: size of the first word vectors}
    f"another make, start {start}": start for start in (0.02, 0.3, 1.0)
}


def train_network(name, seed, steps=None):
    """Train one of `NETWORKS`; return it and its measures every `EVERY` steps.

    Measures: those of `Induction.measure`, and the mean loss of these steps.
    """
    settings = {"steps": STEPS}
    settings |= NETWORKS[validation.choice("name", name, NETWORKS)]
    all_steps = settings.pop("steps")
    trained, curve = Induction(seed, **settings), []
    for _ in range((steps or all_steps) // EVERY):
        losses = [trained.step() for _ in range(EVERY)]
        curve.append([*trained.measure(), round(float(np.mean(losses)), 4)])
    return trained, curve


def plain_curve(name, seed):
    """Train one of `OTHER_MAKE`; return its accuracy, every `EVERY` steps."""
    options = dict(steps=OTHER_STEPS, every=EVERY, learning_rate=4e-3)
    curve = plain_copier.accuracy_curve(OTHER_MAKE[name], seed, **options)
    return [round(accuracy, 4) for accuracy in curve]


def band(weights, back):
    """Return 1 where a word of weights (…, T, T) looks so many back, or 0."""
    return torch.ones_like(weights).tril(-back).triu(-back)


# By hand, in the first layer; the first word keeps its weights
STEPS_IN = {
    "all on the previous word": lambda w: band(w, 1),
    "none on the previous word": lambda w: w * (1 - band(w, 1)),
    "none two back": lambda w: w * (1 - band(w, 2)),
}


@torch.no_grad()
def with_perfect_weights(trained):
    """Return the accuracy if the last of two layers looked where it should.

    All weight on the word after the first occurrence: what is then still
    wrong, the weights are not to blame for. For one head.
    """
    first, last = trained.network.layers
    x = trained.vectors[1][trained.test.words]
    x, _ = first(x + trained.network.table[: x.shape[1]])
    rows, places = trained.test.asked
    seen = x[rows, trained.test.source[rows, places] + 1]
    return trained.accuracy(x[rows, places] + seen @ last.w_v @ last.w_o)


@torch.no_grad()
def with_first_weights(trained, change):
    """Return the accuracy with other weights in the first of two layers.

    change: a function of weights (B, 1, T, T); each row of what it returns
    is divided by its sum. For one head.
    """
    first, last = trained.network.layers
    x = trained.vectors[1][trained.test.words]
    x = x + trained.network.table[: x.shape[1]]
    _, before = first(x)
    weights = change(before)
    weights[..., 0, :] = before[..., 0, :]
    weights = weights / weights.sum(-1, keepdim=True)
    x, _ = last(x + weights[:, 0] @ x @ first.w_v @ first.w_o)
    return trained.accuracy(x[trained.test.asked])


def at_the_end(trained):
    """Return measures of a trained network, as a dict of numbers.

    For ready-made word vectors: most are of nouns that were never trained on.
    """
    rng = np.random.default_rng(trained.seed)
    end = {"trained words": trained.measure(trained.texts(0, 200, rng), 0)[0]}
    for gap, fixed in (("varying gaps", False), ("fixed gap", True)):
        texts = trained.texts(1, 200, rng, fixed)
        end[gap] = trained.measure(texts, 1)[0]
    if len(trained.network.layers) == 2:
        end["perfect weights"] = with_perfect_weights(trained)
        for name, change in STEPS_IN.items():
            end[name] = with_first_weights(trained, change)
    return {name: round(float(value), 4) for name, value in end.items()}


def one_text(trained, row):
    """Return words and last weights of a text of the test, to store."""
    _, maps = trained.answers(trained.test)
    words = [trained.names[1][i] for i in trained.test.words[row]]
    second = trained.test.source[row] >= 0
    weights = maps[-1][row, 0, second].round(4).tolist()
    return {"words": words, "weights": weights}


def _rows_of(name):
    """Yield (row, function of the trained networks) of one of `NETWORKS`."""
    yield name, lambda runs: [[now[:3] for now in curve] for _, curve in runs]
    if name in WITH_LOSS:
        yield (
            f"{name} | loss",
            lambda runs: [[now[3] for now in curve] for _, curve in runs],
        )
    if "test_part" not in NETWORKS[name]:
        yield (
            f"{name} | end",
            lambda runs: [at_the_end(one) for one, _ in runs],
        )
    if name == "2 layers":
        yield "a text", lambda runs: one_text(runs[0][0], SHOWN)


ROWS = {  # {row: name of its network, function of the trained networks}
    row: (name, read) for name in NETWORKS for row, read in _rows_of(name)
} | OTHER_MAKE


@cache
def _trained(name):
    return by_seed(train_network, name)


def train_row(name):
    """Make one of `ROWS` anew; a network is trained once for all its rows."""
    if name in OTHER_MAKE:
        return by_seed(plain_curve, name)
    network, read = ROWS[name]
    return read(_trained(network))

"""Heads that share keys and values, on the question of who and whom.

The training runs of trial room 10, three quarters of an hour. The learning
rates are the best of five on seeds 0 to 4: tools/author/learning_rates.py.
"""

from helpers import validation
from helpers.experiments.runs import run
from helpers.models import GroupedClassifier

SEEDS = range(1000, 1010)
# Their means differ by less than the spread over seeds: so 100 seeds each
CLOSE = (
    "4 x (16 + 16)",
    "2 x (16 + 16)",
    "1 x (16 + 16)",
    "1 x (16 + 16), 7 heads",
    "4 x (4 + 4)",
)
CLOSE_SEEDS = range(1000, 1100)
# They left the control with seven heads undecided: so 300 that are new, and
# these alone decide. Their number was fixed before the first of them ran.
AGAIN = "again | "
AGAIN_SEEDS = range(2000, 2300)
# (heads, key/value heads, d_k, d_v, learning rate, epochs)
ROWS = {
    "4 x (16 + 16)": (4, 4, 16, 16, 4e-3, 6),
    "2 x (16 + 16)": (4, 2, 16, 16, 4e-3, 6),
    "1 x (16 + 16)": (4, 1, 16, 16, 2e-3, 6),
    "1 x (16 + 16), 7 heads": (7, 1, 16, 16, 4e-3, 6),
    "4 x (4 + 4)": (4, 4, 4, 4, 4e-3, 6),
    "4 x (1 + 1)": (4, 4, 1, 1, 8e-3, 6),
    "4 x (1 + 1), 24 epochs": (4, 4, 1, 1, 8e-3, 24),
    "2 x (2 + 2)": (4, 2, 2, 2, 4e-3, 6),
    "1 x (4 + 4)": (4, 1, 4, 4, 4e-3, 6),
    "1 x (2 + 6)": (4, 1, 2, 6, 8e-3, 6),
    "4 x (1 + 4)": (4, 4, 1, 4, 8e-3, 6),
    "4 x (4 + 1)": (4, 4, 4, 1, 4e-3, 6),
    "16 x (1 + 1)": (16, 16, 1, 1, 8e-3, 6),
}
for _name in "4 x (16 + 16)", "1 x (16 + 16)", "1 x (16 + 16), 7 heads":
    ROWS[AGAIN + _name] = ROWS[_name]
# The trial seeds had chosen half the rate of the other two.
ROWS[AGAIN + "1 x (16 + 16) at 4e-3"] = (4, 1, 16, 16, 4e-3, 6)


def train_shared(name, seeds=SEEDS, *, learning_rate=None):
    """Train one row of `ROWS` anew; return `Runs`.

    learning_rate: the row's own if None. Raises ValueError if there is no
    such row.
    """
    validation.choice("name", name, ROWS)
    heads, groups, d_k, d_v, rate, epochs = ROWS[name]
    return run(
        "who_whom",
        seeds=seeds,
        kind=GroupedClassifier,
        heads=heads,
        key_value_heads=groups,
        d_k=d_k,
        d_v=d_v,
        training=dict(epochs=epochs, learning_rate=learning_rate or rate),
    )


def seeds_of(name):
    """Return the seeds with which a row is stored."""
    if name.startswith(AGAIN):
        return AGAIN_SEEDS
    return CLOSE_SEEDS if name in CLOSE else SEEDS


def train_row(name, seeds=None):
    """Return what the file holds of one row: a dict.

    seeds: those of the row if None, see `seeds_of`.
    both: the fraction of sentences with both answers right, for each seed;
    cached: numbers of each word in a cache; num_parameters.
    """
    seeds = seeds or seeds_of(name)
    runs = train_shared(name, seeds)
    return dict(
        both=runs.all_correct.round(4).tolist(),
        cached=runs.models[0].cached_numbers,
        num_parameters=runs.num_parameters,
    )

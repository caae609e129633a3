"""How many pairs are remembered, in trial room 05: about ten minutes.

Each row has the learning rate that was best of `TRIED` on seed 0. Four rows
come once more: the GRU's, trained four times as long, one that a notebook
repeats in seconds, and two with `MORE_KEYS` words that can be a key. With more
steps or keys, the same rates were the best of `TRIED`.
"""

from helpers.experiments.runs import SEEDS as FIVE
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.recall import KEYS, recall

SEEDS = FIVE[:3]
STEPS = 2000
TRIED = 3e-3, 1e-2, 3e-2
RATES = {
    ("softmax", 16): 3e-3,
    ("softmax", 32): 3e-3,
    ("softmax", 64): 3e-3,
    ("linear attention", 16): 3e-2,
    ("linear attention", 32): 3e-3,
    ("linear attention", 64): 3e-2,
    ("delta rule", 16): 3e-3,
    ("delta rule", 32): 1e-2,
    ("delta rule", 64): 1e-2,
    ("GRU", 16): 3e-2,
    ("GRU", 32): 3e-2,
    ("GRU", 64): 1e-2,
}
ROWS = {f"{kind} | {width}": (kind, width, STEPS) for kind, width in RATES}
LONGER = "GRU | 64, longer"
ROWS[LONGER] = "GRU", 64, 4 * STEPS
ROWS["linear attention | 16, 300 steps"] = "linear attention", 16, 300
MORE_KEYS = 4 * KEYS  # a state of 64 columns has none for each of them
for row in (("softmax", 16), ("linear attention", 64)):
    ROWS[f"{row[0]} | {row[1]}, {MORE_KEYS} keys"] = *row, STEPS, MORE_KEYS


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `recall` of each seed."""
    kind, width, steps, *keys = ROWS[name]

    def train(seed):
        return recall(kind, width, steps, RATES[kind, width], seed, *keys)

    return by_seed(train, seeds=seeds)

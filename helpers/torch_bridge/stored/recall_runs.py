"""How many pairs are remembered, in trial room 05: about ten minutes.

Each row has the learning rate that was best of `TRIED` on seed 0. The last
row is the GRU's once more, trained four times as long.
"""

from helpers.experiments.runs import SEEDS as FIVE
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.recall import recall

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


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `recall` of each seed."""
    *row, steps = ROWS[name]
    return by_seed(recall, *row, steps, RATES[*row], seeds=seeds)

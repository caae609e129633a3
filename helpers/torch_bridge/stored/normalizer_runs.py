"""Weights that are no softmax, of trial room 10: half an hour.

Digits are those of one kind of processor: on another one a seed of "relu /
sum" was 0.017 off. The notebook prints two decimals.
"""

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.normalizers import NORMALIZER_RATES, race_normalizer

MORE_SEEDS = {  # where a small difference decides
    "softmax | 1200 steps": range(1000, 1020),
    "linear, elu + 1 | 1200 steps": range(1000, 1020),
    "linear, exp | 1200 steps": range(1000, 1020),
    "sigmoid, - log T | 1200 steps": range(1000, 1020),
    # after 20 pairs nobody could tell; so 27 new ones decide
    "softmax, norms | 1200 steps": range(1000, 1047),
    "sigmoid, - log T, norms | 1200 steps": range(1000, 1047),
}
ROWS = {
    f"{kind} | {steps} steps": (kind, steps)
    for kind, steps in NORMALIZER_RATES
}


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: `race_normalizer` of each seed.

    seeds: those of `MORE_SEEDS` if None, and `SEEDS` for all other rows.
    """
    seeds = seeds or MORE_SEEDS.get(name, SEEDS)
    return by_seed(race_normalizer, *ROWS[name], seeds=seeds)

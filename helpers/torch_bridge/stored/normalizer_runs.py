"""Weights that are no softmax, of trial room 10: half an hour.

Digits are those of one kind of processor: on another one a seed of "relu /
sum" was 0.017 off. The notebook prints two decimals.
"""

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.normalizers import NORMALIZER_RATES, race_normalizer

# Where a small difference decides: so 20 seeds each
CLOSE = (
    "softmax | 1200 steps",
    "linear, elu + 1 | 1200 steps",
    "linear, exp | 1200 steps",
    "sigmoid, - log T | 1200 steps",
)
CLOSE_SEEDS = range(1000, 1020)
# After 20 pairs nobody could tell; so 27 new ones decide
NORMED = "softmax, norms | 1200 steps", "sigmoid, - log T, norms | 1200 steps"
NORMED_SEEDS = range(1000, 1047)
ROWS = {
    f"{kind} | {steps} steps": (kind, steps)
    for kind, steps in NORMALIZER_RATES
}


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: `race_normalizer` of each seed.

    seeds: if None, `CLOSE_SEEDS` for the rows of `CLOSE`, `NORMED_SEEDS` for
    those of `NORMED`, and `SEEDS` for all others.
    """
    more = dict.fromkeys(CLOSE, CLOSE_SEEDS) | dict.fromkeys(
        NORMED, NORMED_SEEDS
    )
    seeds = seeds or more.get(name, SEEDS)
    return by_seed(race_normalizer, *ROWS[name], seeds=seeds)

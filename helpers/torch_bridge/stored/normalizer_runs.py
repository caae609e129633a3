"""Weights that are no softmax, of trial room 08: half an hour."""

from helpers.experiments import SEEDS
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.normalizers import NORMALIZER_RATES, race_normalizer

ROWS = {
    f"{kind} | {steps} steps": (kind, steps)
    for kind, steps in NORMALIZER_RATES
}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `race_normalizer` of each seed."""
    return by_seed(race_normalizer, *ROWS[name], seeds=seeds)

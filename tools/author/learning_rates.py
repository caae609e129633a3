"""How the learning rates of trial rooms 05 and 10 were chosen, on other seeds.

    python -m tools.author.learning_rates distances|weights|norms|heads

Half an hour each, and ten minutes for "norms". Every row of a sweep gets the
same rates. (Those of "norms" were the rates of "weights" at first; the lowest
was best, so the list moved down.) For the networks of 05 and the weights of 10
the best near the lengths of the training is taken, for the shared heads of 10
the one with most sentences right.
"""

import sys

import numpy as np
import torch

from helpers.experiments.stored import shared_head_runs
from helpers.torch_bridge import distance_race, normalizers


def near(race):
    """The mean accuracy of a race at the distances of its training."""
    return lambda row, seed, rate: np.mean(
        race(*row, seed, learning_rate=rate)[:3]
    )


def heads(row, seed, rate):
    """The fraction of sentences of which both answers are right."""
    runs = shared_head_runs.train_shared(row, [seed], learning_rate=rate)
    return runs.all_correct.mean()


WEIGHTS = normalizers.NORMALIZER_RATES
NORMED = [row for row in WEIGHTS if row[0].endswith(normalizers.NORMS)]
SWEEPS = {  # name: (rows, what is measured of each seed, rates, seeds)
    "distances": (
        distance_race.LEARNING_RATES,
        near(distance_race.race),
        (1e-3, 2e-3, 4e-3, 1e-2, 2e-2, 4e-2),
        range(3),
    ),
    "weights": (
        [row for row in WEIGHTS if row not in NORMED],
        near(normalizers.race_normalizer),
        (4e-3, 1e-2, 2e-2, 4e-2, 8e-2),
        range(3),
    ),
    "norms": (
        NORMED,
        near(normalizers.race_normalizer),
        (1e-3, 2e-3, 4e-3, 1e-2, 2e-2),
        range(3),
    ),
    "heads": (
        shared_head_runs.ROWS,
        heads,
        (1e-3, 2e-3, 4e-3, 8e-3, 1.6e-2),
        range(5),
    ),
}

if __name__ == "__main__":
    if (name := " ".join(sys.argv[1:])) not in SWEEPS:
        sys.exit(f"name one of {', '.join(SWEEPS)}")
    torch.set_num_threads(1)
    rows, measure, rates, seeds = SWEEPS[name]
    for row in rows:
        for rate in rates:
            mean = np.mean([measure(row, seed, rate) for seed in seeds])
            print(f"{row}, rate {rate:g}: {mean:.3f}", flush=True)

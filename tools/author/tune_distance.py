"""How the learning rates of trial room 05's race by distance were chosen.

Run it by hand: half an hour. Every network gets the same rates, on the seeds
on which the course chooses all its settings.
"""

import sys

import numpy as np
import torch

from helpers.torch_bridge.distance_race import LEARNING_RATES, race

RATES = (1e-3, 2e-3, 4e-3, 1e-2, 2e-2, 4e-2)
SEEDS = (0, 1, 2)


def show(row, rate):
    """Train one network at one rate and print what came out."""
    runs = [race(*row, seed, learning_rate=rate) for seed in SEEDS]
    by_distance = " ".join(f"{value:.3f}" for value in np.mean(runs, axis=0))
    near = np.mean(runs, axis=0)[:3].mean()  # the lengths of the training
    print(f"{row} rate {rate:<6g} near {near:.3f} by distance {by_distance}")
    sys.stdout.flush()


if __name__ == "__main__":
    torch.set_num_threads(1)
    for row in LEARNING_RATES:
        for rate in RATES:
            show(row, rate)

"""How the learning rates of trial room 08 were chosen, on other seeds.

Run it by hand: half an hour. Each kind of weights and each way to share
heads gets the same rates; the best near the lengths of training is taken.
"""

import sys

import numpy as np
import torch

from helpers.experiments.stored import shared_head_runs
from helpers.torch_bridge.normalizers import NORMALIZER_RATES, race_normalizer

RATES = (4e-3, 1e-2, 2e-2, 4e-2, 8e-2)
HEAD_RATES = (1e-3, 2e-3, 4e-3, 8e-3, 1.6e-2)


def show_weights(kind, steps):
    """Print one kind of weights at each rate, seeds 0 to 2."""
    for rate in RATES:
        runs = [
            race_normalizer(kind, steps, seed, learning_rate=rate)
            for seed in (0, 1, 2)
        ]
        near = np.mean(runs, axis=0)[:3].mean()  # the lengths of training
        print(f"{kind}, {steps} steps, rate {rate:g}: {near:.3f}")
        sys.stdout.flush()


def show_heads(name):
    """Print one way to share heads at each rate, seeds 0 to 4."""
    for rate in HEAD_RATES:
        runs = shared_head_runs.train_shared(
            name, range(5), learning_rate=rate
        )
        print(f"{name}, rate {rate:g}: {runs.all_correct.mean():.3f}")
        sys.stdout.flush()


if __name__ == "__main__":
    torch.set_num_threads(1)
    for each in shared_head_runs.ROWS:
        show_heads(each)
    for row in NORMALIZER_RATES:
        show_weights(*row)

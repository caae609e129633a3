"""How the rates of notebook 05's race by distance were chosen.

Run it by hand: some minutes. Every network gets the same rates, on seeds
that the notebook does not use.
"""

import torch
from torch import nn

from helpers import distance
from helpers.torch_bridge import (
    AttentionReader,
    RecurrentReader,
    accuracy_by_distance,
)

RATES = (2e-3, 4e-3, 1e-2, 2e-2, 4e-2)
STEPS = 300
SEEDS = (100, 101, 102)
NETWORKS = {
    "attention": AttentionReader,
    "attention + positions": lambda: AttentionReader(positions=True),
    "GRU": lambda: RecurrentReader(nn.GRU, 23),
    "tanh RNN": lambda: RecurrentReader(nn.RNN, 52),
}


def show(name, asked, rate, steps):
    """Train one network at one rate and print what came out."""
    found = accuracy_by_distance(
        {name: (NETWORKS[name], rate)}, asked, steps=steps, seeds=SEEDS
    )[name]
    by_distance = " ".join(f"{value:.3f}" for value in found.mean(axis=0))
    print(
        f"{asked:5} {name:22} rate {rate:.3f} steps {steps:4}"
        f"  mean {found.mean():.3f} by distance {by_distance}",
        flush=True,
    )


if __name__ == "__main__":
    torch.set_num_threads(1)
    print("words between:", *distance.WORDS)
    for asked, attention in (
        ("late", "attention"),
        ("early", "attention + positions"),
    ):
        for name in (attention, "GRU", "tanh RNN"):
            for rate in RATES:
                show(name, asked, rate, STEPS)
    show("GRU", "late", 2e-2, 4 * STEPS)

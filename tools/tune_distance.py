"""How the learning rates of notebook 05's race by distance were chosen.

Run it by hand: some minutes. Every network gets the same rates, on seeds
that the notebook does not use.
"""

import torch

from helpers import tasks
from helpers.torch_bridge import NETWORKS, accuracy_by_distance

RATES = (5e-4, 1e-3, 2e-3, 4e-3, 1e-2, 2e-2, 4e-2)
SEEDS = (100, 101, 102)


def show(name, cue, rate, steps):
    """Train one network at one rate and print what came out."""
    networks = {name: (NETWORKS[cue][name][0], rate)}
    found = accuracy_by_distance(cue, SEEDS, networks=networks, steps=steps)
    by_distance = " ".join(f"{value:.3f}" for value in found[name].mean(0))
    print(
        f"{cue:5} {name:9} rate {rate:<6g} steps {steps:4}"
        f"  mean {found[name].mean():.3f} by distance {by_distance}",
        flush=True,
    )


if __name__ == "__main__":
    torch.set_num_threads(1)
    print("words away:", *tasks.DISTANCES)
    for cue, networks in NETWORKS.items():
        for name in networks:
            for rate in RATES:
                show(name, cue, rate, 300)
    show("GRU", "late", 2e-2, 1200)

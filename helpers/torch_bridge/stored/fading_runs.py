"""The weight on the needed noun among more words, in trial room 05: minutes.

The experiment and its rule were designed with seeds 0 and 1.
"""

from helpers.experiments.stored import by_seed
from helpers.torch_bridge.fading import fading

SEEDS = range(1000, 1010)
ROWS = {f"{steps} steps": steps for steps in (300, 1200, 4800)}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `fading` of each seed."""
    return by_seed(fading, ROWS[name], seeds=seeds)

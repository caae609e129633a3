"""The race by distance of trial room 05: an hour and a half."""

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.distance_race import LEARNING_RATES, race


def race_name(cue, network, steps):
    """Return the name of one row of the race in the file."""
    return f"{cue} | {network} | {steps} steps"


# Five runs cannot tell which is ahead far away, so both have more.
SEEDS_OF = {
    race_name("late", name, steps): range(1000, end)
    for name in ("attention", "GRU")
    for steps, end in ((1200, 1015), (4800, 1020))
}
ROWS = {race_name(*row): row for row in LEARNING_RATES}


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: `race` of each seed."""
    seeds = SEEDS_OF.get(name, SEEDS) if seeds is None else seeds
    return by_seed(race, *ROWS[name], seeds=seeds)

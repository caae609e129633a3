"""The race by distance of trial room 05: three quarters of an hour."""

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.distance_race import LEARNING_RATES, race


def race_name(cue, network, steps):
    """Return the name of one row of the race in the file."""
    return f"{cue} | {network} | {steps} steps"


# Five runs cannot tell which is ahead far away, so both have ten more.
SEEDS_OF = {
    race_name("late", name, 1200): range(1000, 1015)
    for name in ("attention", "GRU")
}
ROWS = {race_name(*row): row for row in LEARNING_RATES}


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: `race` of each seed."""
    seeds = SEEDS_OF.get(name, SEEDS) if seeds is None else seeds
    return by_seed(race, *ROWS[name], seeds=seeds)

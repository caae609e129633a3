"""The race by distance of trial room 05: half an hour."""

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.torch_bridge.distance_race import LEARNING_RATES, race


def race_name(cue, network, steps):
    """Return the name of one row of the race in the file."""
    return f"{cue} | {network} | {steps} steps"


ROWS = {race_name(*row): row for row in LEARNING_RATES}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `race` of each seed."""
    return by_seed(race, *ROWS[name], seeds=seeds)

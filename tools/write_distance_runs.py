"""Train all networks of trial room 05's race anew: half an hour.

    python tools/write_distance_runs.py

Writes data/distance_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.torch_bridge import LEARNING_RATES, race, race_name
from helpers.training import progress


def write(data=DATA):
    """Write one line for each row of the race, a list for each seed."""
    lines = []
    for row in progress([*LEARNING_RATES], "race"):
        runs = [race(*row, seed) for seed in SEEDS]
        lines.append(f"{json.dumps(race_name(*row))}: {json.dumps(runs)}")
    write_runs("distance_runs.json", lines, data)


if __name__ == "__main__":
    write()

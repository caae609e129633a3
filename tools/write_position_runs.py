"""Train all networks of trial room 6's positions anew: ten minutes.

    python tools/write_position_runs.py

Writes data/position_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.torch_bridge.order_rows import ROWS, train_row
from helpers.training import progress


def write(data=DATA):
    """Write one line for each row, a list of accuracies for each seed."""
    lines = []
    for name in progress([*ROWS], "positions"):
        runs = [train_row(name, seed)[1] for seed in SEEDS]
        lines.append(f"{json.dumps(name)}: {json.dumps(runs)}")
    write_runs("position_runs.json", lines, data)


if __name__ == "__main__":
    write()

"""Train the deep stacks of trial room 06b anew: ten minutes or more.

    python tools/write_block_runs.py

Writes data/block_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.experiments.stacks import SETTINGS, run
from helpers.training import progress


def write(data=DATA):
    """Write one line for each row, with a number for each seed."""
    lines = []
    for name in progress([*SETTINGS], "stacks"):
        values = [run(name, seed) for seed in SEEDS]
        lines.append(f"{json.dumps(name)}: {json.dumps(values)}")
        print(lines[-1], flush=True)
    write_runs("block_runs.json", lines, data)


if __name__ == "__main__":
    write()

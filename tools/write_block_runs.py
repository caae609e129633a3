"""Train the blocks of trial room 06b anew: ten minutes or more.

    python tools/write_block_runs.py

Writes data/block_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS, late_mask, stacks
from helpers.training import progress

ROWS = {name: stacks.run for name in stacks.SETTINGS}
ROWS |= {name: late_mask.run for name in late_mask.ROWS}


def write(data=DATA):
    """Write one line for each row, with what each seed gave."""
    lines = []
    for name, run in progress([*ROWS.items()], "rows"):
        values = [run(name, seed) for seed in SEEDS]
        lines.append(f"{json.dumps(name)}: {json.dumps(values)}")
    write_runs("block_runs.json", lines, data)


if __name__ == "__main__":
    write()

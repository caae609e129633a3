"""Train the controls of notebook 04 anew: some minutes.

    python tools/write_head_runs.py

Writes data/head_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments.head_runs import SETTINGS, train_row
from helpers.training import progress


def write(data=DATA):
    """Write one line for each row, with a number for each seed."""
    blocks = []
    for task in progress([*SETTINGS], "heads"):
        lines = [
            f"{json.dumps(name)}: {json.dumps(train_row(task, name))}"
            for name in progress([*SETTINGS[task]], task)
        ]
        blocks.append(f"{json.dumps(task)}: {{\n" + ",\n".join(lines) + "\n}")
    write_runs("head_runs.json", blocks, data)


if __name__ == "__main__":
    write()

"""Train the stored controls of trial room 02 anew: half a minute.

    python tools/write_control_runs.py

Writes data/control_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments.control_runs import SETTINGS, train_row
from helpers.training import progress


def write(data=DATA):
    """Write one line for each row, with a number for each seed."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(train_row(name))}"
        for name in progress([*SETTINGS], "controls")
    ]
    write_runs("control_runs.json", lines, data)


if __name__ == "__main__":
    write()

"""Train the stored controls of trial room 02 anew: half a minute.

    python tools/write_control_runs.py [ROW ...]

Writes data/control_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import main

from helpers.experiments import control_runs

FILE = "control_runs.json"


def rows():
    """{name: function that trains all seeds}."""
    return {
        name: partial(control_runs.train_row, name)
        for name in control_runs.SETTINGS
    }


if __name__ == "__main__":
    main(FILE, rows())

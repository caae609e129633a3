"""Train the controls of notebook 04 anew: some minutes.

    python tools/write_head_runs.py ["TASK | ROW" ...]

Writes data/head_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import main

from helpers.experiments import head_runs

FILE = "head_runs.json"


def rows():
    """{"task | name": function that trains all seeds}."""
    return {
        f"{task} | {name}": partial(head_runs.train_row, task, name)
        for task, names in head_runs.SETTINGS.items()
        for name in names
    }


if __name__ == "__main__":
    main(FILE, rows(), blocks=True)

"""Train all networks of trial room 6's positions anew: ten minutes.

    python tools/write_position_runs.py [ROW ...]

Writes data/position_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_seed, main

from helpers.torch_bridge.order_rows import ROWS, train_row

FILE = "position_runs.json"


def rows():
    """{name: function that trains all seeds}."""
    return {name: partial(by_seed, _accuracies, name) for name in ROWS}


def _accuracies(name, seed):
    return train_row(name, seed)[1]


if __name__ == "__main__":
    main(FILE, rows())

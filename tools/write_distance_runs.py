"""Train all networks of trial room 05's race anew: half an hour.

    python tools/write_distance_runs.py [ROW ...]

Writes data/distance_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_seed, main

from helpers.torch_bridge import LEARNING_RATES, race, race_name

FILE = "distance_runs.json"


def rows():
    """{name: function that trains all seeds}."""
    return {
        race_name(*row): partial(by_seed, race, *row) for row in LEARNING_RATES
    }


if __name__ == "__main__":
    main(FILE, rows())

"""Train all models of notebook 03's sweep anew: a quarter of an hour.

    python tools/write_scaling_runs.py [CELL ...]

Writes data/scaling_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_seed, main

from helpers.experiments.scale_sweep import (
    CELLS,
    TUNING_CELLS,
    TUNING_SEEDS,
    cell_name,
    train_cell,
)

FILE = "scaling_runs.json"


def rows():
    """{name: function that trains all seeds}; the tuning comes last."""
    cells = {
        cell_name(*cell, tuning=False): partial(by_seed, train_cell, *cell)
        for cell in CELLS
    }
    return cells | {
        cell_name(*cell, tuning=True): partial(
            by_seed, train_cell, *cell, seeds=TUNING_SEEDS
        )
        for cell in TUNING_CELLS
    }


if __name__ == "__main__":
    main(FILE, rows())

"""Train all models of notebook 03's sweep anew: a quarter of an hour.

    python tools/write_scaling_runs.py

Writes data/scaling_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.experiments.scale_sweep import (
    CELLS,
    TUNING_CELLS,
    TUNING_SEEDS,
    cell_name,
    train_cell,
)
from helpers.training import progress


def write(data=DATA):
    """Write one line for each cell, with one training for each seed."""
    lines = []
    for tuning, cells, seeds in (
        (False, CELLS, SEEDS),
        (True, TUNING_CELLS, TUNING_SEEDS),
    ):
        for cell in progress(cells, "tuning" if tuning else "scaling"):
            name = json.dumps(cell_name(*cell, tuning=tuning))
            runs = [train_cell(*cell, seed) for seed in seeds]
            lines.append(f"{name}: {json.dumps(runs)}")
    write_runs("scaling_runs.json", lines, data)


if __name__ == "__main__":
    write()

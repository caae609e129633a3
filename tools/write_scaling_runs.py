"""Train all models of notebook 03's sweep anew: some minutes.

    python tools/write_scaling_runs.py

Writes data/scaling_runs.json and its line in data/SHA256SUMS.
"""

import json
from itertools import product

from sums import DATA, write_sums

from helpers.experiments import SEEDS
from helpers.experiments.scale_sweep import (
    SCALES,
    SETTINGS,
    WIDTHS,
    cell_name,
    train_cell,
)
from helpers.training import progress


def write(data=DATA):
    """Write one line for each cell, with one training for each seed."""
    cells = [*product(SETTINGS, WIDTHS, SCALES)]
    lines = []
    for cell in progress(cells, "scaling"):
        runs = [train_cell(*cell, seed) for seed in SEEDS]
        lines.append(f"{json.dumps(cell_name(*cell))}: {json.dumps(runs)}")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (data / "scaling_runs.json").write_bytes(text.encode())
    write_sums(data)


if __name__ == "__main__":
    write()

"""Train the models of trial room 08 anew: some minutes.

    python tools/write_variant_runs.py

Writes data/variant_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS, shared_heads
from helpers.torch_bridge import WEIGHT_RATES, race_weights, weights_name
from helpers.training import progress


def block(name, rows):
    """Return an object of the file, one row a line."""
    lines = [f"{json.dumps(n)}: {json.dumps(row)}" for n, row in rows.items()]
    return f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}"


def write(data=DATA):
    """Write one line for each row of both tables."""
    heads = {
        name: shared_heads.train_row(name)
        for name in progress([*shared_heads.SETTINGS], "heads")
    }
    weights = {
        weights_name(*row): [race_weights(*row, seed) for seed in SEEDS]
        for row in progress([*WEIGHT_RATES], "weights")
    }
    blocks = [block("shared heads", heads), block("weights", weights)]
    write_runs("variant_runs.json", blocks, data)


if __name__ == "__main__":
    write()

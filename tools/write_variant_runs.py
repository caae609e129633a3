"""Train the models of trial room 08 anew: half an hour.

    python tools/write_variant_runs.py ["relu / sum | 1200 steps" ...]

Writes data/variant_runs.json and its line in data/SHA256SUMS. With names of
rows: trains these alone, and keeps the others.
"""

import json
import sys

from sums import DATA, write_runs

from helpers.experiments import SEEDS, shared_heads
from helpers.torch_bridge import (
    WEIGHT_RATES,
    load_weights,
    race_weights,
    weights_name,
)
from helpers.training import progress


def block(name, rows):
    """Return an object of the file, one row a line."""
    lines = [f"{json.dumps(n)}: {json.dumps(row)}" for n, row in rows.items()]
    return f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}"


def write(data=DATA, only=()):
    """Write one line for each row of both tables; train all, or `only`."""
    heads = shared_heads.load_rows() if only else {}
    weights = {n: a.tolist() for n, a in load_weights().items() if only}
    for name in progress([*shared_heads.SETTINGS], "heads"):
        if not only or name in only:
            heads[name] = shared_heads.train_row(name)
    for row in progress([*WEIGHT_RATES], "weights"):
        name = weights_name(*row)
        if not only or name in only:
            weights[name] = [race_weights(*row, seed) for seed in SEEDS]
    weights = {n: weights[n] for n in (weights_name(*r) for r in WEIGHT_RATES)}
    blocks = [block("shared heads", heads), block("weights", weights)]
    write_runs("variant_runs.json", blocks, data)


if __name__ == "__main__":
    write(only=sys.argv[1:])

"""Train the models with facts of trial room 06b anew: some minutes.

    python tools/write_fact_runs.py

Writes data/fact_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.experiments.facts import KINDS, run
from helpers.training import progress


def write(data=DATA):
    """Write one line for each kind, with a list for each seed."""
    lines = []
    for kind in progress([*KINDS], "kinds"):
        found = [run(kind, seed) for seed in SEEDS]
        row = {name: [each[name] for each in found] for name in found[0]}
        lines.append(f"{json.dumps(kind)}: {json.dumps(row)}")
    write_runs("fact_runs.json", lines, data)


if __name__ == "__main__":
    write()

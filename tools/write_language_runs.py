"""Train the language models of notebook 06 anew: some minutes.

    python tools/write_language_runs.py

Writes data/language_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.experiments.language import KINDS, run
from helpers.training import progress


def write(data=DATA):
    """Write one line for each kind, with a number for each seed."""
    lines = []
    for kind in progress([*KINDS], "kinds"):
        found = [run(kind, seed) for seed in SEEDS]
        row = {name: [each[name] for each in found] for name in found[0]}
        lines.append(f"{json.dumps(kind)}: {json.dumps(row)}")
    write_runs("language_runs.json", lines, data)


if __name__ == "__main__":
    write()

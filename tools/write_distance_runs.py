"""Train all networks of trial room 05's race anew: half an hour.

    python tools/write_distance_runs.py

Writes data/distance_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_sums

from helpers.experiments import SEEDS
from helpers.torch_bridge import RATES, race, race_name
from helpers.training import progress


def write(data=DATA):
    """Write one line for each row of the race, a list for each seed."""
    lines = []
    for row in progress([*RATES], "race"):
        runs = [race(*row, seed) for seed in SEEDS]
        lines.append(f"{json.dumps(race_name(*row))}: {json.dumps(runs)}")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (data / "distance_runs.json").write_bytes(text.encode())
    write_sums(data)


if __name__ == "__main__":
    write()

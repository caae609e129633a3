"""Train the models of trial room 08 anew: half an hour.

    python tools/write_variant_runs.py ["TABLE | ROW" ...]

Writes data/variant_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_seed, main

from helpers.experiments import shared_heads
from helpers.torch_bridge import WEIGHT_RATES, race_weights, weights_name

FILE = "variant_runs.json"


def rows():
    """{"table | name": function that trains all seeds}."""
    heads = {
        f"shared heads | {name}": partial(shared_heads.train_row, name)
        for name in shared_heads.SETTINGS
    }
    return heads | {
        f"weights | {weights_name(*row)}": partial(by_seed, race_weights, *row)
        for row in WEIGHT_RATES
    }


if __name__ == "__main__":
    main(FILE, rows(), blocks=True)

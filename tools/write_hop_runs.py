"""Train the two hops of trial room 06b anew: ten minutes or more.

    python tools/write_hop_runs.py [KIND ...]

Writes data/hop_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_seed, main

from helpers.experiments import hops

FILE = "hop_runs.json"


def rows():
    """{kind: function that trains all seeds}."""
    return {kind: partial(by_seed, hops.run, kind) for kind in hops.KINDS}


if __name__ == "__main__":
    main(FILE, rows())

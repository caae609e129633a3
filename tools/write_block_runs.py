"""Train the blocks of trial room 06b anew: ten minutes or more.

    python tools/write_block_runs.py [ROW ...]

Writes data/block_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_seed, main

from helpers.experiments import late_mask, stacks

FILE = "block_runs.json"


def rows():
    """{name: function that trains all seeds}."""
    found = {
        name: partial(by_seed, stacks.run, name) for name in stacks.SETTINGS
    }
    return found | {
        name: partial(by_seed, late_mask.run, name) for name in late_mask.ROWS
    }


if __name__ == "__main__":
    main(FILE, rows())

"""Train the models with facts of trial room 06b anew: some minutes.

    python tools/write_fact_runs.py [KIND ...]

Writes data/fact_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_measure, main

from helpers.experiments import facts

FILE = "fact_runs.json"


def rows():
    """{kind: function that trains all seeds}."""
    return {kind: partial(by_measure, facts.run, kind) for kind in facts.KINDS}


if __name__ == "__main__":
    main(FILE, rows())

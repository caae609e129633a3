"""Train the models of claim C64 anew: about half an hour.

    python tools/write_second_verb_runs.py [KIND ...]

Writes data/second_verb_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_measure, main

from helpers.experiments import second_verb

FILE = "second_verb_runs.json"


def rows():
    """{kind: function that trains all seeds}."""
    return {
        kind: partial(by_measure, second_verb.run, kind)
        for kind in second_verb.KINDS
    }


if __name__ == "__main__":
    main(FILE, rows())

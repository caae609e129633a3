"""Train the language models of notebook 06 anew: some minutes.

    python tools/write_language_runs.py [KIND ...]

Writes data/language_runs.json and its line in data/SHA256SUMS.
"""

from functools import partial

from rows import by_measure, main

from helpers.experiments import language

FILE = "language_runs.json"


def rows():
    """{kind: function that trains all seeds}."""
    return {
        kind: partial(by_measure, language.run, kind)
        for kind in language.KINDS
    }


if __name__ == "__main__":
    main(FILE, rows())

"""Train all networks of trial room 6's copying anew: 20 minutes.

    python tools/write_induction_runs.py [ROW ...]

Writes data/induction_runs.json and its line in data/SHA256SUMS.
"""

from functools import cache, partial

from rows import by_seed, main

from helpers.torch_bridge.induction_runs import (
    ROWS,
    SHOWN,
    WITH_LOSS,
    at_the_end,
    one_text,
    train_copying,
)

FILE = "induction_runs.json"


def rows():
    """{name: function}: curves and end of each network, and one text."""
    trained = cache(partial(by_seed, train_copying))
    found = {}
    for name in ROWS:
        runs = partial(trained, name)
        found[name] = partial(_curves, runs)
        if name in WITH_LOSS:
            found[f"{name} | loss"] = partial(_losses, runs)
        found[f"{name} | end"] = partial(_ends, runs)
        if name == "2 layers":
            found["a text"] = partial(_a_text, runs)
    return found


def _curves(runs):
    return [[now[:3] for now in curve] for _, curve in runs()]


def _losses(runs):
    return [[now[3] for now in curve] for _, curve in runs()]


def _ends(runs):
    return [at_the_end(copying) for copying, _ in runs()]


def _a_text(runs):
    return one_text(runs()[0][0], SHOWN)


if __name__ == "__main__":
    main(FILE, rows())

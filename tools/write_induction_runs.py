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
    trained, found = cache(partial(by_seed, train_copying)), {}
    for name in ROWS:
        found |= _rows_of(name, partial(trained, name))
    return found


def _rows_of(name, runs):
    """{row: function} of one network; ``runs()``: trained, with curves."""
    found = {name: lambda: [[n[:3] for n in curve] for _, curve in runs()]}
    if name in WITH_LOSS:
        found[f"{name} | loss"] = lambda: [
            [now[3] for now in curve] for _, curve in runs()
        ]
    found[f"{name} | end"] = lambda: [at_the_end(one) for one, _ in runs()]
    if name == "2 layers":
        found["a text"] = lambda: one_text(runs()[0][0], SHOWN)
    return found


if __name__ == "__main__":
    main(FILE, rows())

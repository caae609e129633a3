"""Training runs that take minutes: one module for each file data/*_runs.json.

A module X_runs, here or in `torch_bridge.stored`, has ROWS, a dict whose keys
are the rows of data/X_runs.json, and ``train_row(name)``, which trains a row
anew, all of its seeds, and returns what the file holds of it: numbers, and
lists and dicts of them. `load` reads a file, and ``python -m
tools.author.store_runs X_runs`` writes one, row by row as they are trained.
`tests/test_stored_runs.py` trains one row of each file again; where all rows
take long, one of the group `BRIEF`, which is stored for that alone.
"""

import numpy as np

from helpers import embeddings
from helpers.experiments.runs import SEEDS

BRIEF = "brief"  # the group of rows of which no notebook speaks


def load(name, group=None):
    """Return the rows of a file: {name of a row: what is stored of it}.

    Parameters
    ----------
    name : str
        Of the file without its ending, such as "head_runs".
    group : str, optional
        Only the rows "GROUP | ROW", under the name ROW. Without it, all rows
        but those of the group `BRIEF`.

    Returns
    -------
    dict
        Lists of numbers are arrays. A list of dicts, one for each seed, is
        a dict of arrays whose first axis is the seed.

    Raises
    ------
    FileNotFoundError or ValueError
        Naming the file; ValueError if it has no such group.
    """
    rows = embeddings.stored(f"{name}.json")
    if group is None:
        brief = f"{BRIEF} | "
        rows = {r: kept for r, kept in rows.items() if not r.startswith(brief)}
    else:
        start = f"{group} | "
        rows = {
            row.removeprefix(start): value
            for row, value in rows.items()
            if row.startswith(start)
        }
        if not rows:
            raise ValueError(f"group: no row of {name} is '{start}…'")
    return {row: _as_arrays(value) for row, value in rows.items()}


def _as_arrays(value):
    if isinstance(value, dict):
        return {key: _as_arrays(part) for key, part in value.items()}
    if not isinstance(value, list) or isinstance(value[0], str):
        return value
    if isinstance(value[0], dict):
        parts = {key: [each[key] for each in value] for key in value[0]}
        return _as_arrays(parts)
    return np.array(value)


def by_seed(run, *row, seeds=SEEDS):
    """Return ``[run(*row, seed), …]``."""
    return [run(*row, seed) for seed in seeds]


def by_measure(run, *row, seeds=SEEDS):
    """Return {measure: list}, where each run gives {measure: number}."""
    results = by_seed(run, *row, seeds=seeds)
    return {name: [each[name] for each in results] for name in results[0]}

"""Train the rows of a file of data/ anew, and write one row a line.

What the scripts write_*_runs.py share. Each of them trains all its rows, or
those that you name; the others then stay as they are:

    python tools/write_fact_runs.py "neither" "both"

A row is written as soon as it is there: a script that is stopped, or that
fails, has lost no row that was complete.
"""

import json
import sys

from sums import DATA, write_sums

from helpers.experiments import SEEDS
from helpers.training import progress

IN_BLOCK = " | "  # "BLOCK | NAME": a row of an object within the file


def by_seed(run, *row, seeds=SEEDS):
    """Return ``[run(*row, seed), …]``."""
    return [run(*row, seed) for seed in seeds]


def by_measure(run, *row, seeds=SEEDS):
    """Return {measure: list}, where each run gives {measure: number}."""
    found = by_seed(run, *row, seeds=seeds)
    return {name: [each[name] for each in found] for name in found[0]}


def write_rows(file, rows, *, only=(), blocks=False, folder=DATA):
    """Make rows, and write them to a JSON file with its sum.

    rows: {name: function without arguments that returns the row}. only:
    names of those to make anew; all others stay as they are in the file,
    which ends in the order of `rows`. blocks: the names are "BLOCK | NAME".
    Raises ValueError for a name that is no row.
    """
    if unknown := [name for name in only if name not in rows]:
        raise ValueError(f"rows: {unknown} are none of {[*rows]}")
    path = folder / file
    kept = _read(path, blocks) if path.exists() else {}
    found = dict(kept) if only else {}
    for name in progress([*(only or rows)], "rows"):
        found[name] = rows[name]()
        _write(path, kept | found, blocks)
    in_order = {n: found[n] for n in [*rows, *found] if n in found}
    _write(path, in_order, blocks)  # without rows that are no more


def main(file, rows, **options):
    """Write the rows that the command line names, or all of them."""
    write_rows(file, rows, only=sys.argv[1:], **options)


def _read(path, blocks):
    rows = json.loads(path.read_bytes())
    if not blocks:
        return rows
    return {
        f"{block}{IN_BLOCK}{name}": row
        for block, inside in rows.items()
        for name, row in inside.items()
    }


def _write(path, rows, blocks):
    texts = {name: json.dumps(row) for name, row in rows.items()}
    if blocks:
        inside = {}
        for name, text in texts.items():
            block, _, rest = name.partition(IN_BLOCK)
            inside.setdefault(block, {})[rest] = text
        texts = {block: _object(rows) for block, rows in inside.items()}
    path.write_bytes(f"{_object(texts)}\n".encode())
    write_sums(path.parent)


def _object(texts):
    lines = [f"{json.dumps(name)}: {text}" for name, text in texts.items()]
    return "{\n" + ",\n".join(lines) + "\n}"

"""Train what a file data/*_runs.json holds anew: seconds to half an hour.

    python -m tools.author.store_runs FILE [ROW ...]
    python -m tools.author.store_runs verb_table_runs "neither" "both"

All rows of the file, or those that you name; the others stay as they are. A
row is written as soon as it is trained, with the sum of the file: a script
that is stopped loses the row that it was training, and nothing else. Without
FILE it lists the files. `helpers.experiments.stored` says how one is added.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

from helpers import validation
from helpers.models.files import replace_file
from helpers.progress_bar import progress_bar
from tools.author.sums import DATA, write_sums

HELPERS = Path(__file__).resolve().parents[2] / "helpers"


def modules():
    """Return {name of a file: name of the module that trains its rows}."""
    paths = sorted(HELPERS.glob("*/stored/*_runs.py"))
    return {
        path.stem: f"helpers.{path.parts[-3]}.stored.{path.stem}"
        for path in paths
    }


def store(name, *, only=(), folder=DATA):
    """Train rows of the file `name`, and write each with the file's sum.

    only: names of the rows to train; all if there are none. The file keeps
    the order of the module's ROWS, and loses rows that are not among them.
    Raises ValueError for a name that is no file or no row.
    """
    known = modules()
    module = import_module(known[validation.choice("file", name, known)])
    if unknown := [row for row in only if row not in module.ROWS]:
        raise ValueError(f"rows: {unknown} are none of {[*module.ROWS]}")
    for row in progress_bar([*(only or module.ROWS)], "rows"):
        write_row(folder / f"{name}.json", module.ROWS, row, module.train_row)


def write_row(path, order, row, train_row):
    """Train one row, and put it into the file; order: of the file's rows."""
    trained = train_row(row)
    kept = json.loads(path.read_bytes()) if path.exists() else {}
    rows = kept | {row: trained}
    text = text_of({n: rows[n] for n in order if n in rows})
    replace_file(path, text.encode())
    write_sums(path.parent)


def text_of(rows):
    """Return the text of a file: one row a line."""
    lines = [f"{json.dumps(n)}: {json.dumps(row)}" for n, row in rows.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("\n".join(["FILE is one of:", *modules()]))
    store(sys.argv[1], only=sys.argv[2:])

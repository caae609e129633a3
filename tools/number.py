"""Number the cells and the exercises of notebooks anew, in their order.

`make number NOTEBOOK=03` after a cell was added or taken out. Slides and
tests name cells by their ids, so these are changed in the same way.
"""

import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
NAMED_IN = ("teaching/slides.toml", "tests/course/test_notebooks.py")
EXERCISE = re.compile(r"(?m)^(### Exercise )\d+( · )")


def main(arguments):
    """Number the notebooks whose names begin with the arguments, or all."""
    paths = [
        *ROOT.glob("notebooks/*.ipynb"),
        *ROOT.glob("notebooks/*/*.ipynb"),
    ]
    chosen = [
        p for p in paths if start(p).startswith(tuple(arguments or "0t"))
    ]
    if not chosen:
        known = ", ".join(sorted(map(start, paths)))
        sys.exit(f"make: NOTEBOOK={' '.join(arguments)} is none of {known}")
    moved = {}
    for path in sorted(chosen):
        moved |= number(path)
    for name in NAMED_IN:
        rename(ROOT / name, moved)
    print(f"make: {len(moved)} cells have a new id")


def start(path):
    """How the ids of a notebook begin: 03, or t03 in a trial room."""
    room = "t" if path.parent.name == "trials" else ""
    return room + path.name.split("_")[0]


def number(path):
    """Number one notebook; return {old id: new id} of what has changed."""
    notebook, moved, exercises = nbformat.read(path, 4), {}, 0
    for place, cell in enumerate(notebook.cells, 1):
        new = f"{start(path)}-{place:03}"
        if cell.id != new:
            moved[cell.id] = new
        cell.id = new
        if cell.cell_type == "markdown" and EXERCISE.search(cell.source):
            exercises += 1
            cell.source = EXERCISE.sub(rf"\g<1>{exercises}\2", cell.source)
    nbformat.write(notebook, path)
    return moved


def rename(path, moved):
    """Put new ids in the place of old ones, all at once."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(
        r'(?<=")t?\d\db?-\d{3}(?=")', lambda m: moved.get(m[0], m[0]), text
    )
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Number the cells and the exercises of notebooks anew, in their order.

`make number NOTEBOOK=03` after a cell was added or taken out. Slides and
tests name cells by their ids, and teaching/ names exercises by their numbers:
these are changed in the same way.
"""

import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[2]
NAMED_IN = ("teaching/slides.toml", "tests/course/test_notebooks.py")
EXERCISE = re.compile(r"(?m)^(### Exercise )(\d+)( · )")


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
        ids, exercises = number(path)
        moved |= ids
        rename_exercises(start(path), exercises)
    for name in NAMED_IN:
        rename(ROOT / name, moved)
    print(f"make: {len(moved)} cells have a new id")


def start(path):
    """How the ids of a notebook begin: 03, or t03 in a trial room."""
    room = "t" if path.parent.name == "trials" else ""
    return room + path.name.split("_")[0]


def number(path):
    """Number one notebook.

    Returns {old id: new id} of what has changed, and the old numbers of its
    exercises in their order; 0 means a new one.
    """
    notebook, moved, exercises = nbformat.read(path, 4), {}, []
    for place, cell in enumerate(notebook.cells, 1):
        new = f"{start(path)}-{place:03}"
        if cell.id != new:
            moved[cell.id] = new
        cell.id = new
        if cell.cell_type == "markdown" and EXERCISE.search(cell.source):
            old = int(EXERCISE.search(cell.source)[2])
            exercises.append(0 if old in exercises else old)
            cell.source = EXERCISE.sub(
                rf"\g<1>{len(exercises)}\3", cell.source
            )
    nbformat.write(notebook, path)
    return moved, exercises


def rename_exercises(notebook, old):
    """Change `*Exercise 2*` in the notes and run sheets of a notebook."""
    new = {str(was): str(i) for i, was in enumerate(old, 1) if was}
    for path in ROOT.glob("teaching/*.md"):
        before = (
            ""
            if path.name.startswith(f"{notebook}_")
            else (rf"(?<=\b{notebook} )")
        )
        text = path.read_text(encoding="utf-8")
        text = re.sub(
            rf"{before}\*Exercise (\d+)\*",
            lambda m: f"*Exercise {new.get(m[1], m[1])}*",
            text,
        )
        path.write_text(text, encoding="utf-8")


def rename(path, moved):
    """Put new ids in the place of old ones, all at once."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(
        r'(?<=")t?\d\db?-\d{3}(?=")', lambda m: moved.get(m[0], m[0]), text
    )
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

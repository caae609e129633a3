"""Number the exercises of notebooks in their order; give new cells an id.

`make number NOTEBOOK=03` after a cell was added or taken out. An id is given
once and never changes, because slides, tests, the web page and learners'
journals name cells by it, also if the cell moves to another notebook, or the
notebook gets another number. So an id says where a cell was born, not where
it is. `IDS` holds which ids were given, and which of them are retired because
their cells are gone. teaching/ names exercises by their numbers, which are
changed there, too.
"""

import json
import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[2]
IDS = "tests/course/ids.json"  # {"03": {"given": 52, "retired": [14]}, ...}
ID = re.compile(r"(t?\d\d[a-z]?)-(\d{3})")
EXERCISE = re.compile(r"(?m)^(### Exercise )(\d+)( · )")


def main(arguments):
    """Number the notebooks whose names begin with the arguments, or all."""
    paths = sorted(notebooks())
    chosen = [
        p for p in paths if start(p).startswith(tuple(arguments or [""]))
    ]
    if not chosen:
        known = ", ".join(map(start, paths))
        sys.exit(f"make: NOTEBOOK={' '.join(arguments)} is none of {known}")
    ids, count = read_ids(), 0
    for path in chosen:
        new, exercises = number(path, ids)
        count += new
        rename_exercises(start(path), exercises)
    gone = retire(ids)
    said = f", {len(gone)} retired: {', '.join(gone)}" if gone else ""
    print(f"make: {count} cells have a new id{said}")


def notebooks():
    """Return the paths of all notebooks of the course, roads first."""
    folder = ROOT / "notebooks"
    return [*sorted(folder.glob("*.ipynb")), *sorted(folder.glob("*/*.ipynb"))]


def read_ids():
    """Return what `IDS` says: {prefix: {"given": int, "retired": list}}."""
    return json.loads((ROOT / IDS).read_text(encoding="utf-8"))


def start(path):
    """Return how new ids of a notebook begin: 03, or t03 in a trial room."""
    room = "t" if path.parent.name == "trials" else ""
    return room + path.name.split("_")[0]


def number(path, ids):
    """Number one notebook, and note new ids in `ids`.

    Returns how many cells were new, and the old numbers of its exercises in
    their order; 0 means a new one.
    """
    notebook, new, exercises = nbformat.read(path, 4), 0, []
    known = ids.setdefault(start(path), {"given": 0, "retired": []})
    for cell in notebook.cells:
        if not ID.fullmatch(cell.id):
            new += 1
            known["given"] += 1
            cell.id = f"{start(path)}-{known['given']:03}"
        if cell.cell_type == "markdown" and EXERCISE.search(cell.source):
            old = int(EXERCISE.search(cell.source)[2])
            exercises.append(0 if old in exercises else old)
            cell.source = EXERCISE.sub(
                rf"\g<1>{len(exercises)}\3", cell.source
            )
    nbformat.write(notebook, path)
    return new, exercises


def retire(ids):
    """Write `IDS`; return the given ids that no cell has any longer."""
    found = {c.id for p in notebooks() for c in nbformat.read(p, 4).cells}
    gone = []
    for prefix, known in ids.items():
        for n in range(1, known["given"] + 1):
            if n not in known["retired"] and f"{prefix}-{n:03}" not in found:
                known["retired"].append(n)
                gone.append(f"{prefix}-{n:03}")
        known["retired"].sort()
    rows = ",\n".join(
        f"  {json.dumps(p)}: {json.dumps(ids[p])}" for p in sorted(ids)
    )
    (ROOT / IDS).write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    return gone


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


if __name__ == "__main__":
    main(sys.argv[1:])

"""The notebooks of a folder: where each exercise and prediction stands."""

import contextlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from ..journal import ASKED

DAMAGED = (  # what a file that is no notebook may raise
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    OSError,
)


@dataclass(frozen=True)
class Chapter:
    """A notebook: its number, its title, its exercises and predictions.

    `exercises` maps the name of each check to the heading above it, and
    `predictions` each cell that compares a guess, as "03-014 guess": its id
    and the variable. An id does not say which notebook holds the cell:
    notebooks may get other numbers.
    """

    number: str
    title: str
    exercises: dict
    predictions: dict


def chapters(place):
    """Return a Chapter for each notebook of a folder, in order.

    A trial room comes after the road of its number. A notebook that cannot be
    read is left out.
    """
    place = Path(place)
    paths = [
        *sorted(place.glob("[0-9]*_*.ipynb")),
        *sorted(place.glob("trials/[0-9]*.ipynb")),
    ]
    found = []
    for path in sorted(paths, key=lambda path: path.name.split("_")[0]):
        if "_before_" not in path.name:
            with contextlib.suppress(*DAMAGED):
                cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
                found.append(_chapter(path, cells))
    return found


def _chapter(path, cells):
    title, heading, exercises, predictions = path.stem, "", {}, {}
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            heads = re.findall(r"(?m)^#+ (.*)", text)
            title = title if heading or not heads else heads[0]
            heading = heads[-1] if heads else heading
        elif "check" in cell["metadata"].get("tags", []):
            for name in re.findall(r"(?m)^checks\.(\w+)\(", text):
                exercises[name] = heading
        else:
            for asked in re.findall(ASKED, text):
                predictions[f"{cell['id']} {asked}"] = heading
    number = "t" * (path.parent.name == "trials") + path.stem.split("_")[0]
    return Chapter(number, title, exercises, predictions)

"""The boxes of the web page in which a reader predicts what was measured."""

import re

from tools.markup import filled


def with_boxes(cells):
    """The cells, with a box below each in which a guess is asked for."""
    found = []
    for i, cell in enumerate(cells):
        found.append(cell)
        if "prediction" in cell["metadata"].get("tags", []):
            prose = {"cell_type": "markdown", "metadata": {}}
            prose["id"] = f"{cell['id']}-box"
            found.append(prose | {"source": box(cell, cells[i + 1 :])})
    return found


def box(cell, later):
    """A box; predictions.js reads its cell's id, and what was measured."""
    guess, _, comment = "".join(cell["source"]).partition(" = ...")
    return filled(
        "site/prediction.html",
        cell=cell["id"],
        measured=measured(guess, later),
        is_number='"' not in comment,  # words are in quotes
    )


def measured(guess, later):
    """What the check of a guess printed; ValueError if none of them did."""
    for cell in later:
        source = "".join(cell["source"])
        calls = re.findall(r"checks\.prediction\(\s*(\w+)", source)
        if guess in calls:
            outputs = cell.get("outputs", [])
            printed = "".join("".join(o.get("text", "")) for o in outputs)
            shown = re.findall("Measured: (.*)", printed)
            if len(shown) == len(calls):
                return shown[calls.index(guess)]
    raise ValueError(f"{guess}: no cell below prints what was measured")

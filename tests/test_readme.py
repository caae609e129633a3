"""The README's scoreboard is what the notebooks print, row by row."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


def printed_rows(notebook):
    """Yield (task, model, accuracy, mass, parameters) of every board."""
    for cell in nbformat.read(notebook, 4).cells:
        for output in cell.get("outputs", []):
            task = None
            for line in output.get("text", "").splitlines():
                if "Held-out words, mean ± sd [worst seed]." in line:
                    task = line.split("  Held-out words")[0]
                elif task and line[:36].strip() != "model":
                    yield task, *fields(line)


def fields(line):
    """Split a printed row; chance has neither a spread nor a worst seed."""
    model, rest = line[:36].strip(), line[36:].split()
    numbers = " ".join(rest)
    found = re.fullmatch(
        r"(\d\.\d{3}(?: ± \d\.\d{3} \[\d\.\d\d\])?) "
        r"(–|\d\.\d{3} ± \d\.\d{3}) ([\d,]+)",
        numbers,
    )
    assert found, f"not a scoreboard row: {line!r}"
    return model, *found.groups()


def readme_rows():
    """Yield the same five fields, and the notebook, from the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    board = text.split("## Scoreboard")[1].split("\n## ")[0]
    for line in board.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and re.search(r"\d\.\d{3}", cells[2]):
            yield tuple(cells)


def test_scoreboard_is_what_the_notebooks_print():
    printed = {
        (*row, notebook.name[:2])
        for notebook in NOTEBOOKS
        for row in printed_rows(notebook)
    }
    assert printed, "no notebook prints a scoreboard"
    first = {}
    for row in sorted(printed, key=lambda row: row[-1]):
        first.setdefault(row[:2], row)
    same = {row[:-1] for row in printed}
    assert same == {row[:-1] for row in first.values()}, (
        "a model has different results in two notebooks"
    )
    listed = {
        (*row[:5], re.search(r"\[(\d\d)\]", row[5])[1])
        for row in readme_rows()
    }
    assert listed == set(first.values())

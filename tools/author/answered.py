"""Run notebooks with right answers in all stubs; compare what they print.

    python -m tools.author.answered notebooks/01_dot_product_baseline.ipynb

A learner's answer does the work of later cells (``checks.yours``), and what
comes out must be what is stored, which was made with empty stubs. Only the
checks themselves and the one line that says whose function runs may differ,
and clocks. Prints each cell that differs, and ends with status 1.
"""

import argparse
import ast
import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient

ROOT = pathlib.Path(__file__).parents[2]
WHOSE = re.compile(
    r"✓ [\w.]+: your own (function|class) runs here\.\n"
    r"|[\w.]+: the course's version runs here, until yours is right\.\n"
)


def answer(stub, solution):
    """Return the code of an exercise's cell with the solution in it."""
    code = re.sub(r"\b(def |class )[sS]olution_?", r"\1", solution)
    if not stub.startswith("class ") or code.startswith("class "):
        return code
    name = re.match(r"def (\w+)", code)[1]
    lines = stub.splitlines()
    (method,) = [
        node
        for node in ast.walk(ast.parse(stub))
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    del lines[method.lineno - 1 : method.end_lineno]
    inside = ["    " + line if line else "" for line in code.splitlines()]
    lines[method.lineno - 1 : method.lineno - 1] = inside
    return "\n".join(lines)


def answered(notebook):
    """Return a copy of a notebook with right answers in all stubs."""
    notebook = nbformat.from_dict(notebook)
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    for cell, later in zip(cells, cells[2:], strict=False):
        if "exercise" in cell.metadata.get("tags", ()):
            cell.source = answer(cell.source, later.source)
    return notebook


def said(cell):
    """Return what a cell shows, without the line that says whose it is."""
    shown = ""
    for output in cell.outputs:
        data = output.get("data", {})
        texts = (data.get(k, "") for k in ("text/plain", "image/png"))
        shown += output.get("text", "") + "".join(texts)
        shown += "\n".join(output.get("traceback", ()))
    return WHOSE.sub("", shown)


def differences(stored, run):
    """Yield (stored cell, cell) for each two that show different things."""
    for one, other in zip(stored.cells, run.cells, strict=True):
        tags = {*one.metadata.get("tags", ())}
        if one.cell_type == "code" and not tags & {"check", "timing"}:
            if said(one) != said(other):
                yield one, other


def main(paths):
    """Run notebooks, print what differs, and return how many cells do."""
    count = 0
    for path in paths:
        stored = nbformat.read(path, as_version=4)
        run = answered(stored)
        here = {"metadata": {"path": str(path.parent)}}
        NotebookClient(run, allow_errors=True, resources=here).execute()
        for cell in run.cells:
            if "check" in cell.metadata.get("tags", ()):
                print(cell.outputs[0].text.splitlines()[0])
        found = [*differences(stored, run)]
        for one, other in found:
            print(f"--- {one.id}\n{said(one)}\n+++ {one.id}\n{said(other)}")
        print(f"{path.name}: {len(found)} cells differ")
        count += len(found)
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=pathlib.Path)
    sys.exit(main(parser.parse_args().notebooks) > 0)

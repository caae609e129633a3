"""Write the names of the numbers in verdicts; read them afterward.

    python -m tools.author.naming C29 [C30 ...]    some claims
    python -m tools.author.naming 04 [t02 ...]     all claims of a notebook

Each number of a verdict gets the name that the outputs above it give it, see
tests/course/naming.py. Run it when a verdict has changed on purpose. Names
that were set by hand are overwritten: name the claim, not the notebook, where
others are right.
"""

import re
import sys
import textwrap

import nbformat

from tests.course import naming, reading
from tools.author.number import start
from tools.author.results import ROOT, notebooks


def renamed(source, trial):
    """A verdict's cell with the names of its numbers."""
    names = "names: " + "; ".join(naming.chosen(trial))
    kept = re.sub(r"(?ms)^names:.*?(?=^-->)", "", reading.comment(source))
    lines = textwrap.fill(names, 77, break_on_hyphens=False)
    return source.replace(
        reading.comment(source), kept.replace("\n-->", f"\n{lines}\n-->")
    )


def write(notebook, wanted):
    """Write the names of the `wanted` claims; print numbers with names."""
    given = reading.verdicts(notebook)
    for trial in reading.trials(notebook):
        if trial.claim not in wanted or trial.claim not in given:
            continue
        piece = trial.pieces[trial.verdict]
        for cell in reading.markdown_cells(notebook):
            if piece in cell.source and reading.comment(piece):
                new = renamed(piece, trial)
                cell.source = cell.source.replace(piece, new)
        print(f"\n{trial.claim}")
        for (number, before, after), name in zip(
            naming.said(trial), naming.chosen(trial), strict=True
        ):
            words = " ".join(f"{before[-30:]}[{number}]{after[:20]}".split())
            print(f"  {name[:40]:40}  {words}")


def main(wanted):
    """Write the names of claims, or of all claims of notebooks."""
    unknown = {*wanted}
    for file, notebook in notebooks().items():
        path = ROOT / "notebooks" / file
        claims = {trial.claim for trial in reading.trials(notebook)}
        unknown -= {start(path), *claims}
        before = nbformat.writes(notebook)
        write(
            notebook, claims if start(path) in wanted else claims & {*wanted}
        )
        if nbformat.writes(notebook) != before:
            nbformat.write(notebook, path)
    if unknown or not wanted:
        names = ", ".join(sorted(unknown)) or "none was named"
        sys.exit(f"{__doc__}\nexpected claims or notebooks: {names}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""The README says what the notebooks measured, and what make can do."""

import re

import pytest

from tools import pins

from . import measured, reading
from .test_notebooks import NOTEBOOKS, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def rows(section):
    """The cells of each row of the first table in a README section."""
    text = README.split(f"## {section}\n")[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[c.strip() for c in line.strip("|").split("|")] for line in lines]


def linked(cell):
    """The notebook that a cell of a table links to."""
    return re.search(r"notebooks/(\S+?\.ipynb)", cell)[1]


# The course


def test_minutes_are_those_of_the_notebooks():
    *courses, total = rows("The course")
    listed = {linked(row[0]): int(row[-1]) for row in courses}
    declared = {f: reading.minutes(nb)[0] for f, nb in NOTEBOOKS.items()}
    assert listed == declared
    assert int(total[-1].strip("* ")) == sum(declared.values())


def test_pythons_are_those_of_the_pins():
    low, high = pins.MINORS[0], pins.MINORS[-1]
    assert f"Python 3.{low} to 3.{high}," in README
    named = re.findall(r"PYTHON=python3\.(\d+)", README + CONTRIBUTING)
    assert named and {int(minor) for minor in named} <= set(pins.MINORS)


def test_make_has_every_command_that_is_named():
    targets = set(re.findall(r"(?m)^(\w+):.*## ", MAKEFILE))
    named = re.findall(r"(?m)(?:`|^)make ([a-z]+)", README + CONTRIBUTING)
    assert {"lab", "test"} <= set(named) <= targets


# The claims


def ledger():
    """{claim: its row} from the README."""
    return {row[0]: row for row in rows("Claims on trial")}


def trial(claim):
    """The trial of a claim, and the notebook that has it."""
    return next(
        (found, file)
        for file, notebook in NOTEBOOKS.items()
        for found in reading.trials(notebook)
        if found.claim == claim
    )


def test_every_claim_is_listed_once():
    listed = [row[0] for row in rows("Claims on trial")]
    on_trial = [t.claim for nb in NOTEBOOKS.values()
                for t in reading.trials(nb)]  # fmt: skip
    assert listed == sorted(on_trial) == sorted(set(on_trial))


@pytest.mark.parametrize("claim", ledger())
def test_claim_is_what_the_notebook_quotes(claim):
    _, said, _, link = ledger()[claim]
    found, file = trial(claim)
    assert linked(link) == file
    assert said == found.quote


@pytest.mark.parametrize("claim", ledger())
def test_verdict_is_the_measured_one(claim):
    """It begins alike, and has numbers of the verdict, in their order."""
    verdict = ledger()[claim][2]
    found, file = trial(claim)
    bold = reading.verdicts(NOTEBOOKS[file])[claim].rstrip(".")
    assert re.match("holds|does not hold as said", verdict)
    assert verdict.startswith("holds") == bold.startswith("holds")
    unconditional = re.match(r"holds(?::|$)", verdict)
    assert bool(unconditional) == (bold == "holds")
    text = measured.stated(found.pieces[found.verdict])
    left = iter(measured.numbers(text.split("**Verdict")[1]))
    for number in measured.numbers(verdict):
        assert number in left, f"{number} is not in the verdict, or not here"


# The scoreboard


NUMBERS = (  # accuracy, mass, parameters; chance has neither sd nor worst
    r"(\d\.\d{3}(?: ± \d\.\d{3} \[\d\.\d\d\])?)\s+"
    r"(–|\d\.\d{3} ± \d\.\d{3})\s+([\d,]+)"
)


def printed_rows(notebook):
    """(task, model, accuracy, mass, parameters) of every board.

    The numbers of a model stand beside its name or in the line below.
    """
    for cell in reading.code_cells(notebook):
        task = above = None
        for line in reading.stdout(cell).splitlines():
            if "Held-out words, mean ± sd [worst" in line:
                task = line.split("Held-out")[0].strip() or above
            elif task and (row := re.fullmatch(rf"(.*?)\s*{NUMBERS}", line)):
                yield task, row[1].strip() or above, *row.groups()[1:]
            above = line.strip()


def test_scoreboard_is_what_the_notebooks_print():
    printed, first = set(), {}
    for file, notebook in NOTEBOOKS.items():
        for row in printed_rows(notebook):
            printed.add(row)
            first.setdefault(row[:2], (*row, file))
    assert printed == {row[:-1] for row in first.values()}, (
        "a model has different results in two notebooks"
    )
    listed = {(*row[:5], linked(row[5])) for row in rows("Scoreboard")}
    assert listed == set(first.values())

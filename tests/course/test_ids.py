"""A cell's id is given once: it neither vanishes nor moves to another cell.

Slides, the list of timing cells, the web page and learners' journals name
cells by their ids. `make number` gives an id to a new cell and retires the
id of a cell that is gone; nobody need touch them by hand.
"""

import json
import subprocess
from collections import Counter

import nbformat
import pytest

from tools.author import number

ROOT = number.ROOT
COMMITS = 12  # of those that changed notebooks; a second in all


def git(*arguments):
    done = subprocess.run(
        ["git", "-C", ROOT, *arguments], capture_output=True, text=True
    )
    return done.stdout if done.returncode == 0 else ""


def now():
    """{id: cell} of all notebooks, and how often each id occurs."""
    cells = [
        cell for p in number.notebooks() for cell in nbformat.read(p, 4).cells
    ]
    return {c.id: c for c in cells}, Counter(c.id for c in cells)


def before(commit):
    """{id: cell} of all notebooks of a commit."""
    listed = git("ls-tree", "-r", "--name-only", commit, "notebooks")
    return {
        cell["id"]: cell
        for name in listed.split("\n")
        if name.endswith(".ipynb")
        for cell in json.loads(git("show", f"{commit}:{name}"))["cells"]
    }


def missing(old, cells, retired):
    """Ids of earlier cells that neither a cell nor the list has."""
    return sorted(old.keys() - cells.keys() - retired)


def moved(old, cells):
    """(id, other): what the cell said is now the text of another id."""
    texts = {name: "".join(cell["source"]) for name, cell in old.items()}
    alone = Counter(texts.values())
    places = {cell["source"]: name for name, cell in cells.items()}
    return [
        (name, places[text])
        for name, text in texts.items()
        if alone[text] == 1 and places.get(text, name) != name
    ]


def changed_kind(old, cells):
    """Ids of a text that are now those of code, or the other way round."""
    both = old.keys() & cells.keys()
    kind = "cell_type"
    return sorted(i for i in both if old[i][kind] != cells[i][kind])


def given_and_retired():
    ids = number.read_ids()
    given = {
        f"{prefix}-{n:03}"
        for prefix, known in ids.items()
        for n in range(1, known["given"] + 1)
    }
    retired = {
        f"{prefix}-{n:03}"
        for prefix, known in ids.items()
        for n in known["retired"]
    }
    return given, retired


def test_every_cell_has_an_id_that_was_given_to_it_alone():
    cells, times = now()
    given, retired = given_and_retired()
    assert max(times.values()) == 1, times.most_common(1)
    assert {*cells} | retired == given, "make number"
    assert not {*cells} & retired  # a retired id is never given again


def commits():
    """The first commit with `IDS`, and the last that changed notebooks."""
    first = git("log", "--diff-filter=A", "--format=%H", "--", number.IDS)
    first = first.split()[-1:]  # none where the history is cut off before
    since = f"{first[0]}~..HEAD" if first else "HEAD~..HEAD"
    listed = git("log", "--format=%H", since, "--", "notebooks").split()
    return [*dict.fromkeys([*listed[:COMMITS], *listed[-1:], *first])]


@pytest.mark.skipif(not git("rev-parse", "HEAD"), reason="no git history")
def test_no_id_of_an_earlier_commit_vanished_or_moved():
    cells, _ = now()
    _, retired = given_and_retired()
    for commit in commits():
        old = before(commit)
        assert old, commit
        assert missing(old, cells, retired) == [], commit
        assert moved(old, cells) == [], commit
        assert changed_kind(old, cells) == [], commit


def test_faults_are_seen():
    cells, _ = now()
    old = {name: dict(cell) for name, cell in cells.items()}
    assert not moved(old, cells) and not changed_kind(old, cells)
    first, second = "03-001", "03-002"
    swapped = cells | {first: cells[second], second: cells[first]}
    assert moved(old, swapped) == [(first, second), (second, first)]
    left = {name: cell for name, cell in cells.items() if name != first}
    assert missing(old, left, set()) == [first]
    assert missing(old, left, {first}) == []
    code = next(name for name in old if old[name]["cell_type"] == "code")
    assert changed_kind(old | {first: old[code]}, cells) == [first]

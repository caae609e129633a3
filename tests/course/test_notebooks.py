"""The notebooks as they are stored; nbval runs them and compares."""

import ast
import contextlib
import functools
import inspect
import io
import itertools
import re
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import nbformat
import pytest
from IPython.core.ultratb import FormattedTB

from helpers import claims
from tools.author import readme, results

from . import (
    english,
    form,
    measured,
    minutes,
    outputs,
    practice,
    reading,
    variables,
    verdicts,
    wording,
)

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
FOLDERS = ROOT / "data", ROOT / "teaching"  # whose pages have links, too
NOTEBOOKS = results.notebooks()
ROADS = [file for file in NOTEBOOKS if "/" not in file]
PATHS = [FOLDER / name for name in NOTEBOOKS]
RULES = [
    rule
    for rules in (
        outputs,
        practice,
        form,
        variables,
        wording,
        english,
        verdicts,
        measured,
    )
    for rule in rules.RULES
]
# What nobody removes by accident: of each notebook the claims, in their order,
# and how many exercises and predictions it has.
CONTENTS = {
    "00": ("", 1, 2),
    "01": ("C01 C11 C08", 4, 3),
    "02": ("C38", 4, 3),
    "03": ("C25", 4, 3),
    "04": ("C28", 4, 4),
    "05": ("C35", 4, 4),
    "06": ("C64 C45", 5, 3),
    "07": ("C70", 5, 3),
    "08": ("", 5, 3),
    "09": ("C67 C55", 4, 3),
    "10": ("C68 C49", 4, 4),
    "t01": ("C03 C04 C02 C05 C06 C07 C09 C81 C10", 1, 6),
    "t02": ("C20 C19 C59 C15 C14 C18 C21 C22 C16", 0, 6),
    "t02b": ("", 3, 6),
    "t03": ("C26 C23 C24 C54 C27 C53", 1, 9),
    "t04": ("C29 C33 C32 C30 C31 C34", 1, 4),
    "t05": ("C58 C36 C79 C78 C37", 2, 5),
    "t06": ("C39 C40 C41 C42 C43 C44", 0, 9),
    "t06b": ("C46 C47 C48 C62 C63 C65 C66", 0, 9),
    "t07": ("C71 C72 C73", 1, 3),
    "t08": ("C80 C75 C77 C76", 0, 6),
    "t09": ("C56 C57 C60", 1, 7),
    "t10": ("C50 C51 C52 C61 C74 C69", 1, 7),
}
FILES = sorted(path.stem for path in claims.FOLDER.glob("C*.md"))
ON_TRIAL = [each for nb in NOTEBOOKS.values() for each in reading.on_show(nb)]
ALL_CLAIMS = sorted({*FILES, *ON_TRIAL})
# The cells whose numbers are not compared.
TIMING = ["09-043", "08-087", "t04-014", "t05-028", "t06b-017", "08-034"]
each_notebook = pytest.mark.parametrize("file", NOTEBOOKS)


def number(file):
    """The number of a notebook, "02", or "t02" of a trial room."""
    return file[:2] if "/" not in file else f"t{Path(file).name.split('_')[0]}"


@each_notebook
def test_the_title_has_the_number_of_the_file(file):
    """Only a workshop has none. (The ids of the cells do not tell it.)"""
    said = reading.number(NOTEBOOKS[file]) or "02"
    assert said == number(file).strip("tb")


@each_notebook
def test_rules(file):
    """All rules of the modules above; a failure shows what a rule says."""
    nbformat.validate(NOTEBOOKS[file])
    broken = [told(rule, rule(NOTEBOOKS[file])) for rule in RULES]
    assert not any(broken), "\n\n".join(filter(None, broken))


def told(rule, problems):
    """The problems below the rule that they break; "" without any."""
    head = f"{rule.__name__}: {inspect.getdoc(rule)}"
    file = Path(inspect.getfile(rule)).name
    return "\n".join([f"{head} ({file})", *problems]) if problems else ""


@pytest.mark.parametrize("rule", RULES)
def test_a_failure_says_the_rule(rule):
    said = told(rule, ["02-007 is bad"])
    assert len(inspect.getdoc(rule)) > 20 and inspect.getdoc(rule) in said
    assert said.endswith("02-007 is bad") and told(rule, []) == ""


def contents(notebook):
    """(claims, number of exercises, number of predictions)."""
    tags = "exercise", "prediction"
    counts = [len(reading.tagged(notebook, tag)) for tag in tags]
    return " ".join(reading.on_show(notebook)), *counts


def test_claims_and_exercises_are_all_there():
    found = {number(file): contents(nb) for file, nb in NOTEBOOKS.items()}
    assert found == CONTENTS and [*found] == [*CONTENTS]
    shown = " ".join(each for each, *_ in CONTENTS.values()).split()
    elsewhere = [c for c in FILES if "same_as" in claims.read(c)[0]]
    assert sorted(shown + elsewhere) == ALL_CLAIMS  # each exactly once


def test_no_other_cell_is_left_uncompared():
    """A cell tagged `timing` prints how long something took.

    Its numbers and pictures are not compared, so no sentence repeats them. On
    a busy machine it prints "too noisy, run again". What the text says about
    time is measured by a test of the helpers, which tries again if it fails.
    """
    timing = [
        cell.id
        for notebook in NOTEBOOKS.values()
        for cell in reading.tagged(notebook, "timing")
    ]
    assert timing == TIMING


def test_minutes_in_the_map_are_those_of_the_notebooks():
    row = (
        r"(?m)^[|-] \[.*?\]\(([^)]+\.ipynb)\)"
        r".*[|,] ((?:\d+ to )?\d+) (?:\||minutes)$"
    )
    [start, *_] = NOTEBOOKS.values()
    rows = re.findall(row, reading.prose(start))
    assert rows
    for target, said in rows:
        assert readme.minutes([NOTEBOOKS[target]]) == said, target


def test_only_late_notebooks_load_torch():
    early = [file for file in NOTEBOOKS if Path(file).name < "05"]
    imported = {file: reading.imports(NOTEBOOKS[file]) for file in early}
    assert [file for file in early if "torch" in imported[file]] == []


def broken_links(folder, text):
    """Targets in a Markdown text that lead nowhere; the web is not asked."""
    found = []
    for target in wording.links(text):
        if re.match(r"https?://|mailto:", target) or is_of_project(
            folder, target
        ):
            continue
        path, _, anchor = target.partition("#")
        file = (folder / path).resolve() if path else None
        if file and not (file.exists() and file.is_relative_to(ROOT)):
            found.append(target)
        elif file and file.is_relative_to(FOLDER) and not is_copied(file):
            found.append(target)
        elif anchor and anchor not in wording.anchors(
            text if file is None else read(file)
        ):
            found.append(target)
    return found


def is_of_project(folder, target):
    """Whether it opens a form for issues, and fills fields that it has.

    Or it is of a workflow's badge: both are on the project's own page.
    """
    url = urlsplit(target)
    path = folder / url.path
    if path.is_relative_to(ROOT / "../../actions/workflows"):
        return True  # test_readme.py knows them
    if path != ROOT / "../../issues/new":
        return False
    asked = dict(parse_qsl(url.query))
    form = ROOT / ".github" / "ISSUE_TEMPLATE" / asked.pop("template", "none")
    fields = form.is_file() and re.findall(r"(?m)^    id: (\w+)$", read(form))
    return bool(fields) and {*asked} <= {*fields, "title"}


def is_copied(file):
    """Whether learners have it, too: the copies keep the same links."""
    return file.suffix == ".ipynb"


@functools.cache
def read(file):
    if file.suffix == ".ipynb":
        return reading.prose(nbformat.read(file, 4))
    return file.read_text(encoding="utf-8")


def test_links_resolve():
    """Links are relative and lead to what learners have, in copies, too."""
    pages = [ROOT.glob("*.md"), *(f.glob("**/*.md") for f in FOLDERS)]
    for page in [*PATHS, *itertools.chain(*pages)]:
        assert broken_links(page.parent, read(page)) == [], page.name


@pytest.mark.parametrize(
    "target, good",
    [("nowhere.ipynb", False), ("../README.md#nowhere", False),
     ("#no-such-heading", False), ("../../x", False), ("trials", False),
     ("../LICENSE", True), ("#A-title", True), ("#a-title", True),
     ("https://x.org/y", True)],
)  # fmt: skip
def test_a_broken_link_is_found(target, good):
    page = f"# A title\n[good](../README.md) and [this]({target})"
    assert broken_links(FOLDER, page) == ([] if good else [target])


def definitions(notebook):
    """Imports and functions of all cells that are not practice."""
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    for cell in reading.code_cells(notebook):
        if not reading.tags(cell):
            body = ast.parse(cell.source).body
            kept = [
                node
                for node in body
                if isinstance(node, kinds)
                and "checks.yours" not in ast.unparse(node)
            ]
            yield ast.unparse(ast.Module(kept, []))


@each_notebook
def test_solutions_pass_their_checks(file):
    notebook, space = NOTEBOOKS[file], {}
    for source in definitions(notebook):
        exec(source, space)
    trios = [
        reading.tagged(notebook, tag)
        for tag in ("exercise", "check", "solution")
    ]
    for exercise, check, solution in zip(*trios, strict=True):
        learners = reading.function_names(exercise)
        exec(solution.source, space)
        solved = {name: space[f"solution_{name}"] for name in learners}
        space |= solved
        if found := re.search(r"(?m)^class (\w+)", exercise.source):
            exec(exercise.source, space)
            setattr(space[found[1]], *solved.popitem())
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(check.source, space)
        lines = [x for x in said.getvalue().splitlines() if x[0] in "✓✗○"]
        assert len(lines) == len(learners)
        for name, line in zip(learners, lines, strict=True):
            assert line.startswith(f"✓ {name}: correct")


def test_above_the_first_helpers_stands_what_to_do_without():
    for file, notebook in NOTEBOOKS.items():
        first = reading.code_cells(notebook)[0].source.splitlines()
        at = next(i for i, line in enumerate(first) if "helpers" in line)
        assert first[at] == minutes.ALONE, file
        assert first[at + 1].startswith(("from helpers", "import helpers"))
        assert first.count(minutes.ALONE) == 1, file


def test_a_notebook_opened_alone_says_what_to_do(tmp_path, monkeypatch):
    """Its first cell without helpers, with the message that Jupyter shows."""
    cell = reading.code_cells(NOTEBOOKS["06_language_model.ipynb"])[0]
    file = tmp_path / "cell.py"
    file.write_text(cell.source, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "helpers", None)
    with pytest.raises(ModuleNotFoundError) as failed:
        exec(compile(cell.source, file, "exec"), {})
    shown = FormattedTB("Context", "nocolor", tb_offset=1)
    said = shown.text(failed.type, failed.value, failed.tb)
    assert minutes.ALONE in said

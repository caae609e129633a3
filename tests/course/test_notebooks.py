"""The notebooks as they are stored; nbval runs them and compares."""

import ast
import contextlib
import io
import re
from pathlib import Path

import nbformat
import pytest

from . import measured, outputs, practice, reading, wording

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOKS = {path.name: nbformat.read(path, 4) for path in PATHS}
RULES = outputs.RULES + practice.RULES + wording.RULES + measured.RULES
# What nobody removes by accident: claims on trial, the number of exercises,
# and the cells whose numbers are not compared.
CLAIMS = {
    "01": "C01 C02 C03 C04 C11 C05 C06 C07 C08 C09 C10 C12",
    "02": "C13 C20 C22 C17 C18 C21 C15 C14 C16 C19 C38",
    "03": "C23 C24 C26 C25 C27",
    "04": "C28 C30 C31 C34 C29 C32 C33",
    "05": "C35 C37 C36",
}
EXERCISES = {"01": 4, "02": 3, "03": 4, "04": 4, "05": 3}
TIMING = ["04-028", "05-063", "05-064"]
each_notebook = pytest.mark.parametrize("file", NOTEBOOKS)


def test_notebooks_are_named_in_order():
    assert [file[:2] for file in NOTEBOOKS] == list(CLAIMS)
    assert all(re.fullmatch(r"\d\d_[a-z0-9_]+\.ipynb", f) for f in NOTEBOOKS)


@each_notebook
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule, file):
    problems = rule(NOTEBOOKS[file])
    assert not problems, "\n".join(problems)


@each_notebook
def test_is_a_valid_notebook_with_ids_of_its_own(file):
    nbformat.validate(NOTEBOOKS[file])
    ids = [cell.id for cell in NOTEBOOKS[file].cells]
    assert len(set(ids)) == len(ids)


@each_notebook
def test_claims_and_exercises_are_all_there(file):
    notebook, number = NOTEBOOKS[file], file[:2]
    claims = [trial.claim for trial in reading.trials(notebook)]
    assert claims == CLAIMS[number].split()
    exercises = reading.tagged(notebook, "exercise")
    assert len(exercises) == EXERCISES[number]


def test_no_other_cell_is_left_uncompared():
    timing = [
        cell.id
        for notebook in NOTEBOOKS.values()
        for cell in reading.tagged(notebook, "timing")
    ]
    assert timing == TIMING


@each_notebook
def test_only_late_notebooks_load_torch(file):
    assert "torch" not in reading.imports(NOTEBOOKS[file]) or file >= "05"


def broken_links(folder, text):
    """Targets in a Markdown text that lead nowhere; the web is not asked."""
    found = []
    for target in wording.links(text):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (folder / path).resolve() if path else None
        if file and not (file.exists() and file.is_relative_to(ROOT)):
            found.append(target)
        elif anchor and anchor not in wording.anchors(
            text if file is None else read(file)
        ):
            found.append(target)
    return found


def read(file):
    if file.suffix == ".ipynb":
        return reading.prose(nbformat.read(file, 4))
    return file.read_text(encoding="utf-8")


PAGES = [*PATHS, *ROOT.glob("*.md"), *(ROOT / "data").glob("**/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    assert broken_links(page.parent, read(page)) == []


def definitions(notebook):
    """Imports and functions of all cells that are not practice."""
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    for cell in reading.code_cells(notebook):
        if not reading.tags(cell):
            body = ast.parse(cell.source).body
            kept = [node for node in body if isinstance(node, kinds)]
            yield ast.unparse(ast.Module(kept, []))


@each_notebook
def test_solutions_pass_their_checks(file):
    notebook, names = NOTEBOOKS[file], {}
    for source in definitions(notebook):
        exec(source, names)
    trios = [
        reading.tagged(notebook, tag)
        for tag in ("exercise", "check", "solution")
    ]
    for exercise, check, solution in zip(*trios, strict=True):
        learner = reading.function_name(exercise)
        exec(solution.source, names)
        names[learner] = names[f"solution_{learner}"]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(check.source, names)
        assert said.getvalue().startswith(f"✓ {learner}: correct")

"""The notebooks as they are stored; nbval runs them and compares."""

import ast
import contextlib
import io
import re
from pathlib import Path

import nbformat
import notebook_rules as rules
import pytest

ROOT = Path(__file__).parents[1]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOKS = {path.name: nbformat.read(path, 4) for path in PATHS}
README = (ROOT / "README.md").read_text(encoding="utf-8")
each_notebook = pytest.mark.parametrize("file", NOTEBOOKS)


def rows(section):
    """The cells of each row of the first table in a README section."""
    text = README.split(f"## {section}\n")[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[c.strip() for c in line.strip("|").split("|")] for line in lines]


def test_there_are_notebooks():
    assert NOTEBOOKS
    for number, file in enumerate(NOTEBOOKS, 1):
        assert re.fullmatch(rf"{number:02}_[a-z0-9_]+\.ipynb", file)


@each_notebook
@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_rule(rule, file):
    problems = rule(NOTEBOOKS[file])
    assert not problems, "\n".join(problems)


@each_notebook
def test_is_a_valid_notebook_with_ids_of_its_own(file):
    nbformat.validate(NOTEBOOKS[file])
    ids = [cell.id for cell in NOTEBOOKS[file].cells]
    assert len(set(ids)) == len(ids)


@each_notebook
def test_file_is_small(file):
    size = (ROOT / "notebooks" / file).stat().st_size
    assert size <= rules.NOTEBOOK_BYTES


@each_notebook
def test_only_late_notebooks_load_torch(file):
    assert "torch" not in rules.imports(NOTEBOOKS[file]) or file >= "05"


def broken_links(folder, text):
    """Targets in a Markdown text that lead nowhere; the web is not asked."""
    found = []
    for target in rules.links(text):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (folder / path).resolve() if path else None
        if file and not (file.exists() and file.is_relative_to(ROOT)):
            found.append(target)
        elif anchor and anchor not in rules.anchors(
            text if file is None else read(file)
        ):
            found.append(target)
    return found


def read(file):
    if file.suffix == ".ipynb":
        return rules.prose(nbformat.read(file, 4))
    return file.read_text(encoding="utf-8")


PAGES = [
    *PATHS,
    *ROOT.glob("*.md"),
    *(ROOT / "data").glob("**/*.md"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    assert broken_links(page.parent, read(page)) == []


# The notebooks together, and the README


def test_every_claim_is_on_trial_once():
    claims = [c for nb in NOTEBOOKS.values() for c in rules.trials(nb)]
    assert len(set(claims)) == len(claims)


def test_readme_minutes_are_those_of_the_notebooks():
    *courses, total = [row for row in rows("The course")]
    listed = {
        re.search(r"notebooks/(\S+?\.ipynb)", row[0])[1]: int(row[-1])
        for row in courses
    }
    declared = {f: rules.minutes(nb)[0] for f, nb in NOTEBOOKS.items()}
    assert listed == declared
    assert int(total[-1].strip("* ")) == sum(declared.values())


def ledger():
    """{claim: (verdict, file)} from the README."""
    return {
        row[0]: (row[2], re.search(r"notebooks/(\S+?\.ipynb)", row[3])[1])
        for row in rows("Claims on trial")
    }


def test_readme_lists_every_claim_once_with_its_notebook():
    on_trial = {
        claim: file
        for file, notebook in NOTEBOOKS.items()
        for claim in rules.trials(notebook)
    }
    listed = {claim: file for claim, (_, file) in ledger().items()}
    assert listed == on_trial
    claims = [row[0] for row in rows("Claims on trial")]
    assert claims == sorted(set(claims))


@pytest.mark.parametrize("claim", ledger())
def test_readme_verdict_is_the_measured_one(claim):
    """The same verdict, and no number that the notebook did not print."""
    verdict, file = ledger()[claim]
    notebook = NOTEBOOKS[file]
    measured = rules.verdicts(notebook)[claim]
    assert re.match("holds|does not hold", verdict)
    assert verdict.startswith("holds") == measured.startswith("holds")
    printed = "\n".join(map(rules.printed, rules.code_cells(notebook)))
    known = set(re.findall(rules.DECIMAL, printed))
    for number in re.findall(rules.DECIMAL, verdict):
        assert rules.is_printed(number, known), f"{number} is not printed"
    whole = set(re.findall(rules.WHOLE, printed.replace(",", "")))
    for number in re.findall(rules.WHOLE, verdict.replace(",", "")):
        assert number in whole, f"{number} is not printed"


def definitions(notebook):
    """Imports and functions of all cells that are not practice."""
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    for cell in rules.code_cells(notebook):
        if not rules.tags(cell):
            body = ast.parse(cell.source).body
            kept = [node for node in body if isinstance(node, kinds)]
            yield ast.unparse(ast.Module(kept, []))


@each_notebook
def test_solutions_pass_their_checks(file):
    notebook = NOTEBOOKS[file]
    names = {}
    for source in definitions(notebook):
        exec(source, names)
    for exercise, check, solution in zip(
        *(
            rules.tagged(notebook, t)
            for t in ("exercise", "check", "solution")
        ),
        strict=True,
    ):
        learner = rules.function_name(exercise)
        exec(solution.source, names)
        names[learner] = names[f"solution_{learner}"]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(check.source, names)
        assert said.getvalue().startswith(f"✓ {learner}: correct")

"""The gate itself: what it must not let pass is planted, and must be seen."""

import copy
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import nbformat
import notebook_rules as rules
import pytest
import test_notebooks
from nbformat import v4

ROOT = test_notebooks.ROOT
FIRST = next(iter(test_notebooks.NOTEBOOKS.values()))


# Stored outputs: nbval, with the options of `make test`


def with_output(source, *texts, count=1):
    outputs = [v4.new_output("stream", name="stdout", text=t) for t in texts]
    return v4.new_code_cell(source, outputs=outputs, execution_count=count)


def tampered(cell):
    """The same cell, with one digit of its stored text changed."""
    cell = copy.deepcopy(cell)
    [output] = cell.outputs
    output.text = re.sub(
        r"\d(?=\D*$)", lambda d: str(9 - int(d[0])), output.text
    )
    return cell


def real_cells():
    """The imports and the first cell after it that prints a number."""
    cells = rules.code_cells(FIRST)
    return cells[0], next(c for c in cells[1:] if "0." in rules.stdout(c))


IMPORTS, REAL = real_cells()
STORED = {  # cell: whether nbval must accept it
    "imports": (IMPORTS, True),
    "a real cell": (REAL, True),
    "a real cell, tampered": (tampered(REAL), False),
    "right": (with_output("print(0.125)", "0.125\n"), True),
    "silent": (with_output("x = 1"), True),
    "wrong digit": (with_output("print(0.125)", "0.126\n"), False),
    "more digits": (with_output("print(0.125)", "0.1250\n"), False),
    "cleared": (with_output("print(0.125)"), False),
    # nbval compares nothing here: rules.executed_in_order must see it
    "cleared and not run": (with_output("print(0.125)", count=None), True),
    "never run": (with_output("print(1)", "1\n", count=None), False),
    "text too many": (with_output("x = 1", "1\n"), False),
    "a line too few": (with_output("print(1); print(2)", "1\n"), False),
    "an error": (with_output("1 / 0"), False),
    "an error below its output": (
        with_output("print(1); 1 / 0", "1\n"),
        False,
    ),
    "other stream": (
        with_output("import sys\nprint(1, file=sys.stderr)", "1\n"),
        False,
    ),
}


@pytest.fixture(scope="module")
def nbval_says(tmp_path_factory):
    """One run of nbval over all cells: {cell: whether it was accepted}."""
    folder = tmp_path_factory.mktemp("gate")
    cells = [copy.deepcopy(cell) for cell, _ in STORED.values()]
    for i, cell in enumerate(cells):
        cell.id = f"cell-{i}"
    nbformat.write(v4.new_notebook(cells=cells), folder / "planted.ipynb")
    report = folder / "report.xml"
    subprocess.run(
        [sys.executable, "-m", "pytest", *nbval_options(), "planted.ipynb"]
        + ["-c", ROOT / "pyproject.toml", "--rootdir", folder]
        + ["-p", "nbval.plugin", f"--junit-xml={report}"],
        cwd=folder,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        timeout=60,
    )
    cases = ElementTree.parse(report).getroot().iter("testcase")
    passed = [len(case) == 0 for case in cases]
    return dict(zip(STORED, passed, strict=True))


def recipe():
    """What `make test` runs."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return re.search(r"(?m)^test:.*\n((?:\t.*\n)+)", text)[1]


def nbval_options():
    return re.findall(r"--nbval\S*", recipe())


def test_make_test_is_strict_and_complete():
    assert "--nbval" in nbval_options()
    assert not re.search("lax|sanitize|nbdime|-k |-m |skip", recipe()[8:])
    assert {"tests", "$(NOTEBOOKS)"} <= set(recipe().split())
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nNOTEBOOKS = notebooks/*.ipynb\n" in makefile


@pytest.mark.parametrize("cell", STORED)
def test_stored_outputs_are_compared(cell, nbval_says):
    assert nbval_says[cell] == STORED[cell][1]


# The rules, each with faults planted in the first notebook


def code(notebook, number=1):
    return rules.code_cells(notebook)[number]


def text(notebook, old, new):
    """Replace a text in the first Markdown cell that has it."""
    cell = next(
        c for c in notebook.cells
        if c.cell_type == "markdown" and re.search(old, c.source)
    )  # fmt: skip
    cell.source = re.sub(old, new, cell.source, count=1)


def figure(notebook):
    return next(c for c in rules.code_cells(notebook) if rules.images(c))


def drawn(notebook):
    cell = figure(notebook)
    return next(o for o in cell.outputs if "image/png" in o.get("data", {}))


def exercise(notebook, kind="exercise"):
    return rules.tagged(notebook, kind)[1]


def say(notebook, words, stream="stdout"):
    code(notebook).outputs.append(
        v4.new_output("stream", name=stream, text=words)
    )


def mute_figure(notebook):
    cells = rules.code_cells(notebook)
    place = cells.index(figure(notebook))
    cells[place].outputs = [drawn(notebook)]
    cells[place + 1].outputs = []


def add_cell(notebook, source, tag=None):
    cell = v4.new_code_cell(source, metadata={"tags": [tag]} if tag else {})
    notebook.cells.append(cell)


def swap_check_and_solution(notebook):
    i = notebook.cells.index(exercise(notebook, "check"))
    cells = notebook.cells
    cells[i], cells[i + 1] = cells[i + 1], cells[i]


def set_to(get, field, value):
    return lambda notebook: setattr(get(notebook), field, value)


def replace(get, old, new):
    def plant(notebook):
        cell = get(notebook)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return plant


def prose_of(old, new):
    return lambda notebook: text(notebook, old, new)


def prints(words):
    return lambda notebook: say(notebook, words)


FAULTS = [
    (rules.executed_in_order, set_to(code, "execution_count", None)),
    (rules.executed_in_order, set_to(code, "execution_count", 7)),
    (rules.executed_in_order, lambda nb: nb.cells.reverse()),
    (rules.executed_in_order, lambda nb: add_cell(nb, "x = 1")),
    (rules.no_errors_stored, lambda nb: say(nb, "hm", stream="stderr")),
    (
        rules.no_errors_stored,
        lambda nb: code(nb).outputs.append(
            v4.new_output("error", ename="E", evalue="e", traceback=[])
        ),
    ),
    (rules.what_is_shown_is_stored, set_to(code, "outputs", [])),
    (
        rules.what_is_shown_is_stored,
        lambda nb: figure(nb).outputs.remove(drawn(nb)),
    ),
    (
        rules.what_is_shown_is_stored,
        set_to(lambda nb: exercise(nb, "check"), "outputs", []),
    ),
    (rules.figures_have_words, mute_figure),
    (rules.outputs_are_clean, prints("/home/me/course/x.py")),
    (rules.outputs_are_clean, prints(r"C:\course")),
    (rules.outputs_are_clean, prints("<function f at 0x7f00aa00>")),
    (rules.outputs_are_clean, prints(" 42%|████  | 21/50")),
    (rules.outputs_are_clean, prints("10 steps\r20 steps")),
    (rules.outputs_are_clean, prints("RuntimeWarning: overflow")),
    (rules.outputs_are_clean, prints("started at 10:42:07")),
    (rules.floats_are_short, prints("0.1234")),
    (rules.floats_are_short, prints("[1.00000001 2.5]")),
    (rules.floats_are_short, prints("1.23456e-07")),
    (
        rules.sizes_are_small,
        lambda nb: drawn(nb).data.update({"image/png": "A" * 90_000}),
    ),
    (rules.sizes_are_small, prints("x" * 700_000)),
    (rules.tags_are_known, lambda nb: add_cell(nb, "", "nbval-skip")),
    (rules.tags_are_known, lambda nb: add_cell(nb, "", "excercise")),
    (rules.tags_are_known, lambda nb: add_cell(nb, "", rules.UNCOMPARED)),
    (rules.tags_are_known, lambda nb: add_cell(nb, "# NBVAL_SKIP\nx = 1")),
    (rules.metadata_is_plain, lambda nb: nb.metadata.update(widgets={})),
    (
        rules.metadata_is_plain,
        lambda nb: code(nb).metadata.update(execution={}),
    ),
    (
        rules.metadata_is_plain,
        lambda nb: drawn(nb).data.update({"text/html": "<b>"}),
    ),
    (rules.code_is_short, lambda nb: add_cell(nb, "x = 1\n" * 21)),
    (rules.code_is_short, lambda nb: add_cell(nb, "x = " + "1" * 80)),
    (
        rules.code_is_short,
        lambda nb: [add_cell(nb, "x = 1\n" * 9) for _ in range(60)],
    ),
    (
        rules.words_and_code_balance,
        lambda nb: [add_cell(nb, "x = 1\n" * 9) for _ in range(60)],
    ),
    (
        rules.exercises_are_followed_by_check_and_solution,
        swap_check_and_solution,
    ),
    (
        rules.exercises_are_followed_by_check_and_solution,
        lambda nb: nb.cells.remove(exercise(nb, "solution")),
    ),
    (
        rules.exercises_are_followed_by_check_and_solution,
        lambda nb: exercise(nb, "solution").metadata.pop("jupyter"),
    ),
    (
        rules.exercises_are_followed_by_check_and_solution,
        replace(exercise, "...", "None"),
    ),
    (
        rules.exercises_are_followed_by_check_and_solution,
        replace(lambda nb: exercise(nb, "check"), "(", "(solution_"),
    ),
    (
        rules.exercises_are_followed_by_check_and_solution,
        replace(lambda nb: exercise(nb, "solution"), "def solution_", "def "),
    ),
    (rules.exercises_are_announced, prose_of("### Exercise 2", "### Task 2")),
    (rules.exercises_are_announced, prose_of(" · [0-9]+ minutes\n", "\n")),
    (rules.exercises_are_announced, prose_of("Hint 2", "Hint")),
    (
        rules.the_learner_is_never_needed,
        lambda nb: add_cell(nb, rules.function_name(exercise(nb)) + "(1)"),
    ),
    (rules.minutes_add_up, prose_of(r"\*\*[0-9]+ minutes", "**1 minutes")),
    (rules.minutes_add_up, prose_of("to practice", "more")),
    (rules.minutes_add_up, prose_of("· [0-9]+ minutes", "· 40 minutes")),
    (rules.claims_have_verdicts, prose_of(r"\*\*Verdict", "**So")),
    (rules.claims_have_verdicts, prose_of("(?s)(.*Verdict.*)", r"\1\n\n\1")),
    (rules.claims_have_verdicts, prose_of("### Claim C.. on", "### On")),
    (rules.claims_have_verdicts, prose_of("Verdict.*?: ", "Verdict C99: ")),
    (rules.sections_are_complete, prose_of("## Recap", "## Thoughts")),
    (rules.sections_are_complete, prose_of("# [0-9] · ", "# ")),
    (rules.images_have_alt_text, prose_of("## Recap", "![](x.png)\n## Recap")),
    (rules.images_have_alt_text, prose_of("## Recap", "<img src='x.png'>")),
    (rules.details_are_closed, prose_of("</details>", "")),
    (rules.formulas_are_readable, prose_of("## Recap", r"$\\\\alpha$")),
    (rules.words_are_plain, prose_of("## Recap", "Simply put, it works.")),
    (rules.numbers_come_from_outputs, prose_of("## Recap", "It is 0.98765.")),
]


def test_every_rule_has_a_fault():
    assert {rule for rule, _ in FAULTS} == set(rules.RULES)


@pytest.mark.parametrize(
    "rule, plant",
    [
        pytest.param(*f, id=f"{f[0].__name__}-{i}")
        for i, f in enumerate(FAULTS)
    ],
)
def test_fault_is_found(rule, plant):
    faulty = copy.deepcopy(FIRST)
    plant(faulty)
    assert set(rule(faulty)) - set(rule(FIRST))


@pytest.mark.parametrize(
    "target",
    ["nowhere.ipynb", "../README.md#nowhere", "#no-such-heading", "../../x"],
)
def test_broken_link_is_found(target):
    folder = ROOT / "notebooks"
    page = f"# A title\n[good](../README.md) and [bad]({target})"
    assert test_notebooks.broken_links(folder, page) == [target]


@pytest.mark.parametrize(
    "target", ["../LICENSE", "#A-title", "#a-title", "https://x.org/y"]
)
def test_good_link_is_accepted(target):
    page = f"# A title\n[good]({target})"
    assert test_notebooks.broken_links(ROOT / "notebooks", page) == []


README_FAULTS = [
    (test_notebooks.test_readme_minutes_are_those_of_the_notebooks,
     r"\| [0-9]+ \|", "| 99 |"),
    (test_notebooks.test_readme_lists_every_claim_once_with_its_notebook,
     r"\| C01 .*\n", ""),
    (test_notebooks.test_readme_lists_every_claim_once_with_its_notebook,
     r"\| C01 (.*\n)", r"| C99 \1"),
]  # fmt: skip


@pytest.mark.parametrize("test, old, new", README_FAULTS)
def test_readme_fault_is_found(monkeypatch, test, old, new):
    faulty, count = re.subn(old, new, test_notebooks.README, count=1)
    assert count
    monkeypatch.setattr(test_notebooks, "README", faulty)
    with pytest.raises((AssertionError, KeyError)):
        test()


def test_readme_verdicts_are_compared(monkeypatch):
    check = test_notebooks.test_readme_verdict_is_the_measured_one
    claim = "C01"
    for change in (
        lambda verdict: verdict + " 0.98765",
        lambda verdict: verdict + " of 98,765",
        lambda verdict: "does not hold as said",
        lambda verdict: "perhaps",
    ):
        ledger = test_notebooks.ledger()
        verdict, file = ledger[claim]
        faulty = {claim: (change(verdict), file)}
        with monkeypatch.context() as patch:
            patch.setattr(test_notebooks, "ledger", lambda f=faulty: f)
            with pytest.raises(AssertionError):
                check(claim)

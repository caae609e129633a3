"""What the rules must not let pass is planted, and must be seen."""

import copy
import re

import pytest
from nbformat import v4

from . import (
    measured,
    outputs,
    practice,
    reading,
    test_nbval,
    test_readme,
    wording,
)
from . import test_notebooks as course

FIRST = next(iter(course.NOTEBOOKS.values()))


def code(notebook, number=1):
    return reading.code_cells(notebook)[number]


def exercise(notebook, kind="exercise"):
    return reading.tagged(notebook, kind)[1]


def figure(notebook):
    """The last cell draws a figure and says it, as all of them should."""
    return notebook.cells[-1]


def with_figure():
    """The first notebook, and a cell with a figure at its end."""
    notebook = copy.deepcopy(FIRST)
    cell = test_nbval.picture()
    cell.source = "plots.show_scores(x)"
    cell.outputs[0].data["text/plain"] = "A map: fox looks at dog."
    cell.outputs[0].metadata["image/png"] = {"width": 100, "height": 50}
    said = v4.new_output("stream", name="stdout", text="fox -> dog 0.50\n")
    cell.outputs.append(said)
    notebook.cells.append(cell)
    return notebook


def prose_of(old, new):
    """Replace a pattern in the first Markdown cell that has it."""

    def plant(notebook):
        cell = next(
            c for c in notebook.cells
            if c.cell_type == "markdown" and re.search(old, c.source)
        )  # fmt: skip
        cell.source = re.sub(old, new, cell.source, count=1)

    return plant


def replace(get, old, new):
    def plant(notebook):
        cell = get(notebook)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return plant


def set_to(get, **fields):
    return lambda notebook: get(notebook).update(fields)


def prints(text, stream="stdout"):
    def plant(notebook):
        output = v4.new_output("stream", name=stream, text=text)
        code(notebook).outputs.append(output)

    return plant


def adds(source, *tags, times=1):
    def plant(notebook):
        for _ in range(times):
            cell = v4.new_code_cell(source, metadata={"tags": list(tags)})
            notebook.cells.append(cell)

    return plant


def data(**changes):
    """Change the stored data of the figure; None removes a kind."""

    def plant(notebook):
        stored = figure(notebook).outputs[0].data
        for kind, value in changes.items():
            stored.pop(kind.replace("_", "/"))
            if value:
                stored[kind.replace("_", "/")] = value

    return plant


def swap_check_and_solution(notebook):
    i = notebook.cells.index(exercise(notebook, "check"))
    cells = notebook.cells
    cells[i], cells[i + 1] = cells[i + 1], cells[i]


def check(notebook):
    return exercise(notebook, "check")


def solution(notebook):
    return exercise(notebook, "solution")


ERROR = v4.new_output("error", ename="E", evalue="e", traceback=[])
NEW_LINES = adds("x = 1\n" * 9, times=60)
TRIO = practice.exercises_are_followed_by_check_and_solution
FAULTS = {
    outputs.executed_in_order: [
        set_to(code, execution_count=None),
        set_to(code, execution_count=7),
    ],
    outputs.no_errors_stored: [
        prints("hm", stream="stderr"),
        set_to(code, outputs=[ERROR]),
    ],
    outputs.what_is_shown_is_stored: [
        set_to(code, outputs=[]),
        lambda notebook: figure(notebook).outputs.pop(0),
        lambda notebook: figure(notebook).outputs.pop(1),
        set_to(check, outputs=[]),
        adds("board.show()"),
        adds("runs.report('2 heads')"),
    ],
    outputs.figures_are_drawn_and_said_in_one_call: [
        adds("plots.plot_scores(x)"),
        adds("plots.say('fox')"),
    ],
    outputs.figures_have_words: [
        lambda notebook: figure(notebook).outputs.pop(1),
        data(text_plain=None),
        data(text_plain="<Figure size 640x480 with 1 Axes>"),
    ],
    outputs.figures_are_sharp: [
        lambda notebook: figure(notebook).outputs[0].metadata.clear(),
        lambda nb: (
            figure(nb).outputs[0].metadata["image/png"].update(width=200)
        ),
    ],
    outputs.outputs_are_clean: [
        prints("/home/me/course/x.py"),
        prints(r"C:\course"),
        prints("<function f at 0x7f00aa00>"),
        prints(" 42%|████  | 21/50"),
        prints("10 steps\r20 steps"),
        prints("RuntimeWarning: overflow"),
        prints("started at 10:42:07"),
        prints("8 heads: too noisy, run again"),
    ],
    outputs.floats_are_short: [prints("0.1234"), prints("1.23456e-07")],
    outputs.tables_are_narrow: [prints("a  1  " + "1" * 60)],
    outputs.sizes_are_small: [
        data(image_png="A" * 180_000),
        prints("x" * 1_300_000),
    ],
    outputs.metadata_is_plain: [
        lambda notebook: notebook.metadata.update(widgets={}),
        lambda notebook: notebook.metadata.kernelspec.update(name="mine"),
        lambda notebook: code(notebook).metadata.update(execution={}),
        lambda nb: figure(nb).outputs[0].data.update({"text/html": "<b>"}),
    ],
    outputs.timing_cells_only_measure: [
        adds("assert True", "timing"),
        adds("if slow:\n    raise ValueError", "timing"),
    ],
    practice.tags_are_known: [
        adds("", "timing", "nbval-ignore-output"),
        adds("# NBVAL_SKIP\nx = 1"),
    ],
    practice.code_is_short: [
        adds("x = 1\n" * 21),
        adds("x = " + "1" * 80),
        NEW_LINES,
    ],
    practice.words_and_code_balance: [NEW_LINES],
    TRIO: [
        swap_check_and_solution,
        lambda notebook: notebook.cells.remove(solution(notebook)),
        lambda notebook: solution(notebook).metadata.pop("jupyter"),
        replace(exercise, "...", "None"),
        replace(check, "(", "(solution_"),
        replace(solution, "def solution_", "def "),
    ],
    practice.exercises_are_announced: [
        prose_of("### Exercise 2", "### Task 2"),
        prose_of(" · [0-9]+ minutes\n", "\n"),
        prose_of("Hint 2", "Hint"),
    ],
    practice.the_learner_is_never_needed: [
        lambda nb: adds(reading.function_name(exercise(nb)) + "(1)")(nb),
    ],
    wording.minutes_add_up: [
        prose_of(r"\*\*[0-9]+ minutes", "**1 minutes"),
        prose_of("to practice", "more"),
        prose_of("· [0-9]+ minutes", "· 40 minutes"),
    ],
    wording.claims_have_verdicts: [
        prose_of(r"\*\*Verdict", "**So"),
        prose_of("(?s)(.*Verdict.*)", r"\1\n\n\1"),
        prose_of("### Claim C.. on", "### On"),
        prose_of("Verdict C..: ", "Verdict C99: "),
        prose_of("(?m)(?:^> .*\n)+", ""),
    ],
    wording.sections_are_complete: [
        prose_of("## Recap", "## Thoughts"),
        prose_of("# [0-9] · ", "# "),
    ],
    wording.images_have_alt_text: [
        prose_of("## Recap", "![](x.png)\n## Recap"),
        prose_of("## Recap", "<img src='x.png'>"),
    ],
    wording.details_are_closed: [prose_of("</details>", "")],
    wording.formulas_are_readable: [prose_of("## Recap", r"$\\\\alpha$")],
    wording.words_are_plain: [prose_of("## Recap", "Simply put, it works.")],
    measured.numbers_on_trial_were_measured: [
        prose_of(r"the sum by 1\.39", "the sum by 1.4"),  # rounded
        prose_of("In 0.080 of", "In one in fourteen, about 0.07 of"),
        prose_of("Eight such weights", "Seven such weights"),
        prose_of(r"\*\*Verdict", "<!-- not results: 7 -->**Verdict"),
    ],
    measured.decimals_were_measured: [
        prose_of("## Recap", "## Recap\n\nIt is 0.987."),
        prose_of("mass 0.001 on the right", "mass 0.002 on the right"),
        prose_of("0.005 -->", "0.006 -->"),
    ],
    measured.named_numbers_belong_to_their_name: [
        prose_of(r"sum by 1\.39(?s:(.*?))0\.93", r"sum by 0.93\g<1>1.39"),
        prose_of(r"\*money\* \(0\.398\)", "*money* (0.255)"),
    ],
    measured.directions_are_right: [
        prose_of(r"\*shore\* rises from", "*shore* falls from"),
        prose_of(r"0\.398 to 0\.361", "0.361 to 0.398"),
    ],
}


def test_every_rule_has_a_fault():
    assert set(FAULTS) == set(course.RULES)


@pytest.mark.parametrize(
    "rule, plant",
    [
        pytest.param(rule, plant, id=f"{rule.__name__}-{i}")
        for rule, plants in FAULTS.items()
        for i, plant in enumerate(plants)
    ],
)
def test_fault_is_found(rule, plant):
    right, faulty = with_figure(), with_figure()
    plant(faulty)
    assert set(rule(faulty)) - set(rule(right))


def test_a_right_figure_is_accepted():
    for rule in outputs.RULES:
        problems = set(rule(with_figure())) - set(rule(FIRST))
        assert not [p for p in problems if "show_scores" in p]


@pytest.mark.parametrize(
    "target",
    ["nowhere.ipynb", "../README.md#nowhere", "#no-such-heading", "../../x"],
)
def test_broken_link_is_found(target):
    page = f"# A title\n[good](../README.md) and [bad]({target})"
    folder = course.ROOT / "notebooks"
    assert course.broken_links(folder, page) == [target]


@pytest.mark.parametrize(
    "target", ["../LICENSE", "#A-title", "#a-title", "https://x.org/y"]
)
def test_good_link_is_accepted(target):
    page = f"# A title\n[good]({target})"
    assert course.broken_links(course.ROOT / "notebooks", page) == []


# The notebooks together, and the README


def without_claim(notebook):
    prose_of("(?s)### Claim C03 on trial.*", "")(notebook)
    prose_of(r"(?s)\*\*Verdict C03.*", "")(notebook)


def without_exercise(notebook):
    for kind in ("exercise", "check", "solution"):
        notebook.cells.remove(exercise(notebook, kind))


@pytest.mark.parametrize("plant", [without_claim, without_exercise])
def test_what_is_missing_is_noticed(monkeypatch, plant):
    file, faulty = next(iter(course.NOTEBOOKS)), copy.deepcopy(FIRST)
    plant(faulty)
    monkeypatch.setitem(course.NOTEBOOKS, file, faulty)
    with pytest.raises(AssertionError):
        course.test_claims_and_exercises_are_all_there(file)


def test_a_hidden_result_is_noticed(monkeypatch):
    file, faulty = next(iter(course.NOTEBOOKS)), copy.deepcopy(FIRST)
    code(faulty).metadata.tags = ["timing"]
    monkeypatch.setitem(course.NOTEBOOKS, file, faulty)
    with pytest.raises(AssertionError):
        course.test_no_other_cell_is_left_uncompared()


def verdict_of(claim):
    return lambda: test_readme.test_verdict_is_the_measured_one(claim)


def quote_of(claim):
    return lambda: test_readme.test_claim_is_what_the_notebook_quotes(claim)


README_FAULTS = [
    (test_readme.test_minutes_are_those_of_the_notebooks, "| 55 |", "| 56 |"),
    (test_readme.test_pythons_are_those_of_the_pins, "to 3.13,", "to 3.14,"),
    (test_readme.test_make_has_every_command_that_is_named,
     "make lab ", "make learn "),
    (test_readme.test_every_claim_is_listed_once, "| C01 |", "| C99 |"),
    (quote_of("C02"), "sentence loses", "sentence shows"),
    (quote_of("C15"), "02_learned_projections.ipynb) |\n| C16",
     "03_scaling.ipynb) |\n| C16"),
    (verdict_of("C02"), "1.39, each *the* by 0.93", "0.93, *the* by 1.39"),
    (verdict_of("C28"), "0.189 with one head, 0.947", "0.947 with one, 0.189"),
    (verdict_of("C01"), "| holds: largest", "| does not hold: largest"),
    (verdict_of("C02"), "| holds for the factors, less so", "| holds: less"),
    (test_readme.test_scoreboard_is_what_the_notebooks_print,
     "0.994 ± 0.004", "0.995 ± 0.004"),
]  # fmt: skip


@pytest.mark.parametrize("test, old, new", README_FAULTS)
def test_readme_fault_is_found(monkeypatch, test, old, new):
    assert old in test_readme.README
    faulty = test_readme.README.replace(old, new, 1)
    monkeypatch.setattr(test_readme, "README", faulty)
    with pytest.raises((AssertionError, StopIteration)):
        test()

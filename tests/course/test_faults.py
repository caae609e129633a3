"""What the rules must not let pass is planted, and must be seen."""

import copy
import re

import pytest
from nbformat import v4

from . import (
    english,
    form,
    measured,
    outputs,
    planted,
    practice,
    reading,
    variables,
    verdicts,
    wording,
)
from . import test_notebooks as course

ROAD, ROOM = planted.road(), planted.room()


def code(notebook, place=1):
    return reading.code_cells(notebook)[place]


def figure(notebook):
    return next(c for c in reading.code_cells(notebook) if c.outputs)


def exercise(notebook, kind="exercise"):
    return reading.tagged(notebook, kind)[1]


def check(notebook):
    return exercise(notebook, "check")


def solution(notebook):
    return exercise(notebook, "solution")


def judged(notebook):
    return next(filter(reading.judged, notebook.cells))


def guess(notebook):
    return exercise(notebook, "prediction")


def prose(old, new, count=1):
    """Replace a pattern in the first Markdown cells that have it."""

    def plant(notebook):
        cells = reading.markdown_cells(notebook)
        found = [c for c in cells if re.search(old, c.source)]
        assert found
        for cell in found[:count]:
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
    output = v4.new_output("stream", name=stream, text=text)
    return lambda notebook: code(notebook).outputs.append(output)


def adds(source, *tags, times=1):
    """Add code cells at the end."""
    cells = [planted.code(source, tags=tags)] * times
    return lambda notebook: notebook.cells.extend(cells)


def says(text, times=1):
    """Add Markdown cells at the end."""
    cells = [v4.new_markdown_cell(text)] * times
    return lambda notebook: notebook.cells.extend(cells)


def without(get):
    return lambda notebook: notebook.cells.remove(get(notebook))


def shows(**data):
    """Change the stored data of the figure."""
    return lambda notebook: figure(notebook).outputs[0].data.update(data)


def guess_without_a_question(notebook):
    notebook.cells.insert(notebook.cells.index(guess(notebook)), code(ROAD))


def uses_what_a_solution_sets(notebook):
    solution(notebook).source += "\nfactor = 2"
    adds("y = 3 * factor")(notebook)


def works(notebook):
    """Where the learner's functions are put to work."""
    cells = enumerate(notebook.cells)
    return next(n for n, c in cells if c.source.startswith("checks.yours"))


TRIO = practice.exercises_are_followed_by_check_and_solution
FAULTS = {
    outputs.executed_in_order: [set_to(code, execution_count=None)],
    outputs.no_errors_stored: [
        prints("hm", stream="stderr"),
        set_to(code, outputs=[v4.new_output("error")]),
    ],
    outputs.what_is_shown_is_stored: [
        lambda notebook: figure(notebook).outputs.pop(0),
        set_to(check, outputs=[]),
        adds("runs.show_heads('ab')"),
    ],
    outputs.figures_can_be_read: [
        lambda notebook: figure(notebook).outputs.pop(1),
        shows(**{"text/plain": "<Figure size 640x480 with 1 Axes>"}),
        lambda notebook: figure(notebook).outputs[0].metadata.clear(),
    ],
    outputs.outputs_are_clean: [
        prints("/home/me/course/x.py"),
        prints("<function f at 0x7f00aa00>"),
        prints(" 42%|████  | 21/50"),
        prints("\x1b[31mred"),
        prints("RuntimeWarning: overflow"),
        prints("started at 10:42:07"),
        prints("0.1234"),
        prints("8 heads: too noisy, run again"),
    ],
    outputs.tables_are_narrow: [prints("a  1  " + "1" * 60)],
    outputs.metadata_is_plain: [
        lambda notebook: notebook.metadata.update(widgets={}),
        lambda notebook: notebook.metadata.kernelspec.update(name="mine"),
        lambda notebook: code(notebook).metadata.update(execution={}),
        shows(**{"text/html": "<b>"}),
    ],
    practice.tags_are_known: [
        adds("", "timing", "nbval-ignore-output"),
        adds("# NBVAL_SKIP\nx = 1"),
    ],
    practice.code_is_short: [
        adds("x = 1\n" * 21),
        adds("x = " + "1" * 80),
        adds("x = 1\n" * 9, times=60),
    ],
    TRIO: [
        without(solution),
        lambda notebook: solution(notebook).metadata.pop("jupyter"),
        replace(exercise, "...", "None"),
        replace(check, "(", "(solution_"),
        replace(solution, "def solution_", "def "),
        set_to(check, outputs=[planted.said("✓ task_2: correct")]),
    ],
    practice.exercises_are_announced: [
        prose("### Exercise 2", "### Task 2"),
        prose("Hint 2", "Hint"),
    ],
    practice.the_learner_is_never_needed: [
        adds("y = task_2(1)"),
        adds("y = checks.yours(task_2(1))"),
        adds("y = checks.yours(task_1) or task_2"),
    ],
    practice.a_solution_is_used_nowhere_else: [
        adds("def f():\n    return solution_task_2(1)"),
        uses_what_a_solution_sets,
    ],
    practice.what_is_written_carries_on: [
        lambda notebook: notebook.cells.pop(works(notebook)),
        lambda notebook: notebook.cells.insert(
            1, notebook.cells.pop(works(notebook))
        ),
    ],
    form.minutes_are_computed: [
        prose(r"40 to 60 minutes", "40 to 65 minutes"),
        (
            ROOM,
            lambda nb: (
                prose("5 to 10 minutes", "80 to 115 minutes")(nb),
                prose("(?s)$", " word" * 14_900)(nb),
            ),
        ),
    ],
    form.roads_have_two_sittings: [
        prose("A good place to stop", "A place to stop"),
        says("word " * 4_000),
    ],
    form.texts_are_short: [
        says("A word.", times=20),
        says(planted.WORDS, times=18),
        says("word " * 151),
        (ROOM, says("A word.", times=12)),
    ],
    form.numbers_are_few: [
        says("The fox has 0.1, the dog 0.2% and the cat 30%."),
        says("A fox has 0.1. A dog has 0.2. A cat has 2%. A cow has 9%."),
        prose("of 12.5% and", "of 12.5%, 0.1, 0.2 and"),
    ],
    form.there_is_something_to_do: [adds("x = 1", times=11)],
    form.roads_have_practice_to_the_end: [
        without(guess),
        without(exercise),
        says("A word.", times=40),
    ],
    form.predictions_are_answered: [
        replace(guess, "  # a number between 0 and 1", ""),
        replace(guess, "guess_task", "guess_nothing"),
        replace(guess, "guess_task", "guess_mass"),
        guess_without_a_question,
        says("**Predict, then run:** what will the fox keep?"),
    ],
    form.the_map_says_where_you_are: [
        replace(figure, "(2)", "(3)"),
    ],
    form.answers_are_folded: [prose("How many", "It is 0.12. How many")],
    variables.names_are_bound_in_one_section: [
        adds("a, (b, *guess_mass_found) = 1, (2, 3)"),
        adds("def task_1(x):\n    return x"),
    ],
    variables.imports_stand_at_the_top: [
        adds("def f():\n    from os import path"),
        (ROOM, adds("import sys")),
    ],
    variables.lessons_do_not_assert: [adds("if guess_mass:\n    assert True")],
    english.texts_are_english: [
        prose("## Recap", "It gets 0.94 right. Who says so is right."),
        prints("Lost: twice the epochs"),
        prose("## Recap", "Simply put, it works."),
    ],
    verdicts.claims_have_verdicts: [
        without(judged),
        set_to(judged, outputs=[]),
        lambda notebook: notebook.cells.append(judged(notebook)),
        prose("### Claim C.. on", "### On"),
        prose("### Claim C15 on", "### Claim C99 on"),
        prose("(?m)(?:^> .*\n)+", ""),
        prose("The .fox. has", "**Verdict C15: True.** The fox has"),
        prose("The .fox. has", "<!-- results\nplain: Yes. -->The fox has"),
    ],
    wording.sections_are_complete: [
        prose("## Recap", "## Thoughts"),
        prose("## Practice together", "## Practice"),
        prose("# [0-9] · ", "# "),
        (ROOM, prose(r"Back to .*", "The end.")),
    ],
    wording.images_have_alt_text: [
        prose("## Recap", "![](x.png)\n## Recap"),
        prose("## Recap", "<img src='x.png'>"),
    ],
    wording.details_are_closed: [
        prose("</details>", ""),
        prose("(?s)<summary>Hint 1</summary>\n", "<summary>Hint 1</summary>"),
    ],
    wording.formulas_are_readable: [prose("## Recap", r"$\\\\alpha$")],
    measured.numbers_on_trial_were_measured: [
        prose("dog one of 0.031", "dog one of 0.03"),
        prose("How much of it", "How many of the twelve"),
        prose("the dog one of", "the 13 dogs one of"),
        prose("How much", "It is about 0.4. How much"),
    ],
    measured.decimals_were_measured: [
        prose("mass is 0.125", "mass is 0.126"),
        prose("## Break it", "## Break it\n\nIt is 0.7."),
        prose(
            "mass is 0.125",
            "<details><summary>Reading</summary>\n\n0.126\n\n</details>",
        ),
    ],
    measured.named_numbers_belong_to_their_name: [
        prose(r"\*fox\* falls", "*guess* keeps 0.031; *prediction* falls")
    ],
    measured.directions_are_right: [
        prose("falls from 0", "rises from 0"),
        prose("from 0.125 to 0.031", "from 3.1% to 12.5%"),
    ],
}


def faulty(plant):
    """A copy of a right notebook with something planted."""
    right, plant = plant if isinstance(plant, tuple) else (ROAD, plant)
    changed = copy.deepcopy(right)
    plant(changed)
    return changed


@pytest.mark.parametrize("notebook", [ROAD, ROOM], ids=["road", "room"])
def test_a_right_notebook_is_accepted(notebook):
    assert [each for rule in course.RULES for each in rule(notebook)] == []


@pytest.mark.parametrize("rule", course.RULES, ids=lambda rule: rule.__name__)
def test_faults_are_found(rule):
    for place, plant in enumerate(FAULTS[rule]):
        assert rule(faulty(plant)), f"fault {place} is not found"


# The notebooks together


def test_what_is_missing_is_noticed():
    whole = course.contents(ROAD)
    assert whole == ("C15 C16", 4, 3)
    for plant in (prose("### Claim C15", "### C15"), without(exercise),
                  without(guess)):  # fmt: skip
        assert course.contents(faulty(plant)) != whole


def test_a_hidden_result_is_noticed(monkeypatch):
    changed = faulty(lambda nb: code(nb).metadata.update(tags=["timing"]))
    monkeypatch.setitem(course.NOTEBOOKS, "02_x.ipynb", changed)
    with pytest.raises(AssertionError):
        course.test_no_other_cell_is_left_uncompared()

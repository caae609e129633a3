"""Rules for tags, code and exercises.

An exercise takes four cells, in this order:

    text                stars, minutes, the task with its shapes, two hints
    code, `exercise`    a stub that returns `...`; *Run All* passes over it
    code, `check`       checks.NAME(learner_function), which prints
    code, `solution`    solution_NAME, folded (jupyter.source_hidden)

The check comes before the solution, so that it judges the learner's code.
Later cells use `checks.yours(learner_function)`, which is the course's own
until the learner's is right: who has not solved the exercise can go on.
"""

import ast
import re
from itertools import pairwise
from statistics import median

from . import minutes
from .reading import (
    code_cells,
    function_names,
    kind,
    name,
    number,
    stdout,
    tagged,
    tags,
)
from .variables import bound

TAGS = {"exercise", "check", "solution", "timing", "prediction"}
CELL_LINES, COLUMNS = 20, 79
MEDIAN_LINES = {"start": 6, "road": 6, "room": 10}


def tags_are_known(notebook):
    """exercise, check, solution, prediction, timing; nothing steers nbval."""
    problems = []
    for cell in notebook.cells:
        if unknown := tags(cell) - TAGS:
            problems.append(f"{name(cell)} has tags {sorted(unknown)}")
        if re.search(r"NBVAL|VALIDATE_IGNORE", cell.source):
            problems.append(f"{name(cell)} steers nbval by a comment")
    return problems


def code_is_short(notebook):
    """A cell has at most 20 lines of 79 columns, and most have few.

    Lines that only pass numbers to a verdict are not counted.
    """
    problems, lengths = [], []
    for cell in code_cells(notebook):
        read = minutes.read_lines(cell.source)
        lines = [line for _, line in read if line.strip()]
        lengths.append(len(lines))
        if len(lines) > CELL_LINES:
            problems.append(f"{name(cell)} has {len(lines)} lines")
        wide = [line for line in lines if len(line) > COLUMNS]
        problems += [f"{name(cell)}: too wide: {line}" for line in wide]
    if lengths and median(lengths) > MEDIAN_LINES[kind(notebook)]:
        problems.append(f"the median cell has {median(lengths)} lines")
    return problems


def exercises_are_followed_by_check_and_solution(notebook):
    """Three code cells, the check open as it is stored, the solution folded.

    The solution's function has a name of its own, solution_ in front, and
    never that of the learner's function.
    """
    problems = []
    cells = code_cells(notebook)
    kinds = [tags(c) & {"exercise", "check", "solution"} for c in cells]
    order = [kind.pop() if len(kind) == 1 else "" for kind in kinds]
    for i, cell in enumerate(cells):
        trio = order[i : i + 3]
        if order[i] == "exercise":
            if trio != ["exercise", "check", "solution"]:
                problems.append(f"{name(cell)} is followed by {trio[1:]}")
            else:
                problems += _trio_problems(*cells[i : i + 3])
    counts = {order.count(k) for k in ("exercise", "check", "solution")}
    if len(counts) > 1:
        problems.append("checks or solutions without an exercise")
    return problems


def _trio_problems(exercise, check, solution):
    hidden = solution.metadata.get("jupyter", {}).get("source_hidden")
    tests = {
        "the stub has no `...`": "..." in exercise.source,
        "the check does not call checks": "checks." in check.source,
        "the check is not open": stdout(check).startswith("○"),
        "the solution is not folded": hidden is True,
    }
    for learner in function_names(exercise):
        tests |= {
            f"the check does not judge {learner}": re.search(
                rf"checks\.\w+\((\w+\.)?{learner}\b", check.source
            ),
            f"the solution does not define solution_{learner}": re.search(
                rf"(?m)^def solution_{learner}\(", solution.source
            ),
        }
    return [f"{name(exercise)}: {w}" for w, good in tests.items() if not good]


def exercises_are_announced(notebook):
    """Heading, stars, minutes and two hints, in the cell before.

    `### Exercise 3 · Title`, and below it `★★☆ · 6 minutes`. `make number`
    numbers the exercises in their order.
    """
    problems, number = [], 0
    for before, cell in pairwise(notebook.cells):
        if "exercise" not in tags(cell):
            continue
        number += 1
        heading = (
            rf"(?m)^### Exercise {number} · .+\n+[★☆]{{3}} · \d+ minutes$"
        )
        if not re.search(heading, before.source):
            problems.append(f"{name(cell)}: no heading like {heading}")
        for hint in ("Hint 1", "Hint 2"):
            if f"<details><summary>{hint}</summary>" not in before.source:
                problems.append(f"{name(cell)}: no {hint}")
    return problems


def _uses(notebook, defined, own_tags):
    """Where cells without some tags use what others have defined."""
    return [
        f"{name(cell)} uses {node.id}, which is the {own_tags[0]}'s"
        for cell in code_cells(notebook)
        if not tags(cell) & {*own_tags}
        for node in _left(ast.parse(cell.source))
        if isinstance(node, ast.Name) and node.id in defined
    ]


def _left(tree):
    """Yield the nodes of a cell, without NAME in `checks.yours(NAME)`."""
    yield tree
    is_call = isinstance(tree, ast.Call)
    yours = is_call and ast.unparse(tree.func) == "checks.yours"
    for child in ast.iter_child_nodes(tree):
        if not (yours and isinstance(child, ast.Name | ast.Attribute)):
            yield from _left(child)


def the_learner_is_never_needed(notebook):
    """No other cell uses what an exercise defines, so Run All works.

    But for `checks.yours(NAME)`, which takes the course's until it is right.
    """
    exercises = tagged(notebook, "exercise")
    learners = {n for cell in exercises for n in _written(cell)}
    return _uses(notebook, learners, ["exercise", "check"])


def a_solution_is_used_nowhere_else(notebook):
    """What it defines, no other cell uses: `make student` leaves it out."""
    solved = {n for cell in tagged(notebook, "solution") for n in bound(cell)}
    return _uses(notebook, solved, ["solution"])


def what_is_written_carries_on(notebook):
    """On the road, 00 to 08, a later cell works with each exercise."""
    if kind(notebook) == "room" or number(notebook) > "08":
        return []
    return [
        f"{name(cell)}: no later checks.yours with it"
        for place, cell in enumerate(notebook.cells)
        if "exercise" in tags(cell)
        and not _written(cell) & _put_to_work(notebook.cells[place:])
    ]


def _written(cell):
    """The names of a learner's functions, and of a class with one."""
    classes = re.findall(r"(?m)^class (\w+)", cell.source)
    return {*function_names(cell), *classes}


def _put_to_work(cells):
    """What some cells hand to `checks.yours`."""
    sources = (c.source for c in cells if c.cell_type == "code")
    return {*re.findall(r"checks\.yours\((\w+)\)", "\n".join(sources))}


RULES = [
    tags_are_known,
    code_is_short,
    exercises_are_followed_by_check_and_solution,
    exercises_are_announced,
    the_learner_is_never_needed,
    a_solution_is_used_nowhere_else,
    what_is_written_carries_on,
]

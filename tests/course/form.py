"""Rules for the form of roads and trial rooms: time, sizes, doing, names.

The kinds of notebooks are those of `reading.kind`.
"""

import ast
import re

from . import measured, minutes, reading
from .reading import code_cells, kind, markdown_cells, name, tags

LONGEST = {"road": 75, "room": 90, "start": 20}  # minutes
LONGER = {"02": 90, "06": 90}  # by how the ids of the cells begin
CELLS, WORDS = 50, 2200  # of a road
CELL_WORDS, CELL_NUMBERS = 150, 8  # of a Markdown cell, visible
SECTION_CELLS = 15  # of a trial room
REST = 10  # code cells in a row with nothing to do
EXERCISES, PREDICTIONS = 4, 3  # of a road, at least
NO_NUMBER = {  # of those that a reader must weigh
    "code": r"(?s)```.*?```|`[^`]*`",
    "a formula": r"(?s)\$\$.*?\$\$|\$[^$]+\$",
    "a shape": r"\((?:[\w…·\d]+, ?)+[\w…·\d]*\)",
    "the number of an item or row": r"(?m)^\s*(?:\d+|[a-z])[.)] ",
}
PREDICTION = r"(\w+) = \.\.\.  # \S.*"


def number(notebook):
    """How the ids of the cells begin, such as "02" or "t02b"."""
    return notebook.cells[0].get("id", "").split("-")[0]


def minutes_are_computed(notebook):
    """The total is the computed one to 10 %, in fives, and not too long."""
    declared = reading.minutes(notebook)
    if declared is None:
        return ["the first cell declares no minutes"]
    total, read, practice = declared
    needed = sum(minutes.computed(notebook))
    exercises = minutes.practice(notebook)
    longest = LONGER.get(number(notebook), LONGEST[kind(notebook)])
    tests = {
        f"{total} minutes: at most {longest}": total <= longest,
        f"{total} minutes are not in fives": total % 5 == 0,
        f"{read} + {practice} minutes are not {total}": (
            read + practice == total
        ),
        f"{total} minutes are declared, {needed:.1f} computed": (
            abs(total - needed) <= max(0.1 * needed, 2.5)
        ),
        f"the exercises need {exercises} minutes, not {practice}": (
            abs(practice - exercises) <= 2.5 or kind(notebook) != "road"
        ),
    }
    return [problem for problem, good in tests.items() if not good]


def roads_are_short(notebook):
    if kind(notebook) == "room":
        return []
    problems = []
    if len(notebook.cells) > CELLS:
        problems.append(f"{len(notebook.cells)} cells: at most {CELLS}")
    if (words := minutes.visible_words(notebook)) > WORDS:
        problems.append(f"{words} visible words: at most {WORDS}")
    return problems


def to_weigh(text):
    """The numbers of a Markdown text that a reader sees and must weigh."""
    text = measured.stated(reading.visible(text))
    for pattern in NO_NUMBER.values():
        text = re.sub(pattern, " ", text)
    return re.findall(measured.DIGITS, text)


def cells_of_prose_are_short(notebook):
    problems = []
    for cell in markdown_cells(notebook):
        words = minutes.words(reading.visible(cell.source))
        if words > CELL_WORDS:
            problems.append(f"{name(cell)}: {words} words: {CELL_WORDS}")
        numbers = to_weigh(cell.source)
        if len(numbers) > CELL_NUMBERS:
            problems.append(f"{name(cell)}: {len(numbers)} numbers: {numbers}")
    return problems


def sections_of_rooms_are_short(notebook):
    if kind(notebook) != "room":
        return []
    return [
        f"{part.heading}: {len(part.pieces)} cells: at most {SECTION_CELLS}"
        for part in reading.parts(notebook)
        if len(part.pieces) > SECTION_CELLS
    ]


def is_done(cell):
    """Whether the reader does something here, and not only reads."""
    doing = tags(cell) & {"exercise", "prediction"}
    return bool(doing) or "attention_view(" in cell.source


def there_is_something_to_do(notebook):
    """After ten code cells at the latest; checks and solutions apart."""
    problems, idle = [], 0
    for cell in code_cells(notebook):
        if not tags(cell) & {"check", "solution"}:
            idle = 0 if is_done(cell) else idle + 1
            if idle == REST + 1:
                problems.append(
                    f"nothing to do for {REST} cells: {name(cell)}"
                )
    return problems


def roads_have_practice_to_the_end(notebook):
    if kind(notebook) != "road":
        return []
    cells, problems = notebook.cells, []
    exercises = reading.tagged(notebook, "exercise")
    guesses = reading.tagged(notebook, "prediction")
    if len(exercises) < EXERCISES:
        problems.append(f"{len(exercises)} exercises: {EXERCISES} at least")
    if not any("exercise" in tags(c) for c in cells[2 * len(cells) // 3 :]):
        problems.append("no exercise in the last third")
    if len(guesses) < PREDICTIONS:
        problems.append(f"{len(guesses)} predictions: {PREDICTIONS} at least")
    return problems


def predictions_are_answered(notebook):
    """One line that a reader fills in; a later cell shows what came out."""
    problems, cells, seen = [], notebook.cells, set()
    for place, cell in enumerate(cells):
        if "prediction" not in tags(cell):
            continue
        match = re.fullmatch(PREDICTION, cell.source)
        if not match:
            problems.append(f"{name(cell)} is not like 'guess = ...  # what'")
            continue
        guess = match[1]
        if guess in seen:
            problems.append(f"{name(cell)}: a second {guess}")
        seen.add(guess)
        call = rf"checks\.prediction\(\s*{guess}\b"
        if not any(
            c.cell_type == "code" and re.search(call, c.source)
            for c in cells[place + 1 :]
        ):
            problems.append(f"{name(cell)}: no checks.prediction({guess}, …)")
        before = [c for c in cells[:place] if not _stands_between(c)]
        if not before or before[-1].cell_type == "code":
            problems.append(f"{name(cell)}: no question before it")
    return problems


def _stands_between(cell):
    """Whether a cell may stand between a question and its guess."""
    if cell.cell_type != "code" or "prediction" in tags(cell):
        return cell.cell_type == "code"
    body = ast.parse(cell.source).body
    return all(isinstance(n, ast.Import | ast.ImportFrom) for n in body)


# Names


def bound(cell):
    """Names that a cell binds at top level; no imports, no loop variables."""
    found = set()
    for node in _top_level(ast.parse(cell.source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = getattr(node, "targets", None) or [node.target]
            found |= {
                leaf.id
                for target in targets
                for leaf in _leaves(target)
                if isinstance(leaf, ast.Name)
            }
    return found - {"_"}


def _top_level(tree):
    """Statements that run at top level, those in loops and so on too."""
    todo = [*tree.body]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            todo += [n for n in ast.iter_child_nodes(node)
                     if isinstance(n, ast.stmt)]  # fmt: skip


def _leaves(target):
    """What a target binds: a, and of (a, (b, *c)) all three."""
    if isinstance(target, ast.Tuple | ast.List):
        return [leaf for item in target.elts for leaf in _leaves(item)]
    return [target.value if isinstance(target, ast.Starred) else target]


def names_are_bound_in_one_section(notebook):
    """So that any cell can be run again."""
    where = {}
    for place, part in enumerate(reading.parts(notebook)):
        for cell in part.code:
            for each in bound(cell):
                where.setdefault(each, {})[place] = part.heading
    return [
        f"{each} is bound in {len(places)} sections: {[*places.values()]}"
        for each, places in sorted(where.items())
        if len(places) > 1
    ]


def imports_stand_at_the_top(notebook):
    """In the first code cell; in a room, of the notebook or of a section."""
    allowed = code_cells(notebook)[:1]
    if kind(notebook) == "room":
        cut = reading.parts(notebook)
        allowed += [cell for part in cut for cell in part.code[:1]]
    return [
        f"{name(cell)} imports"
        for cell in code_cells(notebook)
        if not any(cell is other for other in allowed)
        and any(
            isinstance(node, ast.Import | ast.ImportFrom)
            for node in ast.walk(ast.parse(cell.source))
        )
    ]


def lessons_do_not_assert(notebook):
    """A measured number is shown; an assertion belongs in a test."""
    return [
        f"{name(cell)} has an {type(node).__name__.lower()} statement"
        for cell in code_cells(notebook)
        for node in _top_level(ast.parse(cell.source))
        if isinstance(node, ast.Assert | ast.Raise)
    ]


RULES = [
    minutes_are_computed,
    roads_are_short,
    cells_of_prose_are_short,
    sections_of_rooms_are_short,
    there_is_something_to_do,
    roads_have_practice_to_the_end,
    predictions_are_answered,
    names_are_bound_in_one_section,
    imports_stand_at_the_top,
    lessons_do_not_assert,
]

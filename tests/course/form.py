"""Rules for the form of roads and trial rooms: time, sizes, doing.

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
QUESTIONS = ("## Warm-up", "## Exit ticket", "## Practice together")
NO_NUMBER = {  # of those that a reader must weigh
    "code": r"(?s)```.*?```|`[^`]*`",
    "a formula": r"(?s)\$\$.*?\$\$|\$[^$]+\$",
    "a table": r"(?m)^\|.*$",
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
    """The numbers of a Markdown text that a reader must weigh; no tasks."""
    if text.startswith(QUESTIONS):
        return []
    text = re.sub(reading.EXERCISE, "", reading.visible(text))
    text = measured.stated(text)
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


def answers_are_folded(notebook):
    """What a prediction asks for is in sight nowhere in its section."""
    problems = []
    for part in reading.parts(notebook):
        said = "\n".join(map(reading.stdout, part.code))
        answers = set(re.findall(r"(?i)\bmeasured:? (\d+\.\d+)", said))
        for text in part.texts:
            shown = measured.numbers(measured.stated(reading.visible(text)))
            problems += [
                f"{each} answers a prediction: fold it: {text[:50]!r}"
                for each in sorted(answers & set(shown))
            ]
    return problems


def _stands_between(cell):
    """Whether a cell may stand between a question and its guess."""
    if cell.cell_type != "code" or "prediction" in tags(cell):
        return cell.cell_type == "code"
    body = ast.parse(cell.source).body
    return all(isinstance(n, ast.Import | ast.ImportFrom) for n in body)


RULES = [
    minutes_are_computed,
    roads_are_short,
    cells_of_prose_are_short,
    sections_of_rooms_are_short,
    there_is_something_to_do,
    roads_have_practice_to_the_end,
    predictions_are_answered,
    answers_are_folded,
]

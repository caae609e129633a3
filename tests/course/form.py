"""Rules for the form of roads and trial rooms: time, sizes, doing.

A road is one of the notebooks 00 to 10. A trial room, trials/02_… or 02b_…,
holds claims and details that the road does not need: it asks for nothing but
the notebook that it belongs to, and its sections can be read in any order.
The limits are the constants below; a road is nearly full, so count first: to
add an exercise (four cells), merge or take out others, or use a room.
"""

import ast
import re

from nbformat import v4

from . import measured, minutes, reading
from .reading import code_cells, kind, markdown_cells, name, tags

LONGEST = {"road": 95, "room": 95, "start": 30}  # minutes; but for these:
ROOMS = "t06", "t07", "t08", "t09", "t10"
OTHERS = dict.fromkeys(("06", "07", "08", *ROOMS), 105) | {"03": 70}
SITTING = 25, 55  # minutes of each half of a road
CELLS, WORDS = 56, 2800  # of a road
CELL_WORDS = 150  # of a Markdown cell, visible
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
DECIMAL = r"(?<![\w.])\d+\.\d+"
RESULTS = 3  # sentences with a result, in a paragraph
MAP = 6  # of the first cells with code, one shows it; 00 plays before
PREDICTION = r"(\w+) = \.\.\.  # \S.*"


def minutes_are_computed(notebook):
    """The first cell states the range that minutes.py computes.

    `**60 to 90 minutes**`: at most 95, 00 at most 30, 03 at most 70, and 06 to
    08 at most 105.
    """
    low, high = reading.minutes(notebook) or (0, 0)
    number = "t" * (kind(notebook) == "room") + reading.number(notebook)
    longest = OTHERS.get(number, LONGEST[kind(notebook)])
    wanted = minutes.stated(notebook)
    needed = sum(minutes.computed(notebook))
    tests = {
        f"{high} minutes: at most {longest}": high <= longest,
        f"{low} to {high} minutes are stated, the formula gives {needed:.1f},"
        f" so {wanted[0]} to {wanted[1]}": (low, high) == wanted,
    }
    return [problem for problem, good in tests.items() if not good]


def roads_have_two_sittings(notebook):
    """One place to stop near the middle, 25 to 55 minutes from both ends.

    `**A good place to stop:** you can now …`
    """
    if kind(notebook) != "road":
        return []
    taken = minutes.sittings(notebook)
    if len(taken) != 2:
        return [f"{len(taken) - 1} places like 'A good place to stop: you can"
                " now …', one is wanted"]  # fmt: skip
    low, high = SITTING
    return [
        f"sitting {i} takes {each:.1f} minutes: {low} to {high}"
        for i, each in enumerate(taken, 1)
        if not low <= each <= high
    ]


def texts_are_short(notebook):
    """A road has at most 56 cells and 2,800 visible words.

    A Markdown cell has at most 150 words, a section of a room 15 cells.
    """
    lengths = [
        (name(cell), minutes.words(reading.visible(cell.source)), CELL_WORDS)
        for cell in markdown_cells(notebook)
    ]
    if kind(notebook) == "room":
        lengths += [
            (f"cells of {part.heading}", len(part.pieces), SECTION_CELLS)
            for part in reading.parts(notebook)
        ]
    else:
        words = sum(length for _, length, _ in lengths)
        lengths.append(("all visible words", words, WORDS))
        lengths.append(("cells", len(notebook.cells), CELLS))
    return [
        f"{what}: {length}, at most {most}"
        for what, length, most in lengths
        if length > most
    ]


def to_weigh(text):
    """The results in a text, with decimals or in percent.

    Free are a standard deviation and what is in parentheses.
    """
    text = re.sub(rf"\([^()]*\)|± {measured.DIGITS}", " ", text)
    return re.findall(rf"(?:{measured.DIGITS})%|{DECIMAL}", text)


def numbers_are_few(notebook):
    """One result in a sentence, and what it is compared with.

    A paragraph has at most three sentences with results. In a fold that is
    opened, one number more a sentence. Free are tasks, tables, code, formulas
    and what is in parentheses.
    """
    problems = []
    for cell in markdown_cells(notebook):
        if cell.source.startswith(QUESTIONS):
            continue
        task = re.sub(reading.EXERCISE, "", cell.source)
        shown = reading.visible(task)
        for text, most in ((shown, 2), (_opened(task), 3)):
            for pattern in NO_NUMBER.values():
                text = re.sub(pattern, " ", text)
            for paragraph in re.split(r"\n\s*\n|\n\s*- ", text):
                flat = " ".join(paragraph.split())
                sentences = re.split(r"(?<=[.?!:])\*{0,2} (?=\W*[A-Z])", flat)
                many = [s for s in sentences if len(to_weigh(s)) > most]
                with_one = [s for s in sentences if to_weigh(s)]
                if most == 2 and len(with_one) > RESULTS:
                    many.append(f"{len(with_one)} results: {flat[:60]}")
                problems += [f"{name(cell)}: numbers: {each}" for each in many]
    return problems


def _opened(text):
    """What everybody opens: no hints, no solutions; without comments."""
    text = re.sub(reading.COMMENT, "", text)
    return "\n\n".join(
        content
        for summary, content in reading.folds(text)
        if not re.search(measured.ALWAYS_FREE, summary)
    )


def is_done(cell):
    """Whether the reader does something here, and not only reads."""
    doing = tags(cell) & {"exercise", "prediction"}
    return bool(doing) or "attention_view(" in cell.source


def there_is_something_to_do(notebook):
    """After ten code cells at the latest; checks and solutions apart.

    An exercise, a prediction, or a view to play with.
    """
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
    """Four exercises, one in the last third, and three predictions."""
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
    """A question in prose, a line to fill in, a cell that measures.

    The line, in a cell tagged `prediction`: `guess = ...  # a number between
    0 and 1`. The cell that measures ends with `checks.prediction(guess,
    measured)`. What begins with **Predict** has such a line.
    """
    problems, cells, seen = [], notebook.cells, set()
    for place, cell in enumerate(cells):
        if "prediction" not in tags(cell):
            if _asks(cell) and not _is_answered(cells[place + 1 :]):
                problems.append(f"{name(cell)}: no line for a prediction")
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


def the_map_says_where_you_are(notebook):
    """On the road and in the electives, among the first cells with code."""
    if kind(notebook) == "room":
        return []
    number = reading.number(notebook)
    top = "".join(c.source for c in code_cells(notebook)[:MAP])
    call = rf"plots\.show_map\({int(number)}\b"
    return [] if re.search(call, top) else [f"no map at the top: {call}"]


def answers_are_folded(notebook):
    """What a prediction asks for is in sight nowhere in its section.

    Fold every text that answers it, one that explains the figure included.
    """
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


def _asks(cell):
    """Whether a paragraph begins with **Predict**."""
    shown = reading.visible(cell.source)
    return cell.cell_type != "code" and re.search(r"(?m)^\*\*Predict", shown)


def _is_answered(later):
    """Whether a line to fill in comes next; imports may stand before it."""
    code = (c for c in later if c.cell_type == "code")
    other = (c for c in code if "prediction" in tags(c) or not _imports(c))
    return "prediction" in tags(next(other, v4.new_code_cell()))


def _stands_between(cell):
    """Whether a cell may stand between a question and its guess."""
    if cell.cell_type != "code":
        return False
    return "prediction" in tags(cell) or _imports(cell)


def _imports(cell):
    """Whether a code cell does nothing else."""
    body = ast.parse(cell.source).body
    return all(isinstance(n, ast.Import | ast.ImportFrom) for n in body)


RULES = [
    minutes_are_computed,
    roads_have_two_sittings,
    texts_are_short,
    numbers_are_few,
    there_is_something_to_do,
    roads_have_practice_to_the_end,
    predictions_are_answered,
    answers_are_folded,
    the_map_says_where_you_are,
]

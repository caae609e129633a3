"""How long a notebook takes, computed; and what else it asks of a reader.

The formula, between reading every line and trusting it all:

- prose at 180 words a minute: all that is visible, and the verdicts and
  readings that everybody opens; no hints, answers or solutions
- a displayed formula 30 s
- a line of code that computes 12 s; one that imports, defines, loops,
  prints, draws or checks 4 s; one with nothing but brackets 0 s
- a line of output 2 s, a figure 40 s
- a prediction that is typed in 20 s
- an attention view 60 s; what is stored in its place counts no more
- exercises: their stated minutes, all included
- what the machine needs, from RUNNING_SECONDS

A stated time is the sum, rounded to 5 minutes.
"""

import ast
import re

from . import reading

WORDS_A_MINUTE = 180
SECONDS = {
    "formula": 30,
    "computing line": 12,
    "other line": 4,
    "output line": 2,
    "figure": 40,
    "prediction": 20,
    "view": 60,
}
# On two idle cores, by how the ids of the cells begin; 20 for all others.
RUNNING_SECONDS = {"00": 6, "01": 8}
PRACTICE = {"exercise", "check", "solution"}
OPENED = r"(?i)verdict|reading"  # summaries of what everybody opens
DISPLAYED = r"(?s)\$\$.*?\$\$"
LIGHT = r"print$|display$|plots\.|checks\.|\w*board\.|.*\.(?:show|report|add)"
HEADERS = ast.FunctionDef | ast.ClassDef | ast.For | ast.With | ast.If


def opened(text):
    """The folded verdicts and readings of a Markdown text."""
    folded = reading.folds(re.sub(reading.COMMENT, "", text))
    return "\n".join(f for title, f in folded if re.search(OPENED, title))


def words(text):
    """How many words a reader reads; a formula counts elsewhere."""
    return len(re.sub(DISPLAYED, " ", text).split())


def tasks_left_out(text):
    """A Markdown text without its exercise: that has minutes of its own."""
    return re.sub(reading.EXERCISE, "", text)


def markdown(notebook):
    return [cell.source for cell in reading.markdown_cells(notebook)]


def lines_of_code(source):
    """(lines that compute, other lines that are read)."""
    light = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_call(node):
            light |= set(range(node.lineno, node.end_lineno + 1))
        elif isinstance(node, HEADERS):
            light |= set(range(node.lineno, node.body[0].lineno))
    read = [
        number
        for number, line in enumerate(source.splitlines(), 1)
        if re.search(r"\w", line)
    ]
    computing = [number for number in read if number not in light]
    return len(computing), len(read) - len(computing)


def _is_call(node):
    """Whether a statement is a call that prints, draws or checks."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and bool(re.match(LIGHT, ast.unparse(node.value.func)))
    )


def count(notebook):
    """{what a reader meets: how often}."""
    cells = [
        cell
        for cell in reading.code_cells(notebook)
        if not reading.tags(cell) & PRACTICE
    ]
    texts = [tasks_left_out(text) for text in markdown(notebook)]
    read = "\n".join(reading.visible(text) + opened(text) for text in texts)
    lines = [lines_of_code(cell.source) for cell in cells]
    still = [cell for cell in cells if "attention_view(" not in cell.source]
    printed = "".join(map(reading.stdout, still))
    return {
        "words": words(read),
        "formula": len(re.findall(DISPLAYED, read)),
        "computing line": sum(computing for computing, _ in lines),
        "other line": sum(other for _, other in lines),
        "output line": len(printed.splitlines()),
        "figure": sum(len(reading.figures(cell)) for cell in still),
        "prediction": len(reading.tagged(notebook, "prediction")),
        "view": len(cells) - len(still),
    }


def practice(notebook):
    """The stated minutes of all exercises."""
    found = re.findall(reading.STARS, "\n".join(markdown(notebook)))
    return sum(map(int, found))


def computed(notebook):
    """(minutes to read and run, minutes to practice), not rounded."""
    met = count(notebook)
    seconds = sum(SECONDS[what] * met[what] for what in SECONDS)
    number = notebook.cells[0].get("id", "").split("-")[0]
    seconds += RUNNING_SECONDS.get(number, 20)
    return met["words"] / WORDS_A_MINUTE + seconds / 60, practice(notebook)


def visible_words(notebook):
    return sum(words(reading.visible(text)) for text in markdown(notebook))

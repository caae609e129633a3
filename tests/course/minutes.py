"""How long a notebook takes, computed; and what else it asks of a reader.

The formula, for somebody who reads every line and thinks about it:

- prose at 140 words a minute: all of it, folded texts and hints included
- a displayed formula 40 s
- a line of code that computes 15 s; one that imports, defines, loops,
  prints, draws or checks 5 s; one with nothing but brackets 0 s, and so does
  one that only passes numbers to a verdict, and the one for those who opened
  a notebook without the course (ALONE)
- a line of output 2 s, a figure 45 s
- a prediction that is typed in 45 s
- an attention view 3 minutes; what is stored in its place counts no more
- warm-up 2 minutes, *Break it* 4, exit ticket 4
- exercises: their stated minutes
- what the machine needs, from RUNNING_SECONDS

A notebook states a range: the sum, rounded up to 5 minutes, is its upper end,
and 0.7 of the sum, rounded to 5, its lower end.
"""

import ast
import functools
import math
import re
from fractions import Fraction

from nbformat import v4

from . import reading

WORDS_A_MINUTE = 140
SECONDS = {
    "formula": 40,
    "computing line": 15,
    "other line": 5,
    "output line": 2,
    "figure": 45,
    "prediction": 45,
    "view": 180,
    "Warm-up": 120,
    "Break it": 240,
    "Exit ticket": 240,
}
FAST = Fraction(7, 10)  # of the time of somebody who reads every line
# On two idle cores, by the notebook's number; 20 for all others.
RUNNING_SECONDS = {"00": 6, "01": 8}
PRACTICE = {"exercise", "check", "solution"}
# Above the first import of helpers; seen in the message if that fails.
ALONE = (
    "# No module named 'helpers'? %pip install git+https://ADDRESS"
    " (see README.md)"
)
DISPLAYED = r"(?s)\$\$.*?\$\$"
LIGHT = (
    r"print$|display$|(?:plots|checks|claims|\w*board)\."
    r"|.*\.(?:show|report|add)"
)
JUDGING = r"claims\.(?:verdict|identity)$"
HEADERS = ast.FunctionDef | ast.ClassDef | ast.For | ast.With | ast.If


def words(text):
    """How many words a reader reads; a formula counts elsewhere."""
    return len(re.sub(rf"{DISPLAYED}|</?\w+>", " ", text).split())


def markdown(notebook):
    """The Markdown texts without their comments, and the verdicts."""
    cells = reading.markdown_cells(notebook)
    texts = [re.sub(reading.COMMENT, "", cell.source) for cell in cells]
    return texts + [
        output.data["text/markdown"]
        for cell in reading.code_cells(notebook)
        for output in cell.outputs
        if "text/markdown" in output.get("data", {})
    ]


@functools.cache
def lines_of_code(source):
    """(lines that compute, other lines that are read)."""
    light = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_call(node):
            light |= _lines(node)
        elif isinstance(node, HEADERS):
            light |= set(range(node.lineno, node.body[0].lineno))
    read = [
        number
        for number, line in read_lines(source)
        if re.search(r"\w", line) and line != ALONE
    ]
    computing = [number for number in read if number not in light]
    return len(computing), len(read) - len(computing)


def read_lines(source):
    """[(number, line)] but for those that only pass numbers to a verdict."""
    passed = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and re.match(
            JUDGING, ast.unparse(node.func)
        ):
            keywords = [k.value for k in node.keywords if k.arg == "under"]
            stated = [_lines(part) for part in [*node.args, *keywords]]
            passed |= _lines(node) - {node.lineno}.union(*stated)
    lines = enumerate(source.splitlines(), 1)
    return [(number, line) for number, line in lines if number not in passed]


def _lines(node):
    return set(range(node.lineno, node.end_lineno + 1))


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
    text = "\n\n".join(markdown(notebook))
    lines = [lines_of_code(cell.source) for cell in cells]
    still = [cell for cell in cells if "attention_view(" not in cell.source]
    printed = "".join(map(reading.stdout, still))
    return {
        "words": words(text),
        "formula": len(re.findall(DISPLAYED, text)),
        "computing line": sum(computing for computing, _ in lines),
        "other line": sum(other for _, other in lines),
        "output line": len(printed.splitlines()),
        "figure": sum(len(reading.figures(cell)) for cell in still),
        "prediction": len(reading.tagged(notebook, "prediction")),
        "view": len(cells) - len(still),
    } | {
        section: len(re.findall(rf"(?m)^## {section}", text))
        for section in ("Warm-up", "Break it", "Exit ticket")
    }


def practice(notebook):
    """The stated minutes of all exercises."""
    found = re.findall(reading.STARS, "\n".join(markdown(notebook)))
    return sum(map(int, found))


def seconds(notebook):
    """What its cells take to read and run, exactly; no exercises."""
    met = count(notebook)
    used = Fraction(60 * met["words"], WORDS_A_MINUTE)
    return used + sum(SECONDS[what] * met[what] for what in SECONDS)


def running_seconds(notebook):
    """What the machine needs for all cells."""
    return RUNNING_SECONDS.get(reading.number(notebook), 20)


def computed(notebook):
    """(minutes to read and run, minutes to practice), not rounded."""
    used = seconds(notebook) + running_seconds(notebook)
    return float(used / 60), practice(notebook)


def stated(notebook):
    """(lower end, upper end) as the first cell must state them."""
    needed = sum(computed(notebook))
    return (
        5 * math.floor(float(FAST) * needed / 5 + 0.5),
        5 * math.ceil(needed / 5),
    )


def sittings(notebook):
    """Minutes up to each place to stop, and after the last one."""
    pieces = [[]]
    for cell in notebook.cells:
        pieces[-1].append(cell)
        if re.search(reading.STOP, reading.visible(cell.source)):
            pieces.append([])
    parts = [v4.new_notebook(cells=cells) for cells in pieces]
    return [float(seconds(part) / 60) + practice(part) for part in parts]

"""Rules for what the notebooks store: counts, texts, pictures, metadata.

Each rule takes a notebook and returns a list of problems, in words; an empty
list is good. test_notebooks.py applies them and shows the docstring of one
that is broken; test_faults.py plants faults.
"""

import ast
import re

from . import reading
from .minutes import JUDGING
from .reading import code_cells, figures, name, printed, stdout

TABLE_COLUMNS = 60
KERNEL = {
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
    "name": "python3",
}
# These run or do not run, as they like.
FORMS = {"image/png", "text/plain", "text/markdown"}  # of an output
UNSURE = ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.If | ast.IfExp
SPEAKING = r"print$|checks\.|.*\.show(?:_\w+)?$"
DRAWING = r"plots\.(?:show_|attention_view$)"
RESIDUE = {
    "an absolute path": r"(?<![\w.:/])/(?:home|Users|tmp|usr|opt|root|var|"
    r"work|mnt|private)/|\b[A-Z]:\\",
    "an address": r"\b0x[0-9a-fA-F]{5,}| object at ",
    "a progress bar": r"\r|\d+%\||[█▏▎▍▌▋▊▉]|\bit/s\b|s/it\b",
    "a color code": r"\x1b\[",
    "a warning": r"Warning\b",
    "a clock": r"\b\d\d:\d\d(?::\d\d)?\b",
    "more than three decimals": r"(?<![\w.])\d+\.\d{4,}",
    "a measurement that failed": r"too noisy, run again",
}


def executed_in_order(notebook):
    """`make execute` ran the whole notebook, cell after cell."""
    counts = [cell.execution_count for cell in code_cells(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        return [f"execution counts are {counts}, not 1, 2, 3, …"]
    return []


def no_errors_stored(notebook):
    """No cell raises, and none writes to stderr, warnings included."""
    return [
        f"{name(cell)} stores {output.get('name', 'an error')}"
        for cell in code_cells(notebook)
        for output in cell.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


def _calls(source):
    """Names of the functions that a cell calls for sure when it runs."""
    found, todo = set(), [ast.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, UNSURE):
            continue
        if isinstance(node, ast.Call):
            found.add(ast.unparse(node.func))
        todo += ast.iter_child_nodes(node)
    return found


def what_is_shown_is_stored(notebook):
    """A cleared output would compare nothing, and be green."""
    problems = []
    for cell in code_cells(notebook):
        calls = _calls(cell.source)
        speaks = [call for call in calls if re.match(SPEAKING, call)]
        if speaks and not stdout(cell):
            problems.append(f"{name(cell)} calls {speaks} but stores no text")
        judges = [call for call in calls if re.match(JUDGING, call)]
        if judges and not reading.stored(cell):
            problems.append(f"{name(cell)} stores no verdict")
        draws = [call for call in calls if re.match(DRAWING, call)]
        if draws and not figures(cell):
            problems.append(f"{name(cell)} calls {draws} but stores no figure")
    return problems


def figures_can_be_read(notebook):
    """A figure is one call, `plots.show_x(...)`.

    It draws with twice the pixels that the figure takes, stores a text for
    those who cannot see it, and prints in words what it shows.
    """
    problems = []
    for cell in code_cells(notebook):
        if figures(cell) and not stdout(cell).strip():
            problems.append(f"{name(cell)} has a figure but no words below it")
        for output in figures(cell):
            words = output.data.get("text/plain", "")
            if len(words.split()) < 3 or words.startswith("<"):
                problems.append(f"{name(cell)}: no alt text but {words!r}")
            pixels = int.from_bytes(reading.png(output)[16:20], "big")
            width = output.metadata.get("image/png", {}).get("width", pixels)
            if pixels < 2 * width - 1:
                problems.append(f"{name(cell)}: {pixels} pixels for {width}")
    return problems


def outputs_are_clean(notebook):
    """What differs on another machine is not printed.

    Numbers are printed as float64 with at most 3 decimals. No clock times,
    memory addresses, paths, warnings or progress bars.
    """
    return [
        f"{name(cell)} prints {what}: {found[0]!r}"
        for cell in code_cells(notebook)
        for what, pattern in RESIDUE.items()
        if (found := re.search(pattern, printed(cell)))
    ]


def tables_are_narrow(notebook):
    """At most 60 columns.

    A line with two gaps or more, of two spaces or more, is of a table.
    """
    return [
        f"{name(cell)}: {len(line)} columns: {line}"
        for cell in code_cells(notebook)
        for line in stdout(cell).splitlines()
        if len(re.findall(r"\S  +(?=\S)", line)) > 1
        and len(line) > TABLE_COLUMNS
    ]


def metadata_is_plain(notebook):
    """Only what a reader sees: tags, folded cells, one kernel, PNG and text.

    An editor's own metadata would change with every editor.
    """
    problems = []
    extra = notebook.metadata.keys() - {"kernelspec", "language_info"}
    if extra:
        problems.append(f"the notebook has metadata {sorted(extra)}")
    if notebook.metadata.get("kernelspec") != KERNEL:
        problems.append(f"the kernel is not {KERNEL}")
    for cell in notebook.cells:
        extra = cell.metadata.keys() - {"tags", "jupyter"}
        if extra:
            problems.append(f"{name(cell)} has metadata {sorted(extra)}")
        for output in cell.get("outputs", []):
            odd = output.get("data", {}).keys() - FORMS
            if odd:
                problems.append(f"{name(cell)} stores {sorted(odd)}")
    return problems


RULES = [
    executed_in_order,
    no_errors_stored,
    what_is_shown_is_stored,
    figures_can_be_read,
    outputs_are_clean,
    tables_are_narrow,
    metadata_is_plain,
]

"""What every notebook must keep to, one function a rule.

Each rule takes a notebook and returns a list of problems, in words; an empty
list is good. tests/test_notebooks.py applies them to the course, and
tests/test_gate.py plants faults to see that each rule finds its own.
"""

import ast
import base64
import re
from itertools import pairwise
from statistics import median

TAGS = {"exercise", "check", "solution", "timing"}
# Allowed beside "timing" only: its output is not compared.
UNCOMPARED = "nbval-ignore-output"
FIGURE_BYTES, NOTEBOOK_BYTES = 60_000, 600_000
CELL_LINES, MEDIAN_LINES, COLUMNS = 20, 6, 79
WORDS_PER_LINE = 8, 20
SECTIONS = ["Warm-up", "Break it", "Exit ticket", "Recap", "Further reading"]
VERDICT = r"\*\*Verdict(?: (C\d\d))?: ((?:holds|does not hold)[^*]*)\*\*"
TRIAL = r"(?m)^### Claim (C\d\d) on trial$"
UNSURE = ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.If | ast.IfExp
DECIMAL = r"(?<![\w.,])\d+\.\d+(?![\w.]*\d)"
WHOLE = r"(?<![\w.])\d{2,}(?![\w.]*\d)"  # of one digit: often only words
RESIDUE = {
    "an absolute path": r"(?<![\w.:/])/(?:home|Users|tmp|usr|opt|root|var|"
    r"work|mnt|private)/|\b[A-Z]:\\",
    "an address": r"\b0x[0-9a-fA-F]{5,}| object at ",
    "a progress bar": r"\r|\d+%\||[█▏▎▍▌▋▊▉]|\bit/s\b|s/it\b",
    "a color code": r"\x1b\[",
    "a warning": r"Warning\b",
    "a clock": r"\b\d\d:\d\d(?::\d\d)?\b",
}


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    """All Markdown as one text."""
    cells = [c.source for c in notebook.cells if c.cell_type == "markdown"]
    return "\n\n".join(cells)


def tags(cell):
    return set(cell.metadata.get("tags", []))


def tagged(notebook, tag):
    return [cell for cell in code_cells(notebook) if tag in tags(cell)]


def images(cell):
    """The PNGs that a cell has stored, base64."""
    return [
        output.data["image/png"]
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]


def printed(cell):
    """All text that a cell has stored."""
    texts = [output.get("text", "") for output in cell.outputs]
    texts += [o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    return "\n".join(text for text in texts if text)


def stdout(cell):
    streams = [o for o in cell.outputs if o.output_type == "stream"]
    return "".join(o.text for o in streams if o.name == "stdout")


def name(cell):
    lines = cell.source.strip().splitlines()
    return f"cell {cell.get('id', '?')} ({lines[0] if lines else 'empty'})"


# The outputs that are stored


def executed_in_order(notebook):
    counts = [cell.execution_count for cell in code_cells(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        return [f"execution counts are {counts}, not 1, 2, 3, …"]
    return []


def no_errors_stored(notebook):
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
        speaks = [c for c in calls if re.match(r"print$|checks\.|.*\.say$", c)]
        if speaks and not stdout(cell):
            problems.append(f"{name(cell)} calls {speaks} but stores no text")
        draws = [c for c in calls if c.startswith("plots.plot_")]
        if draws and not images(cell):
            problems.append(f"{name(cell)} calls {draws} but stores no figure")
    return problems


def figures_have_words(notebook):
    cells = code_cells(notebook)
    return [
        f"{name(cell)} has a figure but no words below it"
        for cell, following in zip(cells, [*cells[1:], None], strict=True)
        if images(cell)
        and not stdout(cell).strip()
        and not (following and stdout(following).strip())
    ]


def outputs_are_clean(notebook):
    return [
        f"{name(cell)} prints {what}: {found[0]!r}"
        for cell in code_cells(notebook)
        for what, pattern in RESIDUE.items()
        if (found := re.search(pattern, printed(cell)))
    ]


def floats_are_short(notebook):
    return [
        f"{name(cell)} prints {number}"
        for cell in code_cells(notebook)
        for number in re.findall(DECIMAL, printed(cell))
        if len(number.split(".")[1]) > 3
    ]


def sizes_are_small(notebook):
    problems = [
        f"{name(cell)} has a figure of {size} bytes"
        for cell in code_cells(notebook)
        for image in images(cell)
        if (size := len(base64.b64decode(image))) > FIGURE_BYTES
    ]
    total = sum(
        len(cell.source) + sum(len(str(o)) for o in cell.get("outputs", []))
        for cell in notebook.cells
    )
    if total > NOTEBOOK_BYTES:
        problems.append(f"the notebook has {total} bytes")
    return problems


# Tags and metadata


def tags_are_known(notebook):
    problems = []
    for cell in notebook.cells:
        unknown = tags(cell) - TAGS
        if "timing" in tags(cell) and "assert" in cell.source:
            unknown -= {UNCOMPARED}
        if unknown:
            problems.append(f"{name(cell)} has tags {sorted(unknown)}")
        if re.search(r"NBVAL|VALIDATE_IGNORE", cell.source):
            problems.append(f"{name(cell)} steers nbval by a comment")
    return problems


def metadata_is_plain(notebook):
    problems = []
    extra = notebook.metadata.keys() - {"kernelspec", "language_info"}
    if extra:
        problems.append(f"the notebook has metadata {sorted(extra)}")
    for cell in notebook.cells:
        extra = cell.metadata.keys() - {"tags", "jupyter"}
        if extra:
            problems.append(f"{name(cell)} has metadata {sorted(extra)}")
        for output in cell.get("outputs", []):
            odd = output.get("data", {}).keys() - {"image/png", "text/plain"}
            if odd:
                problems.append(f"{name(cell)} stores {sorted(odd)}")
    return problems


# Code


def code_is_short(notebook):
    problems, lengths = [], []
    for cell in code_cells(notebook):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        lengths.append(len(lines))
        if len(lines) > CELL_LINES:
            problems.append(f"{name(cell)} has {len(lines)} lines")
        wide = [line for line in lines if len(line) > COLUMNS]
        problems += [f"{name(cell)}: too wide: {line}" for line in wide]
    if lengths and median(lengths) > MEDIAN_LINES:
        problems.append(f"the median cell has {median(lengths)} lines")
    return problems


def words_and_code_balance(notebook):
    words = len(prose(notebook).split())
    lines = sum(
        bool(line.strip())
        for cell in code_cells(notebook)
        for line in cell.source.splitlines()
    )
    low, high = WORDS_PER_LINE
    if not low * lines <= words <= high * lines:
        return [f"{words} words for {lines} lines of code"]
    return []


# Exercises


def function_name(cell):
    """The name of the first function that a cell defines."""
    found = re.search(r"(?m)^def (\w+)\(", cell.source)
    return found[1] if found else None


def exercises_are_followed_by_check_and_solution(notebook):
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
    if (
        not order.count("exercise")
        == order.count("check")
        == order.count("solution")
    ):
        problems.append("checks or solutions without an exercise")
    return problems


def _trio_problems(exercise, check, solution):
    learner = function_name(exercise)
    tests = {
        "the stub has no `...`": "..." in exercise.source,
        "the check does not call checks": "checks." in check.source,
        f"the check does not judge {learner}": f"({learner}" in check.source,
        "the check is not open": stdout(check).startswith("○"),
        f"the solution does not define solution_{learner}": re.search(
            rf"(?m)^def solution_{learner}\(", solution.source
        ),
        "the solution is not folded": solution.metadata.get("jupyter", {}).get(
            "source_hidden"
        )
        is True,
    }
    return [f"{name(exercise)}: {w}" for w, good in tests.items() if not good]


def exercises_are_announced(notebook):
    """Heading, stars, minutes and two hints, in the cell before."""
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
    if number < 3:
        problems.append(f"only {number} exercises")
    return problems


def the_learner_is_never_needed(notebook):
    """No other cell uses what an exercise defines, so Run All works."""
    learners = {function_name(cell) for cell in tagged(notebook, "exercise")}
    return [
        f"{name(cell)} uses the learner's {node.id}"
        for cell in code_cells(notebook)
        if not tags(cell) & {"exercise", "check"}
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Name) and node.id in learners
    ]


# Prose


def minutes(notebook):
    """(total, reading, practice) as the first cell declares them, or None."""
    found = re.search(
        r"\*\*(\d+) minutes\*\*: (\d+) .+?, (\d+) to practice",
        notebook.cells[0].source,
    )
    return tuple(map(int, found.groups())) if found else None


def minutes_add_up(notebook):
    declared = minutes(notebook)
    if declared is None:
        return ["the first cell declares no minutes"]
    total, reading, practice = declared
    stars = re.findall(r"(?m)^[★☆]{3} · (\d+) minutes$", prose(notebook))
    problems = []
    if not reading + practice == total <= 60:
        problems.append(f"{reading} + {practice} minutes are not {total}")
    if sum(map(int, stars)) > practice:
        problems.append(f"the exercises need {sum(map(int, stars))} minutes")
    return problems


def trials(notebook):
    """{claim: text up to the next claim or section} for each claim."""
    parts = re.split(TRIAL, prose(notebook))[1:]
    found = {}
    for claim, text in zip(parts[::2], parts[1::2], strict=True):
        found.setdefault(claim, []).append(text)
    return found


def verdicts(notebook):
    """{claim: verdict} where a trial ends with exactly one."""
    found = {}
    for claim, texts in trials(notebook).items():
        given = re.findall(VERDICT, "\n".join(texts))
        if len(texts) == len(given) == 1:
            found[claim] = " ".join(given[0][1].split())
    return found


def claims_have_verdicts(notebook):
    problems = [
        f"claim {claim} needs one trial and one verdict"
        for claim in trials(notebook).keys() - verdicts(notebook).keys()
    ]
    for claim, texts in trials(notebook).items():
        for other, _ in re.findall(VERDICT, "\n".join(texts)):
            if other not in ("", claim):
                problems.append(f"a verdict on {other} below claim {claim}")
    count = len(re.findall(r"\*\*Verdict", prose(notebook)))
    if count != len(trials(notebook)):
        problems.append(f"{count} verdicts, {len(trials(notebook))} trials")
    return problems


def sections_are_complete(notebook):
    headings = re.findall(r"(?m)^## (.+)$", prose(notebook))
    places = [
        next((i for i, h in enumerate(headings) if h.startswith(s)), -1)
        for s in SECTIONS
    ]
    if -1 in places or places != sorted(places):
        return [f"sections {headings} lack one of {SECTIONS}, or its order"]
    if not re.match(r"# \d · .+\n", notebook.cells[0].source):
        return ["the first cell does not start with a title like '# 1 · …'"]
    return []


def images_have_alt_text(notebook):
    text = prose(notebook)
    tags_without = [
        tag
        for tag in re.findall(r"<img\b[^>]*>", text)
        if not re.search(r"alt=[\"'][^\"']+", tag)
    ]
    return [
        f"no alt text: {image}"
        for image in re.findall(r"!\[\s*\]\([^)]*\)", text) + tags_without
    ]


def details_are_closed(notebook):
    problems = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            marks = re.findall(r"</?details>", cell.source)
            if marks != ["<details>", "</details>"] * (len(marks) // 2):
                problems.append(f"{name(cell)}: details are {marks}")
    return problems


def formulas_are_readable(notebook):
    """A doubled backslash is a line break in LaTeX, and shows as text."""
    return [
        f"{name(cell)} has a doubled backslash"
        for cell in notebook.cells
        if cell.cell_type == "markdown" and "\\\\" in cell.source
    ]


def words_are_plain(notebook):
    """Quotes (lines that start with >) may say what others say."""
    own = re.sub(r"(?m)^>.*$|“.*?”|\".*?\"", "", prose(notebook))
    found = re.findall(r"(?i)\b(?:simply|just|obviously|trivial\w*)\b", own)
    return [f"the prose says {word!r}" for word in found]


def links(text):
    """Targets of Markdown links, code left out."""
    text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", text)
    return re.findall(r"\]\(([^()\s]+)\)", text)


def anchors(text):
    """What #… may point to: Jupyter's and GitHub's form of each heading."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    jupyter = {heading.replace(" ", "-") for heading in headings}
    github = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in headings
    }
    return jupyter | github


def numbers_come_from_outputs(notebook):
    """A number with decimals in the prose was printed, maybe longer.

    Words like "near" before it excuse an estimate; formulas, code and arXiv
    numbers are left out.
    """
    text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$\n]*\$|```.*?```|`[^`]*`", "",
                  prose(notebook))  # fmt: skip
    text = re.sub(
        r"(?:near|about|around|roughly|≈|~|arXiv:)\s*[\d.]+", "", text
    )
    seen = {
        number
        for cell in code_cells(notebook)
        for number in re.findall(DECIMAL, printed(cell))
    }
    return [
        f"the prose says {number}, which no cell prints"
        for number in re.findall(DECIMAL, text)
        if len(number.split(".")[1]) >= 2 and not is_printed(number, seen)
    ]


def is_printed(number, seen):
    places = len(number.split(".")[1])
    return number in seen or any(
        f"{float(other):.{places}f}" == number
        for other in seen
        if len(other.split(".")[1]) > places
    )


def imports(notebook):
    """Top-level names of all packages that the cells import."""
    nodes = [
        node
        for cell in code_cells(notebook)
        for node in ast.walk(ast.parse(cell.source))
    ]
    plain = [a.name for n in nodes if isinstance(n, ast.Import)
             for a in n.names]  # fmt: skip
    origin = [n.module for n in nodes if isinstance(n, ast.ImportFrom)]
    return {module.split(".")[0] for module in plain + origin}


RULES = [
    executed_in_order,
    no_errors_stored,
    what_is_shown_is_stored,
    figures_have_words,
    outputs_are_clean,
    floats_are_short,
    sizes_are_small,
    tags_are_known,
    metadata_is_plain,
    code_is_short,
    words_and_code_balance,
    exercises_are_followed_by_check_and_solution,
    exercises_are_announced,
    the_learner_is_never_needed,
    minutes_add_up,
    claims_have_verdicts,
    sections_are_complete,
    images_have_alt_text,
    details_are_closed,
    formulas_are_readable,
    words_are_plain,
    numbers_come_from_outputs,
]

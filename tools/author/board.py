"""The scoreboard of RESULTS.md, from the boards that the notebooks print."""

import re

from tests.course import reading
from tools.author.blocks import link

ACCURACY = r"\d\S*(?: ± \S+)?(?: \[\S+\])?"
ROW = rf"    ({ACCURACY}) +(–|\S+(?: ± \S+)?) +([\d,]+) +(–|\d+)"
HEAD = """\
## Scoreboard

Here, many kinds of attention stand side by side on one task. Each row is a
model or a simple rule, as a notebook prints it, tested on words that never
occurred in training. The accuracy is a fraction (0.940 is 94.0%): the mean ±
standard deviation over the runs, and the worst run in brackets. The weight is
the attention weight that the verb gives to the noun that it needs, at most 1.
"""


def printed_rows(notebook):
    """(task, model, accuracy, mass, parameters, n) of every board."""
    for cell in reading.code_cells(notebook):
        task = above = ""
        for line in reading.stdout(cell).splitlines():
            if line.startswith("Held-out words, mean ± sd [worst] of n"):
                task = above
            elif task and (row := re.fullmatch(ROW, line.rstrip())):
                yield task, above, *row.groups()
            above = line.strip()


def boards(found):
    """{task: rows}, each row with the notebook that printed it first."""
    tables, seen = {}, {}
    for file, notebook in found.items():
        for task, model, *numbers in printed_rows(notebook):
            known = seen.setdefault((task, model), numbers)
            if known != numbers:
                raise ValueError(f"{file}: {model}: {known}, then {numbers}")
            rows = tables.setdefault(task, {})
            rows.setdefault(model, [model, *numbers, link(file)])
    return {task: [*rows.values()] for task, rows in tables.items()}


def line(row, meaning):
    """A row as an item of a list, which a phone can show."""
    model, accuracy, weight, parameters, runs, place = row
    facts = [f"accuracy {accuracy}"]
    facts += [f"weight {weight}"] * (weight != "–")
    facts += [f"{parameters} parameters"] * (parameters != "0")
    facts += [f"{runs} runs"] * (runs != "–")
    said = f" ({meaning})" if meaning else ""
    return f"- **{model}**{said}: {', '.join(facts)}; {place}\n"


def section(found, meanings):
    """The scoreboard, a fold for each task."""
    parts = [HEAD]
    for task, rows in boards(found).items():
        lines = "".join(line(row, meanings.get(row[0], "")) for row in rows)
        summary = f"{task} ({len(rows)} rows)"
        parts.append(
            f"<details><summary>{summary}</summary>\n\n{lines}\n</details>\n"
        )
    return parts

"""Write RESULTS.md from what the notebooks have stored; `make results`.

Nothing in it is written by hand: claims, verdicts and evidence are in the
claim sections of the notebooks, the scoreboard in their outputs. The README
gets the minutes of its table and its three results here, too.
"""

import re
from pathlib import Path

import nbformat

from tests.course import reading

ROOT = Path(__file__).parents[1]
RESULTS, README = ROOT / "RESULTS.md", ROOT / "README.md"
HEAD = """\
# Results

**Spoilers.** What the notebooks measured; read it after them. `make results`
writes this page from what they have stored, a test holds it equal.

## Claims on trial

What explanations say about attention, and what came out: ✓ holds, ≈ holds
under a condition, ✗ does not hold as said. *Seeds* says what a verdict rests
on.
"""
BOARD = """\
## Scoreboard

Each row is measured by a notebook on held-out words: mean ± sd [worst] of *n*
seeds, the sd that of a sample (n − 1). *Mass* is the attention weight on the
word that knows the answer.
"""
ACCURACY = r"\d\S*(?: ± \S+)?(?: \[\S+\])?"
ROW = rf"    ({ACCURACY}) +(–|\S+(?: ± \S+)?) +([\d,]+) +(–|\d+)"


def notebooks():
    """{name: notebook}, roads first."""
    folder = ROOT / "notebooks"
    paths = [
        *sorted(folder.glob("*.ipynb")),
        *sorted(folder.glob("*/*.ipynb")),
    ]
    return {
        path.relative_to(folder).as_posix(): nbformat.read(path, 4)
        for path in paths
    }


def mark(verdict):
    """Its word; ✓, ≈ or ✗ for one of the old form."""
    if verdict.word:
        return verdict.word
    begins = r"(holds(?=:|$))|(holds)|(does not hold)"
    found = re.match(begins, verdict.said)
    return "✓≈✗"[found.lastindex - 1] if found else "–"


def link(file, heading=""):
    """A link to a notebook, or to one of its headings."""
    number, room = Path(file).name.split("_")[0], "/" in file
    anchor = heading.lstrip("# ").replace(" ", "-")
    text = f"room {number}" if room else number
    return f"[{text}](notebooks/{file}{anchor and '#' + anchor})"


def claims(found):
    """A row of each claim, in their order: [claim, mark, …]."""
    rows = []
    for file, notebook in found.items():
        given = reading.verdicts(notebook)
        for trial in reading.trials(notebook):
            verdict = given.get(trial.claim) or reading.Verdict(
                trial.claim, "", "no verdict"
            )
            said = verdict.said if not verdict.word else verdict.plain
            place = link(file, trial.heading)
            rows.append([trial.claim, mark(verdict), trial.quote, said,
                         verdict.tested, place])  # fmt: skip
    return sorted(rows)


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


def table(head, rows):
    """A Markdown table; a head that ends with a colon is of numbers."""
    rules = ["---:" if cell.endswith(":") else "---" for cell in head]
    head = [cell.rstrip(":") for cell in head]
    cells = [[c.replace("|", "\\|") for c in row] for row in rows]
    lines = [" | ".join(row).strip() for row in [head, rules, *cells]]
    return "".join(f"| {line} |\n" for line in lines)


def page(found):
    """The whole page."""
    head = ["claim", "", "explanations say", "measured", "seeds", "where"]
    rows = claims(found)
    marks = [row[1] for row in rows]
    words = [*reading.WORDS, *"✓≈✗"]
    counts = ", ".join(
        f"{marks.count(word)} {word.lower()}"
        for word in words
        if word in marks
    )
    parts = [
        HEAD,
        f"{len(rows)} claims: {counts}.\n",
        table(head, rows),
        BOARD,
    ]
    head = ["model", "accuracy", "mass", "parameters:", "n:", "from"]
    for task, rows in boards(found).items():
        parts += [f"### {task}\n", table(head, rows)]
    return "\n".join(parts)


# The README


def minutes(notebooks):
    """ "60 to 90", the sum of what some notebooks state; "" without any."""
    stated = [reading.minutes(notebook) or (0, 0) for notebook in notebooks]
    low, high = map(sum, zip(*stated, strict=True)) if stated else (0, 0)
    return f"{low} to {high}" if low != high else str(high or "")


def rooms(file, found):
    """Links to the trial rooms of a notebook, with their minutes."""
    start = f"trials/{file[:2]}"
    named = {f: nb for f, nb in found.items() if f.startswith(start)}
    return " · ".join(
        f"[{title(notebook)}](notebooks/{name}) {minutes([notebook])}"
        for name, notebook in named.items()
    )


def title(notebook):
    """What comes after the dot of its heading."""
    return notebook.cells[0].source.split("\n")[0].split(" · ")[-1]


def readme(text, found):
    """The README with the minutes and the results that the notebooks have."""

    def row(match):
        file = match[2]
        if file not in found:
            return match[0]
        mine = f"{minutes([found[file]])} | {rooms(file, found)}".strip()
        return f"{match[1]} | {mine} |"

    text = re.sub(r"(?m)^(\| \[.*\]\(notebooks/([^)]+)\) \| .*? \| .*?)"
                  r" \| \d+(?: to \d+)? \|.*\|$", row, text)  # fmt: skip
    road, room = (
        minutes([nb for name, nb in found.items() if ("/" in name) == rooms])
        for rooms in (False, True)
    )
    text = re.sub(
        r"(?m)(\*\*together\*\*) \|.*$",
        rf"\1 | | | **{road}** | **{room}** |",
        text,
    )
    return re.sub(
        r"(?s)(<!-- three results: (.*?) -->\n).*?(<!-- end -->)",
        lambda m: m[1] + three(m[2].split(), found) + m[3],
        text,
    )


def three(wanted, found):
    """A line for each of some claims: what is said, what was measured."""
    rows = {row[0]: row for row in claims(found)}
    return "".join(
        f"- “{rows[name][2]}” {rows[name][1]} {rows[name][3]} ({name})\n"
        for name in wanted
        if name in rows
    )


def main():
    """Write both pages."""
    found = notebooks()
    RESULTS.write_text(page(found), encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    README.write_text(readme(text, found), encoding="utf-8")


if __name__ == "__main__":
    main()

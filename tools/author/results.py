"""Write RESULTS.md from what the notebooks have stored; `make results`.

Verdicts and numbers are in the claim sections of the notebooks, the scoreboard
and the figures in their outputs; results.toml has the questions in their
order, the tasks and the larger studies. The README gets the minutes of its
table and its three results here, too.
"""

import re
import tomllib
from pathlib import Path

import nbformat

from helpers.claims import FOLDER, body, read
from tests.course import reading
from tools.author import number

ROOT = Path(__file__).parents[2]
RESULTS, README = ROOT / "RESULTS.md", ROOT / "README.md"
FIGURES = ROOT / "data" / "results"  # one PNG for each surprise
TEXTS = tomllib.loads(
    (ROOT / "tools" / "author" / "results.toml").read_text(encoding="utf-8")
)
COUNTED = {
    "True": "true",
    "True, if": "true if a condition holds",
    "Half true": "half true",
    "False as stated": "false as stated",
    "Not decided here": "not decided here",
}
MADE = """\
<!-- `make results` writes this page from the notebooks and results.toml. -->
"""
BOARD = """\
## Scoreboard

The notebooks print these rows. All models are tested on words that never
occurred in training. *Accuracy* is a fraction (0.940 is 94.0%): the mean ±
standard deviation over the runs, and the worst run in brackets. *Weight* is
the attention weight that the verb gives to the noun that it needs, at most 1.
*Parameters* counts the numbers that were trained.
"""
ACCURACY = r"\d\S*(?: ± \S+)?(?: \[\S+\])?"
ROW = rf"    ({ACCURACY}) +(–|\S+(?: ± \S+)?) +([\d,]+) +(–|\d+)"


def notebooks():
    """{name: notebook}, roads first."""
    return {
        path.relative_to(ROOT / "notebooks").as_posix(): nbformat.read(path, 4)
        for path in number.notebooks()
    }


def bold(verdict):
    """The first cell of a verdict: its word, and the condition, if any."""
    if verdict.said:
        return f"**{verdict.word}** {verdict.said}."
    return f"**{verdict.word}.**"


def link(file, heading=""):
    """A link to a notebook, or to one of its headings."""
    number, room = Path(file).name.split("_")[0], "/" in file
    anchor = heading.lstrip("# ").replace(" ", "-")
    text = f"{'room' if room else 'notebook'} {number}"
    return f"[{text}](notebooks/{file}{anchor and '#' + anchor})"


def claims(found):
    """{claim: (verdict, trial, link)}, in the order of the claims."""
    rows = {}
    for file, notebook in found.items():
        given = reading.verdicts(notebook)
        for trial in reading.trials(notebook):
            verdict = given.get(trial.claim)
            rows[trial.claim] = verdict, trial, link(file, trial.heading)
        for shown in reading.identities(notebook):
            place = link(file, shown.heading)
            rows[shown.claim] = shown.verdict, shown, place
    return dict(sorted(rows.items()))


def same():
    """{claim: the claim that decides it}, of those that are one."""
    heads = {path.stem: read(path.stem)[0] for path in FOLDER.glob("C*.md")}
    return {
        c: head["same_as"] for c, head in heads.items() if "same_as" in head
    }


def pointer(claim, decided):
    """The one line of a claim that another one decides."""
    return (
        f'<a id="{claim.lower()}"></a>\n*{claim} · {read(claim)[0]["claim"]}*'
        f" This is decided by [{decided}](#{decided.lower()}).\n"
    )


def arithmetic(rows):
    """The section of the identities, in the order of the claims."""
    mine = [
        block(*each)
        for each in rows.values()
        if isinstance(each[1], reading.Identity)
    ]
    return ["## What follows from arithmetic\n", *mine] if mine else []


def row(verdict, trial, place):
    """The row of a claim; its numbers take a new line at each " · "."""
    tested = ". ".join(p.rstrip(".") for p in (verdict.tested, place) if p)
    return [
        *(trial.claim, trial.quote, bold(verdict), verdict.plain),
        *(verdict.numbers.replace(" · ", "<br>"), tested),
    ]


def block(verdict, trial, place):
    """A claim whose verdict the run decided: word, explanation, place."""
    tested = read(trial.claim)[0]["tested"].rstrip(".")
    return (
        f'<a id="{trial.claim.lower()}"></a>\n'
        f"### {trial.claim} · {trial.quote}\n\n"
        f"{body(verdict.title, verdict.parts, verdict.text)}\n\n"
        f"Tested on: {tested}. See {place}.\n"
    )


def counts(rows):
    """How many claims there are, and how many have each word."""
    words = [verdict.word for verdict, *_ in rows.values()]
    said = [f"{words.count(word)} {COUNTED[word]}" for word in COUNTED]
    return f"*{len(rows)} claims: {', '.join(said)}.*\n"


def question(part, rows):
    """A question: its claims, and what larger studies found."""
    head = ["", "Claim", "Verdict", "In plain words", "Numbers", "Tested on"]
    claims = part["claims"].split()
    mine = [rows[claim] for claim in claims if claim in rows]
    mine = [e for e in mine if not isinstance(e[1], reading.Identity)]
    decided = [block(*each) for each in mine if each[0].text]
    listed = [row(*each) for each in mine if not each[0].text]
    parts = [f"## {part['title']}\n", *decided]
    parts += [pointer(c, same()[c]) for c in claims if c in same()]
    parts += [table(head, listed)] if listed else []
    if studies := part.get("studies"):
        parts.append(f"*Larger studies:* {studies.strip()}\n")
    return parts


def figure(surprise, rows):
    """The PNG of a surprise, or None: of the trial, by its number."""
    _, trial, _ = rows[surprise["claim"]]
    drawn = [
        output
        for piece in trial.pieces[: trial.verdict]
        if not isinstance(piece, str)
        for output in reading.figures(piece)
    ]
    if not drawn:
        return None
    return reading.png(drawn[surprise.get("figure", 0)])


def surprises(rows):
    """What surprises, with its figure."""
    parts = ["## Six surprises\n"]
    for surprise in TEXTS["surprise"]:
        claim = surprise["claim"]
        if claim not in rows:
            continue
        verdict, trial, place = rows[claim]
        parts.append(f"### {surprise['title']}\n")
        said = f"“{trial.quote}” {bold(verdict)} {verdict.plain}"
        parts.append(f"{' '.join(said.split())} ({claim}, {place})\n")
        if figure(surprise, rows):
            said = surprise["alt"]  # the figure in words
            parts.append(f"![{said}](data/results/{claim}.png)\n")
    return parts


def tasks():
    """The table of tasks."""
    head = ["Task", "Example", "What the model must answer", "Guessing"]
    rows = [
        [f"*{task['name']}*", task["example"], task["asks"], task["guessing"]]
        for task in TEXTS["task"]
    ]
    return ["### Tasks\n", TEXTS["tasks"].strip() + "\n", table(head, rows)]


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
    rows = claims(found)
    parts = [
        MADE + "# Results\n",
        TEXTS["start"].strip() + "\n",
        counts(rows),
        "## How to read it\n",
        TEXTS["how"].strip() + "\n",
        *tasks(),
        *surprises(rows),
    ]
    for part in TEXTS["question"]:
        parts += question(part, rows)
    parts += [*arithmetic(rows), BOARD]
    head = ["model", "what it is", "accuracy", "weight", "parameters:"]
    for task, board in boards(found).items():
        rows = [
            [row[0], TEXTS["board"].get(row[0], ""), *row[1:]] for row in board
        ]
        parts += [f"### {task}\n", table([*head, "runs:", "from"], rows)]
    return "\n".join(parts)


def pictures(found):
    """{name of the file: PNG} of the surprises."""
    rows = claims(found)
    drawn = {s["claim"]: figure(s, rows) for s in TEXTS["surprise"]}
    return {f"{claim}.png": each for claim, each in drawn.items() if each}


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
    rows = claims(found)
    lines = []
    for claim in wanted:
        if claim in rows:
            verdict, trial, _ = rows[claim]
            said = f"- “{trial.quote}” {bold(verdict)} {verdict.plain}"
            lines.append(f"{said.rstrip()} ({claim})\n")
    return "".join(lines)


def main():
    """Write both pages and the pictures."""
    found = notebooks()
    FIGURES.mkdir(exist_ok=True)
    for name, png in pictures(found).items():
        (FIGURES / name).write_bytes(png)
    RESULTS.write_text(page(found), encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    README.write_text(readme(text, found), encoding="utf-8")


if __name__ == "__main__":
    main()

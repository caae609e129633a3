"""What the README has from the notebooks: minutes, and results to quote.

The map in notebook 00 gets its minutes here, too.
"""

import re
from itertools import takewhile
from pathlib import Path

from tests.course import reading
from tools.author import blocks

README = Path(__file__).parents[2] / "README.md"
CHAT = "08_chat_model.ipynb"
TALKS = "08-054", "08-112"  # its cells that chat, the first and the last


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
    said = blocks.pitch(blocks.entries(found))
    text = between("pitch", f"\n{said}\n", text)
    text = between("hours", hours(road), text)
    if CHAT in found:
        said = conversation(found[CHAT])
        text = between("conversation", f"\n```text\n{said}\n```\n", text)
    return re.sub(
        r"(?s)(<!-- surprises: (.*?) -->\n).*?(<!-- end -->)",
        lambda m: m[1] + taste(m[2].split(), found) + m[3],
        text,
    )


def conversation(notebook):
    """What was asked and answered in notebook 08, as its outputs have it.

    The model that runs there says it again, word by word, when nbval runs.
    """
    talks = []
    for cell in filter(lambda cell: cell.id in TALKS, notebook.cells):
        printed = takewhile(lambda out: "text" in out, cell.outputs)
        said = "".join(each.text for each in printed)  # up to a picture
        answers = [x for x in said.splitlines() if x[:1] not in ("", ">")]
        asked = re.findall(  # "": a new chat
            r'(?:[(]"|, ")([^"]+[?])"|say[.]new_chat', cell.source
        )
        for i in (i for i, question in enumerate(asked) if not question):
            answers.insert(i, "")
        pairs = zip(asked, answers, strict=True)
        talks.append("\n".join(f"> {q}\n{a}" if q else "" for q, a in pairs))
    return "\n\n".join(talks)


ON_MAP = (
    r"(?m)^([|-] \[.*?\]\(([^)]+\.ipynb)\).*[|,] )(?:\d+ to )?\d+"
    r"( (?:\||minutes)$)"
)


def with_minutes(text, found):
    """A text of notebook 00 with the minutes of the rows of its map."""
    return re.sub(
        ON_MAP, lambda m: f"{m[1]}{minutes([found[m[2]]])}{m[3]}", text
    )


def hours(minutes):
    """ "10 to 15 hours", of "615 to 890" minutes; "" without any."""
    ends = [round(int(each) / 60) for each in re.findall(r"\d+", minutes)]
    return " to ".join(map(str, ends)) + " hours" if ends else ""


def between(name, said, text):
    """A text with something said between two comments."""
    marks = rf"(?s)(<!-- {name} -->).*?(<!-- end {name} -->)"
    return re.sub(marks, lambda m: m[1] + said + m[2], text)


def taste(wanted, found):
    """A line for each of some claims: what is said, what was measured."""
    listed = blocks.entries(found)
    lines = []
    for claim in wanted:
        if claim in listed:
            entry = listed[claim]
            said = f"- “{entry.part.quote}” {blocks.bold(entry.verdict)}"
            said = f"{said} {entry.verdict.plain}"
            lines.append(f"{said.rstrip()} ({claim})\n")
    return "".join(lines)

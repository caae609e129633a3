"""Read what teachers need from teaching/ and from the notebooks.

One source for the slides, the printed pages and the page of a class: the notes
of each notebook (what to listen for, what a wrong answer means), the rows of
the run sheets that name a slide, and the exit tickets of the notebooks.
"""

import re

from tests.course import reading
from tools.author import run_sheets
from tools.author.results import ROOT

FOLDER = ROOT / "teaching"
ITEM = r"(?ms)^\d\. (.*?)(?=^\d\. |\Z)"
PLACE = r"→ (?:(\d\d|room \d\db?) )?\*([^*]+)\*"


def flat(text):
    """A text as one line."""
    return " ".join(text.split())


def page(number):
    """The notes of a notebook: their text, "" where there are none."""
    found = [*FOLDER.glob(f"{number}_*.md")]
    return found[0].read_text(encoding="utf-8") if found else ""


def tables(text):
    """The rows of each table of a text, without its head."""
    blocks = re.findall(r"(?m)(?:^\|.*\n)+", text + "\n")
    return [
        [
            [cell.strip() for cell in row.strip()[1:-1].split(" |")]
            for row in block.strip().splitlines()[2:]
        ]
        for block in blocks
    ]


def below(text, heading):
    """The part of the notes below a heading, up to the next one."""
    found = re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", text)
    return found[1] if found else ""


def ticket(text):
    """{question: rows} of the exit ticket in the notes.

    A row has an answer, what it shows, and where to go back to.
    """
    pieces = re.split(r"(?m)^\*\*\d\. (.*)\*\*$", below(text, "Exit ticket"))
    return {
        flat(question): tables(answers)[0]
        for question, answers in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def asked(notebook):
    """(questions, answers) of a notebook's exit ticket, in Markdown."""
    texts = [
        "".join(part.texts)
        for part in reading.parts(notebook)
        if part.heading == "## Exit ticket"
    ]
    text = "".join(texts)
    answers = "\n".join(content for _, content in reading.folds(text))
    return tuple(
        [item.strip() for item in re.findall(ITEM, found)]
        for found in (reading.visible(text), answers)
    )


def places(cell):
    """Where a cell of the notes says to go back to: [(number, place)]."""
    return re.findall(PLACE, cell)


def heard(text):
    """(what learners say, what to ask, where to go) in the notes."""
    found = tables(below(text, "Listen for"))
    return [tuple(row) for row in found[0]] if found else []


def thoughts(text):
    """{a mistake that a check names: (the thought behind it, what to ask)}."""
    _, _, part = text.partition("| the check says |")
    found = tables("| the check says |" + part) if part else [[]]
    return {row[0]: tuple(row[1:]) for row in found[0]}


def sheet_rows():
    """{slide: [(sheet, minutes, sections, learners, you)]}.

    A slide is numbered as in the deck. `learners` is what they do in this row
    of the sheet, and `you` what the teacher says.
    """
    found = {}
    for path in run_sheets.SHEETS:
        text = path.read_text(encoding="utf-8")
        name = re.search("(?m)^# Run sheet: (.*)", text)[1]
        for _, taken, what, rest in re.findall(f"(?m){run_sheets.ROW}", text):
            learners, _, you = rest.partition(" | ")
            said = re.findall(r"[Ss]lides? (\d+(?: and \d+)?)", you)
            for number in " and ".join(said).split(" and "):
                if number:
                    row = name, int(taken), what, learners, you
                    found.setdefault(int(number), []).append(row)
    return found

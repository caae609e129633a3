"""The speaker's notes of the slides, from the pages of teaching/.

A slide has its answer, its rows of the run sheets (minutes, what learners do,
what you say), and what the notes of its notebook say about its section (what
learners say there, and what to ask them).
"""

import re

from tools.author import run_sheets
from tools.markup import Html, inline
from tools.paper import notes

LINK = r"\[([^\]]+)\]\([^)]*\)"
SLIDE = r" ?\b[Ss]lides? \d+(?: and \d+)?\b[.,]?"


def plain(text):
    """HTML of a cell of the notes; of links only the words stay."""
    return inline(re.sub(LINK, r"\1", text))


def listed(items):
    """An HTML list, "" without an item."""
    lines = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{lines}</ul>" if lines else ""


def section(notebook, cell):
    """The name of the section that a cell is in."""
    for name, part in run_sheets.sections(notebook).items():
        if any(piece.id == cell for piece in part.code):
            return name
    raise ValueError(f"cell: the notebook has no code cell {cell!r}")


def planned(rows):
    """What the run sheets plan for a slide, one item for each row."""
    for sheet, minutes, what, learners, you in rows:
        you = re.sub(SLIDE, "", you).strip()
        yield (
            f"<b>{minutes} minutes</b> for {plain(what)} ({sheet})."
            f" Learners: {plain(learners)}."
            + (f" <b>You:</b> {plain(you)}" if you else "")
        )


def heard(number, notebook, cell):
    """What learners say in the section of a cell, and what to ask."""
    name = section(notebook, cell)
    for said, ask, then in notes.heard(notes.page(number)):
        if ("", name) in notes.places(then):
            yield f"{plain(said)} <b>Ask:</b> {plain(ask)}"


def of_slide(place, slide, number, notebook, rows):
    """The note of a question and its answer; `place` is that of the slide."""
    return Html(
        f"<p><b>Answer:</b> {plain(slide['answer'])}</p>"
        + listed(planned(rows.get(place, [])))
        + "<p>What learners say here:</p>"
        + listed(heard(number, notebook, slide["cell"]))
    )


def of_notebook(number):
    """The note of a title: what learners must take home."""
    found = re.search(r"(?s)\n(\*\*What .*?)\n\n", notes.page(number))
    return Html(f"<p>{plain(notes.flat(found[1]))}</p>" if found else "")


def of_ticket(number):
    """The note of an exit ticket: right and wrong answers, what they show."""
    return Html(
        "".join(
            f"<p>{plain(question)}</p>"
            + listed(
                f"<b>{plain(answer)}</b>"
                + (f" · {plain(shows)}" if shows else "")
                + (f" {plain(then)}" if then else "")
                for answer, shows, then in rows
            )
            for question, rows in notes.ticket(notes.page(number)).items()
        )
    )

"""Write the page that shows a class its votes and its exercises.

`make class ARGS=folder` writes it beside the journals. The counts are in it,
and nothing else: no names, no scripts. It asks no network, which its policy
forbids. What was measured is folded, so that a class can look at its own
votes first.
"""

import re

from helpers import journal, records
from tests.course import reading
from tools.author.results import notebooks
from tools.classes import tally
from tools.markup import filled
from tools.paper import notes

ASKED = r"(?s)(\*\*Predict[^*]*\*\*.*?)(?=\n\n|\Z)"


def questions(found):
    """{cell: the question of its prediction}, as the journal names cells."""
    asked = {}
    for notebook in found.values():
        text, guesses = "", {}
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                text = reading.visible(cell.source)
                continue
            if "prediction" in reading.tags(cell):
                question = re.findall(ASKED, text)[-1]
                for name in re.findall(r"(?m)^(\w+) *= *\.\.\.", cell.source):
                    guesses[name] = question
            for name in re.findall(journal.ASKED, cell.source):
                asked[f"{cell.id} {name}"] = guesses[name]
    return asked


def page(found, course):
    """The page: what was hardest, then each notebook in order.

    `found` is the tally's Counts, and `course` has the course's chapters.
    """
    counted = {each.chapter for each in [*found.exercises, *found.votes]}
    return filled(
        "classes/class.html",
        found=found,
        old=records.not_counted(found.old),
        hard_exercises=tally.hardest_exercises(found.exercises, 3),
        hard_votes=tally.hardest_votes(found.votes, 3),
        asked=questions(notebooks()),
        chapters=[
            {
                "title": chapter.title,
                "votes": at(chapter, found.votes),
                "exercises": at(chapter, found.exercises),
                "thoughts": notes.thoughts(notes.page(chapter.number)),
            }
            for chapter in course
            if chapter.number in counted
        ],
    )


def at(chapter, counted):
    """Those votes or exercises that are in a chapter."""
    return [each for each in counted if each.chapter == chapter.number]

"""Write the page that shows a class its votes and its exercises.

`make class ARGS=folder` writes it beside the journals. The counts are in it,
and nothing else: no names, no scripts. It asks no network, which its policy
forbids. What was measured is folded, so that a class can look at its own
votes first.
"""

import re

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
            compared = re.findall(r"checks\.prediction\(\s*(\w+)", cell.source)
            for number, name in enumerate(compared, 1):
                end = f".{number}" if number > 1 else ""
                asked[cell.id + end] = guesses[name]
    return asked


def titles(found):
    """{number: title} of notebooks, "t02" for a trial room."""
    return {
        notebook.cells[0].id.rpartition("-")[0]: notebook.cells[0]
        .source.split("\n")[0]
        .removeprefix("# ")
        for notebook in found.values()
    }


def page(learners, refused, exercises, votes):
    """The page: what was hardest, then each notebook in order."""
    found = notebooks()
    named = titles(found)
    counted = {each.chapter for each in [*exercises, *votes]}
    return filled(
        "classes/class.html",
        learners=learners,
        refused=refused,
        hard_exercises=tally.hardest_exercises(exercises, 3),
        hard_votes=tally.hardest_votes(votes, 3),
        asked=questions(found),
        chapters=[
            {
                "title": named.get(chapter, chapter),
                "votes": [v for v in votes if v.chapter == chapter],
                "exercises": [e for e in exercises if e.chapter == chapter],
                "thoughts": notes.thoughts(notes.page(chapter)),
            }
            for chapter in sorted(counted, key=lambda c: (c.lstrip("t"), c))
        ],
    )

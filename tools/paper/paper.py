"""Write what a class has on paper: exit tickets, their answers, solutions.

`make paper` writes three pages into teaching/, each from the notebooks: the
tickets with lines to write on, a sheet for each notebook; for you, the answers
and what wrong ones show; and the solutions of all exercises. `make paper
ARGS="02 03"` takes some notebooks only, each with its trial rooms. Open a page
in a browser and print it, on A4 or on letter. No page needs a network.
"""

import re
import sys

from tests.course import reading
from tools.author.results import ROOT, notebooks
from tools.markup import filled
from tools.paper import notes

LINES = 18  # to write on, of all questions of a sheet together
PAGES = {
    "tickets.html": "exit tickets",
    "answers.html": "answers to the exit tickets",
    "solutions.html": "solutions",
}


def sheet(file, notebook):
    """What the pages need of a notebook."""
    cells = notebook.cells
    meanings = notes.ticket(notes.page(number_of(file)))
    return {
        "title": cells[0].source.split("\n")[0].removeprefix("# "),
        "is_room": "/" in file,  # it comes below its notebook
        "questions": [
            (question, answer, wrong(meanings[notes.flat(question)]))
            for question, answer in zip(*notes.asked(notebook), strict=True)
        ],
        "exercises": [
            exercise(cells[i - 1].source, cells[i + 2].source)
            for i, cell in enumerate(cells)
            if "exercise" in reading.tags(cell)
        ],
    }


def wrong(rows):
    """A table of the wrong answers to a question, in Markdown."""
    head = "| wrong answer | a learner who writes this … | go back to |"
    lines = [head, "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows if row[0][0] != "✓"]
    return "\n".join(lines)


def exercise(text, solution):
    """One exercise: its title, its stars and minutes, its task, the code."""
    text = reading.visible(text[text.index("### Exercise") :])
    name, stars, task = re.split(r"\n+", text, maxsplit=2)
    return name.lstrip("# "), stars, task, solution


def page(name, found):
    """One of the pages, for some notebooks."""
    return filled(
        "paper/paper.html",
        kind=name,
        title=PAGES[name],
        lines=LINES,
        sheets=[sheet(*each) for each in found.items()],
    )


def chosen(numbers, found):
    """The notebooks with some numbers, all without one, in order."""
    known = sorted({number_of(file) for file in found})
    for number in numbers:
        if number not in known:
            sys.exit(
                f"make: ARGS={number} is not a notebook;"
                f" choose from {known[0]} to {known[-1]}"
            )
    return {
        file: found[file]
        for file in sorted(found, key=number_of)
        if not numbers or number_of(file) in numbers
    }


def number_of(file):
    """ "02" of the notebook 02 and of its trial rooms."""
    return file.rpartition("/")[2][:2]


def main(arguments):
    """Write the pages."""
    found = chosen(" ".join(arguments).split(), notebooks())
    for name in PAGES:
        path = ROOT / "teaching" / name
        path.write_text(page(name, found), encoding="utf-8")
        print(f"open {path.relative_to(ROOT)} in a browser and print it")


if __name__ == "__main__":
    main(sys.argv[1:])

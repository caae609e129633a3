"""Write what a class has on paper: exit tickets, their answers, solutions.

`make paper` writes three pages into teaching/, each from the notebooks: the
tickets with lines to write on, a sheet for each notebook; for you, the answers
and what wrong ones show; and the solutions of all exercises. `make paper
ARGS="02 03"` takes some notebooks only, each with its trial rooms. Open a page
in a browser and print it, on A4 or on letter. No page needs a network.
"""

import re
import sys
from string import Template

from tests.course import reading
from tools.author.results import ROOT, notebooks
from tools.paper import markup, notes

LINES = 18  # to write on, of all questions of a sheet together
TICKET_HINT = (
    "Answer on your own, in a few words. Do not write your name. The answers"
    " show what the class should review."
)
ANSWERS_HINT = (
    "For teachers. The first line is the notebook's answer. The table lists"
    " wrong answers, what they show, and the section to return to."
)


def heading(notebook, words=""):
    """A headline: "2 · Learned projections: exit ticket"."""
    name = notebook.cells[0].source.split("\n")[0].removeprefix("# ")
    return f"<h1>{name}{words}</h1>\n"


def tickets(file, notebook):
    """A sheet with the questions of an exit ticket and lines to write on."""
    questions, _ = notes.asked(notebook)
    if not questions:
        return ""
    lines = '<div class="line"></div>' * (LINES // len(questions))
    items = "".join(
        f"<li>{markup.printed(question)}{lines}</li>\n"
        for question in questions
    )
    return (
        f'<section class="ticket">{heading(notebook, ": exit ticket")}'
        f'<p class="how">{TICKET_HINT}</p><ol>{items}</ol></section>\n'
    )


def answers(file, notebook):
    """A sheet for teachers: the answers, and what wrong answers show."""
    questions, right = notes.asked(notebook)
    if not questions:
        return ""
    meanings = notes.ticket(notes.page(file[:2]))
    parts = [
        '<div class="question">'
        + markup.printed(f"**{number}.** {question}\n\n{answer}")
        + wrong(meanings[notes.flat(question)])
        + "</div>\n"
        for number, (question, answer) in enumerate(
            zip(questions, right, strict=True), 1
        )
    ]
    return (
        f"<section>{heading(notebook, ': answers')}"
        f'<p class="how">{ANSWERS_HINT}</p>{"".join(parts)}</section>\n'
    )


def wrong(rows):
    """A table of the wrong answers to a question."""
    lines = ["| wrong answer | what it shows | go back to |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows if row[0][0] != "✓"]
    return markup.printed("\n".join(lines))


def solutions(file, notebook):
    """The task and the solution of each exercise of a notebook."""
    cells, parts = notebook.cells, []
    for i, cell in enumerate(cells):
        if "exercise" in reading.tags(cell):
            parts.append(exercise(cells[i - 1].source, cells[i + 2].source))
    if not parts:
        return ""
    look = ' class="room"' if "/" in file else ""  # below its notebook
    head = heading(notebook)
    return f"<section{look}>{head}{''.join(parts)}</section>\n"


def exercise(text, solution):
    """One exercise: its title, its stars and minutes, its task, the code."""
    text = reading.visible(text[text.index("### Exercise") :])
    name, stars, task = re.split(r"\n+", text, maxsplit=2)
    return (
        f'<div class="exercise"><h2>{name.lstrip("# ")}</h2>'
        f'<p class="stars">{stars}</p>'
        f'<div class="task">{markup.printed(task)}</div>'
        f"{markup.code(solution)}</div>\n"
    )


PAGES = {  # file: (title, what makes a section of a notebook)
    "tickets.html": ("exit tickets", tickets),
    "answers.html": ("answers to the exit tickets", answers),
    "solutions.html": ("solutions", solutions),
}


def page(name, found):
    """One of the pages, for some notebooks."""
    title, section = PAGES[name]
    template = Template(
        (ROOT / "tools" / "paper" / "paper.html").read_text("utf-8")
    )
    body = "".join(section(file, notebook) for file, notebook in found.items())
    return template.substitute(title=title, body=body)


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

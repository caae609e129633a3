"""Write the page that shows a class its votes and its exercises.

`make class ARGS=folder` writes it beside the journals. The counts are in it,
and nothing else: no names, no scripts. It asks no network, which its policy
forbids. What was measured is folded, so that a class can look at its own
votes first.
"""

import html
import re
from string import Template

from tests.course import reading
from tools.author.results import ROOT, notebooks
from tools.classes import tally
from tools.paper import markup, notes

ASKED = r"(?s)(\*\*Predict[^*]*\*\*.*?)(?=\n\n|\Z)"
HINT = (
    "Guesses and mistakes are counted without names. A guess is within reach"
    " if it is the right word, a share that is off by at most 0.1, or another"
    " number that is off by at most 10%."
)


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


def bar(label, count, largest, look=""):
    """A row of a table: a label, a bar, a number."""
    part = f"{100 * count / max(largest, 1):.0f}%"
    drawn = f'<span class="bar" style="--part: {part}"></span>'
    mark = '<span class="found"> ◀<span> measured</span></span>'
    return (
        f'<tr class="{look}"><th scope="row">{html.escape(label)}</th>'
        f"<td>{drawn if count else ''}</td>"
        f"<td>{count}{mark if look else ''}</td></tr>\n"
    )


def many(count, what):
    """ "1 learner", "2 learners"."""
    return f"{count} {what}{'s' * (count != 1)}"


def number(value):
    """What was measured, as text."""
    return value if isinstance(value, str) else f"{value:,.4g}"


def vote(each, asked):
    """The guesses of a class as bars, and below them what was measured."""
    largest = max(count for _, count, _ in each.bars)
    rows = "".join(
        bar(label, count, largest, "hit" if hit else "")
        for label, count, hit in each.bars
    )
    return (
        f'<article id="{each.cell}"><h3>{markup.inline(each.heading)}</h3>'
        f"<p>{markup.inline(asked.get(each.cell, ''))}</p>"
        f"<table><caption>Guesses by {many(each.guessed, 'learner')},"
        f" cell {each.cell}</caption>"
        f"{rows}</table>"
        "<details><summary>Show what was measured</summary>"
        f"<p><b>Measured: {html.escape(number(each.measured))}.</b>"
        f" {each.near} of {each.guessed} guesses were within reach.</p>"
        "</details></article>\n"
    )


def exercise(each, thoughts):
    """How many solved an exercise, and the mistakes, with what to ask."""
    made = "".join(
        bar(name, count, each.tried) for name, count in each.mistakes
    )
    if made:
        made = (
            '<table class="mistakes"><caption>Mistakes that the check named,'
            f" and how many learners made them</caption>{made}</table>"
        )
    ask = [
        f"<li>{markup.inline(name)}: {markup.inline(thoughts[name][1])}</li>"
        for name, _ in each.mistakes
        if name in thoughts
    ]
    ask = f"<p>What to ask:</p><ul>{''.join(ask)}</ul>" if ask else ""
    place = f"{each.chapter}-{each.name}"
    return (
        f'<article id="{place}"><h3>{markup.inline(each.heading)}</h3>'
        f"<p>{many(each.tried, 'learner')} tried it, {each.tries:.1f} times"
        f" on average. <b>{each.solved} of {each.tried}</b> solved it.</p>"
        f"{made}{ask}</article>\n"
    )


def hardest(exercises, votes):
    """A list of what was hardest, with links; "" if nothing was hard."""
    lines = [
        f'<li><a href="#{e.chapter}-{e.name}">{e.chapter}, '
        f"{markup.inline(e.heading)}</a>: {e.solved} of {e.tried} solved it"
        for e in tally.hardest_exercises(exercises, 3)
    ] + [
        f'<li><a href="#{v.cell}">{v.chapter}, {markup.inline(v.heading)}</a>:'
        f" {v.near} of {v.guessed} guesses within reach"
        for v in tally.hardest_votes(votes, 3)
    ]
    listed = f"<h2>What was hardest</h2><ul>{''.join(lines)}</ul>\n"
    return listed if lines else ""


def page(learners, refused, exercises, votes):
    """The page: what was hardest, then each notebook in order."""
    found = notebooks()
    asked, named = questions(found), titles(found)
    head = f"<h1>What this class found</h1><p>{many(learners, 'learner')}"
    if refused:
        head += f" ({many(refused, 'file')} could not be counted)"
    parts = [f'{head}.</p><p class="soft">{HINT}</p>']
    parts.append(hardest(exercises, votes))
    counted = {each.chapter for each in [*exercises, *votes]}
    for chapter in sorted(counted, key=lambda c: (c.lstrip("t"), c)):
        thoughts = notes.thoughts(notes.page(chapter))
        parts.append(f"<h2>{markup.inline(named.get(chapter, chapter))}</h2>")
        parts += [vote(v, asked) for v in votes if v.chapter == chapter]
        parts += [
            exercise(e, thoughts) for e in exercises if e.chapter == chapter
        ]
    template = Template(
        (ROOT / "tools" / "classes" / "class.html").read_text("utf-8")
    )
    return template.substitute(body="".join(parts))

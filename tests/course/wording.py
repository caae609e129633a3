"""Rules for the Markdown: sections, claims, minutes, links, words."""

import re

from .reading import kind, name, prose

SECTIONS = "Warm-up", "Break it", "Exit ticket", "Recap", "Further reading"
TITLES = {
    "road": r"# \d+ · .+\n",
    "room": r"# (?:Trial room \d+|Workshop) · .+\n",
    "start": r"# 0 · .+\n",
}


def sections_are_complete(notebook):
    """A road has its sections in this order.

    Title with minutes, needs and aims; the picture; warm-up; puzzle; build by
    hand; play; practice; a few claims; *Break it*; exit ticket; recap;
    scoreboard; next question; further reading. A room's title states its
    minutes, too, and it ends with a link to its notebook.
    """
    wanted = TITLES[kind(notebook)]
    problems = []
    if not re.match(wanted, notebook.cells[0].source):
        problems.append(f"the first cell does not start like {wanted}")
    headings = re.findall(r"(?m)^## (.+)$", prose(notebook))
    if kind(notebook) == "road":
        places = [
            next((i for i, h in enumerate(headings) if h.startswith(s)), -1)
            for s in SECTIONS
        ]
        if -1 in places or places != sorted(places):
            problems.append(f"sections {headings} lack one of {SECTIONS}")
        if "Practice together" not in headings:
            problems.append("nothing to practice together")
    if kind(notebook) == "room" and not re.search(
        r"\]\(\.\./\d\d_\w+\.ipynb", notebook.cells[-1].source
    ):
        problems.append("the room does not end with a link to its notebook")
    return problems


def images_have_alt_text(notebook):
    """For people who cannot see them."""
    text = prose(notebook)
    tags_without = [
        tag
        for tag in re.findall(r"<img\b[^>]*>", text)
        if not re.search(r"alt=[\"'][^\"']+", tag)
    ]
    return [
        f"no alt text: {image}"
        for image in re.findall(r"!\[\s*\]\([^)]*\)", text) + tags_without
    ]


def details_are_closed(notebook):
    """A fold is closed, and has no other fold in it.

    `<details><summary>…</summary>`, an empty line, the text, `</details>`.
    """
    problems = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            marks = re.findall(r"</?details>", cell.source)
            if marks != ["<details>", "</details>"] * (len(marks) // 2):
                problems.append(f"{name(cell)}: details are {marks}")
            good = r"<details>\s*<summary>[^\n]+</summary>\n\n"
            if len(re.findall(good, cell.source)) != len(marks) // 2:
                problems.append(f"{name(cell)}: a summary, an empty line")
    return problems


def formulas_are_readable(notebook):
    """A doubled backslash is a line break in LaTeX, and shows as text."""
    return [
        f"{name(cell)} has a doubled backslash"
        for cell in notebook.cells
        if cell.cell_type == "markdown" and "\\\\" in cell.source
    ]


def links(text):
    """Targets of Markdown links, code left out."""
    text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", text)
    return re.findall(r"\]\(([^()\s]+)\)", text)


def anchors(text):
    """What #… may point to: marks, and Jupyter's and GitHub's headings."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    jupyter = {heading.replace(" ", "-") for heading in headings}
    github = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in headings
    }
    return jupyter | github | {*re.findall(r'<a id="(\w+)">', text)}


RULES = [
    sections_are_complete,
    images_have_alt_text,
    details_are_closed,
    formulas_are_readable,
]

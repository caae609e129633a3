"""Rules for the Markdown: sections, claims, minutes, links, words."""

import re

from .reading import VERDICT, minutes, name, prose, trials, verdicts

SECTIONS = ["Warm-up", "Break it", "Exit ticket", "Recap", "Further reading"]


def minutes_add_up(notebook):
    declared = minutes(notebook)
    if declared is None:
        return ["the first cell declares no minutes"]
    total, reading, practice = declared
    stars = re.findall(r"(?m)^[★☆]{3} · (\d+) minutes$", prose(notebook))
    problems = []
    if not reading + practice == total <= 60:
        problems.append(f"{reading} + {practice} minutes are not {total}")
    if sum(map(int, stars)) > practice:
        problems.append(f"the exercises need {sum(map(int, stars))} minutes")
    return problems


def claims_have_verdicts(notebook):
    on_trial = trials(notebook)
    claims = [trial.claim for trial in on_trial]
    problems = [
        f"claim {claim} needs one trial and one verdict"
        for claim in claims
        if claims.count(claim) > 1 or claim not in verdicts(notebook)
    ]
    for trial in on_trial:
        problems += [
            f"a verdict on {other} below claim {trial.claim}"
            for other, _ in re.findall(VERDICT, "\n".join(trial.texts))
            if other not in ("", trial.claim)
        ]
        if not trial.quote:
            problems.append(f"claim {trial.claim} is not quoted")
    count = len(re.findall(r"\*\*Verdict", prose(notebook)))
    if count != len(claims):
        problems.append(f"{count} verdicts, {len(claims)} trials")
    return problems


def sections_are_complete(notebook):
    headings = re.findall(r"(?m)^## (.+)$", prose(notebook))
    places = [
        next((i for i, h in enumerate(headings) if h.startswith(s)), -1)
        for s in SECTIONS
    ]
    if -1 in places or places != sorted(places):
        return [f"sections {headings} lack one of {SECTIONS}, or its order"]
    if not re.match(r"# \d · .+\n", notebook.cells[0].source):
        return ["the first cell does not start with a title like '# 1 · …'"]
    return []


def images_have_alt_text(notebook):
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
    problems = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            marks = re.findall(r"</?details>", cell.source)
            if marks != ["<details>", "</details>"] * (len(marks) // 2):
                problems.append(f"{name(cell)}: details are {marks}")
    return problems


def formulas_are_readable(notebook):
    """A doubled backslash is a line break in LaTeX, and shows as text."""
    return [
        f"{name(cell)} has a doubled backslash"
        for cell in notebook.cells
        if cell.cell_type == "markdown" and "\\\\" in cell.source
    ]


def words_are_plain(notebook):
    """Quotes (lines that start with >) may say what others say."""
    own = re.sub(r"(?m)^>.*$|“.*?”|\".*?\"", "", prose(notebook))
    found = re.findall(r"(?i)\b(?:simply|just|obviously|trivial\w*)\b", own)
    return [f"the prose says {word!r}" for word in found]


def links(text):
    """Targets of Markdown links, code left out."""
    text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", text)
    return re.findall(r"\]\(([^()\s]+)\)", text)


def anchors(text):
    """What #… may point to: Jupyter's and GitHub's form of each heading."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    jupyter = {heading.replace(" ", "-") for heading in headings}
    github = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in headings
    }
    return jupyter | github


RULES = [
    minutes_add_up,
    claims_have_verdicts,
    sections_are_complete,
    images_have_alt_text,
    details_are_closed,
    formulas_are_readable,
    words_are_plain,
]

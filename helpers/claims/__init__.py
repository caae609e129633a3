"""Claims on trial: what was measured decides the verdict and fills its text.

A trial ends with ``claims.verdict``. The call states, as code, what has to
hold, so a learner reads the threshold before the result; C25.md and so on have
the claim and one text, with a place for each number. The word follows from
the statements and every number from the run, so nobody types either.

    claims.verdict(
        "C25",
        under={"the training is short": claims.paired(root, none).above(0)},
        short=none,
        root=root,
    )
"""

import tomllib
from pathlib import Path

from IPython.display import display

from helpers.claims.numbers import fill
from helpers.claims.pairs import paired
from helpers.claims.words import TOGETHER, statements, word

FOLDER = Path(__file__).parent
MARKS = {True: "✓", False: "✗", None: "?"}
OTHER = (
    "*The course measured something else here: {found}. Your settings differ"
    " from ours, and the words below may not fit your numbers.*\n\n"
)


def verdict(claim, parts=None, /, *, under=None, **numbers):
    """Show the verdict on a claim, folded, and store it with the output.

    Parameters
    ----------
    claim : str
        Such as "C25", a file of this folder.
    parts : dict, optional
        {what the claim says: whether it holds}, where it says several things.
    under : dict, optional
        {condition: whether the claim holds under it}. Either this or
        `parts`; each value is True, False, or None where the measurement
        cannot tell.
    numbers
        For the places of the text: a number, an array with one for each run,
        a string, or a dictionary of these; see `numbers.fill`.

    Raises
    ------
    TypeError, ValueError
        For an unknown claim, a statement that is neither True, False nor
        None, or numbers that do not fit the places of the text.
    """
    head, text = read(claim)
    said = word(parts, under)
    holds = statements(parts, under)
    title = f"{said}{_conditions(holds)}" if said == TOGETHER else said
    text = fill(text, numbers)
    if said != head["found"]:
        text = OTHER.format(found=head["found"]) + text
    listed = [*holds.items()] if parts else []
    shown = body(title, listed, text)
    stored = dict(claim=claim, word=said, title=title, text=text, parts=listed)
    page = (
        f"<details><summary>Verdict {claim}: open after running</summary>\n\n"
        f"> {head['claim']}\n\n{shown}\n\n</details>"
    )
    display(
        {"text/markdown": page, "text/plain": f"{claim}: {shown}"},
        metadata={"text/markdown": {"verdict": stored}},
        raw=True,
    )


def _conditions(holds):
    """Return " one, or another; not if a third" for a *True, if*."""
    good, bad = (
        ", or ".join(what for what in holds if holds[what] is wanted)
        for wanted in (True, False)
    )
    return f" {good}; not if {bad}"


def body(title, parts, text):
    """Return a verdict in Markdown: its words, parts that differ, the text."""
    listed = [f"- {MARKS[good]} {what}" for what, good in parts]
    if len({good for _, good in parts}) < 2:
        listed = []
    shown = [f"**{title}.**", "\n".join(listed), text]
    return "\n\n".join(part for part in shown if part)


def read(claim):
    """Return (head, text) of a claim's file; paragraphs are one line each."""
    known = sorted(path.stem for path in FOLDER.glob("C*.md"))
    if claim not in known:
        raise ValueError(f"claim: expected one of {known}, got {claim!r}")
    source = (FOLDER / f"{claim}.md").read_text(encoding="utf-8")
    _, head, text = source.split("+++\n", 2)
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return tomllib.loads(head), "\n\n".join(paragraphs).strip()

"""Claims on trial: what was measured decides the verdict and fills its text.

A trial ends with ``claims.verdict``. The call states, as code, what has to
hold, so a learner reads the threshold before the result; C25.md and so on have
the claim and one text, with a place for each number. The word follows from
the statements and every number from the run, so nobody types either. Below
the word, each statement has a mark: it holds, it does not, or nobody can tell.

    claims.verdict(
        "C25",
        under={"the training is short": claims.paired(root, none).above(0)},
        short=none,
        root=root,
    )

A file says under which `condition` a *True if* was found, in a few words, and
which statements `held`. If a run finds others, it says so instead.

A claim that could not have gone another way has ``kind = "identity"`` in its
file, and ``claims.identity`` shows it without a fold. One that says the same
as another has ``same_as = "C39"`` and no text.
"""

import tomllib
from pathlib import Path

from IPython.display import display

from helpers.claims.numbers import fill
from helpers.claims.pairs import paired
from helpers.claims.words import TOGETHER, statements, word

FOLDER = Path(__file__).parent
TRIAL, IDENTITY = "trial", "identity"
MARKS = {True: "✓", False: "✗", None: "?"}
SOME = "one of these conditions holds"
OTHER = (
    "*The course found something else here: {found}. Your settings differ"
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
        For an unknown claim or one of the other kind, a statement that is
        neither True, False nor None, or numbers that do not fit the places
        of the text.
    """
    found = _decided(TRIAL, claim, parts, under, numbers)
    shown = body(found["title"], found["parts"], found["text"])
    _show(
        found,
        f"<details><summary>Verdict {claim}: open after running</summary>\n\n"
        f"{_quoted(claim)}\n\n{shown}\n\n</details>",
        f"{claim}: {shown}",
    )


def identity(claim, parts=None, /, *, under=None, **numbers):
    """Show what follows from arithmetic, openly, and store it.

    For a claim that could not have gone another way: its file has ``kind =
    "identity"`` and one paragraph. Everything else is as in `verdict`.
    """
    found = _decided(IDENTITY, claim, parts, under, numbers)
    shown = body(found["title"], found["parts"], found["text"])
    if "\n\n- " not in shown:  # without a list it is one paragraph
        shown = shown.replace("**\n\n", "** ", 1)
    _show(found, f"{_quoted(claim)}\n\n{shown}", f"{claim}: {shown}")


def _quoted(claim):
    return f"> {read(claim)[0]['claim']}"


def _decided(kind, claim, parts, under, numbers):
    """Return what is stored: what decides, the word, the text with numbers."""
    head, text = read(claim)
    if "same_as" in head:
        raise ValueError(f"claim: {claim} is decided by {head['same_as']}")
    if kind != (known := head.get("kind", TRIAL)):
        raise ValueError(f"claim: {claim} is of the kind {known!r}")
    said = word(parts, under)
    holds = statements(parts, under)
    held = "".join(MARKS[good] for good in holds.values())
    known = (said, held) == (head["found"], head.get("held", held))
    text = fill(text, numbers)
    if not known:
        found = _title(head["found"], head.get("condition"))
        text = OTHER.format(found=found) + text
    return dict(
        kind=kind,
        claim=claim,
        word=said,
        title=_title(said, head.get("condition") if known else SOME),
        text=text,
        parts=_listed(holds, "if " if under else ""),
    )


def _listed(holds, first):
    """Return [(statement, whether it holds)], or nothing if all are alike."""
    alike = len({*holds.values()}) < 2
    return [] if alike else [(first + what, holds[what]) for what in holds]


def _title(said, condition):
    return f"{said} {condition}" if said == TOGETHER else said


def _show(found, page, plain):
    """Display a page, with what was found in the output's metadata."""
    display(
        {"text/markdown": page, "text/plain": plain},
        metadata={"text/markdown": {"verdict": found}},
        raw=True,
    )


def body(title, parts, text):
    """Return a verdict in Markdown: its words, what it says in parts, text."""
    listed = [f"- {MARKS[good]} {what}" for what, good in parts]
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

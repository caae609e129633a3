"""What RESULTS.md and the README say about each claim.

A claim is a block with its own anchor: the word, the explanation and what was
not tested; folded, how it was tested and where the claim is made; and a link
to doubt the verdict.
The words and numbers are those that the notebooks have stored.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from helpers.claims import FOLDER, body, read
from tests.course import reading

COUNTED = {
    "True": "true",
    "True if": "true if a condition holds",
    "Half true": "half true",
    "False as stated": "false as stated",
    "Not decided here": "not decided here",
}
# From a page of the repository's root, GitHub leads this to a new issue.
DOUBT = "../../issues/new?"
FORM = "doubt.yml"  # in .github/ISSUE_TEMPLATE
FOLDED = "How it was tested, and who says it"


@dataclass
class Entry:
    """A claim with its verdict, and where it stands."""

    claim: str
    verdict: reading.Verdict
    part: reading.Part  # the trial, or what shows an identity
    place: str  # a link

    @property
    def head(self):
        """The head of its file."""
        return read(self.claim)[0]

    @property
    def follows(self):
        """Whether it follows from arithmetic."""
        return isinstance(self.part, reading.Identity)


def entries(found):
    """{claim: Entry}, in the order of the claims, of all notebooks."""
    listed = {}
    for file, notebook in found.items():
        given = reading.verdicts(notebook)
        shown = [(t, given.get(t.claim)) for t in reading.trials(notebook)]
        shown += [(i, i.verdict) for i in reading.identities(notebook)]
        for part, verdict in shown:
            place = link(file, part.heading)
            listed[part.claim] = Entry(part.claim, verdict, part, place)
    return dict(sorted(listed.items()))


def same():
    """{claim: the claim that decides it}, of those that are one."""
    heads = {path.stem: read(path.stem)[0] for path in FOLDER.glob("C*.md")}
    return {c: h["same_as"] for c, h in heads.items() if "same_as" in h}


def link(file, heading=""):
    """A link to a notebook, or to one of its headings."""
    number, room = Path(file).name.split("_")[0], "/" in file
    anchor = heading.lstrip("# ").replace(" ", "-")
    text = f"{'room' if room else 'notebook'} {number}"
    return f"[{text}](notebooks/{file}{anchor and '#' + anchor})"


def bold(verdict):
    """The word of a verdict, and its condition, if any."""
    if verdict.said:
        return f"**{verdict.word}** {verdict.said}."
    return f"**{verdict.word}.**"


def block(entry):
    """A claim as a section: its word, why, and how it was found, folded."""
    verdict, head = entry.verdict, entry.head
    parts = [
        anchor(entry.claim) + f"### {entry.claim} · {entry.part.quote}",
        body(verdict.title, verdict.parts, verdict.text),
    ]
    if "untested" in head:
        parts.append(f"What was not tested: {full_stop(head['untested'])}")
    parts.append(f"<details><summary>{FOLDED}</summary>")
    parts.append(full_stop(head["tested"]))
    if "said" in head:
        said = full_stop("; ".join(head["said"]))
        parts.append(f"Where the claim is made: {said}")
    parts += ["</details>", f"{entry.place} · {doubt(entry.claim)}\n"]
    return "\n\n".join(parts)


def full_stop(said):
    """A text that ends with one full stop."""
    return f"{said.rstrip('.')}."


def anchor(claim):
    """What a link to the claim names."""
    return f'<a id="{claim.lower()}"></a>\n'


def doubt(claim):
    """A link to the form in which a reader doubts the verdict."""
    asked = urlencode(
        {"template": FORM, "title": f"{claim}: ", "claim": claim}
    )
    return f"[Doubt this verdict]({DOUBT}{asked})"


def pointer(claim, decided):
    """The one line of a claim that another one decides."""
    return (
        f"{anchor(claim)}\n**{claim} · {read(claim)[0]['claim']}** This is"
        f" decided by [{decided}](#{decided.lower()}).\n"
    )


def pitch(listed):
    """The line that says what came out, for this page and the README."""
    true = [e for e in listed.values() if e.verdict.word == "True"]
    return (
        f"**We put {len(listed)} claims about attention to the test. Only"
        f" {len(true)} of them are simply true.**"
    )


def counted(listed, words=COUNTED):
    """ "2 true, 1 half true": how many of some entries have each word."""
    given = [entry.verdict.word for entry in listed]
    said = [f"{given.count(word)} {words[word]}" for word in words]
    return ", ".join(each for each in said if not each.startswith("0 "))


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")

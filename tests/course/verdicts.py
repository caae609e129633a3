"""Rules for verdicts: each claim has one, and the run has decided it."""

import re

from . import reading
from .reading import trials


def claims_have_verdicts(notebook):
    """A claim has its heading, a quote, an experiment, one verdict of its own.

    `### Claim C15 on trial`; a quote (`>`); a prediction; an experiment with a
    control; and at the end a cell with `claims.verdict("C15", …)`, executed.
    No verdict is written by hand.
    """
    on_trial = trials(notebook)
    claims = [trial.claim for trial in on_trial]
    given = reading.verdicts(notebook)
    problems = [
        f"claim {claim} needs one trial, and one cell with its claims.verdict"
        for claim in claims
        if claims.count(claim) > 1 or claim not in given
    ]
    problems += [
        f"claim {trial.claim} is not quoted"
        for trial in on_trial
        if not trial.quote
    ]
    cells = [*filter(reading.judged, notebook.cells)]
    if len(cells) != len(claims):
        problems.append(f"{len(cells)} verdicts, {len(claims)} trials")
    for text in (cell.source for cell in reading.markdown_cells(notebook)):
        if written := re.search(r"\*\*Verdict|<!-- results", text):
            problems.append(f"written by hand: {text[written.start() :][:60]}")
    return problems


RULES = [claims_have_verdicts]

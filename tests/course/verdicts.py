"""Rules for verdicts: five words, a plain sentence, numbers, a way to fail.

In a fold named Verdict…, and beside it, in the same cell, a comment with the
parts of its row in RESULTS.md:

    **Verdict C28: True, if one word needs several others at once.**

    The accuracy is 19.0% with one head and 94.0% with two, … chance is 2.8%.

    *What would have refuted it:* two heads that do no better than one.

    (or, if it is False as stated: *What would have confirmed it:* …)

    *Would longer training help?* No. …

    <!-- results
    plain: A model with one head answers one of the two questions. …
    numbers: Both answers right: 19.0 ± 5.2% with one head, … (guessing: 2.8%).
    tested: *Who and whom?*; five runs
    -->
"""

import re

from . import minutes, reading
from .measured import DIGITS, fractions, stated
from .reading import folds, prose, trials

MOST = {"plain": 60, "numbers": 100, "tested": 30}  # words
VERDICT_WORDS = 140  # of what is said in the fold, tables apart
PART = rf"(?m)^({'|'.join(reading.PARTS)}):"
TURN = r"(?m)^\*What would have {} it:\* \S"  # refuted or confirmed a claim
LONGER = r"(?m)^\*Would longer training help\?\* \S"
# The claims whose trial says whether longer training would help.
TRAINED = set(
    "C10 C14 C25 C29 C32 C33 C34 C36 C39 C41 C42 C43 C50 C51 C52 C53 C57 C60"
    " C62 C63 C64 C66".split()
)


def claims_have_verdicts(notebook):
    """A claim has its heading, a quote, an experiment, one folded verdict.

    `### Claim C15 on trial`; a quote (`>`); a prediction; an experiment with a
    control; and the verdict in a fold that the reader opens after running.
    """
    on_trial = trials(notebook)
    claims = [trial.claim for trial in on_trial]
    given = [verdict.claim for verdict, *_ in _folded(notebook)]
    computed = reading.verdicts(notebook).values()
    computed = [verdict.claim for verdict in computed if verdict.text]
    given += computed
    problems = [
        f"claim {claim} needs one trial and one verdict, which begins with"
        f" one of {reading.WORDS}, in a fold named Verdict…: the reader opens"
        " it after running"
        for claim in claims
        if claims.count(claim) > 1 or claim not in given
    ]
    for trial in on_trial:
        text = "\n".join(trial.texts)
        problems += [
            f"a verdict on {other} below claim {trial.claim}"
            for other in re.findall(r"\*\*Verdict (C\d\d)", text)
            if other != trial.claim
        ]
        if not trial.quote:
            problems.append(f"claim {trial.claim} is not quoted")
    count = len(re.findall(r"\*\*Verdict", prose(notebook))) + len(computed)
    if count != len(claims):
        problems.append(f"{count} verdicts, {len(claims)} trials")
    return problems


def _folded(notebook):
    """(verdict, what is in its fold, its trial) for each verdict."""
    given = reading.verdicts(notebook)
    for trial in trials(notebook):
        verdict = given.get(trial.claim)
        if verdict is None or verdict.text:
            continue
        for summary, content in folds(trial.pieces[trial.verdict]):
            if "Verdict" in summary and re.search(reading.VERDICT, content):
                yield verdict, re.sub(reading.COMMENT, "", content), trial


def verdicts_are_plain(notebook):
    """The word, one sentence without numbers, a way to fail; and short.

    `**Verdict C28: True, if one word needs several others at once.**`, in at
    most 140 words; the docstring of verdicts.py has an example.
    """
    problems = []
    for verdict, content, trial in _folded(notebook):
        bold = re.search(reading.VERDICT, content)
        after = " ".join(content[bold.end() :].split())
        sentence = verdict.said
        if verdict.word != "True, if":
            sentence = re.split(r"[.?!](?: |$)", after)[0]
        length = minutes.words(re.sub(r"(?m)^\|.*$", "", content))
        trained = verdict.claim in TRAINED
        false = verdict.word == "False as stated"
        turn = TURN.format("confirmed" if false else "refuted")
        tests = {
            "its bold words end with a full stop": bold[0].endswith(".**"),
            "'True, if' names a condition, other words stand alone": (
                bool(verdict.said) == (verdict.word == "True, if")
            ),
            "its first sentence is plain and has no number": (
                sentence and not re.search(DIGITS, stated(sentence))
            ),
            f"this begins a paragraph: {turn[5:-3]}": re.search(turn, content),
            "*Would longer training help?* begins a paragraph": (
                not trained or re.search(LONGER, "\n".join(trial.texts))
            ),
            f"at most {VERDICT_WORDS} words, not {length}": (
                length <= VERDICT_WORDS
            ),
        }
        problems += [f"verdict {verdict.claim}: {what}"
                     for what, good in tests.items() if not good]  # fmt: skip
    return problems


def verdicts_have_their_row(notebook):
    """The parts of RESULTS.md, understood without the course."""
    problems = []
    for verdict, _, trial in _folded(notebook):
        piece = trial.pieces[trial.verdict]
        heads = re.findall(PART, reading.comment(piece))
        problems += [
            f"verdict {verdict.claim}: {part} begins two lines"
            for part in {*heads}
            if heads.count(part) > 1
        ]
        parts = reading.results(piece)
        parts.pop("names", None)
        if [*parts] != [*reading.PARTS]:
            problems.append(
                f"verdict {verdict.claim}: <!-- results has {[*parts]},"
                f" not {[*reading.PARTS]}"
            )
        for part, said in parts.items():
            most = MOST.get(part, 0)
            if not 0 < (length := len(said.split())) <= most:
                problems.append(
                    f"verdict {verdict.claim}: {part} has {length} words:"
                    f" at most {most}"
                )
        numbers = parts.get("numbers", "")
        if not re.search(r"\d", fractions(numbers)):
            problems.append(f"verdict {verdict.claim}: no numbers in numbers")
        if "](" in " ".join(parts.values()):
            problems.append(f"verdict {verdict.claim}: the tool adds links")
    return problems


RULES = [claims_have_verdicts, verdicts_are_plain, verdicts_have_their_row]

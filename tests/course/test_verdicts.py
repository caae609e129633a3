"""The verdicts that the notebooks have computed."""

import copy

import pytest

from helpers import claims
from tools.author import blocks, results

from . import reading
from .test_notebooks import NOTEBOOKS

COMPUTED = [
    (trial, verdict)
    for notebook in NOTEBOOKS.values()
    for trial in reading.trials(notebook)
    if (verdict := reading.verdicts(notebook).get(trial.claim))
]


@pytest.mark.parametrize(
    "trial, verdict", COMPUTED, ids=lambda each: each.claim
)
def test_a_claim_is_quoted_and_its_verdict_is_the_known_one(trial, verdict):
    head, _ = claims.read(trial.claim)
    assert (trial.quote, verdict.word) == (head["claim"], head["found"])
    assert claims.OTHER[:20] not in verdict.text


SHOWN = [each for nb in NOTEBOOKS.values() for each in reading.identities(nb)]


@pytest.mark.parametrize("shown", SHOWN, ids=lambda each: each.claim)
def test_an_identity_is_the_known_one_below_a_heading(shown):
    head, text = claims.read(shown.claim)
    assert shown.verdict.word == head["found"] and shown.heading
    assert claims.OTHER[:20] not in shown.verdict.text
    assert "\n\n" not in text and len(text.split()) <= 90


def test_a_claim_points_to_one_that_is_decided():
    decided = [v.claim for _, v in COMPUTED] + [s.claim for s in SHOWN]
    for claim, other in blocks.same().items():
        assert claim not in decided and other in decided


def misplaced(files, shown, elsewhere, listed):
    """Claims without their one file, or that do not stand in one place.

    files, shown, listed: the claims that have a file, that notebooks decide,
    and that results.toml lists; elsewhere: those that another one decides.
    """
    everything = {*files, *shown, *elsewhere, *listed}
    return {
        claim: found
        for claim in everything
        if (found := (
            [*files].count(claim),
            [*shown, *elsewhere].count(claim),
            [*listed].count(claim),
        )) != (1, 1, 1)
    }  # fmt: skip


FILES = sorted(path.stem for path in claims.FOLDER.glob("C*.md"))
IN_PLACE = dict(
    files=FILES,
    shown=[c for nb in NOTEBOOKS.values() for c in reading.on_show(nb)],
    elsewhere=[*blocks.same()],
    listed=[
        claim
        for part in results.TEXTS["question"]
        for claim in part["claims"].split()
    ],
)


def test_every_claim_has_one_file_and_one_place():
    assert misplaced(**IN_PLACE) == {}


@pytest.mark.parametrize("where", IN_PLACE)
def test_a_claim_without_its_place_is_noticed(where):
    first = IN_PLACE[where][0]
    for changed in (IN_PLACE[where][1:], [first, *IN_PLACE[where]]):
        assert first in misplaced(**IN_PLACE | {where: changed})


def test_the_page_has_what_the_outputs_have():
    """Another word, number or claim in an output makes it another page."""
    written = results.RESULTS.read_text(encoding="utf-8")
    for key, value in (
        ("text", "9.9%"),
        ("title", "Perhaps"),
        ("claim", "C99"),
    ):
        changed = copy.deepcopy(NOTEBOOKS)
        cell = next(
            cell
            for notebook in changed.values()
            for cell in notebook.cells
            if reading.judged(cell)
        )
        output = next(o for o in cell.outputs if "metadata" in o)
        found = output["metadata"]["text/markdown"]["verdict"]
        found[key] = value
        output["data"]["text/markdown"] += value
        entries = blocks.entries(changed).values()
        missing = [entry for entry in entries if entry.verdict is None]
        assert missing or results.page(changed) != written

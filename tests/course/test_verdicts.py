"""The verdicts that the notebooks have computed."""

import pytest

from helpers import claims
from tools.author import blocks

from . import reading
from .test_notebooks import NOTEBOOKS

COMPUTED = [
    (trial, verdict)
    for notebook in NOTEBOOKS.values()
    for trial in reading.trials(notebook)
    if (verdict := reading.verdicts(notebook).get(trial.claim))
    and verdict.text
]


@pytest.mark.parametrize(
    "trial, verdict", COMPUTED, ids=lambda each: each.claim
)
def test_a_claim_is_quoted_and_its_verdict_is_the_known_one(trial, verdict):
    head, _ = claims.read(trial.claim)
    assert (trial.quote, verdict.word) == (head["claim"], head["found"])


SHOWN = [each for nb in NOTEBOOKS.values() for each in reading.identities(nb)]


@pytest.mark.parametrize("shown", SHOWN, ids=lambda each: each.claim)
def test_an_identity_is_the_known_one_below_a_heading(shown):
    head, text = claims.read(shown.claim)
    assert shown.verdict.word == head["found"] and shown.heading
    assert "\n\n" not in text and len(text.split()) <= 90


def test_a_claim_points_to_one_that_is_decided():
    decided = [v.claim for _, v in COMPUTED] + [s.claim for s in SHOWN]
    for claim, other in blocks.same().items():
        assert claim not in decided and other in decided

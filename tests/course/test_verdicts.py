"""The verdicts that the notebooks have computed."""

import pytest

from helpers import claims

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

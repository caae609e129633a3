"""What the views of the road answer when somebody types a sentence."""

from pathlib import Path
from unittest.mock import Mock

import nbformat
import numpy as np
import pytest

from helpers import attention, checks, embeddings, tasks
from helpers.experiments.before_after import asker
from helpers.experiments.head_measures import ask_model
from helpers.models import AttentionClassifier, LanguageModel

from . import reading

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SMALL = dict(train_count=40, test_count=20)
ROAD = ["00", "01", "02", "04", "06"]


@pytest.fixture(scope="module")
def asked():
    """{notebook: what its view asks}, of models that are not trained."""
    task = tasks.load("which_noun", 1, **SMALL)
    one, two = (
        AttentionClassifier(seed=1),
        AttentionClassifier(heads=2, output=True),
    )
    known = [".", "the", "dragons"]
    names = {
        "np": np, "embeddings": embeddings, "plots": Mock(), "task": task,
        "attention": attention, "checks": checks, "self_attention": ...,
        "untrained": one, "trained": one, "start": ["the"],
        "model": LanguageModel(known, np.eye(3, 8), num_heads=2, hidden=8),
    }  # fmt: skip
    asks = {
        "00": asker(task, {"untrained": one, "trained": one}),
        "04": ask_model(
            two,
            tasks.load("who_whom", 1, **SMALL),
            attention.multi_head_attention,
        ),
    }
    for number in {*ROAD} - {*asks}:
        [path] = NOTEBOOKS.glob(f"{number}_*.ipynb")
        cells = reading.code_cells(nbformat.read(path, 4))
        for cell in cells:  # a view may use what a learner writes
            stub = "exercise" in reading.tags(cell)
            if stub or "def ask(" in cell.source:
                exec(cell.source, names)
        asks[number] = names["ask"]
    return asks


SENTENCES = {
    "the tulipsx and the": "'tulipsx'",
    "the 😀, the dragons": "'😀'",
    "the doctor’s": '"doctor\'s"',
    ".": "text has no words, only '.'",
}


@pytest.mark.parametrize("number", ROAD)
@pytest.mark.parametrize("sentence, said", SENTENCES.items())
def test_a_word_that_a_model_does_not_know_is_named(
    asked, number, sentence, said
):
    with pytest.raises(ValueError) as error:
        asked[number](sentence)
    assert said in str(error.value) and "##" not in str(error.value)


@pytest.mark.parametrize("number", ROAD)
def test_punctuation_is_no_word(asked, number):
    _, tokens = asked[number]("“The dragons” – (the) dragons, the!")
    assert tokens[-5:] == "the dragons the dragons the".split()

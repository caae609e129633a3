"""Stored models: each group is there, and comes out of training again."""

import pytest
from numpy.testing import assert_allclose

from helpers import embeddings
from helpers.experiments import stored_models
from helpers.experiments.runs import SEEDS
from helpers.models.files import load_arrays
from tools.author import store_models


def test_the_file_holds_five_models_of_each_group_and_no_more():
    arrays, _ = load_arrays(embeddings.data_file(stored_models.FILE))
    groups = {name.rsplit(" | ", 1)[0] for name in arrays}
    assert groups == {
        f"{g} | {s}" for g in stored_models.GROUPS for s in SEEDS
    }


@pytest.mark.parametrize("name", ["no W_V", "who and whom, averaged"])
def test_a_stored_model_comes_out_of_training_again(name):
    kept, found = (
        stored_models.load(name),
        stored_models.train(name, SEEDS[1:2]),
    )
    assert kept.accuracy.shape[0] == len(kept.models) == len(SEEDS)
    for measure in ("accuracy", "mass"):
        again = getattr(found, measure)[0]
        assert_allclose(again, getattr(kept, measure)[1], atol=0.004)
    for parameter, array in found.models[0].parameters.items():
        assert_allclose(array, kept.models[1].parameters[parameter], atol=0.01)


def test_models_are_stored_as_they_are_trained(monkeypatch, tmp_path):
    few = {"the one": ("which_noun", dict(task=dict(train_count=8)))}
    monkeypatch.setattr(stored_models, "GROUPS", few)
    store_models.store(tmp_path)
    arrays, _ = load_arrays(tmp_path / stored_models.FILE)
    again = stored_models.train("the one")
    assert arrays.keys() == stored_models.arrays_of("the one", again).keys()
    for name, array in stored_models.arrays_of("the one", again).items():
        assert_allclose(arrays[name], array)
    assert stored_models.FILE in (tmp_path / "SHA256SUMS").read_text()


def test_another_name_is_refused():
    with pytest.raises(ValueError, match="name: .*'which noun'.*'yours'"):
        stored_models.load("yours")

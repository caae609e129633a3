"""Stored models: each group is there, and comes out of training again."""

import pytest
from numpy.testing import assert_allclose

from helpers import embeddings
from helpers.experiments import (
    language,
    stored,
    stored_models,
    token_counting,
)
from helpers.experiments.runs import SEEDS
from helpers.models.files import load_arrays
from tools.author import store_models


def test_the_file_holds_the_models_of_all_groups_and_no_more():
    arrays, _ = load_arrays(embeddings.data_file(stored_models.FILE))
    found = {name.rsplit(" | ", 1)[0] for name in arrays}
    groups = [*stored_models.GROUPS]
    groups += [stored_models.COUNTER + kind for kind in token_counting.KINDS]
    wanted = {f"{group} | {seed}" for group in groups for seed in SEEDS}
    assert found == wanted | {f"{stored_models.LANGUAGE} | {SEEDS[0]}"}


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


def test_a_stored_counter_comes_out_of_training_again():
    kind = "number, one reference word"
    found = token_counting.train_counter(kind, SEEDS[2])
    kept = stored_models.counters(kind)[2]
    for parameter, array in found.parameters.items():
        assert_allclose(array, kept.parameters[parameter], atol=0.01)


def test_the_stored_language_model_is_as_good_as_its_stored_run():
    row = stored.load("language_runs")["one layer"]
    found = language.measure(stored_models.language_model(), SEEDS[0])
    for measure, value in found.items():
        assert value == pytest.approx(row[measure][0], abs=1e-3), measure


def test_models_are_stored_as_they_are_trained(monkeypatch, tmp_path):
    model = token_counting.new_counter("number", 1)
    some = [("the one", 1, model)]
    monkeypatch.setattr(stored_models, "train_all", lambda: some)
    store_models.store(tmp_path)
    arrays, _ = load_arrays(tmp_path / stored_models.FILE)
    names = {f"the one | 1 | {n}": a for n, a in model.parameters.items()}
    assert arrays.keys() == names.keys()
    for name, array in names.items():
        assert_allclose(arrays[name], array)
    assert stored_models.FILE in (tmp_path / "SHA256SUMS").read_text()


def test_another_name_is_refused():
    with pytest.raises(ValueError, match="name: .*'which noun'.*'yours'"):
        stored_models.load("yours")

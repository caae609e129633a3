"""The scoreboard prints what it was given, and refuses what it cannot."""

import re

import numpy as np
import pytest

from helpers.baselines import (
    attention_mass,
    bag_of_vectors,
    measure,
    untrained_attention,
)
from helpers.scoreboard import Scoreboard


def test_rows_are_printed_with_mean_spread_and_worst(capsys):
    board = Scoreboard("Who?", chance=0.25)
    board.add("a model", [0.5, 0.7], [0.1, 0.3], 1234)
    board.add("another", [1.0])
    board.add("m" * 35, [0.9, 0.0, 0.6], [0.0, 0.0, 0.0])
    board.show()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Who?")
    assert re.fullmatch(r"chance +0\.250 +– +0", lines[2])
    assert "0.600 ± 0.100 [0.50] 0.200 ± 0.100  1,234" in lines[3]
    assert "1.000 ± 0.000 [1.00]" in lines[4]
    assert "0.500 ± 0.374 [0.00] 0.000 ± 0.000" in lines[5]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (dict(accuracy=[1.2]), "accuracy"),
        (dict(accuracy=[]), "accuracy"),
        (dict(accuracy=[[0.5]]), "accuracy"),
        (dict(accuracy=[np.nan]), "accuracy"),
        (dict(accuracy=[0.5], mass=[0.1, 0.2]), "mass"),
        (dict(accuracy=[0.5, 0.6], mass=[0.1]), "mass"),
        (dict(accuracy=[0.5], mass=[-0.1]), "mass"),
        (dict(accuracy=[0.5], parameters=-1), "parameters"),
    ],
)
def test_bad_rows_are_refused(arguments, name):
    with pytest.raises(ValueError, match=name):
        Scoreboard("Who?", 0.5).add("a model", **arguments)


def test_other_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="chance"):
        Scoreboard("Who?", 1.5)
    with pytest.raises(TypeError, match="parameters"):
        Scoreboard("Who?", 0.5).add("a model", [0.5], parameters=None)


def test_long_names_are_refused():
    with pytest.raises(ValueError, match="35"):
        Scoreboard("Who?", 0.5).add("m" * 36, [0.5])


def sentences():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 5, 4))
    mask = np.arange(5) < np.array([[5], [4], [3]])
    return x, np.array([4, 3, 2]), mask


def test_bag_of_vectors_adds_the_words_and_no_padding():
    x, query, mask = sentences()
    features, weights = bag_of_vectors(x, query, mask)
    np.testing.assert_allclose(features[2], x[2, :3].sum(axis=0))
    assert weights is None


@pytest.mark.parametrize("sees_itself", [True, False])
def test_untrained_attention_by_hand(sees_itself):
    x, query, mask = sentences()
    before = mask.copy()
    context, weights = untrained_attention(
        x, query, mask, sees_itself=sees_itself
    )
    for i in range(3):
        allowed = mask[i].copy()
        allowed[query[i]] = sees_itself
        powers = np.exp(x[i] @ x[i, query[i]] / 2) * allowed
        np.testing.assert_allclose(weights[i], powers / powers.sum())
        np.testing.assert_allclose(context[i], weights[i] @ x[i])
    np.testing.assert_array_equal(mask, before)


def test_attention_mass_is_the_mean_weight_on_the_targets():
    weights = np.array([[0.2, 0.8], [0.6, 0.4]])
    assert attention_mass(weights, np.array([1, 0])) == pytest.approx(0.7)


def test_a_readout_sees_what_it_can_and_no_more():
    oracle = measure(
        lambda x, query, mask: (x[:, 2:11].reshape(len(x), -1), None),
        seeds=(0,),
        split="train",
    )
    chance = measure(
        lambda x, query, mask: (x[np.arange(len(x)), query], None),
        seeds=(0,),
    )
    assert oracle["accuracy"][0] > 0.75
    assert abs(chance["accuracy"][0] - 0.5) < 0.05

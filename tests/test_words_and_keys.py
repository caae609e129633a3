"""Experiments of rooms 01 to 03: dictionaries, words, queries of verbs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers import tasks
from helpers.experiments import (
    soft_dictionary,
    what_was_made,
    word_weights,
)
from helpers.experiments.soft_dictionary import HOPFIELD, METHODS, NEAREST
from helpers.models import AttentionClassifier


@pytest.mark.parametrize("method", METHODS)
def test_one_pair_always_comes_back(method):
    key = np.array([[0.6, 0.8]])
    value = np.array([[3.0, -1.0, 2.0]])
    assert_allclose(
        soft_dictionary.look_up(method, key, key, value), value, atol=1e-12
    )


def test_orthogonal_keys_come_back_from_a_matrix():
    key, value = np.eye(4), np.random.default_rng(1).normal(size=(4, 3))
    found = soft_dictionary.look_up(HOPFIELD, key, key, value)
    assert_allclose(found, value, atol=1e-12)


def test_more_keys_are_harder_and_the_nearest_is_hardest_to_fool():
    few, many = (
        soft_dictionary.found("softmax, scores × √d", 16, size)
        for size in (4, 256)
    )
    assert few == 1 and many < 0.1
    assert soft_dictionary.found(NEAREST, 16, 256) > 0.95


def test_a_mixture_may_miss_the_value_and_still_be_nearest_to_it():
    soft, hard = "softmax, scores × √d", NEAREST
    parts = [soft_dictionary.nearest_is_right(soft, 16, n) for n in (64, 4096)]
    assert soft_dictionary.found(soft, 16, 64) < parts[0] > 0.9 > parts[1]
    found = soft_dictionary.found(hard, 16, 64)
    assert soft_dictionary.nearest_is_right(hard, 16, 64) == found


def test_keys_of_different_lengths_mislead_a_lookup():
    assert soft_dictionary.found(NEAREST, 16, 256, lengths=(0.2, 2)) < 0.9


def test_unknown_methods_are_named():
    with pytest.raises(ValueError, match="method: .*'softest'"):
        soft_dictionary.look_up("softest", *np.ones((3, 1, 2)))


def test_a_noun_matters_more_than_its_article():
    [(words, lengths, changes)] = word_weights.what_matters(["the cat sleeps"])
    assert words == ["the", "cat", "sleeps"]
    assert lengths.shape == changes.shape == (3,)
    assert changes[1] > 5 * changes[0] > 0
    assert word_weights.what_matters(["the tulipsx"]) == []


def test_ranks_correlate_whatever_the_numbers():
    assert word_weights.rank_correlation([1, 5, 2], [0, 99, 1]) == 1
    assert word_weights.rank_correlation([1, 2, 3], [9, 5, 1]) == -1


def test_rows_of_a_published_model_cannot_be_compared():
    agree, clear = word_weights.order_between_rows(["the cat sleeps"])
    assert agree.shape == clear.shape == (72,)
    assert 0.5 < agree.mean() < 0.95
    assert agree.mean() < clear.mean() <= 1


def test_a_number_tells_the_kind_that_it_tells_best():
    queries = [[1, 3], [2, 3], [0, 3], [-1, 3]]  # the second tells nothing
    found = what_was_made.kind_by_number(queries, ["a", "a", "b", "b"])
    assert found == (1 + 0.5) / 2


def test_every_verb_has_a_query_and_a_kind():
    task = tasks.load("which_noun", 1, train_count=8, test_count=2)
    model = AttentionClassifier()
    queries, kinds = what_was_made.queries_of_verbs(model, task.table)
    assert queries.shape == (46, 16)
    assert {*kinds} == {"animate", "vehicle", "plant"}

"""The models without trained attention, on sentences made for the test."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from helpers import baselines, tasks
from helpers.attention import softmax


@pytest.fixture
def batch(rng):
    """Two sentences, of 4 and of 2 words; numbers in the padding too."""
    x = rng.normal(size=(2, 4, 3))
    mask = np.array([[True] * 4, [True, True, False, False]])
    return x, np.array([3, 1]), mask


def test_the_bag_adds_up_the_words_and_no_padding(batch):
    x, _, mask = batch
    features, weights = baselines.bag_of_vectors(*batch)
    assert weights is None
    assert_allclose(features[0], x[0, 0] + x[0, 1] + x[0, 2] + x[0, 3])
    assert_allclose(features[1], x[1, 0] + x[1, 1])


def test_untrained_attention_asks_with_the_query_word(batch):
    x, query, mask = batch
    context, weights = baselines.untrained_attention(*batch)
    for i, length in enumerate(mask.sum(axis=1)):
        words = x[i, :length]
        expected = softmax(words @ x[i, query[i]] / np.sqrt(3))
        assert_allclose(weights[i, :length], expected, rtol=1e-12)
        assert_array_equal(weights[i, length:], 0)
        assert_allclose(context[i], expected @ words, rtol=1e-12)


def test_a_query_may_be_kept_from_itself(batch):
    x, query, mask = batch
    before = mask.copy()
    _, weights = baselines.untrained_attention(*batch, sees_itself=False)
    assert_array_equal(mask, before)
    assert_array_equal(weights[[0, 1], query], 0)
    assert_allclose(weights.sum(axis=1), 1, rtol=1e-12)
    assert_allclose(weights[1], [1, 0, 0, 0], rtol=1e-12)


def test_attention_mass_is_the_mean_weight_at_the_targets():
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
    mass = baselines.attention_mass(weights, np.array([2, 0]))
    assert_allclose(mass, 0.6, rtol=1e-12)


def made_up_task(seed):
    """Labels 1, 0, 0, 0, 1 …; the first word's vector has the answer."""

    def examples(count):
        labels = (np.arange(count) % 4 == 0).astype(int)
        x = np.random.default_rng(seed).normal(size=(count, 3, 2))
        x[:, 0, 0] = 2 * labels - 1
        sentences = SimpleNamespace(
            labels=labels[:, None],
            evidence=np.zeros((count, 1), int),
            position=np.full(count, 2),
        )
        mask = np.ones((count, 3), bool)
        return SimpleNamespace(sentences=sentences, x=x, mask=mask)

    return SimpleNamespace(train=examples(60), test=examples(40))


def know(x, query, mask):
    """The right answer, and all attention on the first word."""
    return x[:, 0, :1], np.eye(3)[np.zeros(len(x), int)]


def know_nothing(x, query, mask):
    return np.ones((len(x), 1)), None


@pytest.mark.parametrize("split", ["train", "test"])
def test_measure(monkeypatch, split):
    monkeypatch.setattr(tasks, "load", lambda _, s: made_up_task(s))
    right = baselines.measure(know, seeds=(1, 2, 3), split=split)
    assert_array_equal(right["accuracy"], [1, 1, 1])
    assert_array_equal(right["mass"], [1, 1, 1])
    blind = baselines.measure(know_nothing, seeds=(1, 2), split=split)
    assert_array_equal(blind["accuracy"], [0.75, 0.75])  # says 0 to all
    assert blind["mass"] is None
    assert right["parameters"] == blind["parameters"] == 4  # 1 and a bias, × 2


def test_attention_elsewhere_is_a_mass_of_0(monkeypatch):
    monkeypatch.setattr(tasks, "load", lambda _, s: made_up_task(s))
    elsewhere = np.eye(3)[2]
    found = baselines.measure(
        lambda x, query, mask: (x[:, 0], np.tile(elsewhere, (len(x), 1))),
        seeds=(1, 2),
    )
    assert_array_equal(found["mass"], [0, 0])


def test_measure_tests_on_what_was_held_out(monkeypatch):
    monkeypatch.setattr(tasks, "load", lambda _, s: made_up_task(s))
    seen = []
    baselines.measure(
        lambda x, query, mask: (seen.append(len(x)) or x[:, 0], None),
        seeds=(1,),
    )
    assert seen == [60, 40]


def test_measure_asks_for_the_five_seeds(monkeypatch):
    asked = []
    monkeypatch.setattr(
        tasks, "load", lambda _, s: asked.append(s) or made_up_task(s)
    )
    baselines.measure(know)
    assert asked == [1000, 1001, 1002, 1003, 1004]

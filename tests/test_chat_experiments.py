"""Trial room 08: windows, rounded caches, facts and heads."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from helpers.chat_model import file
from helpers.chat_model.layers import rotate, rotation
from helpers.experiments import chat_facts, chat_texts, stored
from helpers.experiments.chat_windows import Hidden, RollingCache, Window
from helpers.experiments.stored import (
    cache_bits_runs,
    chat_head_runs,
    depth_runs,
)
from helpers.tasks import running_text
from helpers.training import cross_entropy

needs_model = pytest.mark.skipif(
    not file.is_here(), reason="no chat model here; make model brings it"
)
CAUSAL = np.tri(5, dtype=bool)
SMALL = SimpleNamespace(is_causal=True, num_layers=1, size=4, base=100.0)


def test_a_window_shows_the_last_tokens_and_those_that_are_kept():
    seen = Window(2, [0]).mask(0, CAUSAL)
    assert_array_equal(seen[3], [True, False, True, True, False])
    assert_array_equal(Window(9).mask(0, CAUSAL), CAUSAL)
    # two new tokens after three that are cached
    assert_array_equal(Window(2, [0]).mask(0, CAUSAL[3:]), seen[3:])


def test_a_token_is_hidden_from_some_position_on():
    seen = Hidden([1], 3).mask(0, CAUSAL)
    assert_array_equal(np.argwhere(CAUSAL & ~seen), [[3, 1], [4, 1]])


def test_a_rolling_cache_moves_the_last_tokens_and_keeps_the_first(rng):
    cache = RollingCache(SMALL, 1, 2)
    rows = rng.normal(size=(1, 6, 4)).astype(np.float32)
    keys = rotate(rows, *rotation(np.arange(6), 4, 100.0))
    cache.layer(0)(keys, rows)
    cache.length = 6
    cache.roll()
    assert len(cache) == 3
    assert_array_equal(cache.values[0], rows[:, [0, 4, 5]])
    expected = rotate(rows[:, [0, 4, 5]], *rotation(np.arange(3), 4, 100.0))
    assert_allclose(cache.keys[0], expected, atol=1e-6)
    cache.roll()  # nothing is too long now
    assert_allclose(cache.keys[0], expected, atol=1e-6)


def test_rounding_keeps_the_ends_and_uses_few_levels(rng):
    rounded = cache_bits_runs.rounded
    x = np.array([[0.0, 1.4, 3.0], [0.0, 20.0, 30.0]])
    assert_allclose(rounded(x, 2, -1), [[0, 1, 3], [0, 20, 30]])
    assert_allclose(rounded(x, 1, -2), x)  # two rows, two levels
    x = rng.normal(size=(7, 64))
    found = rounded(x, 4, -1)
    step = np.ptp(x, axis=-1, keepdims=True) / 15
    assert (abs(found - x) <= step / 2 + 1e-12).all()
    assert max(len(np.unique(row.round(9))) for row in found) <= 16
    assert_array_equal(rounded(np.ones((2, 3)), 4, -1), np.ones((2, 3)))


def test_rounding_in_groups_has_a_scale_for_each(rng):
    rounded = cache_bits_runs.rounded
    x = rng.normal(size=(2, 6, 8))
    for axis, size in ((-1, 8), (-2, 6)):
        assert_array_equal(rounded(x, 4, axis, size), rounded(x, 4, axis))
    found = rounded(x, 4, -1, 4)
    assert_array_equal(found[..., :4], rounded(x[..., :4], 4, -1))
    assert_array_equal(found[..., 4:], rounded(x[..., 4:], 4, -1))


def test_a_cache_is_rounded_once_and_not_before_the_piece_is_read(rng):
    cache = cache_bits_runs.RoundedCache(SMALL, 2, (-1, None))
    pieces = rng.normal(size=(2, 1, 3, 4))
    for number, piece in enumerate(pieces, 1):
        keys, values = cache.layer(0)(+piece, +piece)
        assert_array_equal(keys[:, -3:], piece)
        cache.length = 3 * number
        cache.finish()
    expected = cache_bits_runs.rounded(pieces, 2, -1).reshape(1, 6, 4)
    assert_allclose(cache.keys[0], expected)
    assert_array_equal(cache.values[0], pieces.reshape(1, 6, 4))


def test_the_surprise_of_a_token_is_its_cross_entropy(rng):
    logits, tokens = rng.normal(size=(6, 9)), rng.integers(9, size=6)
    found = chat_texts.surprise(logits, tokens)
    assert found.mean() == pytest.approx(cross_entropy(logits, tokens)[0])


def test_unseen_passages_are_eight_and_one_paragraph_each():
    passages = running_text.unseen()
    assert len(passages) == chat_texts.COUNT == len({*passages})
    assert not any("\n" in each for each in passages)


def test_unknown_kinds_and_forms_are_named():
    with pytest.raises(ValueError, match=r"kind: .*'plays'.*'poems'"):
        chat_texts.texts("poems")
    with pytest.raises(ValueError, match=r"form: .*'copy'.*'guess'"):
        chat_facts.asked(0, "guess")


def test_other_heads_are_drawn_from_the_rest(monkeypatch):
    scores = np.linspace(0, 1, 270).reshape(30, 9)
    scores[29, 0] = 2
    monkeypatch.setattr(chat_head_runs, "_scores", lambda: scores)
    chat_head_runs.ranked.cache_clear()
    best = chat_head_runs.ranked()[:5]
    assert best == [(29, 0), (29, 8), (29, 7), (29, 6), (29, 5)]
    for draw in range(3):
        heads = chat_head_runs.drawn(5, draw)
        assert len({*heads}) == 5 and not {*heads} & {*best}
    near = chat_head_runs.drawn(3, 0, same_layers=True)
    assert len({*near}) == 3 and {layer for layer, _ in near} == {29}
    chat_head_runs.ranked.cache_clear()


def test_what_is_lost_is_a_part_of_the_gain():
    whole = {
        "words": np.array([2.0]),
        "other order": np.array([10.0]),
        "again": np.ones(1),
        "prose": 3 + np.ones(1),
    }
    off = {
        "words": np.array([7.0]),
        "other order": np.array([11.0]),
        "again": 2 * np.ones(1),
        "prose": 5 * np.ones(1),
    }
    rows = {"none": whole, "best": whole}
    found = chat_head_runs.lost(rows | {"any 0": off, "any 10": whole}, "any")
    assert found["words"].tolist() == [50, 0]
    assert_allclose(found["again"], [100 / 3, 0])
    assert found["prose"].tolist() == [1, 0]


def test_what_was_found_is_sorted_by_facts():
    number, depth = np.indices((20, 10))
    right = 10 * ((depth + number) % 10) + depth  # fact and depth
    found = depth_runs.by_fact(right)
    assert_array_equal(found, np.arange(100).reshape(10, 10))


@needs_model
def test_answers_to_a_question_begin_with_different_tokens():
    encode = chat_texts.load_chat_model().encode
    for fact in chat_facts.FACTS:
        words = fact.answers.split()
        assert len({encode(f" {word}")[0] for word in words}) == len(words)


@needs_model
def test_facts_of_a_long_text_are_found_as_they_are_stored():
    kept = stored.load("depth_runs", stored.BRIEF)["unseen, 400 tokens"]
    found = depth_runs.found("unseen", 400, 0)
    for form, right in found.items():
        assert np.sum(right != kept[form][0]) <= 1  # two may be as likely

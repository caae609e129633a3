"""Answers to the exercises of notebook 08, as learners write them."""

import numpy as np
import pytest

from helpers import checks
from helpers.attention import scaled_dot_product_attention as attend
from helpers.checks.engine.explain import edited


def whole_matrix(query, key, value, size):
    return attend(query, key, value)[0]


def in_blocks(query, key, value, size, step=lambda mix, total: mix, more=0):
    highest, total, mix = np.full((len(query), 1), -np.inf), 0, 0
    for start in range(0, len(key), size):
        part = slice(start, start + size + more)
        scores = query @ key[part].T / np.sqrt(key.shape[1])
        new = np.maximum(highest, scores.max(axis=1, keepdims=True))
        weights, rescale = np.exp(scores - new), np.exp(highest - new)
        total = total * rescale + weights.sum(axis=1, keepdims=True)
        mix = step(mix * rescale + weights @ value[part], total)
        highest = new
    return mix / total


def by_queries(query, key, value, size):
    """Right as long as there are not more queries than keys."""
    found = np.zeros((len(query), value.shape[1]))
    for start in range(0, len(key), size):
        part = slice(start, start + size)
        found[part] = attend(query[part], key, value)[0]
    return found


def clerk(scores, values, step, end=np.divide):
    """The loop of the text, with its blanks filled by `step`."""
    highest, total, mix = -np.inf, 0.0, np.zeros(values.shape[1])
    for score, value in zip(scores, values, strict=True):
        new = max(highest, score)
        rescale, weight = np.exp(highest - new), np.exp(score - new)
        total = total * rescale + weight
        mix = step(mix, rescale, weight, value, total)
        highest = new
    return end(mix, total)


def turned(highest_a, total_a, mix_a, highest_b, total_b, mix_b):
    """Factors are upside down for the totals, and missing for the mixes."""
    highest = np.maximum(highest_a, highest_b)
    a, b = (np.exp(highest - half) for half in (highest_a, highest_b))
    return highest, a * total_a + b * total_b, mix_a + mix_b


def test_the_memory_of_a_whole_matrix_is_told(told):
    text = told(checks.attend_in_blocks, whole_matrix)
    assert text.startswith("✓ attend_in_blocks: correct.")
    assert "took 8 MiB of memory" in text


def test_blocks_are_not_told_how_much_they_took(told):
    text = told(checks.attend_in_blocks, in_blocks)
    assert text == (
        "✓ attend_in_blocks: correct. The whole matrix would give the same"
        " numbers."
    )


@pytest.mark.parametrize("name", ["online_attention", "attend_in_blocks"])
def test_nan_is_first_called_nan(name, told_why):
    text = told_why(name, lambda *args: np.nan, "every number is NaN")
    assert "rescale" not in text


WRONG = (
    ("attend_in_blocks", by_queries, "some queries get no context"),
    (
        "attend_in_blocks",
        lambda *args: in_blocks(*args, step=lambda mix, total: mix / total),
        "divided by the total inside the loop",
    ),
    (
        "online_attention",
        lambda s, v: clerk(
            s, v, lambda m, r, w, y, total: (m * r + w * y) / total
        ),
        "the mix is divided by the total inside the loop",
    ),
    (
        "online_attention",
        lambda s, v: clerk(s, v, lambda m, r, w, y, _: m + r * w * y),
        "the new terms are rescaled, and the old ones are not",
    ),
    (
        "attend_in_blocks",
        lambda *args: in_blocks(*args, more=1),
        "the blocks overlap",
    ),
    (
        "online_attention",
        lambda s, v: clerk(
            s, v, lambda m, r, w, y, _: m + w * y, lambda mix, total: mix
        ),
        "online_attention: the mix is not rescaled when a higher score"
        " appears, and the mix is not divided by the total. ",
    ),
    (
        "online_attention",
        lambda s, v: clerk(
            s,
            v,
            lambda m, r, w, y, _: m * r + y,
            lambda mix, total: mix / len(s),
        ),
        "without their weights, and the mix is divided by the number of keys",
    ),
    (
        "online_attention",
        lambda s, v: clerk(s, v, lambda m, r, w, y, _: m * r + w * v),
        "all values are used at once",
    ),
)


def test_what_is_not_so_is_not_named(told_why):
    text = told_why("merge_halves", turned, "the mixes are not rescaled")
    assert "nothing is rescaled" not in text


def bent(query, key, value, size):
    """Scores are right in each round; what is done with them is not."""
    highest, total, mix = np.full((len(query), 1), -np.inf), 0, 0
    for start in range(0, len(key), size):
        part = slice(start, start + size)
        scores = query @ key[part].T / np.sqrt(key.shape[1])
        new = np.maximum(highest, scores.max(axis=1, keepdims=True))
        weights, rescale = np.exp(scores - new), np.exp(highest - new)
        total = total * rescale + weights.sum(axis=1, keepdims=True)
        mix = np.sin(1.3 * mix * rescale) + weights @ np.cos(value[part])
        highest = new
    return mix / total


def test_one_round_of_a_loop_is_not_called_all(told_why, monkeypatch):
    monkeypatch.setattr(edited, "too_plain", lambda trials: True)
    told_why(
        "attend_in_blocks",
        bent,
        "In one round of the loop, `",
        "Look at the other rounds, and at what happens after it.",
    )


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])

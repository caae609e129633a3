"""Answers to the exercises of notebook 10, as learners write them."""

import numpy as np
import pytest

from helpers import checks
from helpers.attention import scaled_dot_product_attention as attend
from helpers.checks.engine.explain import edited


def whole_matrix(query, key, value, size):
    return attend(query, key, value)[0]


def in_blocks(query, key, value, size):
    highest, total, mix = np.full((len(query), 1), -np.inf), 0, 0
    for start in range(0, len(key), size):
        part = slice(start, start + size)
        scores = query @ key[part].T / np.sqrt(key.shape[1])
        new = np.maximum(highest, scores.max(axis=1, keepdims=True))
        weights, rescale = np.exp(scores - new), np.exp(highest - new)
        total = total * rescale + weights.sum(axis=1, keepdims=True)
        mix = mix * rescale + weights @ value[part]
        highest = new
    return mix / total


def by_queries(query, key, value, size):
    """Right as long as there are not more queries than keys."""
    found = np.zeros((len(query), value.shape[1]))
    for start in range(0, len(key), size):
        part = slice(start, start + size)
        found[part] = attend(query[part], key, value)[0]
    return found


def never_rescaled(scores, values):
    """Forget the total as well."""
    highest, mix = -np.inf, np.zeros(values.shape[1])
    for score, value in zip(scores, values, strict=True):
        highest = max(highest, score)
        mix = mix + np.exp(score - highest) * value
    return mix


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
        "online_attention",
        never_rescaled,
        "your code does not rescale the mix when a higher score appears,"
        " and does not divide the mix by the total. ",
    ),
)


def test_what_is_not_so_is_not_named(told_why):
    text = told_why("merge_halves", turned, "does not rescale the mixes")
    assert "rescale anything" not in text


def bent(query, key, value, size):
    """Scores are right in each round; what is done with them is not."""
    highest, mix = np.full((len(query), 1), -np.inf), 0
    for start in range(0, len(key), size):
        part = slice(start, start + size)
        scores = query @ key[part].T / np.sqrt(key.shape[1])
        highest = np.maximum(highest, scores.max(axis=1, keepdims=True))
        mix = np.sin(1.3 * mix) + np.exp(scores - highest) @ value[part]
    return mix


def test_one_round_of_a_loop_is_not_called_all(told_why, monkeypatch):
    monkeypatch.setattr(edited, "too_plain", lambda trials: True)
    told_why(
        "attend_in_blocks",
        bent,
        "In one round of the loop, `",
    )


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])

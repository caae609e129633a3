"""Answers to the exercise of trial room 10, as learners write them."""

import numpy as np
import pytest

from helpers import checks
from helpers.attention import scaled_dot_product_attention as attend


def repeats(query, key, value, of_key=np.repeat, of_value=np.repeat):
    count = len(query) // len(key)
    return attend(query, of_key(key, count, 0), of_value(value, count, 0))[0]


def tile(array, count, axis):
    return np.tile(array, (count, 1, 1))


def as_it_is(array, count, axis):
    return array


def by_groups(query, key, value):
    groups = query.reshape(len(key), -1, *query.shape[1:])
    context, _ = attend(groups, key[:, None], value[:, None])
    return context.reshape(-1, *context.shape[2:])


def head_by_head(query, key, value):
    each = len(query) // len(key)
    return [
        attend(q, key[h // each], value[h // each])[0]
        for h, q in enumerate(query)
    ]


@pytest.mark.parametrize("answer", [repeats, by_groups, head_by_head])
def test_right_answers(answer, told):
    said = told(checks.grouped_attention, answer)
    assert said.startswith("✓ grouped_attention: correct")


WRONG = (
    (lambda q, k, v: repeats(q, k, v, of_value=tile), "the values only"),
    (
        lambda q, k, v: attend(q, k, v)[0],
        "4 queries are paired with 2",
        "broadcast",
    ),
    (
        lambda q, k, v: repeats(q, k, v, of_value=as_it_is),
        "4 queries are paired with 2",
    ),
    (lambda q, k, v: repeats(q, k, v, as_it_is), "along the first axis"),
    (lambda q, k, v: attend(q, k[:1], v[:1]), "returns 2 results"),
)


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told):
    answer, *phrases = WRONG[case]
    said = " ".join(told(checks.grouped_attention, answer).split())
    assert said.startswith("✗ grouped_attention: ")
    for phrase in phrases:
        assert phrase in said, said

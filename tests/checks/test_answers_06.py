"""Answers to the exercises of notebook 06, as learners write them."""

import numpy as np
import pytest

from helpers import attention, checks


def who_moves(layer, x, new=None, limit=1e-9):
    rng, before = np.random.default_rng(3), layer(x)
    moved = np.zeros((len(x), len(x)), bool)
    for j in range(len(x)):
        other = x.copy()
        other[j] = (
            rng.standard_normal(x.shape[1]) if new is None else new(x[j])
        )
        moved[:, j] = np.abs(layer(other) - before).max(axis=1) > limit
    return moved


def who_moves_by_lists(layer, x):
    table = []
    for i in range(len(x)):
        row = []
        for j in range(len(x)):
            other = [list(word) for word in x]
            other[j] = [number + 1 + k for k, number in enumerate(other[j])]
            move = layer(np.array(other))[i] - layer(x)[i]
            row.append(max(abs(move)) > 1e-9)
        table.append(row)
    return table


def added(constant):
    """Make an answer that adds a constant to each word."""
    return lambda f, x: who_moves(f, x, lambda row: row + constant)


def in_place(x, norm_1, attend, norm_2, feed_forward):
    x += attend(norm_1(x))
    x += feed_forward(norm_2(x))
    return x


def loss_by_loop(logits, tokens):
    found = []
    for t in range(len(tokens) - 1):
        shifted = logits[t] - max(logits[t])
        total = sum(np.exp(z) for z in shifted)
        found.append(np.log(total) - shifted[tokens[t + 1]])
    return sum(found) / len(found)


def cached(query, key, value, keys, values):
    keys, values = np.vstack([keys, key]), np.vstack([values, value])
    out, _ = attention.scaled_dot_product_attention(query[None], keys, values)
    return out[0], keys, values


def exact_loss(logits, tokens):
    shifted = logits[:-1] - logits[:-1].max(axis=-1, keepdims=True)
    picked = shifted[np.arange(len(shifted)), tokens[1:]]
    return np.mean(np.log(np.exp(shifted).sum(axis=-1)) - picked)


def hidden_by_the_first_axis(scores):
    visible = np.tri(scores.shape[0], dtype=bool)
    return np.where(visible, scores, -np.inf)


def weights_returned(query, key, value, keys, values):
    keys, values = np.vstack([keys, key]), np.vstack([values, value])
    return attention.softmax(keys @ query / len(query) ** 0.5), keys, values


def value_forgotten(query, key, value, keys, values):
    all_keys = np.vstack([keys, key])
    weights = attention.softmax(all_keys @ query / np.sqrt(len(query)))
    return weights @ values, all_keys, np.vstack([values, value])


def appended_to_an_array(query, key, value, keys, values):
    keys.append(key)
    return query, keys, values


RIGHT = (
    ("depends_on", who_moves),
    ("depends_on", who_moves_by_lists),
    (
        "block",
        lambda x, n, a, m, f: x + a(n(x)) + f(m(x + a(n(x)))),
    ),
    ("next_word_loss", loss_by_loop),
    ("next_word_loss", exact_loss),
    ("attend_with_cache", cached),
)
WRONG = (
    ("depends_on", lambda f, x: who_moves(f, x, limit=1e-5), "overlooked"),
    ("depends_on", lambda f, x: who_moves(f, x, limit=0.01), "overlooked"),
    ("depends_on", lambda f, x: who_moves(f, x, limit=0), "rounding errors"),
    ("depends_on", added(-0.5), "adds a constant to the word"),
    ("block", in_place, "changes its argument"),
    ("hide_future", hidden_by_the_first_axis, "takes T from the first axis"),
    ("attend_with_cache", appended_to_an_array, "an array has not"),
    ("attend_with_cache", weights_returned, "returns the weights"),
    ("attend_with_cache", value_forgotten, "not append the new value"),
)


@pytest.mark.parametrize("case", range(len(RIGHT)))
def test_right_answers(case, told):
    name, answer = RIGHT[case]
    text = told(checks.EXERCISES[name], answer)
    assert text.startswith(f"✓ {name}: correct."), text


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])

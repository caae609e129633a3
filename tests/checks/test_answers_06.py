"""Answers to the exercises of notebook 06, as learners write them."""

import numpy as np
import pytest

from helpers import attention, checks


def largest(gap):
    return np.abs(gap).max(axis=1)


def who_moves(layer, x, new=None, limit=1e-9, turn=False, size=largest):
    rng, before = np.random.default_rng(3), layer(x)
    moved = np.zeros((len(x), len(x)), bool)
    for j in range(len(x)):
        other = x.copy()
        other[j] = (
            rng.standard_normal(x.shape[1]) if new is None else new(x[j])
        )
        rows = size(layer(other) - before) > limit
        moved[(j,) if turn else (slice(None), j)] = rows
    return moved


def one_number(column):
    """Make an answer that changes one number of each word."""

    def new(row):
        row = row.copy()
        row[column] += 1
        return row

    return lambda f, x: who_moves(f, x, new)


def who_moves_by_lists(layer, x):
    table = []
    for i in range(len(x)):
        row = []
        for j in range(len(x)):
            other = [list(word) for word in x]
            other[j] = [number + 1 + k for k, number in enumerate(other[j])]
            row.append(not np.allclose(layer(np.array(other))[i], layer(x)[i]))
        table.append(row)
    return table


def without_a_copy(layer, x):
    before, table = layer(x), []
    for j in range(len(x)):
        x[j] += 1 + np.arange(x.shape[1])
        table.append(np.abs(layer(x) - before).max(axis=1) > 1e-9)
    return np.array(table).T


def in_place(x, norm_1, attend, norm_2, feed_forward):
    x += attend(norm_1(x))
    x += feed_forward(norm_2(x))
    return x


def loss_by_loop(logits, tokens):
    found = []
    for t in range(len(tokens) - 1):
        p = attention.softmax(logits[t])
        found.append(-np.log(p[tokens[t + 1]]))
    return sum(found) / len(found)


def cached(query, key, value, keys, values):
    keys, values = np.vstack([keys, key]), np.vstack([values, value])
    out, _ = attention.scaled_dot_product_attention(query[None], keys, values)
    return out[0], keys, values


def cached_with_mask(query, key, value, keys, values):
    keys, values = np.vstack([keys, key]), np.vstack([values, value])
    out, _ = attention.scaled_dot_product_attention(
        query[None], keys, values, is_causal=True
    )
    return out[0], keys, values


RIGHT = (
    ("depends_on", who_moves),
    ("depends_on", who_moves_by_lists),
    ("depends_on", lambda f, x: who_moves(f, x, limit=0)),  # a remark
    ("depends_on", lambda f, x: who_moves(f, x, lambda row: row + 1)),
    (
        "block",
        lambda x, n, a, m, f: x + a(n(x)) + f(m(x + a(n(x)))),
    ),
    ("next_word_loss", loss_by_loop),
    ("attend_with_cache", cached),
)
WRONG = (
    ("depends_on", lambda f, x: who_moves(f, x, lambda r: 0 * r), "to 0"),
    ("depends_on", lambda f, x: who_moves(f, x, turn=True), "exchanged"),
    ("depends_on", lambda f, x: who_moves(f, x, limit=0.01), "overlooked"),
    ("depends_on", without_a_copy, "pile up"),
    ("depends_on", one_number(0), "only one number of the word is changed"),
    ("depends_on", one_number(-1), "only one number of the word is changed"),
    (
        "depends_on",
        lambda f, x: who_moves(f, x, size=lambda g: np.abs(g.sum(axis=1))),
        "added up",
    ),
    (
        "depends_on",
        lambda f, x: who_moves(f, x, size=lambda g: np.abs(g[:, 0])),
        "only one number",
    ),
    ("block", in_place, "changes its argument"),
    (
        "block",
        lambda x, n, a, m, f: m(n(x + a(x)) + f(n(x + a(x)))),
        "behind the sums",
    ),
    (
        "block",
        lambda x, n, a, m, f: x + f(n(x)) + a(m(x + f(n(x)))),
        "comes first",
    ),
    (
        "block",
        lambda x, n, a, m, f: x + n(a(x)) + m(f(x + n(a(x)))),
        "before it is added",
    ),
    (
        "block",
        lambda x, n, a, m, f: m(x + a(n(x)) + f(m(x + a(n(x))))),
        "at the end",
    ),
    (
        "next_word_loss",
        lambda z, t: (
            -np.log(attention.softmax(z)[np.arange(len(t)), t]).mean()
        ),
        "just read",
    ),
    (
        "next_word_loss",
        lambda z, t: -np.log(attention.softmax(z[:-1])[:, t[1:]]).mean(),
        "all the words",
    ),
    (
        "next_word_loss",
        lambda z, t: (
            -np.log(
                attention.softmax(z[:-1])[np.arange(len(t) - 1), t[1:]].mean()
            )
        ),
        "mean probability",
    ),
    (
        "next_word_loss",
        lambda z, t: (
            -np.log(attention.softmax(z.T).T[np.arange(len(t) - 1), t[1:]])
        ).mean(),
        "places in the sentence",
    ),
    ("attend_with_cache", cached_with_mask, "for the first word"),
)


@pytest.mark.parametrize("case", range(len(RIGHT)))
def test_right_answers(case, told):
    name, answer = RIGHT[case]
    text = told(checks.EXERCISES[name], answer)
    assert text.startswith(f"✓ {name}: correct."), text


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])

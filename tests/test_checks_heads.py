"""Answers to notebook 04: right in other styles, wrong in new ways."""

import numpy as np
import pytest

from helpers import attention, checks

# --- right answers, in many styles ---------------------------------------


def split_by_columns(x, num_heads):
    d = x.shape[-1] // num_heads
    return np.array([x[:, h * d : (h + 1) * d] for h in range(num_heads)])


def split_by_numpy(x, num_heads):
    return np.split(x, num_heads, axis=1)


def split_by_transpose(x, num_heads):
    return x.reshape(len(x), num_heads, -1).transpose(1, 0, 2)


def split_by_turning_twice(x, num_heads):
    return x.T.reshape(num_heads, -1, len(x)).swapaxes(1, 2)


def split_by_einsum(x, num_heads):
    return np.einsum("thd->htd", x.reshape(x.shape[0], num_heads, -1))


def split_number_by_number(x, num_heads):
    d = x.shape[1] // num_heads
    out = np.zeros((num_heads, len(x), d))
    for h in range(num_heads):
        for t in range(len(x)):
            for i in range(d):
                out[h, t, i] = x[t, h * d + i]
    return out


def join_by_concatenation(contexts, w_o):
    return np.concatenate(list(contexts), axis=-1) @ w_o


def join_by_stacking(contexts, w_o):
    return np.hstack([head for head in contexts]) @ w_o


def join_head_by_head(contexts, w_o):
    d = contexts.shape[-1]
    output = 0
    for h, context in enumerate(contexts):
        output = output + context @ w_o[h * d : (h + 1) * d]
    return output


def join_by_einsum(contexts, w_o):
    rows = w_o.reshape(len(contexts), contexts.shape[-1], -1)
    return np.einsum("htd,hdm->tm", contexts, rows)


def join_by_transpose(contexts, w_o):
    words = contexts.transpose(1, 0, 2)
    return words.reshape(len(words), -1) @ w_o


def attend_head_by_head(x, w_q, w_k, w_v, w_o, num_heads):
    d_k, d_v = w_q.shape[1] // num_heads, w_v.shape[1] // num_heads
    contexts, weights = [], []
    for h in range(num_heads):
        query = x @ w_q[:, h * d_k : (h + 1) * d_k]
        key = x @ w_k[:, h * d_k : (h + 1) * d_k]
        value = x @ w_v[:, h * d_v : (h + 1) * d_v]
        weights.append(attention.softmax(query @ key.T / d_k**0.5))
        contexts.append(weights[-1] @ value)
    return np.concatenate(contexts, axis=1) @ w_o, np.array(weights)


def attend_by_einsum(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = ((x @ w).reshape(len(x), num_heads, -1) for w in (w_q, w_k, w_v))
    scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    context = np.einsum("hqk,khd->qhd", weights, v)
    return context.reshape(len(x), -1) @ w_o, weights


def attend_by_the_helper(x, w_q, w_k, w_v, w_o, num_heads):
    return attention.multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads)


def positions_by_loops(x):
    out = x.copy()
    length, d_model = x.shape
    for t in range(length):
        for i in range(d_model // 2):
            angle = t / 10000 ** (2 * i / d_model)
            out[t, 2 * i] += np.sin(angle)
            out[t, 2 * i + 1] += np.cos(angle)
    return out


def positions_by_outer(x):
    length, d_model = x.shape
    rates = 1 / 10000 ** (np.arange(0, d_model, 2) / d_model)
    angles = np.outer(np.arange(length), rates)
    p = np.empty((length, d_model))
    p[:, ::2], p[:, 1::2] = np.sin(angles), np.cos(angles)
    return p + x


def positions_by_complex_numbers(x):
    length, d_model = x.shape
    rates = np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model)
    turns = np.exp(1j * np.arange(length)[:, None] * rates)
    return x + np.stack([turns.imag, turns.real], -1).reshape(x.shape)


RIGHT = [
    (checks.split_heads, split_by_columns),
    (checks.split_heads, split_by_numpy),
    (checks.split_heads, split_by_transpose),
    (checks.split_heads, split_by_turning_twice),
    (checks.split_heads, split_by_einsum),
    (checks.split_heads, split_number_by_number),
    (checks.join_heads, join_by_concatenation),
    (checks.join_heads, join_by_stacking),
    (checks.join_heads, join_head_by_head),
    (checks.join_heads, join_by_einsum),
    (checks.join_heads, join_by_transpose),
    (checks.multi_head_attention, attend_head_by_head),
    (checks.multi_head_attention, attend_by_einsum),
    (checks.multi_head_attention, attend_by_the_helper),
    (checks.add_positions, positions_by_loops),
    (checks.add_positions, positions_by_outer),
    (checks.add_positions, positions_by_complex_numbers),
]


@pytest.mark.parametrize(
    "exercise, answer", RIGHT, ids=lambda value: getattr(value, "__name__", "")
)
def test_right_in_many_styles(exercise, answer, capsys):
    exercise(answer)
    out = capsys.readouterr().out
    assert out.startswith(f"✓ {exercise.name}: correct."), out


# --- wrong answers, as learners write them -------------------------------


def split_forgets_to_return_heads(x, num_heads):
    return x.reshape(num_heads, len(x), x.shape[1] // num_heads)


def split_with_two_heads_always(x, num_heads):
    return x.reshape(len(x), 2, -1).swapaxes(0, 1)


def split_cuts_by_words(x, num_heads):
    return np.array_split(x, num_heads)


def join_pours(contexts, w_o):
    heads, length, d = contexts.shape
    return contexts.reshape(length, heads * d) @ w_o


def join_adds_up(contexts, w_o):
    return contexts.sum(0)


def attend_without_split(x, w_q, w_k, w_v, w_o, num_heads):
    weights = attention.softmax(
        (x @ w_q) @ (x @ w_k).T / np.sqrt(w_q.shape[1])
    )
    return weights @ (x @ w_v) @ w_o, weights


def attend_and_pour(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = ((x @ w).reshape(num_heads, len(x), -1) for w in (w_q, w_k, w_v))
    z, a = attention.scaled_dot_product_attention(q, k, v)
    return attention.merge_heads(z) @ w_o, a


def attend_and_merge_badly(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    z, a = attention.scaled_dot_product_attention(q, k, v)
    return z.reshape(len(x), -1) @ w_o, a


def attend_with_wide_scale(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    z, a = attention.scaled_dot_product_attention(
        q, k, v, scale=1 / np.sqrt(x.shape[-1])
    )
    return attention.merge_heads(z) @ w_o, a


def positions_count_pairs(x):
    length, d_model = x.shape
    i = np.arange(d_model // 2)
    angles = np.arange(length)[:, None] / 10000 ** (i / d_model)
    out = x.copy()
    out[:, 0::2] += np.sin(angles)
    out[:, 1::2] += np.cos(angles)
    return out


def positions_in_halves(x):
    length, d_model = x.shape
    i = np.arange(0, d_model, 2)
    angles = np.arange(length)[:, None] / 10000 ** (i / d_model)
    return x + np.hstack([np.sin(angles), np.cos(angles)])


def positions_every_column(x):
    length, d_model = x.shape
    angles = np.arange(length)[:, None] / 10000 ** (
        np.arange(d_model) / d_model
    )
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return x + angles


def split_exchanges_heads_and_d(x, num_heads):
    return x.reshape(len(x), num_heads, -1).swapaxes(1, 2)


def split_exchanges_words_and_d(x, num_heads):
    return x.reshape(len(x), num_heads, -1).swapaxes(0, 2)


def join_averages_first(contexts, w_o):
    return contexts.mean(axis=0) @ w_o


def join_adds_up_first(contexts, w_o):
    merged = sum(contexts)
    return merged @ w_o


def join_turns_all_round(contexts, w_o):
    return contexts.T.reshape(contexts.shape[1], -1) @ w_o


def attend_with_root_of_heads(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(num_heads)
    weights = attention.softmax(scores)
    return attention.merge_heads(weights @ v) @ w_o, weights


def angles_of(x, base=10_000):
    length, d_model = x.shape
    exponent = np.arange(0, d_model, 2) / d_model
    return np.arange(length)[:, None] / base**exponent


def waves_of(angles):
    p = np.zeros((len(angles), 2 * angles.shape[1]))
    p[:, 0::2], p[:, 1::2] = np.sin(angles), np.cos(angles)
    return p


def positions_of_base_100(x):
    return x + waves_of(angles_of(x, 100))


def positions_of_base_1000(x):
    return x + waves_of(angles_of(x, 1000))


def positions_in_degrees(x):
    return x + waves_of(np.degrees(angles_of(x)))


def positions_subtracted(x):
    return x - waves_of(angles_of(x))


def positions_without_odd_columns(x):
    p = np.zeros(x.shape)
    p[:, 0::2] = np.sin(angles_of(x))
    return x + p


WRONG = [
    (checks.split_heads, split_exchanges_heads_and_d, "heads and d are exch"),
    (checks.split_heads, split_exchanges_words_and_d, "by swapaxes(0, 2)"),
    (checks.join_heads, join_averages_first, "averaged or added up"),
    (checks.join_heads, join_adds_up_first, "averaged or added up"),
    (checks.join_heads, join_turns_all_round, "words are not in front"),
    (checks.multi_head_attention, attend_with_root_of_heads, "another width"),
    (checks.add_positions, positions_of_base_100, "the base is 100, or"),
    (checks.add_positions, positions_of_base_1000, "base is not 10000"),
    (checks.add_positions, positions_in_degrees, "in degrees"),
    (checks.add_positions, positions_subtracted, "are subtracted"),
    (checks.add_positions, positions_without_odd_columns, "stays empty"),
    (checks.split_heads, split_forgets_to_return_heads, "poured straight"),
    (checks.split_heads, split_with_two_heads_always, "num_heads"),
    (checks.split_heads, split_cuts_by_words, "parts differ in shape"),
    (checks.join_heads, join_pours, "without exchanging the axes"),
    (checks.join_heads, join_adds_up, "averaged"),
    (checks.multi_head_attention, attend_without_split, "one wide head"),
    (checks.multi_head_attention, attend_and_pour, "poured straight"),
    (checks.multi_head_attention, attend_and_merge_badly, "poured back"),
    (checks.multi_head_attention, attend_with_wide_scale, "another width"),
    (checks.add_positions, positions_count_pairs, "half of what it"),
    (checks.add_positions, positions_in_halves, "all sines come first"),
    (checks.add_positions, positions_every_column, "different frequencies"),
]


@pytest.mark.parametrize(
    "exercise, answer, phrase",
    WRONG,
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_wrong_is_named(exercise, answer, phrase, capsys):
    exercise(answer)
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith(f"✗ {exercise.name}: "), out
    assert phrase in out, out


def only_the_first_row(x):
    p = waves_of(angles_of(x))
    p[1:] = 7.0 * np.arange(x.shape[1])
    return x + p


def only_the_first_row_by_loop(x):
    p = np.zeros(x.shape)
    p[0, 1::2] = 1
    for row in p[1:]:
        row += 7.0 * np.arange(x.shape[1])
    return x + p


@pytest.mark.parametrize(
    "answer, asks",
    [(only_the_first_row, False), (only_the_first_row_by_loop, True)],
)
def test_return_is_asked_for_only_where_there_is_a_loop(answer, asks, capsys):
    checks.add_positions(answer)
    out = " ".join(capsys.readouterr().out.split())
    assert "only the first row is right." in out, out
    assert ("inside the loop" in out) is asks, out

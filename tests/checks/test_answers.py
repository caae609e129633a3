"""Answers as learners write them: right in many styles, wrong in many ways."""

import math

import numpy as np
import pytest

from helpers import attention, checks

# --- right ----------------------------------------------------------------


def softmax_by_loops(scores):
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        total = sum(math.exp(score - max(row)) for score in row)
        for j, score in enumerate(row):
            weights[i, j] = math.exp(score - max(row)) / total
    return weights


def softmax_in_place_of_a_copy(scores):
    scores = scores - scores.max(axis=1).reshape(-1, 1)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1).reshape(-1, 1)
    return scores


def softmax_with_epsilon(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9)


def softmax_of_columns(scores):
    e = np.exp(scores.T - scores.T.max(axis=0))
    return (e / e.sum(axis=0)).T


def context_by_loops(weights, x):
    context = np.zeros((len(weights), x.shape[1]))
    for i in range(len(weights)):
        for j in range(len(x)):
            context[i] += weights[i, j] * x[j]
    return context


def attention_by_steps(x):
    weights = softmax_by_loops(x @ x.T)
    return [weights @ x, weights]


def split_by_columns(x, num_heads):
    d = x.shape[-1] // num_heads
    return [x[:, h * d : (h + 1) * d] for h in range(num_heads)]


def split_by_turning_twice(x, num_heads):
    return x.T.reshape(num_heads, -1, len(x)).swapaxes(1, 2)


def join_head_by_head(contexts, w_o):
    d = contexts.shape[-1]
    return sum(
        contexts[h] @ w_o[h * d : (h + 1) * d] for h in range(len(contexts))
    )


def attend_head_by_head(x, w_q, w_k, w_v, w_o, num_heads):
    d = x.shape[1] // num_heads
    contexts, weights = [], []
    for h in range(num_heads):
        part = slice(h * d, (h + 1) * d)
        query, key, value = ((x @ w)[:, part] for w in (w_q, w_k, w_v))
        weights.append(attention.softmax(query @ key.T * d**-0.5))
        contexts.append(weights[-1] @ value)
    return np.concatenate(contexts, axis=1) @ w_o, weights


def attend_by_einsum(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = ((x @ w).reshape(len(x), num_heads, -1) for w in (w_q, w_k, w_v))
    scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    context = np.einsum("hqk,khd->qhd", weights, v)
    return context.reshape(len(x), -1) @ w_o, weights


def positions_by_loops(x):
    out = x.copy()
    for t in range(len(x)):
        for i in range(x.shape[1] // 2):
            angle = t / 10000 ** (2 * i / x.shape[1])
            out[t, 2 * i] += np.sin(angle)
            out[t, 2 * i + 1] += np.cos(angle)
    return out


def positions_by_exponents(x):
    d_model = x.shape[1]
    rates = np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model)
    turns = np.exp(1j * np.arange(len(x))[:, None] * rates)
    return x + np.stack([turns.imag, turns.real], -1).reshape(x.shape)


RIGHT = {
    "all_pairs_scores": (
        lambda x: [[float(np.dot(a, b)) for b in x] for a in x],
        lambda x: np.inner(x, x),
        lambda x: (x[:, None, :] * x[None, :, :]).sum(axis=2),
        lambda x: np.tensordot(x, x, axes=(1, 1)),
        lambda x: np.matrix(x) @ x.T,
    ),
    "softmax_over_keys": (
        softmax_by_loops,
        softmax_in_place_of_a_copy,
        softmax_with_epsilon,
        softmax_of_columns,
        lambda s: 1 / np.exp(s[:, None, :] - s[:, :, None]).sum(axis=-1),
        lambda s: np.float32(softmax_by_loops(s)),
    ),
    "context_vectors": (
        context_by_loops,
        lambda a, x: (x.T @ a.T).T,
        lambda a, x: [
            sum(w * v for w, v in zip(r, x, strict=True)) for r in a
        ],
        lambda a, x: np.einsum("ij,jd->id", a, x),
    ),
    "self_attention": (attention_by_steps,),
    "split_heads": (
        split_by_columns,
        split_by_turning_twice,
        lambda x, h: np.split(x, h, axis=1),
        lambda x, h: x.reshape(len(x), h, -1).transpose(1, 0, 2),
    ),
    "join_heads": (
        join_head_by_head,
        lambda z, w: np.concatenate(list(z), axis=-1) @ w,
        lambda z, w: np.einsum(
            "htd,hdm->tm", z, w.reshape(len(z), -1, w.shape[1])
        ),
    ),
    "multi_head_attention": (
        attend_head_by_head,
        attend_by_einsum,
        attention.multi_head_attention,
    ),
    "add_positions": (positions_by_loops, positions_by_exponents),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_in_many_styles(name, told):
    for number, answer in enumerate(RIGHT[name]):
        text = told(checks.EXERCISES[name], answer)
        assert text.startswith(f"✓ {name}: correct."), (number, text)


# --- wrong ----------------------------------------------------------------


def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def returns_in_the_loop(x):
    scores = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(len(x)):
            scores[i, j] = x[i] @ x[j]
        return scores


def forgets_products(x):
    scores = np.zeros((len(x), len(x)))
    for i, j in np.ndindex(*scores.shape):
        for k in range(x.shape[1]):
            scores[i, j] = x[i, k] * x[j, k]
    return scores


def swaps_and_forgets(scores):
    e = np.exp(scores)
    return e / e.sum(axis=0)


def both_from(weights, context=None):
    def answer(x):
        a = weights(x @ x.T)
        return (a @ x if context is None else context(a, x)), a

    return answer


def layer(
    scale=lambda d, d_model, heads: np.sqrt(d),
    axis=-1,
    reshape=False,
    key="w_k",
    add=lambda x: 0,
):
    """A layer with one or two mistakes."""

    def split(table, heads):
        if reshape:
            return table.reshape(heads, len(table), -1)
        return attention.split_heads(table, heads)

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        w_k = w_q if key == "w_q" else w_k
        q, k, v = (split(x @ w, num_heads) for w in (w_q, w_k, w_v))
        root = scale(q.shape[-1], x.shape[-1], num_heads)
        weights = softmax(q @ k.swapaxes(-1, -2) / root, axis)
        return attention.merge_heads(weights @ v) @ w_o + add(x), weights

    return answer


def positions(start=0, base=10_000, halves=False, step=2):
    def answer(x):
        length, d_model = x.shape
        exponents = np.arange(0, d_model, 2) * step / 2 / d_model
        where = np.arange(start, start + length)[:, None]
        angles = where / base**exponents
        p = np.zeros(x.shape)
        p[:, 0::2], p[:, 1::2] = np.sin(angles), np.cos(angles)
        if halves:
            p = np.hstack([np.sin(angles), np.cos(angles)])
        return x + p

    return answer


NAMED = (
    ("all_pairs_scores", lambda x: x.T @ x, "compares columns"),
    ("all_pairs_scores", lambda x: x @ x.reshape(x.shape[1], -1), "a reshape"),
    ("all_pairs_scores", returns_in_the_loop, "only the first"),
    ("all_pairs_scores", forgets_products, "only the last product"),
    ("all_pairs_scores", lambda x: 2 * x.T @ x, "compares columns"),
    ("all_pairs_scores", lambda x: softmax(x @ x.T / 2), "softmax"),
    ("softmax_over_keys", swaps_and_forgets, "overflow", "over the queries"),
    ("softmax_over_keys", lambda s: softmax(s).round(3), "rounded"),
    ("softmax_over_keys", lambda s: softmax(-s, 0), "low scores", "queries"),
    ("context_vectors", lambda a, x: a.T @ x, "weights are transposed"),
    ("context_vectors", lambda a, x: a.T @ x + x, "transposed", "are added"),
    ("self_attention", both_from(lambda s: softmax(s, 0)), "the queries"),
    ("self_attention", both_from(lambda s: s), "the softmax is missing"),
    (
        "self_attention",
        both_from(lambda s: softmax(s / 2), lambda a, x: a.T @ x),
        "scaled",
        "transposed in the mix",
    ),
    ("self_attention", lambda x: softmax(x @ x.T) @ x, "only `context`"),
    ("split_heads", lambda x, h: x.reshape(h, len(x), -1), "straight into"),
    ("split_heads", lambda x, h: x.reshape(len(x), h, -1), "behind the words"),
    (
        "split_heads",
        lambda x, h: x.reshape(len(x), 2, -1).swapaxes(0, 1),
        "fixed",
    ),
    ("join_heads", lambda z, w: z.reshape(z.shape[1], -1) @ w, "without exch"),
    ("join_heads", lambda z, w: z.mean(axis=0) @ w, "averaged or added up"),
    (
        "join_heads",
        lambda z, w: z.reshape(z.shape[1], -1) @ w.T,
        "w_o is trans",
    ),
    ("multi_head_attention", layer(lambda d, m, h: 1), "scale is missing"),
    ("multi_head_attention", layer(lambda d, m, h: d**1 / 2), "half of d_k"),
    ("multi_head_attention", layer(lambda d, m, h: m**0.5), "another width"),
    ("multi_head_attention", layer(axis=0), "across the heads"),
    ("multi_head_attention", layer(key="w_q"), "projected by w_q, not w_k"),
    ("multi_head_attention", layer(add=lambda x: x), "x is added"),
    (
        "multi_head_attention",
        layer(lambda d, m, h: d, reshape=True),
        "straight into the heads",
        "d_k instead of its root",
    ),
    ("add_positions", positions(start=1), "start at 1"),
    ("add_positions", positions(base=100), "the base is 100"),
    ("add_positions", positions(halves=True, start=1), "all sines", "at 1"),
    ("add_positions", positions(step=1, base=1000), "half", "not 10000"),
)


@pytest.mark.parametrize("case", range(len(NAMED)))
def test_wrong_answers_are_named(case, told):
    name, answer, *phrases = NAMED[case]
    text = told(checks.EXERCISES[name], answer)
    assert text.startswith(f"✗ {name}: ")
    for phrase in phrases:
        assert phrase in text, text


# --- put together at random: no wrong answer may pass ----------------------

SHIFTS = (
    lambda s: s.max(axis=-1, keepdims=True),
    lambda s: 0,
    lambda s: s.max(axis=0, keepdims=True),
    lambda s: s.min(axis=-1, keepdims=True),
    np.mean,
)
POWERS = (np.exp, np.exp2, np.expm1, np.tanh, lambda s: np.maximum(s, 0))
TOTALS = (
    lambda e: e.sum(axis=-1, keepdims=True),
    lambda e: e.sum(axis=0, keepdims=True),
    lambda e: e.sum(axis=-1, keepdims=True) + 1e-3,
    lambda e: np.linalg.norm(e, axis=-1, keepdims=True),
    lambda e: e[..., :-1].sum(axis=-1, keepdims=True),
)


def test_compositions_are_not_taken_for_a_softmax(told):
    rng = np.random.default_rng(0)
    tables = [rng.normal(size=(4, 3)) * 5, rng.normal(size=(3, 3)) + 800]
    for _ in range(40):
        shift, power, total = (
            part[rng.integers(5) * (rng.random() < 0.5)]
            for part in (SHIFTS, POWERS, TOTALS)
        )

        def answer(s, shift=shift, power=power, total=total):
            e = power(s - shift(s))
            return e / total(e)

        if told(checks.softmax_over_keys, answer).startswith("✓"):
            for table in tables:
                assert np.allclose(answer(table), softmax(table), atol=1e-4)

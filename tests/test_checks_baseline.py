"""Answers to notebook 01 that the bug bank does not know."""

import itertools
import math

import numpy as np
import pytest

from helpers import checks

# --- right answers, in many styles ---------------------------------------


def softmax_by_loops(scores):
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        top = max(row)
        total = sum(math.exp(score - top) for score in row)
        for j, score in enumerate(row):
            weights[i, j] = math.exp(score - top) / total
    return weights


def softmax_in_lists(scores):
    rows = []
    for row in scores.tolist():
        e = [math.exp(score - max(row)) for score in row]
        rows.append([x / sum(e) for x in e])
    return rows


def softmax_by_logarithm(scores):
    top = np.max(scores, axis=-1, keepdims=True)
    log_total = np.log(np.exp(scores - top).sum(axis=-1, keepdims=True))
    return np.exp(scores - top - log_total)


def softmax_on_its_side(scores):
    e = np.exp(scores.T - scores.T.max(axis=0))
    return (e / e.sum(axis=0)).T


def softmax_by_apply(scores):
    def one(row):
        e = np.exp(row - row.max())
        return e / e.sum()

    return np.apply_along_axis(one, -1, scores)


def softmax_with_none(scores):
    e = np.exp(scores - scores.max(-1)[..., None])
    return e / e.sum(-1)[..., None]


def softmax_in_float32(scores):
    e = np.exp(np.float32(scores - scores.max(1, keepdims=True)))
    return np.float32(e) / e.sum(1, keepdims=True)


def softmax_in_place_of_a_copy(scores):
    scores = scores - scores.max(axis=1).reshape(-1, 1)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1).reshape(-1, 1)
    return scores


def softmax_with_epsilon(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9)


def softmax_pairwise(scores):
    return 1 / np.exp(scores[:, None, :] - scores[:, :, None]).sum(axis=-1)


def pairs_by_loops(x):
    tokens = range(len(x))
    return [[float(np.dot(x[i], x[j])) for j in tokens] for i in tokens]


def context_by_loops(weights, x):
    context = np.zeros((len(weights), x.shape[1]))
    for i in range(len(weights)):
        for j in range(len(x)):
            context[i] += weights[i, j] * x[j]
    return context


def attention_by_steps(x):
    weights = softmax_by_loops(x @ x.T)
    return weights @ x, weights


def attention_with_einsum(x):
    weights = softmax_with_none(np.einsum("...id,...jd->...ij", x, x))
    return [np.einsum("...ij,...jd->...id", weights, x), weights]


RIGHT = {
    "softmax_over_keys": (
        softmax_by_loops,
        softmax_in_lists,
        softmax_by_logarithm,
        softmax_on_its_side,
        softmax_by_apply,
        softmax_with_none,
        softmax_in_float32,
        softmax_in_place_of_a_copy,
        softmax_with_epsilon,
        softmax_pairwise,
        lambda s: np.array([softmax_with_none(row) for row in s]),
        lambda s: np.matrix(softmax_with_none(s)),
    ),
    "all_pairs_scores": (
        pairs_by_loops,
        lambda x: x @ x.T,
        lambda x: x.dot(x.T),
        lambda x: np.inner(x, x),
        lambda x: np.matmul(x, x.swapaxes(-1, -2)),
        lambda x: np.einsum("id,jd->ij", x, x),
        lambda x: np.einsum("...id,...jd->...ij", x, x),
        lambda x: (x[:, None, :] * x[None, :, :]).sum(axis=2),
        lambda x: np.array([x @ token for token in x]),
        lambda x: [x @ token for token in x],
        lambda x: np.tensordot(x, x, axes=(1, 1)),
        lambda x: (x @ x.T).T,
    ),
    "context_vectors": (
        context_by_loops,
        lambda a, x: a.dot(x),
        lambda a, x: (x.T @ a.T).T,
        lambda a, x: np.einsum("ij,jd->id", a, x),
        lambda a, x: (a[:, :, None] * x[None, :, :]).sum(axis=1),
        lambda a, x: np.stack([row @ x for row in a]),
        lambda a, x: [
            sum(w * v for w, v in zip(r, x, strict=True)) for r in a
        ],
        lambda a, x: np.float32(a) @ np.float32(x),
        lambda a, x: np.average(
            np.broadcast_to(x, (len(a), *x.shape)),
            axis=1,
            weights=np.broadcast_to(a[..., None], (*a.shape, x.shape[1])),
        ),
    ),
    "self_attention": (attention_by_steps, attention_with_einsum),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_in_many_styles(name):
    for number, answer in enumerate(RIGHT[name]):
        text = checks.EXERCISES[name].judge(answer)
        assert text.startswith(f"✓ {name}: correct."), (number, text)


def into_zeros_like(scores):
    weights = np.zeros_like(scores)
    weights[...] = softmax_with_none(scores)
    return weights


def test_remarks_on_what_was_not_asked_for():
    text = checks.softmax_over_keys.judge(into_zeros_like)
    assert text.startswith("✓") and "np.zeros_like" in text
    text = checks.all_pairs_scores.judge(lambda x: np.einsum("id,jd", x, x))
    assert text.startswith("✓") and "stacked along a third axis" in " ".join(
        text.split()
    )


def with_math(scores):
    rows = [[math.exp(score) for score in row] for row in scores]
    return [[power / sum(row) for power in row] for row in rows]


def test_an_overflow_of_math_exp_is_explained():
    text = " ".join(checks.softmax_over_keys.judge(with_math).split())
    assert "For scores near 1000: OverflowError" in text
    assert "709" in text and "changes no share" in text


def test_two_mistakes_at_once():
    def answer(x):
        e = np.exp(x @ x.T)
        weights = e / e.sum()
        return weights.T @ weights @ x, weights

    text = " ".join(checks.self_attention.judge(answer).split())
    assert "the shares run over the whole table" in text
    assert "That is what your result `weights` shows" in text


# --- wrong answers, put together at random -------------------------------

BEFORE = (
    lambda s: s,
    lambda s: -s,
    np.abs,
    np.square,
    np.transpose,
    lambda s: s * 1.01,
    lambda s: s / np.sqrt(s.shape[-1]),
    lambda s: s / np.sqrt(s.shape[0]),
    lambda s: s - s.mean(),
    lambda s: s - s.mean(axis=-1, keepdims=True),
    lambda s: np.round(s, 1),
    lambda s: np.minimum(s, 100),
    lambda s: np.nan_to_num(s / s.std()),
)
SHIFT = (
    lambda s: s.max(axis=-1, keepdims=True),
    lambda s: 0,
    np.max,
    np.min,
    np.mean,
    lambda s: s.max(axis=0, keepdims=True),
    lambda s: s.max(axis=-1),
    lambda s: s.min(axis=-1, keepdims=True),
    lambda s: s[..., :1],
    lambda s: s[..., -1:],
    lambda s: s[:1],
    lambda s: np.abs(s).max(axis=-1, keepdims=True),
)
POWER = (
    np.exp,
    np.exp2,
    np.expm1,
    np.tanh,
    lambda s: 1 / (1 + np.exp(-s)),
    lambda s: np.log1p(np.exp(s)),
    lambda s: np.maximum(s, 0),
    lambda s: s,
)
TOTAL = (
    lambda e: e.sum(axis=-1, keepdims=True),
    lambda e: e.sum(axis=0, keepdims=True),
    lambda e: e.sum(axis=-1),
    lambda e: e.sum(),
    lambda e: e.max(axis=-1, keepdims=True),
    lambda e: e.sum(axis=-1, keepdims=True) + 1e-3,
    lambda e: e.sum(axis=-1, keepdims=True) + 1,
    lambda e: np.linalg.norm(e, axis=-1, keepdims=True),
    lambda e: e[..., :-1].sum(axis=-1, keepdims=True),
    lambda e: e.shape[-1],
    lambda e: 1,
)
AFTER = (
    lambda w: w,
    np.transpose,
    np.nan_to_num,
    lambda w: np.round(w, 2),
    lambda w: w[::-1],
    lambda w: np.sort(w, axis=-1),
    lambda w: np.clip(w, 0.01, 1),
    lambda w: np.clip(w, 0, 0.99),
    lambda w: w - np.diag(np.diag(w)) if w.shape[0] == w.shape[-1] else w,
    lambda w: np.log(w),
)


def _softmax_of(before, shift, power, total, after):
    def answer(scores):
        scores = before(scores)
        e = power(scores - shift(scores))
        return after(e / total(e))

    return answer


def _programs(rng, count, *parts):
    for _ in range(count):
        chosen = [part[rng.integers(len(part))] for part in parts]
        # most steps as they should be: near misses are the hard cases
        for position, part in enumerate(parts):
            if rng.random() < 0.5:
                chosen[position] = part[0]
        yield chosen


def _really_right(answer, oracle, inputs):
    with np.errstate(all="ignore"):
        try:
            return all(_agree(answer(*args), oracle(*args)) for args in inputs)
        except (ValueError, IndexError):
            return False


def _agree(got, want):
    return got.shape == want.shape and np.allclose(got, want, atol=1e-4)


def _score_tables(rng):
    for shape in ((5, 3), (3, 5), (4, 4), (6, 1)):
        yield (rng.normal(size=shape),)
        yield (rng.normal(size=shape) * 5,)
        yield (rng.normal(size=shape) + 800,)
        yield (rng.normal(size=shape) - 800,)
        yield (rng.normal(size=shape) + 1e3 * np.arange(shape[0])[:, None],)
        yield (rng.normal(size=shape) - 1e3 * np.arange(shape[1]),)


def test_compositions_are_not_taken_for_a_softmax(count=60):
    rng = np.random.default_rng(0)
    tables = list(_score_tables(rng))
    parts = (BEFORE, SHIFT, POWER, TOTAL, AFTER)
    for program in _programs(rng, count, *parts):
        answer = _softmax_of(*program)
        text = checks.softmax_over_keys.judge(answer)
        assert "could not judge" not in text
        if text.startswith("✓"):
            assert _really_right(answer, softmax_by_loops, tables)


MATRICES = (
    lambda a, x: a,
    lambda a, x: a.T,
    lambda a, x: a / a.sum(axis=0),
    lambda a, x: np.tril(a),
    lambda a, x: a * (1 - np.eye(len(a))),
    lambda a, x: a**2,
    lambda a, x: (a == a.max(axis=1, keepdims=True)) * a,
    lambda a, x: a - a.mean(),
    lambda a, x: a[::-1],
    lambda a, x: np.sort(a, axis=1),
    lambda a, x: np.round(a, 2),
    lambda a, x: x @ x.T,
)
VECTORS = (
    lambda a, x: x,
    lambda a, x: x.T,
    lambda a, x: x[::-1],
    lambda a, x: x - x.mean(axis=0),
    lambda a, x: x - x.mean(axis=1, keepdims=True),
    lambda a, x: x / np.linalg.norm(x, axis=1, keepdims=True),
    lambda a, x: np.abs(x),
    lambda a, x: a @ x,
    lambda a, x: np.cumsum(x, axis=0),
)
PRODUCTS = (
    lambda a, x: a @ x,
    lambda a, x: x @ a,
    lambda a, x: x.T @ a,
    lambda a, x: a * x,
    lambda a, x: a @ x + x,
    lambda a, x: a @ x - x,
    lambda a, x: np.einsum("ij,jd->jd", a, x),
    lambda a, x: np.einsum("ij,id->id", a, x),
    lambda a, x: np.einsum("ij,jd->id", a[:, 1:], x[1:]),
)


def test_compositions_are_not_taken_for_a_mix(count=50):
    rng = np.random.default_rng(1)
    inputs = [
        (softmax_with_none(rng.normal(size=(t, t))), rng.normal(size=(t, d)))
        for t, d in ((3, 5), (5, 3), (4, 4))
    ]
    for matrix, vector, product in _programs(
        rng, count, MATRICES, VECTORS, PRODUCTS
    ):

        def answer(a, x, matrix=matrix, vector=vector, product=product):
            return product(matrix(a, x), vector(a, x))

        text = checks.context_vectors.judge(answer)
        assert "could not judge" not in text
        if text.startswith("✓"):
            assert _really_right(answer, lambda a, x: a @ x, inputs)


def test_compositions_are_not_taken_for_scores():
    rng = np.random.default_rng(2)
    inputs = [(rng.normal(size=shape),) for shape in ((3, 5), (5, 3), (4, 4))]
    for first, second in itertools.product(VECTORS, repeat=2):

        def answer(x, first=first, second=second):
            one, other = first(np.eye(len(x)), x), second(np.eye(len(x)), x)
            return one @ other.T

        text = checks.all_pairs_scores.judge(answer)
        assert "could not judge" not in text
        if text.startswith("✓"):
            assert _really_right(answer, lambda x: x @ x.T, inputs)


def test_compositions_are_not_taken_for_attention(count=25):
    rng = np.random.default_rng(3)
    parts = (BEFORE[:8], SHIFT, POWER, TOTAL, MATRICES[:-1], VECTORS)
    for *softmax, matrix, vector in _programs(rng, count, *parts):
        share = _softmax_of(*softmax, AFTER[0])

        def answer(x, share=share, matrix=matrix, vector=vector):
            weights = share(x @ x.T)
            return matrix(weights, x) @ vector(weights, x), weights

        text = checks.self_attention.judge(answer)
        assert "could not judge" not in text
        if text.startswith("✓"):
            x = rng.normal(size=(5, 3)) * 3
            right = softmax_by_loops(x @ x.T)
            assert all(map(_agree, answer(x), (right @ x, right)))

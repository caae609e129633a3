"""Answers to exercises of notebooks 02, 03 and 05, and what is said."""

import math

import numpy as np
import pytest
import torch

from helpers import checks

RNG = np.random.default_rng


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scores(root, key=lambda x, w_q, w_k: x @ w_k):
    """Fill the blanks of project_and_score."""
    return lambda x, w_q, w_k: (
        x @ w_q @ key(x, w_q, w_k).T / root(w_q.shape[-1])
    )


def entropy(logs, largest=lambda p: np.log(p.shape[-1])):
    """Fill the blanks of normalized_entropy."""
    return lambda p: -(p * logs(p)).sum(axis=-1) / largest(p)


def masks(may=np.invert, shape=lambda m: m[:, None, None], ends=np.int64):
    def answer(lengths, longest):
        padding = np.arange(longest) >= ends(lengths)[:, None]
        return shape(may(padding)), padding

    return answer


def layer(turned=(True, True, True, True), order=(0, 1, 2)):
    def answer(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
        turn = (w_q, w_k, w_v, w_o)
        *w, out = (
            m.T if is_turned else m
            for m, is_turned in zip(turn, turned, strict=True)
        )
        b = b_q, b_k, b_v
        weight = np.concatenate([w[i] for i in order])
        return weight, np.concatenate([b[i] for i in order]), out, b_o

    return answer


def slope(x, y):
    return np.polyfit(x, y, 1)[0]


def estimate(d_k, var_q, var_k):
    q = RNG(0).normal(0, math.sqrt(var_q), (5000, d_k))
    k = RNG(1).normal(0, math.sqrt(var_k), (5000, d_k))
    return (q * k).sum(axis=1).var()


def backward_in_a_loop(g, p):
    return [w * (row - w @ row) for row, w in zip(g, p, strict=True)]


def safe(p):
    return np.log(np.where(p > 0, p, 1))


def above(limit):
    return lambda p: np.log(np.where(p > limit, p, 1))


WRONG = [
    ("project_and_score", scores(lambda d: d**1 / 2), "`** 1/2` is not"),
    ("project_and_score", scores(lambda d: int(math.sqrt(d))), "is rounded"),
    ("project_and_score", scores(lambda d: 4), "a fixed number"),
    ("project_and_score", scores(lambda d: 1), "the scale is missing"),
    (
        "project_and_score",
        scores(lambda d: d, lambda x, w_q, w_k: x @ w_q),
        "queries meet queries, and d_k stands where its root belongs",
    ),
    ("softmax_backward", lambda g, p: g * p * (1 - p), "only the diagonal"),
    (
        "softmax_backward",
        lambda g, p: g - g.mean(axis=-1, keepdims=True),
        "the plain mean is subtracted, not the weighted one, and the factor p",
    ),
    ("softmax_backward", lambda g, p: p * (g - (p * g).sum(-1)), "axis"),
    ("grad_w_q", lambda x, k, g: x.T @ g @ k, "the root of d_k is lost"),
    (
        "grad_w_q",
        lambda x, k, g: x.T @ (g.T @ k),
        "grad_scores is transposed, and the root of d_k is lost",
    ),
    ("dot_product_variance", estimate, "Is it an estimate from random"),
    (
        "dot_product_variance",
        lambda d, q, k: estimate(d, q * q, k * k),
        "the variances are taken for standard deviations",
    ),
    ("dot_product_variance", lambda d, q, k: d * (q + k), "are added"),
    ("dot_product_variance", lambda d, q, k: d, "unit variance only"),
    ("head_scale", lambda d, h: 1 / np.sqrt(d), "the whole width"),
    ("head_scale", lambda d, h: 1 / int(np.sqrt(d / h)), "is rounded"),
    ("head_scale", lambda d, h: round(1 / np.sqrt(d / h), 2), "is rounded"),
    ("head_scale", lambda d, h: (d / h) ** -1 / 2, "`** 1/2` is not"),
    ("head_scale", lambda d, h: np.sqrt(d / h), "what to divide by"),
    ("normalized_entropy", entropy(np.log), "a weight of 0 gives NaN"),
    ("normalized_entropy", entropy(above(1e-4)), "treated like 0"),
    (
        "normalized_entropy",
        entropy(np.log, lambda p: p.shape[-1]),
        "a weight of 0 gives NaN, and divided by the number of keys",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: softmax(s * t),
        "the temperature multiplies",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: (
            np.eye(s.shape[-1])[s.argmax(-1)] if t < 0.01 else softmax(s / t)
        ),
        "a cold temperature becomes a hard choice",
    ),
    (
        "softmax_with_temperature",
        lambda s, t: np.exp(s / t) / np.exp(s / t).sum(-1, keepdims=True),
        "cold temperatures and large scores overflow",
    ),
    ("padding_masks", masks(lambda p: p), "`may_attend` is True for the"),
    ("padding_masks", masks(lambda p: 1 - p), "is not boolean"),
    ("padding_masks", masks(shape=lambda m: m), "the axes of heads"),
    (
        "padding_masks",
        masks(shape=lambda m: m[:, None], ends=lambda n: n + 1),
        "one word too many, and an axis is missing",
    ),
    ("to_torch", layer((True, False, True, True)), "w_k is not transposed"),
    ("to_torch", layer((True, True, False, False)), "w_v is not transposed,"),
    ("to_torch", layer((False,) * 4), "no matrix is transposed"),
    ("to_torch", layer(order=(1, 0, 2)), "keys come before queries"),
    ("fitted_exponent", slope, "the slope is taken without logarithms"),
    (
        "fitted_exponent",
        lambda n, s: slope(s, n),
        "without logarithms, and lengths and seconds have changed places",
    ),
    (
        "fitted_exponent",
        lambda n, s: np.polyfit(np.log(n), np.log(s), 1),
        "these are slope and height",
    ),
]
RIGHT = [
    ("project_and_score", scores(lambda d: np.array([d**0.5]))),
    ("softmax_backward", backward_in_a_loop),
    ("grad_w_q", lambda x, k, g: torch.tensor(x.T @ g @ k / len(k.T) ** 0.5)),
    ("dot_product_variance", lambda d, q, k: np.array([d * q * k])),
    ("dot_product_variance", lambda d, q, k: torch.tensor(d * q * k)),
    ("head_scale", lambda d, h: np.array((d // h) ** -0.5)),
    ("normalized_entropy", entropy(lambda p: np.log(p + 1e-12))),
    ("normalized_entropy", entropy(lambda p: np.log(np.maximum(p, 1e-30)))),
    ("normalized_entropy", lambda p: entropy(safe)(p).tolist()),
    (
        "softmax_with_temperature",
        lambda s, t: torch.softmax(torch.tensor(s) / t, -1),
    ),
    ("padding_masks", lambda *a: [m.tolist() for m in masks()(*a)]),
    ("to_torch", lambda *a: tuple(map(torch.tensor, layer()(*a)))),
    ("fitted_exponent", lambda n, s: [slope(np.log2(n), np.log2(s))]),
]


@pytest.mark.parametrize("name, answer, words", WRONG)
def test_wrong_answers_are_named(name, answer, words):
    text = " ".join(checks.EXERCISES[name].judge(answer).split())
    assert text.startswith(f"✗ {name}: ")
    assert words in text


@pytest.mark.parametrize("name, answer", RIGHT)
def test_right_answers_are_accepted(name, answer):
    text = checks.EXERCISES[name].judge(answer)
    assert text.startswith(f"✓ {name}: correct.")

"""Answers that learners wrote down: their mistakes are named as they are."""

import numpy as np
import pytest
from test_truth import said_truly

from helpers import checks
from helpers.checks.engine.explain import inputs, places
from helpers.checks.engine.read.steps import Probe

ROOT = "return x / np.sqrt((x**2).mean(axis={}, keepdims=True) + {}) * gain"
CLIPPED = """slope = grad_q + grad_k
norm = np.sqrt((slope**2).sum())
return w - learning_rate * slope {} max(norm, 1)
"""
HIGHER = """first = highest_a.max() >= highest_b.max()
highest = highest_a if first else highest_b
a, b = np.exp(highest_a - highest), np.exp(highest_b - highest)
return highest, a * total_a + b * total_b, a * mix_a + b * mix_b
"""
POWERS = """top = scores == scores.max(axis=-1, keepdims=True)
hidden = np.where(top, -100, scores)
powers = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
return powers / powers.sum(axis=-1, keepdims=True)
"""
CENTRAL = """array = model.parameters[name]
array[place] += 0.001
higher, _ = model.loss_and_gradients(*batch)
array[place] -= 2 * 0.001
lower, _ = model.loss_and_gradients(*batch)
array[place] += 0.001
return (higher - lower) / {}
"""
TOLD = (  # an exercise, code, what is said, and what is not
    ("rms_norm", ROOT.format(1, 1e-5), "along axis 1", "row 1"),
    ("rms_norm", ROOT.format(1, 1e-6), "other than 1e-5", "Another input"),
    ("rms_norm", ROOT.format(-1, 3e-6), "1e-5", "Only row"),
    (
        "cache_bytes",
        "each = [2, tokens, layers, kv_heads, d_head, bytes_each]\n"
        "return int(np.prod(each, dtype=np.int32))",
        "An integer of 32 bits ends at about 2 billion",
        "correct",
    ),
    ("tied_step", CLIPPED.format("/"), "norm of the gradient", "not right"),
    (
        "nearest_rows",
        "unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)\n"
        "table = np.fill_diagonal(unit @ unit.T, -np.inf)\n"
        "return np.argmax(table, axis=1)",
        "changes its array in place and returns None",
        "A matrix has two axes",
    ),
    (
        "byte_pairs",
        "out = []\nfor token in tokens:\n    out = out.append(token)\n"
        "return out",
        "`out.append` changes the list in place and returns None",
        "forget its",
    ),
    (
        "hide_words",
        "return scores + (1 - is_word.astype(float)) * -np.inf",
        "0 × infinity is NaN",
        "not a number",
    ),
    (
        "swiglu",
        "g = x @ w_gate\n"
        "e = np.exp(g)\n"
        "return (g * e / (1 + e) * (x @ w_up)) @ w_down",
        "✓ swiglu: correct. The gate decides how much of each number passes"
        " through. One remark: exp(g) is infinity for a g above 709",
        "✗",
    ),
    ("merge_halves", HIGHER, "decides once for all rows", "Only row"),
    (
        "attend_with_cache",
        "if len(keys) == 0:\n"
        "    return value, key, value\n"
        "keys, values = np.vstack([keys, key]), np.vstack([values, value])\n"
        "w = np.exp(keys @ query / np.sqrt(len(query)))\n"
        "return w / w.sum() @ values, keys, values",
        "For an empty cache, `all_keys` has the shape",
        "has no axis",
    ),
    (
        "softmax_backward",
        "total = grad_weights.sum(axis=-1, keepdims=True)\n"
        "return grad_weights - weights * total",
        "backward pass of the log-softmax",
        "not right yet",
    ),
    (
        "softmax_backward",
        "mean = (weights * grad_weights).sum(axis=-1)\n"
        "return weights * (grad_weights - mean)",
        "the whole column j gets the mean of row j",
        "every number",
    ),
    (
        "softmax_over_keys",
        "e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
        "return e / e.sum(axis=-1)",
        "column j is then divided by the total of row j",
        "every number",
    ),
    (
        "dot_product_variance",
        "rng = np.random.default_rng(0)\n"
        "q, k = rng.standard_normal((2, 20000, d_k))\n"
        "return (q * k).sum(axis=1).var() * var_q * var_k",
        "an estimate is never quite the number",
        "every run",
    ),
    ("hide_top", POWERS, "to a number that is not low enough", "[1, 0]"),
    (
        "padding_masks",
        "sizes = np.sort(lengths)[::-1][:, None]\n"
        "is_padding = np.arange(longest) >= sizes\n"
        "return ~is_padding[:, None, None, :], is_padding",
        "sorts the lengths",
        "not right yet",
    ),
    (
        "rotate",
        "half = x.shape[-1] // 2\n"
        "w = positions[:, None] * base ** (-np.arange(half) / half)\n"
        "a, b, cos, sin = x[:, :half], x[:, half:], np.cos(w), np.sin(w)\n"
        "return np.concatenate([a * cos - b * sin, b * cos + a * sin], 1)",
        "in a stack of heads",
        "lined up",
    ),
    ("slope_by_hand", CENTRAL.format("0.001"), "up and down", "twice as"),
    ("slope_by_hand", CENTRAL.format("0.002"), "✓ slope_by_hand", "✗"),
    (
        "softmax_with_temperature",
        "s = np.clip(scores / temperature, -30, 30)\n"
        "return np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)",
        "cuts off large scores",
        "not right yet",
    ),
    (
        "interchange",
        "result = rows[:]\n"
        "for b in range(len(places)):\n"
        "    result[b, places[b]] = donor[b, places[b]]\n"
        "return result",
        "changes its argument rows. The next cell still needs the",
        "correct",
    ),
)


@pytest.mark.parametrize("name, lines, phrase, never", TOLD)
def test_a_mistake_is_named_as_it_is(name, lines, phrase, never, told):
    said_truly(told, name, lines, phrase, never)


@pytest.mark.parametrize("seed", range(8))
def test_too_few_pairs_are_called_too_few(seed, told):
    rng = np.random.default_rng(seed)

    def score_spread(d_k, scale):
        query, key = rng.standard_normal((2, 50, d_k))
        return ((query * key).sum(axis=1) * scale).std()

    text = told(checks.score_spread, score_spread)
    assert "near, but too rough" in text, text


def test_an_input_is_shown_as_exactly_as_its_result_needs():
    scores = np.array([[-900.75, 0.0453125, 1 / 3]])
    shown = inputs.shown(checks.hide_top, Probe("three keys", (scores,)))
    assert shown == ["scores = [[-900.75 0.0453 0.333]]"]


def test_a_row_that_is_only_a_little_nearer_is_not_called_right():
    want = np.ones((3, 2))
    got = want + [[2e-5], [6e-6], [7e-6]]
    assert "row 0" not in places.pattern(got, want).lower()
    assert places.pattern(want + [[1e-7], [0.1], [2e-7]], want) == (
        "Only row 1 is wrong."
    )

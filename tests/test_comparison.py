"""The exercises of notebook 05: right answers in other styles, and slips."""

import numpy as np
import pytest

from helpers import checks

# --- exercises: right answers in other styles ------------------------------


def stacked_at_once(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
    weight = np.hstack([w_q, w_k, w_v]).T
    return weight, np.r_[b_q, b_k, b_v], w_o.swapaxes(0, 1), b_o


def filled_in(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
    e = len(w_q)
    weight, bias = np.zeros((3 * e, e)), np.zeros(3 * e)
    for i, (w, b) in enumerate(((w_q, b_q), (w_k, b_k), (w_v, b_v))):
        weight[i * e : (i + 1) * e] = w.T
        bias[i * e : (i + 1) * e] = b
    return [weight, bias, np.einsum("ij->ji", w_o), b_o]


def masks_by_loops(lengths, longest):
    padding = [[i >= n for i in range(longest)] for n in lengths]
    return ~np.array(padding).reshape(len(lengths), 1, 1, -1), padding


def exponent_by_formula(lengths, seconds):
    x, y = np.log10(lengths), np.log10(seconds)
    x = x - x.mean()
    return (x * y).sum() / (x * x).sum()


@pytest.mark.parametrize(
    "name, answer",
    [
        ("to_torch", stacked_at_once),
        ("to_torch", filled_in),
        ("padding_masks", masks_by_loops),
        ("fitted_exponent", exponent_by_formula),
    ],
)
def test_other_styles_are_right(name, answer, capsys):
    checks.EXERCISES[name](answer)
    assert capsys.readouterr().out.startswith(f"✓ {name}: correct")


def masks(change):
    def answer(lengths, longest):
        is_word = np.arange(longest) < lengths[:, None]
        return change(is_word[:, None, None], ~is_word)

    return answer


def layer_with(change):
    def answer(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
        weight = np.concatenate([w_q.T, w_k.T, w_v.T])
        bias = np.concatenate([b_q, b_k, b_v])
        return change(weight, bias, w_o.T, b_o, (w_q, w_k, w_v))

    return answer


SLIPS = [
    (
        "padding_masks",
        masks(lambda attend, padding: (attend.astype(float), padding)),
        "`may_attend` has the right numbers, but as float64",
    ),
    (
        "padding_masks",
        masks(lambda attend, padding: (attend, padding.astype(int))),
        "`is_padding` has the right numbers, but as int",
    ),
    (
        "padding_masks",
        masks(lambda attend, padding: (np.where(attend, 0, -np.inf), padding)),
        "this mask is made to be added to the scores",
    ),
    (
        "padding_masks",
        masks(lambda attend, padding: (
            np.repeat(attend, attend.shape[-1], axis=2), padding)),
        "the mask has a row for every query",
    ),
    (
        "to_torch",
        layer_with(lambda weight, bias, out, b_o, w: (
            np.concatenate([w[0].T, w[1], w[2]]), bias, out, b_o)),
        "not all three are transposed",
    ),
    (
        "to_torch",
        layer_with(lambda weight, bias, out, b_o, w: (weight, out, bias, b_o)),
        "the four results come in another order",
    ),
    (
        "fitted_exponent",
        lambda n, s: np.polyfit(np.log(n), np.log(s), 1),
        "this is the whole line, not its slope",
    ),
    (
        "fitted_exponent",
        lambda n, s: np.polyfit(np.log10(n), np.log(s), 1)[0],
        "the two logarithms have different bases",
    ),
]  # fmt: skip


@pytest.mark.parametrize("name, answer, words", SLIPS)
def test_slips_are_named(name, answer, words, capsys):
    checks.EXERCISES[name](answer)
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith(f"✗ {name}: {words}")

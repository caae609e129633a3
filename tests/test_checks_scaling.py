"""Answers to the exercises of notebook 03, and what they must be told."""

import numpy as np
import pytest

from helpers import checks
from helpers.attention import softmax


def entropy_with(logs, total=np.sum, largest=None):
    """Fill the blanks of `normalized_entropy`."""

    def answer(weights):
        entropy = -total(weights * logs(weights), axis=-1)
        if largest:
            return entropy / largest(weights, entropy)
        return entropy / np.log(weights.shape[-1])

    return answer


def safe_log(weights):
    return np.log(np.where(weights > 0, weights, 1))


def shares(exponents):
    powers = np.exp(exponents)
    return powers / powers.sum(axis=-1, keepdims=True)


def highest(scores):
    return scores.max(axis=-1, keepdims=True)


def mean(scores):
    return scores.mean(axis=-1, keepdims=True)


_SMALL = "small weights are treated like 0"
_FOUND = "divided by the largest number found"
_NAN = "a weight of 0 gives NaN"

TOLD = {
    "dot_product_variance": (
        (lambda d, q, k: int(d * q * k), "✗", "cut to a whole number"),
        (lambda d, q, k: d * q * k + d, "✗", "variance is 32.000; right is"),
        (lambda d, q, k: d * q * k**3, "✗", "right is 30.000"),
        (lambda d, q, k: 3 * d * q * k, "✗", "3.000 times the right one"),
        (lambda d, q, k: d * q * k + 3, "✗", "the same number is added"),
    ),
    "normalized_entropy": (
        (entropy_with(lambda w: np.log(np.clip(w, 0.01, 1))), "✗", _SMALL),
        (entropy_with(lambda w: np.log(np.clip(w, 1e-3, 1))), "✗", _SMALL),
        (
            entropy_with(lambda w: np.log(np.where(w > 0.005, w, 1))),
            "✗",
            _SMALL,
        ),
        (
            entropy_with(lambda w: np.log(np.clip(w, 0.003, 1))),
            "✗",
            "It fails for: weights down to 0.0002",
            "Only a weight of exactly 0",
        ),
        (
            entropy_with(lambda w: np.log(np.where(w > 0, w, 0))),
            "✗",
            _NAN,
            "put a 1, whose log is 0",
        ),
        (entropy_with(safe_log, largest=lambda w, e: e.max()), "✗", _FOUND),
        (entropy_with(safe_log, largest=lambda w, e: w.max()), "✗", _FOUND),
        (entropy_with(safe_log, np.mean), "✗", "a mean where the sum"),
        (entropy_with(lambda w: np.log(w + 0.01)), "✗", "a number added"),
        (entropy_with(lambda w: np.log(np.maximum(w, 1e-12))), "✓"),
        (entropy_with(lambda w: np.log(w + 1e-12)), "✓"),
        (entropy_with(safe_log), "✓"),
    ),
    "head_scale": (
        (
            lambda d, h: np.sqrt(d // h),
            "✗",
            "this is what to divide by",
            "multiply by 0.125, not by 8",
        ),
        (lambda d, h: (d // h) ** -0.5, "✓"),
        (lambda d, h: 1 / np.sqrt(d / h + 1), "✗", "right is 0.250"),
    ),
    "softmax_with_temperature": (
        (
            lambda s, t: shares(s / t - highest(s)),
            "✗",
            "you subtract the undivided maximum",
            "divided by the temperature like",
        ),
        (
            lambda s, t: shares((s - mean(s)) / t),
            "✗",
            "you subtract the mean",
            "Subtract the highest score",
        ),
        (
            lambda s, t: shares(s / t - mean(s)),
            "✗",
            "Subtract the highest score",
        ),
        (
            lambda s, t: shares(np.clip(s / t, -700, 700)),
            "✗",
            "cut off",
            "Subtract the highest score",
        ),
        (
            lambda s, t: shares(np.minimum(s / t, 300)),
            "✗",
            "Subtract the highest score",
        ),
        (lambda s, t: shares(s / t), "✗", "cold ones overflow"),
        (lambda s, t: shares((s - highest(s)) / t), "✓"),
        (lambda s, t: softmax(s / t), "✓"),
    ),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", TOLD)
def test_answers_are_told(name, capsys):
    for number, (answer, sign, *phrases) in enumerate(TOLD[name]):
        getattr(checks, name)(answer)
        out = " ".join(capsys.readouterr().out.split())
        assert out.startswith(sign), (number, out)
        assert "factor, which differs" not in out, (number, out)
        for phrase in phrases:
            assert phrase in out, (number, out)

"""Wrong ways to turn scores into shares, grouped by the mistake."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.probes import total, turned


def _exp(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def _shared(e, axis=-1):
    return e / total(e, axis)


def _sigmoid(scores):
    return 1 / (1 + np.exp(-scores))


def _shifted(scores, shift):
    return _shared(np.exp(scores - shift))


def _along_keys(function):
    return lambda s: _shifted(s, function(s, axis=-1, keepdims=True))


def _norm(x):
    return np.sqrt(total(x * x))


def _range(scores):
    lowest = scores.min(axis=-1, keepdims=True)
    return (scores - lowest) / (scores.max(axis=-1, keepdims=True) - lowest)


OVER_QUERIES = (
    lambda s: softmax(s, -2),
    lambda s: softmax(s, 0),
    lambda s: _shared(_exp(s), -2),
    lambda s: _shared(np.exp(s), -2),
)
OVER_EVERYTHING = (
    lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(),
    lambda s: _exp(s) / _exp(s).sum(),
)
NO_KEEPDIMS_SYMMETRIC = (
    lambda s: np.exp(s) / np.exp(s).sum(axis=-1),
    lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(axis=-1),
)
LOST_MAXIMUM = (lambda s: _shifted(s, s.max(axis=-1)),)
NO_KEEPDIMS = (
    *NO_KEEPDIMS_SYMMETRIC,
    lambda s: _exp(s) / _exp(s).sum(axis=-1),
    *LOST_MAXIMUM,
    lambda s: (
        np.exp(s - s.max(axis=-1)) / np.exp(s - s.max(axis=-1)).sum(axis=-1)
    ),
)
OVERFLOW = (
    lambda s: _shifted(s, 0),
    lambda s: np.nan_to_num(_shifted(s, 0)),
    _along_keys(np.mean),
    _along_keys(np.min),
    lambda s: _shifted(s, s.mean()),
    lambda s: _shifted(s, s.min()),
    lambda s: _shifted(s, np.abs(s).max(axis=-1, keepdims=True)),
    lambda s: _shifted(s, s[..., :1]),
    lambda s: _shifted(s, s[..., -1:]),
)
ONE_ROW = (
    lambda s: _shifted(s, s[..., :1, :].max()),
    lambda s: _shifted(s, s[..., -1:, :].max()),
)
POWERS_SUBTRACTED = (
    lambda s: _shifted(s, np.exp(s).max(axis=-1, keepdims=True)),
    lambda s: _shifted(s, np.exp(s).max()),
)
ONE_SIDE = (
    lambda s: _exp(s) / total(np.exp(s)),
    lambda s: np.exp(s) / total(_exp(s)),
)
ADDED = (
    lambda s: _shifted(s, -s.max(axis=-1, keepdims=True)),
    lambda s: _shifted(s, -s.max()),
)
FAR_ROW = (
    lambda s: _shifted(s, s.max()),
    lambda s: np.nan_to_num(_shifted(s, s.max())),
)
CUT_OFF = (
    lambda s: softmax(np.clip(s, -100, 100)),
    lambda s: softmax(np.minimum(s, 100)),
    lambda s: _shifted(np.minimum(s, 100), 0),
)
COLUMN_MAXIMUM = (lambda s: _shifted(s, s.max(axis=-2, keepdims=True)),)
NO_EXP = (
    _shared,
    lambda s: _shared(s - s.max(axis=-1, keepdims=True)),
)
NO_EXP_FROM_ZERO = (
    lambda s: _shared(s - s.min(axis=-1, keepdims=True)),
    lambda s: _shared(_range(s)),
)
NO_TOTAL = (np.exp, lambda s: np.exp(s - s.max()))
BY_THE_HIGHEST = (
    _exp,  # the highest of these is 1, so dividing by it changes nothing
    lambda s: np.exp(s) / np.exp(s).max(axis=-1, keepdims=True),
)
BY_THE_SCORES = (
    lambda s: _exp(s) / total(s),
    lambda s: np.exp(s) / total(s),
    lambda s: _exp(s) / total(s - s.max(axis=-1, keepdims=True)),
)
LOGARITHM = (lambda s: s - np.log(total(_exp(s))) - s.max(-1, keepdims=True),)
SIGMOID = (_sigmoid, lambda s: _shared(_sigmoid(s)))
HARD = (
    lambda s: np.eye(s.shape[-1])[s.argmax(axis=-1)],
    lambda s: s == s.max(axis=-1, keepdims=True),
    lambda s: _shared(s == s.max(axis=-1, keepdims=True)),
)
OTHER_BASE = (
    lambda s: softmax(s * np.log(2)),
    lambda s: softmax(s * np.log(10)),
    lambda s: _shared(2.0**s),
)
SCALED = (
    lambda s: softmax(s / np.sqrt(s.shape[-1])),
    lambda s: softmax(s / s.shape[-1]),
    lambda s: softmax(s / np.sqrt(s.shape[-2])),
    lambda s: softmax(s / s.shape[-2]),
    lambda s: softmax(s / s.std()),
    lambda s: softmax(s / s.max()),
    lambda s: softmax(s / s.max(axis=-1, keepdims=True)),
    lambda s: softmax(s / np.abs(s).max()),
    lambda s: softmax(s / _norm(s)),
)
SIGN = (lambda s: softmax(-s), lambda s: _shared(np.exp(-s)))
NO_SIGN = (
    lambda s: softmax(np.abs(s)),
    lambda s: softmax(s**2),
    lambda s: _shared(np.abs(s)),
    lambda s: _shared(s**2),
)
POSITIVE_ONLY = (
    lambda s: _shared(np.maximum(s, 0)),
    lambda s: np.maximum(s, 0),
)
OTHER_TOTAL = (
    lambda s: softmax(s) * s.shape[-1],
    lambda s: _exp(s) / s.shape[-1],
    lambda s: np.exp(s) / s.shape[-1],
    lambda s: _exp(s) / _norm(_exp(s)),
    lambda s: np.exp(s) / _norm(np.exp(s)),
    lambda s: _exp(s) / (total(_exp(s)) + 1),
    lambda s: np.exp(s) / (total(np.exp(s)) + 1),
    lambda s: s / _norm(s),
    _range,
)
TWICE = (lambda s: softmax(softmax(s)),)
TURNED = (lambda s: turned(softmax(s)), lambda s: softmax(turned(s)))
FROM_THE_FRONT = (lambda s: softmax(s, 1),)

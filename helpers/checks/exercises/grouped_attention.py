"""Trial room 08: heads attend with keys and values that they share."""

import re

import numpy as np

from helpers.attention import scaled_dot_product_attention
from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_IN_A_ROW = (
    "Neighbors share: the first H/G heads use the first key and value, the"
    " next H/G the second."
)


def _repeat(shared, heads):
    """(G, T, d) -> (H, T, d)."""
    return np.repeat(shared, heads // len(shared), axis=0)


# (name, idea, function of (G, T, d) and H)
_SHARINGS = (
    (
        "the heads take turns",
        f"{_IN_A_ROW} In turns, as np.tile or h % G have it, neighbors get"
        " different ones.",
        lambda a, heads: np.tile(a, (heads // len(a), 1, 1)),
    ),
    (
        "all heads use the first one",
        f"There are G groups, and each serves H/G heads. {_IN_A_ROW}",
        lambda a, heads: _repeat(a[:1], heads),
    ),
    (
        "all heads use the last one",
        f"There are G groups, and each serves H/G heads. {_IN_A_ROW}",
        lambda a, heads: _repeat(a[-1:], heads),
    ),
    (
        "an average is used",
        f"Each group stays as it is. {_IN_A_ROW}",
        lambda a, heads: _repeat(a.mean(axis=0, keepdims=True), heads),
    ),
    (
        "the order is reversed",
        _IN_A_ROW,
        lambda a, heads: _repeat(a[::-1], heads),
    ),
)


def _wrong(name, share):
    return lambda c: share(getattr(c, name), len(c.query))


_keys = Step(
    "keys",
    lambda c: _repeat(c.key, len(c.query)),
    *(
        Mistake(
            said,
            idea,
            {"keys": _wrong("key", share), "values": _wrong("value", share)},
        )
        for said, idea, share in _SHARINGS
    ),
    *(
        Mistake(f"of the keys alone, {said}", idea, _wrong("key", share))
        for said, idea, share in _SHARINGS
    ),
)
_values = Step(
    "values",
    lambda c: _repeat(c.value, len(c.query)),
    *(
        Mistake(f"of the values alone, {said}", idea, _wrong("value", share))
        for said, idea, share in _SHARINGS
    ),
)


def _averaged(c):
    found, _ = scaled_dot_product_attention(c.query, c.keys, c.values)
    groups = found.reshape(len(c.key), -1, *found.shape[1:])
    return groups.mean(axis=1)  # (G, T, d_v)


_context = Step(
    "context",
    lambda c: scaled_dot_product_attention(c.query, c.keys, c.values)[0],
    Mistake(
        "the scores are not divided by the root of d_k",
        "A shared key has as many columns as any other: the root stays.",
        lambda c: scaled_dot_product_attention(
            c.query, c.keys, c.values, scale=1.0
        )[0],
    ),
    Mistake(
        "the heads of a group are averaged",
        "Only keys and values are shared. Each query keeps a context of its"
        " own: H of them.",
        _averaged,
    ),
    Mistake(
        "the weights are returned",
        "scaled_dot_product_attention returns two arrays, the context first.",
        lambda c: scaled_dot_product_attention(c.query, c.keys, c.values)[1],
    ),
)


def _from_errors(exercise, trials):
    """Recognize H queries that meet G keys or G values."""
    trial, error = trials[0], trials[0].got.error
    query, key, _ = trial.probe.args
    few = rf"(key|value) \({len(key)}, \d+, \d+\)"
    if f"query {query.shape}" not in error or not re.search(few, error):
        return None
    return (
        f"{len(query)} queries meet {len(key)} keys or values.",
        "One for each query: repeat each H/G times, along the first axis.",
        f"It stops for {trial.probe.words}: {error}",
    )


def _probe(words, seed, heads, groups, length, d_k, d_v, level="basic"):
    query = table(seed, heads, length, d_k)
    key = table(seed + 1, groups, length, d_k)
    value = table(seed + 2, groups, length, d_v)
    return Probe(words, (query, key, value), level)


grouped_attention = Exercise(
    name="grouped_attention",
    call="grouped_attention(query, key, value)",
    results=("context",),
    shape="(H, T, d_v): a context for each query",
    steps=(_keys, _values, _context),
    probes=(
        _probe("4 heads, 2 groups, 3 words", 801, 4, 2, 3, 2, 5),
        _probe("6 heads, 2 groups, 4 words", 811, 6, 2, 4, 3, 2),
        _probe("6 heads, 3 groups, 5 words", 821, 6, 3, 5, 4, 3),
        _probe("4 heads, 2 groups, all sizes 4", 831, 4, 2, 4, 4, 4),
        _probe("one group for all", 841, 4, 1, 3, 2, 3, "edge"),
        _probe("a group for each head", 851, 3, 3, 4, 2, 2, "edge"),
    ),
    recognize=_from_errors,
    praise="Queries of their own, keys and values in company.",
)

"""Notebook 08: attention, block of keys after block of keys."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.online import ONLINE
from helpers.checks.steps.tools import finite, softmax, t, table


def _probe(words, seed, *sizes, level="basic", times=1):
    queries, keys, d_k, d_v, size = sizes
    query = times * table(seed, queries, d_k)
    arrays = query, table(seed + 1, keys, d_k), table(seed + 2, keys, d_v)
    return Probe(words, (*arrays, size), level)


def _far_below(words, seed):
    arrays = [np.abs(table(seed + i, 4, 3)) for i in range(3)]
    return Probe(
        words, (-9000 * (arrays[0] + 1), arrays[1] + 1, arrays[2], 2), "edge"
    )


def _slices(c, count=None):
    count = len(c.key) if count is None else count
    starts = range(0, count, int(c.size))
    return [slice(i, min(i + int(c.size), count)) for i in starts]


def _averaged(c):
    return np.mean(
        [softmax(c.rows[:, p]) @ c.values[p] for p in c.columns], axis=0
    )


def _loop(top=1, add=1):
    """The loop, with its maximum and its sum along the axes given."""

    def wrong(c):
        highest, total, mix = np.full((len(c.rows), 1), -np.inf), 0, 0
        for part in c.columns:
            new = c.rows[:, part].max(axis=top, keepdims=True)
            new = np.maximum(highest, new)
            weights, rescale = np.exp(c.rows[:, part] - new), highest - new
            total = total * np.exp(rescale)
            total = total + weights.sum(axis=add, keepdims=True)
            mix = mix * np.exp(rescale) + weights @ c.values[part]
            highest = new
        return mix / total

    return wrong


def _one_total(c):
    total = 0.0
    for factor, term in zip(c.factors["total"], c.terms, strict=True):
        total = total * factor + term.sum()
    return total


_rows = Step(
    "rows",
    lambda c: c.query @ t(c.key) / np.sqrt(c.key.shape[1]),
    Mistake(
        "the scores are not divided by the root of d_k",
        "Scores are query @ key.T / sqrt(d_k), as in every notebook before.",
        lambda c: c.query @ t(c.key),
    ),
    Mistake(
        "the scores are divided by d_k, not by its root",
        "Divide by np.sqrt(d_k).",
        lambda c: c.query @ t(c.key) / c.key.shape[1],
    ),
    Mistake(
        "the scores are divided by the root of the size of a block",
        "The root is that of d_k, the width of a key.",
        lambda c: c.query @ t(c.key) / np.sqrt(int(c.size)),
    ),
    Mistake(
        "the scores are divided by the root of d_v",
        "The root is that of d_k, the width of a key.",
        lambda c: c.query @ t(c.key) / np.sqrt(c.value.shape[1]),
    ),
)
_AXES = Mistake(
    "a maximum or a sum runs over the queries, not over the keys",
    "axis=0 runs down the table, from query to query. Each query has its own"
    " maximum and its own sum, over its keys: axis=1, with keepdims=True.",
    _loop(top=0),
    _loop(add=0),
    _loop(top=0, add=0),
)
_ONE_TOTAL = Mistake(
    "one total serves all rows",
    "Each query has a total of its own: .sum(axis=1, keepdims=True).",
    _one_total,
)
_OWN_BLOCK = Mistake(
    "the new weights are measured from the highest score of their block",
    "An older score may be higher: subtract `new`, the highest so far, as the"
    " rescale does.",
    lambda c: [
        np.exp(c.rows[:, part] - c.rows[:, part].max(axis=1, keepdims=True))
        for part in c.columns
    ],
)
_columns = Step(
    "columns",
    _slices,
    Mistake(
        "the keys of the last block are left out",
        "The last block may be smaller: range(0, T_k, size) gives its start,"
        " and a slice that goes too far stops at the end by itself.",
        {
            "columns": lambda c: _slices(c, len(c.key) - len(c.key) % c.size),
        },
    ),
    Mistake(
        "the blocks are counted by the queries, not by the keys",
        "All keys must be met: range(0, len(key), size).",
        lambda c: [
            slice(i, i + int(c.size))
            for i in range(0, len(c.query), int(c.size))
        ],
    ),
    Mistake(
        "only the first block is used",
        "Every query must meet every key, block after block.",
        lambda c: _slices(c)[:1],
    ),
)
attend_in_blocks = Exercise(
    name="attend_in_blocks",
    call="attend_in_blocks(query, key, value, size)",
    results=("context",),
    shape="(T_q, d_v), one row per query",
    steps=(
        _rows,
        Step("values", lambda c: c.value),
        _columns,
        *ONLINE[:2],
        ONLINE[2].but(also=(_OWN_BLOCK,)),
        ONLINE[3].but(also=(_ONE_TOTAL,)),
        ONLINE[4],
        ONLINE[-1].but(
            also=(
                _AXES,
                Mistake(
                    "each block has a softmax of its own, and they are"
                    " averaged",
                    "Blocks with high scores must count more. Keep highest,"
                    " total and mix from block to block; divide once, at the"
                    " end.",
                    _averaged,
                    lambda c: len(c.columns) * _averaged(c),
                ),
            ),
        ),
    ),
    probes=(
        _probe("6 keys in blocks of 2", 821, 3, 6, 4, 2, 2),
        _probe("7 keys in blocks of 3", 825, 4, 7, 2, 3, 3),
        _probe("5 keys in blocks of 2", 829, 5, 5, 3, 4, 2),
        _probe("blocks of 1", 833, 2, 4, 4, 3, 1, level="edge"),
        _probe("a block of all keys", 837, 3, 4, 5, 2, 8, level="edge"),
        _probe("large scores", 841, 3, 6, 4, 2, 2, level="edge", times=4000),
        _far_below("scores far below 0", 845),
    ),
    properties=(finite,),
    praise="These are the numbers of the whole table.",
)

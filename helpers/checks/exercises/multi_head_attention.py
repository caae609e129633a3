"""Notebook 04: multi-head attention as a whole."""

import re

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import SOFTMAX, SQUARE_MIX, scores
from helpers.checks.steps.heads import (
    CUTS,
    SPLITS,
    merged,
    ordered,
    output,
    split,
)
from helpers.checks.steps.learned import (
    projections,
    root_scale,
    scaled_weights,
)
from helpers.checks.steps.tools import WEIGHTS, softmax, table

_NAMES = "query", "key", "value"
_MATRIX = {"query": "w_q", "key": "w_k", "value": "w_v"}


def _projected(cut, names=_NAMES):
    """Replace the split of the projections."""
    return {
        name: lambda c, w=_MATRIX[name]: cut(c.x @ getattr(c, w), c.num_heads)
        for name in names
    }


_query, *_others = projections(
    *_NAMES, cut=lambda c, projected: split(projected, c.num_heads)
)
_one_head = Mistake(
    "this is one wide head",
    "The width is not split: one softmax over all of it. Split query, key and"
    " value first, so that each head has scores of its own.",
    _projected(lambda table, heads: table[None]),
    _projected(lambda table, heads: table)
    | {
        "merged": lambda c: c.context,
        "scaled": lambda c: c.scores / np.sqrt(c.x.shape[1] / c.num_heads),
    },
    _projected(lambda table, heads: table) | {"merged": lambda c: c.context},
)


def _diagonal(cut, w, heads):
    """Multiply each piece of the words (H, T, d) with its block of w."""
    return cut @ np.stack(
        [
            np.split(np.split(w, heads)[h], heads, axis=1)[h]
            for h in range(heads)
        ]
    )


_PROJECT = (
    "Each head sees the whole word: project first, with all of w_q, w_k and"
    " w_v, then split what comes out."
)
_cut_first = Mistake(
    "x is cut before it is projected",
    _PROJECT,
    {
        name: lambda c, w=w: _diagonal(
            split(c.x, c.num_heads), getattr(c, w), int(c.num_heads)
        )
        for name, w in _MATRIX.items()
    },
)
_splits = [
    Mistake(name, idea, *map(_projected, wrong))
    for name, idea, *wrong in (*SPLITS, *CUTS)
]
_partly = Mistake(
    "not all of query, key and value are split into heads",
    "Each head has queries, keys and values of its own: all three are split.",
    *(
        _projected(lambda table, heads: table[None], names)
        for names in (_NAMES[:1], _NAMES[1:2], _NAMES[2:], _NAMES[:2])
    ),
)
_across = Mistake(
    "the softmax runs across the heads",
    "The heads do not compete. In each head, the weights of a query sum to 1"
    " along the keys, the last axis.",
    {"weights": lambda c: softmax(c.scaled, 0)},
)
_residual = Mistake(
    "x is added to the output",
    "A residual connection hands a layer's input on beside its result. It is"
    " another step: here the output alone is asked for.",
    lambda c: c.merged @ c.w_o + c.x,
)
_both = Step(
    "both",
    lambda c: (c.output, c.weights),
    Mistake(
        "the scores are returned instead of the weights",
        "Scores are before the softmax, weights after it.",
        lambda c: (c.output, c.scaled),
    ),
    Mistake(
        "the weights of all heads are averaged or added up",
        "Asked for is a table of weights for each head: (H, T, T).",
        lambda c: (c.output, c.weights.mean(axis=0)),
        lambda c: (c.output, c.weights.sum(axis=0)),
    ),
    Mistake(
        "the weights of only one head are returned",
        "Asked for is a table of weights for each head: (H, T, T).",
        lambda c: (c.output, c.weights[0]),
        lambda c: (c.output, c.weights[-1]),
    ),
)


def _layer(seed, heads, length, d_model, factor=1):
    x = factor * table(seed, length, d_model)
    square = [table(seed + i, d_model, d_model, step=8) for i in range(1, 5)]
    return x, *square, heads


def _uneven(seed, widths, heads, length, d_model):
    """Heads whose keys and values have widths of their own."""
    d_k, d_v = widths
    shapes = [(d_model, heads * d_k)] * 2
    shapes += [(d_model, heads * d_v), (heads * d_v, d_model)]
    matrices = [table(seed + i, *s, step=8) for i, s in enumerate(shapes, 1)]
    return table(seed, length, d_model), *matrices, heads


def _from_errors(exercise, trials):
    """Recognize what no numbers tell: a product or a test stops."""
    first = trials[0]
    x, *_, heads = first.probe.args
    sizes = re.findall(r"size (\d+) is different from (\d+)", first.got.error)
    length, width, d = *map(str, x.shape), str(x.shape[1] // int(heads))
    if sizes == [(width, d)]:
        return _too_narrow(first.got.line)
    if sizes == [(length, d)] and ".T" in first.got.line:
        return (
            "it stops: the keys of all heads are transposed by .T.",
            "`.T` turns all three axes around. Exchange the last two only:"
            " key.swapaxes(-1, -2).",
        )
    stopped = [t for t in trials if t.got.error]
    pair = _pair(first.got.error, stopped)
    if pair:
        return pair
    basic = any(t.probe.level == "basic" for t in stopped)
    if (
        stopped
        and not basic
        and all("NotFiniteError" in t.got.error for t in stopped)
    ):
        if all(len(t.probe.args[0]) > 1 for t in stopped):
            return (
                "the weights of a row are 0 / 0.",
                f"For {stopped[0].probe.words} np.exp gives 0 for a whole row"
                " that lies far below the number subtracted, and the weights"
                " are NaN. Subtract each row's own maximum: axis=-1,"
                " keepdims=True.",
            )
        return (
            "the weights overflow.",
            f"For {stopped[0].probe.words} np.exp gives infinity, and the"
            " weights are NaN. Subtract from each row of scores its largest"
            " score first.",
        )
    return None


_RETURNS = (
    "attention.scaled_dot_product_attention returns two results, in this"
    " order: context, weights = ..."
)


def _pair(error, stopped):
    """Recognize that context and weights are not unpacked, or exchanged."""
    if "tuple without a shape" in error or "'tuple' object has no" in error:
        return "it stops: a tuple stands where an array belongs.", _RETURNS
    if "inhomogeneous" in error:
        return (
            "it stops: arrays of different shapes stand where one belongs.",
            _RETURNS,
        )
    basic = [t for t in stopped if t.probe.level == "basic"]
    if basic and all(map(_as_wide_as_weights, basic)):
        return (
            "it stops: H*T numbers meet w_o, as if the weights were merged.",
            f"The context has H*d. {_RETURNS}",
        )
    return None


def _as_wide_as_weights(trial):
    x, *_, heads = trial.probe.args
    sizes = f"size {x.shape[1]} is different from {int(heads) * len(x)})"
    return sizes in trial.got.error and "w_o" in trial.got.line


def _too_narrow(line):
    """Say why d numbers met a matrix with H*d rows, by where it was."""
    merge = (
        "Put the heads side by side before w_o: exchange heads and words,"
        " then reshape to rows of H*d numbers."
    )
    if any(name in line for name in _MATRIX.values()):
        return "it stops: x is cut before it is projected.", _PROJECT
    if "w_o" in line:
        return "it stops: the heads are not merged before w_o.", merge
    return (
        "it stops: d numbers meet a matrix with H*d rows.",
        f"Is x cut before it is projected? {_PROJECT} Or are the heads not"
        f" merged? {merge}",
    )


_WIDTHS = (
    "Not yet for heads with another width than d_model / H, or with values of"
    " another width than the keys: take d from the columns of w_q for the"
    " scores, and from those of w_v for the values."
)


multi_head_attention = Exercise(
    name="multi_head_attention",
    call="multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads)",
    results=("output", "weights"),
    shape="(T, d_model) and one T by T table per head",
    steps=(
        _query.but(also=(_one_head, *_splits, _partly, _cut_first)),
        *_others,
        scores.but(
            without=(
                "these are distances",
                "a number of the vectors is left out",
                "one token is left out",
            )
        ),
        root_scale.but(also=(scaled_weights,)),
        SOFTMAX[0].but(
            without=(
                "the scores are scaled before the softmax",
                "the highest score is added, not subtracted",
                "a row far below the others loses all its weights",
                "the highest score of one row is subtracted from all rows",
                "the position of the highest score is subtracted, not the"
                " score",
                "large scores are cut off",
            )
        ),
        SOFTMAX[1],
        SOFTMAX[2].but(also=(_across,)),
        SOFTMAX[3],
        *SQUARE_MIX,
        ordered,
        merged,
        output.but(also=(_residual,)),
        _both,
    ),
    probes=(
        Probe("3 words of width 4, 2 heads", _layer(431, 2, 3, 4)),
        Probe("4 words of width 6, 3 heads", _layer(437, 3, 4, 6)),
        Probe("5 words of width 6, 2 heads", _layer(443, 2, 5, 6)),
        Probe("4 words of width 4, 2 heads", _layer(449, 2, 4, 4)),
        Probe("2 words of width 10, 2 heads", _layer(473, 2, 2, 10)),
        Probe("one head", _layer(455, 1, 3, 3), "edge"),
        Probe("large numbers", _layer(479, 2, 3, 4, 100), "edge"),
        Probe("one word", _layer(461, 2, 1, 6), "edge"),
        Probe("one large word", _layer(497, 1, 1, 6, 100), "edge"),
        Probe("wide keys", _uneven(485, (3, 2), 2, 3, 4), "extra", _WIDTHS),
        Probe("wide values", _uneven(491, (2, 3), 2, 3, 4), "extra", _WIDTHS),
    ),
    properties=WEIGHTS,
    recognize=_from_errors,
    praise="Each head looks at places of its own.",
)

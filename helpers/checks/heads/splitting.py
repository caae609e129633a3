"""Exercises: cut the width into heads, and put the heads together."""

import numpy as np

from helpers import attention
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import table


def _numbered(heads, length, width):
    """Return 0, 1, 2, … in order: easy to follow through a reshape."""
    return np.arange(float(length * width)).reshape(length, width), heads


def _random(seed, heads, *shape):
    return table(seed, *shape), heads


def _by_words(x, heads):
    """(T, H, d): the cut alone."""
    return x.reshape(*x.shape[:-1], int(heads), -1)


def _split(x, heads):
    return _by_words(x, heads).swapaxes(-2, -3).copy()


def _interleaved(x, heads):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, heads), -1, -3)


_COLUMNS = (
    "Head h owns the columns h*d to (h+1)*d of *every* word: the first head"
    " sees the left part of each row."
)

split_heads = Exercise(
    name="split_heads",
    call="split_heads(x, num_heads)",
    reference=_split,
    results=("heads",),
    shape="one table per head, one row per word, d = width / heads columns",
    probes=(
        Probe("3 words of width 4, 2 heads", _numbered(2, 3, 4)),
        Probe("4 words of width 6, 3 heads", _numbered(3, 4, 6)),
        Probe("5 words of width 6, 2 heads", _random(401, 2, 5, 6)),
        Probe("4 words of width 4, 2 heads", _random(402, 2, 4, 4)),
        Probe("2 words of width 6, 2 heads", _random(403, 2, 2, 6)),
        Probe("one head", _random(404, 1, 3, 4), "hard"),
        Probe("one word", _random(405, 2, 1, 4), "hard"),
        Probe("as many heads as columns", _random(406, 3, 2, 3), "hard"),
        Probe("2 sentences at once", _random(407, 2, 2, 3, 4), "beyond"),
    ),
    bugs=(
        Bug(
            "the rows are poured straight into the heads",
            lambda x, h: x.reshape(*x.shape[:-2], h, x.shape[-2], -1),
            "The shape is right, and the numbers are plausible nonsense: a"
            " reshape fills the new array in reading order, so the first"
            " head gets the first *words*, cut into pieces. " + _COLUMNS,
        ),
        Bug(
            "the heads are interleaved",
            _interleaved,
            "Yours takes every H-th column. The product with w_q puts a"
            " head's columns side by side. " + _COLUMNS,
        ),
        Bug(
            "the heads still stand behind the words",
            _by_words,
            "(T, H, d) is halfway. Exchange the first two axes, so that each"
            " head becomes a table of its own: (H, T, d).",
        ),
        Bug(
            "each head stands on its side",
            lambda x, h: np.moveaxis(_by_words(x, h), -3, -1),
            "Rows must stay words: (H, T, d), not (H, d, T).",
        ),
        Bug(
            "heads and d are exchanged, not words and heads",
            lambda x, h: _by_words(x, h).swapaxes(-1, -2),
            "After the cut the axes are (T, H, d), numbers 0, 1 and 2."
            " Exchange the first two: (H, T, d).",
        ),
        Bug(
            "all axes are turned round",
            lambda x, h: _by_words(x, h).T,
            "(T, H, d) became (d, H, T): words and d are exchanged, as by"
            " swapaxes(0, 2) or .T. Exchange only words and heads.",
        ),
        Bug(
            "the transposed table is poured into the heads",
            lambda x, h: x.T.reshape(h, len(x), -1),
            "After .T a reshape reads column by column. Cut first, (T, H, d),"
            " then exchange the first two axes.",
        ),
        Bug(
            "heads and width have changed places",
            (
                lambda x, h: x.reshape(len(x), -1, h).swapaxes(0, 1),
                lambda x, h: x.reshape(len(x), -1, h),
            ),
            "The width H*d is H pieces of d numbers: (T, H, d), in this"
            " order.",
        ),
        Bug(
            "the words are cut, not the width",
            lambda x, h: np.stack(np.split(x, h, axis=-2)),
            "Every head must see all words. What it gets is a part of each"
            " word's numbers. " + _COLUMNS,
        ),
        Bug(
            "every head gets everything",
            lambda x, h: np.stack([x] * h),
            "Heads share the width: each gets d = width / H columns.",
        ),
        Bug(
            "the heads come in reverse order",
            lambda x, h: attention.split_heads(x, h)[..., ::-1, :, :],
            _COLUMNS,
        ),
        Bug(
            "nothing is cut",
            lambda x, h: x,
            _COLUMNS,
        ),
    ),
    proves=(
        "Reshape cuts each row, the exchange of axes lets every head keep all"
        " words. No number was computed, none was lost."
    ),
)


def _contexts(seed, *shape, width):
    return table(seed, *shape), table(seed + 1, shape[-3] * shape[-1], width)


def _join(z, w_o):
    return attention.merge_heads(z) @ w_o


def _block(z, w_o, head):
    d = z.shape[-1]
    return w_o[head * d : (head + 1) * d]


def _poured(z):
    return z.reshape(*z.shape[:-3], z.shape[-2], -1)


def _woven(z):
    return np.moveaxis(z, -3, -1).reshape(*z.shape[:-3], z.shape[-2], -1)


_SIDE_BY_SIDE = (
    "Row t of the merged table is what word t got from head 0, then what it"
    " got from head 1, and so on."
)

join_heads = Exercise(
    name="join_heads",
    call="join_heads(contexts, w_o)",
    reference=_join,
    results=("output",),
    shape="one row per word, d_model columns",
    probes=(
        Probe("2 heads, 3 words, d = 2", _contexts(411, 2, 3, 2, width=5)),
        Probe("3 heads, 2 words, d = 2", _contexts(413, 3, 2, 2, width=4)),
        Probe("2 heads, 4 words, d = 3", _contexts(415, 2, 4, 3, width=6)),
        Probe("2 heads, 2 words, d = 2", _contexts(417, 2, 2, 2, width=4)),
        Probe("one head", _contexts(419, 1, 3, 2, width=3), "hard"),
        Probe("one word", _contexts(421, 2, 1, 3, width=4), "hard"),
        Probe(
            "2 sentences at once",
            _contexts(423, 2, 2, 3, 2, width=5),
            "beyond",
        ),
    ),
    bugs=(
        Bug(
            "the heads are poured into rows without exchanging the axes",
            lambda z, w: _poured(z) @ w,
            "Undo both steps of the split, in reverse: first exchange heads"
            " and words, then reshape. " + _SIDE_BY_SIDE,
        ),
        Bug(
            "the heads are woven into each other",
            lambda z, w: _woven(z) @ w,
            _SIDE_BY_SIDE + " Yours takes one number of each head in turn.",
        ),
        Bug(
            "the words are not in front when the rows are made",
            lambda z, w: z.T.reshape(z.shape[-2], -1) @ w,
            ".T gives (d, T, H), so a row mixes numbers of several words."
            " Exchange heads and words alone: (T, H, d). " + _SIDE_BY_SIDE,
        ),
        Bug(
            "w_o is missing",
            (
                lambda z, w: attention.merge_heads(z),
                lambda z, w: _poured(z),
            ),
            "Side by side the heads do not yet talk to each other, and the"
            " width is H*d, not d_model. The product with w_o does both.",
        ),
        Bug(
            "the heads are averaged",
            (
                lambda z, w: z.mean(axis=-3),
                lambda z, w: z.sum(axis=-3),
                lambda z, w: z.mean(axis=-3) @ _block(z, w, 0),
                lambda z, w: _join(z, w) / z.shape[-3],
            ),
            "An average forgets which head said what. Concatenated, each head"
            " keeps rows of w_o of its own.",
        ),
        Bug(
            "all heads share the first rows of w_o",
            lambda z, w: z.sum(axis=-3) @ _block(z, w, 0),
            "w_o has H*d rows: d of them for each head.",
        ),
        Bug(
            "only one head is heard",
            (
                lambda z, w: z[..., 0, :, :] @ _block(z, w, 0),
                lambda z, w: z[..., -1, :, :] @ _block(z, w, z.shape[-3] - 1),
            ),
            _SIDE_BY_SIDE,
        ),
        Bug(
            "the heads come in reverse order",
            lambda z, w: _join(z[..., ::-1, :, :], w),
            _SIDE_BY_SIDE,
        ),
        Bug(
            "w_o is used on its side",
            lambda z, w: attention.merge_heads(z) @ w.T,
            "The merged table has H*d columns, and w_o has H*d rows.",
        ),
    ),
    proves=(
        "Concatenate, then mix: every output number may use every head. It is"
        " one matrix product; nothing is normalized."
    ),
)

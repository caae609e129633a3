"""Split the width into heads, (T, H*d) -> (H, T, d), and merge them again."""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import on

_COLUMNS = (
    "The first head owns the first d columns of *every* word, the second the"
    " next d, and so on."
)
_ROWS = (
    "Row t of the merged table is what word t got from the first head, then"
    " from the second, and so on."
)


def split(x, heads):
    """(T, H*d) -> (H, T, d)."""
    return x.reshape(len(x), int(heads), -1).swapaxes(0, 1)


def merge(z):
    """(H, T, d) -> (T, H*d)."""
    return z.swapaxes(0, 1).reshape(z.shape[1], -1)


def _stacked(x, heads, part):
    return np.stack([part(x, x.shape[1] // heads, h) for h in range(heads)])


# (name, idea, functions of x and the number of heads)
SPLITS = (
    (
        "the rows are reshaped straight into the heads",
        "The shape is right, but a reshape fills the new array in reading"
        " order: the first head gets the first *words*, cut into pieces."
        f" {_COLUMNS}",
        lambda x, h: x.reshape(h, len(x), -1),
    ),
    (
        "the transposed table is reshaped into the heads",
        "After .T a reshape reads column by column. Cut first, (T, H, d), then"
        " exchange the first two axes.",
        lambda x, h: x.T.reshape(h, len(x), -1),
    ),
    (
        "the words are cut, not the width",
        f"Every head must see all words. {_COLUMNS}",
        lambda x, h: np.stack(np.split(x, h)),
    ),
)
# the same, of mistakes that choose other columns
CUTS = (
    (
        "the heads are interleaved",
        f"A head takes every H-th column here, as with order='F'. {_COLUMNS}",
        lambda x, h: np.stack([x[:, i::h] for i in range(h)]),
    ),
    (
        "every head gets all columns",
        "The heads split the width: each gets d = width / H columns.",
        lambda x, h: np.stack([x] * h),
    ),
    (
        "all heads get the same columns",
        _COLUMNS,
        lambda x, h: _stacked(x, h, lambda x, d, i: x[:, :d]),
    ),
    (
        "the columns of neighboring heads overlap",
        _COLUMNS,
        lambda x, h: _stacked(x, h, lambda x, d, i: x[:, i : i + d]),
    ),
    (
        "each head is one column short",
        "The end of a slice is not part of it.",
        lambda x, h: split(x, h)[..., :-1],
    ),
)

# (name, idea, functions of (H, T, d))
_MERGES = (
    (
        "the heads are reshaped into rows without exchanging the axes",
        "First exchange heads and words, then reshape. (swapaxes returns a new"
        f" array, it changes nothing in place.) {_ROWS}",
        lambda z: z.reshape(z.shape[1], -1),
    ),
    (
        "the heads are interleaved when they are merged",
        f"{_ROWS} Here each head gives one number in turn.",
        lambda z: np.moveaxis(z, 0, -1).reshape(z.shape[1], -1),
    ),
    (
        "words and numbers have changed places before the reshape",
        f"Heads and words change places: (T, H, d). {_ROWS}",
        lambda z: z.swapaxes(1, 2).reshape(z.shape[1], -1),
        lambda z: z.swapaxes(1, 2).reshape(z.shape[1], -1, order="F"),
    ),
    (
        "the words are not in front when the rows are made",
        "A row mixes numbers of several words here. Exchange heads and words"
        f" alone: (T, H, d). {_ROWS}",
        lambda z: z.T.reshape(z.shape[1], -1),
    ),
    (
        "the heads are averaged or added up, not put side by side",
        "An average forgets which head said what. Side by side, each head"
        " keeps rows of w_o of its own.",
        lambda z: z.mean(axis=0),
        lambda z: z.sum(axis=0),
        lambda z: np.tile(z.mean(axis=0), len(z)),
        lambda z: np.tile(z.sum(axis=0), len(z)),
    ),
    (
        "the heads stand one above the other, not side by side",
        _ROWS,
        lambda z: z.reshape(-1, z.shape[-1]),
    ),
    (
        "only one head is used",
        _ROWS,
        *(lambda z, i=i: merge(z * _kept(z, i)) for i in (0, -1)),
        *(lambda z, i=i: z[i] for i in (0, -1)),
    ),
    (
        "one head is left out",
        "Does a loop start at 1, or end one head too early?",
        *(lambda z, i=i: merge(z * (1 - _kept(z, i))) for i in (-1, 0)),
    ),
    ("the heads are not merged", _ROWS, lambda z: z),
)


def _kept(z, head):
    """1 for one head, 0 for the others: (H, 1, 1)."""
    return np.eye(len(z))[head][:, None, None]


ordered = Step(
    "ordered",
    lambda c: c.context,
    Mistake(
        "the heads are merged in reverse order",
        "The first head comes first in each row.",
        *on("context", lambda z: z[::-1]),
    ),
)
merged = Step(
    "merged",
    lambda c: merge(c.ordered),
    *(
        Mistake(name, idea, *on("ordered", *wrong))
        for name, idea, *wrong in _MERGES
    ),
)


def _blocks(c):
    """w_o, (H*d, d_model), as one block for each head: (H, d, d_model)."""
    return c.w_o.reshape(len(c.ordered), -1, c.w_o.shape[-1])


def _by_head(c):
    """What each head gives to the output: (H, T, d_model)."""
    return c.ordered @ _blocks(c)


def _turned_rows(c):
    """w_o with the rows of its blocks in turn."""
    return _blocks(c).swapaxes(0, 1).reshape(c.w_o.shape)


output = Step(
    "output",
    lambda c: c.merged @ c.w_o,
    Mistake(
        "w_o is missing",
        "The product with w_o mixes the heads, and leads back to d_model.",
        lambda c: c.merged,
        {"merged": lambda c: c.ordered, "output": lambda c: c.ordered},
    ),
    Mistake(
        "w_o is transposed",
        "The merged table has H*d columns, and w_o has H*d rows.",
        lambda c: c.merged @ c.w_o.T,
        lambda c: c.w_o @ c.merged.T,
    ),
    Mistake(
        "the rows of w_o are in another order than the merged columns",
        _ROWS + " The first head meets the first d rows of w_o, and so on.",
        lambda c: c.merged @ _turned_rows(c),
    ),
    Mistake(
        "all heads use the same rows of w_o",
        "w_o has H*d rows: d of them for each head.",
        lambda c: c.ordered.sum(axis=0) @ _blocks(c)[0],
        lambda c: c.ordered.mean(axis=0) @ _blocks(c)[0],
        lambda c: c.ordered.sum(axis=0) @ _blocks(c).mean(axis=0),
        lambda c: c.ordered.sum(axis=0) @ _blocks(c).sum(axis=0),
    ),
    Mistake(
        "the heads are averaged after w_o, not added up",
        "The product of the merged table with w_o adds up what all heads say.",
        lambda c: _by_head(c).mean(axis=0),
    ),
    Mistake(
        "the heads are not added up after w_o",
        "The product of the merged table with w_o adds up what all heads say.",
        _by_head,
        lambda c: c.ordered.swapaxes(0, 1) @ _blocks(c)[0],
    ),
    Mistake(
        "the output is divided once more",
        "The heads are concatenated, not averaged: nothing is divided here.",
        lambda c: c.merged @ c.w_o / np.sqrt(c.ordered.shape[-1]),
        lambda c: c.merged @ c.w_o / np.sqrt(c.w_o.shape[0]),
        lambda c: c.merged @ c.w_o / np.sqrt(len(c.ordered)),
    ),
)

"""Split the width into heads, (T, H*d) -> (H, T, d), and merge them again."""

import numpy as np

from helpers.checks.engine import Mistake, Step
from helpers.checks.steps.tools import softmax

_COLUMNS = (
    "Head h owns the columns h*d to (h+1)*d of *every* word: the first head"
    " sees the left part of each row."
)
_ROWS = (
    "Row t of the merged table is what word t got from head 0, then what it"
    " got from head 1, and so on."
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
        "The shape is right, and the numbers are plausible nonsense: a reshape"
        " fills the new array in reading order, so the first head gets the"
        " first *words*, cut into pieces. " + _COLUMNS,
        lambda x, h: x.reshape(h, len(x), -1),
    ),
    (
        "the heads are interleaved",
        "Yours takes every H-th column. The product with w_q puts a head's"
        " columns side by side. " + _COLUMNS,
        lambda x, h: np.moveaxis(x.reshape(len(x), -1, h), -1, 0),
        lambda x, h: np.stack([x[:, i::h] for i in range(h)]),
    ),
    (
        "the transposed table is reshaped into the heads",
        "After .T a reshape reads column by column. Cut first, (T, H, d), then"
        " exchange the first two axes.",
        lambda x, h: x.T.reshape(h, len(x), -1),
    ),
    (
        "each head is transposed",
        "Rows must stay words: (H, T, d), not (H, d, T).",
        lambda x, h: split(x, h).swapaxes(1, 2),
    ),
    (
        "the words are cut, not the width",
        "Every head must see all words. What it gets is a part of each word's"
        " numbers. " + _COLUMNS,
        lambda x, h: np.stack(np.split(x, h)),
    ),
    (
        "every head gets all columns",
        "Heads share the width: each gets d = width / H columns.",
        lambda x, h: np.stack([x] * h),
    ),
    (
        "all heads get the same columns",
        _COLUMNS,
        lambda x, h: _stacked(x, h, lambda x, d, i: x[:, :d]),
        lambda x, h: _stacked(x, h, lambda x, d, i: x[:, -d:]),
    ),
    (
        "the columns of neighboring heads overlap",
        _COLUMNS,
        lambda x, h: _stacked(x, h, lambda x, d, i: x[:, i : i + d]),
    ),
    (
        "the heads come in reverse order",
        _COLUMNS,
        lambda x, h: split(x, h)[::-1],
    ),
    (
        "only one head is split off",
        "Each of the H heads gets its part of the width.",
        lambda x, h: split(x, h)[0],
        lambda x, h: split(x, h)[:1],
        lambda x, h: split(x, h)[-1],
    ),
)

# (name, idea, functions of (H, T, d))
MERGES = (
    (
        "the heads are reshaped into rows without exchanging the axes",
        "Undo both steps of the split, in reverse: first exchange heads and"
        " words, then reshape. " + _ROWS,
        lambda z: z.reshape(z.shape[1], -1),
    ),
    (
        "the heads are interleaved when they are merged",
        _ROWS + " Yours takes one number of each head in turn.",
        lambda z: np.moveaxis(z, 0, -1).reshape(z.shape[1], -1),
    ),
    (
        "the words are not in front when the rows are made",
        ".T gives (d, T, H), so a row mixes numbers of several words."
        " Exchange heads and words alone: (T, H, d). " + _ROWS,
        lambda z: z.T.reshape(z.shape[1], -1),
        lambda z: z.swapaxes(1, 2).reshape(z.shape[1], -1),
        lambda z: z.swapaxes(0, 1).reshape(-1, z.shape[1]).T,
        lambda z: z.reshape(-1, z.shape[1]).T,
    ),
    (
        "the heads are averaged or added up, not put side by side",
        "An average forgets which head said what. Side by side, each head"
        " keeps rows of w_o of its own.",
        lambda z: z.mean(axis=0),
        lambda z: z.sum(axis=0),
        lambda z: np.tile(z.mean(axis=0), len(z)),
        lambda z: np.tile(z.sum(axis=0), len(z)),
        lambda z: z.max(axis=0),
    ),
    (
        "the heads stand one above the other, not side by side",
        _ROWS,
        lambda z: z.reshape(-1, z.shape[-1]),
    ),
    (
        "the heads are merged in reverse order",
        _ROWS,
        lambda z: merge(z[::-1]),
    ),
    (
        "only one head is used",
        _ROWS,
        lambda z: z[0],
        lambda z: z[-1],
        lambda z: np.tile(z[0], len(z)),
    ),
    (
        "the heads are not merged",
        "Every head has a table of its own here. w_o wants one row per word,"
        " with all heads side by side.",
        lambda z: z,
        lambda z: z.swapaxes(0, 1),
    ),
)


merged = Step(
    "merged",
    lambda c: merge(c.context),
    *(
        Mistake(name, idea, *(lambda c, f=f: f(c.context) for f in wrong))
        for name, idea, *wrong in MERGES
    ),
)


def _blocks(c):
    """w_o, (H*d, d_model), as one block for each head: (H, d, d_model)."""
    return c.w_o.reshape(len(c.context), -1, c.w_o.shape[-1])


output = Step(
    "output",
    lambda c: c.merged @ c.w_o,
    Mistake(
        "w_o is missing",
        "Side by side the heads do not yet talk to each other. The product"
        " with w_o mixes them, and leads back to d_model.",
        lambda c: c.merged,
        {"merged": lambda c: c.context, "output": lambda c: c.context},
    ),
    Mistake(
        "w_o is transposed",
        "The merged table has H*d columns, and w_o has H*d rows.",
        lambda c: c.merged @ c.w_o.T,
        lambda c: (c.w_o @ c.merged.T).T,
        lambda c: c.w_o @ c.merged.T,
    ),
    Mistake(
        "w_o stands in front of the product",
        "The merged table has H*d columns, and w_o has H*d rows: rows of words"
        " times w_o.",
        lambda c: c.w_o @ c.merged,
        lambda c: c.w_o.T @ c.merged,
    ),
    Mistake(
        "w_o multiplies number by number",
        "The operator * makes no sums; @ does.",
        lambda c: c.merged * c.w_o,
    ),
    Mistake(
        "w_o is used twice",
        "One product with w_o leads back to d_model.",
        lambda c: c.merged @ c.w_o @ c.w_o,
    ),
    Mistake(
        "all heads use the same rows of w_o",
        "w_o has H*d rows: d of them for each head.",
        lambda c: c.context.sum(axis=0) @ _blocks(c)[0],
        lambda c: c.context.mean(axis=0) @ _blocks(c)[0],
        lambda c: c.context.sum(axis=0) @ _blocks(c)[-1],
        lambda c: c.context.sum(axis=0) @ _blocks(c).mean(axis=0),
        lambda c: c.context.sum(axis=0) @ _blocks(c).sum(axis=0),
    ),
    Mistake(
        "the heads are not added up after w_o",
        "The product of the merged table with w_o adds up what all heads say.",
        lambda c: c.context @ _blocks(c),
        lambda c: (c.context @ _blocks(c)).mean(axis=0),
        lambda c: (c.context @ _blocks(c))[0],
        lambda c: (c.context @ _blocks(c))[-1],
    ),
    Mistake(
        "the output is divided once more",
        "The heads are concatenated, not averaged; nothing is divided after"
        " the softmax.",
        lambda c: c.merged @ c.w_o / len(c.context),
        lambda c: c.merged @ c.w_o / np.sqrt(c.context.shape[-1]),
        lambda c: c.merged @ c.w_o / np.sqrt(c.w_o.shape[0]),
        lambda c: c.merged @ c.w_o / np.sqrt(len(c.context)),
    ),
    Mistake(
        "the output is normalized",
        "Nothing follows the product with w_o.",
        lambda c: softmax(c.merged @ c.w_o),
        lambda c: (
            (c.merged @ c.w_o - (c.merged @ c.w_o).mean(-1, keepdims=True))
            / (c.merged @ c.w_o).std(-1, keepdims=True)
        ),
        lambda c: np.maximum(c.merged @ c.w_o, 0),
    ),
)

"""Notebook 04: cut the width of each word into heads."""

import itertools

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.heads import CUTS, SPLITS
from helpers.checks.steps.tools import on, table


def _lengths(c):
    """T, H and d."""
    return len(c.projected), c.num_heads, c.projected.shape[1] // c.num_heads


def _reshaped(*order):
    return lambda c: c.projected.reshape([_lengths(c)[i] for i in order])


def _declared(mistakes, after=lambda z: z):
    """Mistakes of (name, idea, functions of x and the number of heads)."""
    return [
        Mistake(
            name,
            idea,
            *(
                lambda c, f=f: after(f(c.projected, c.num_heads))
                for f in wrong
            ),
        )
        for name, idea, *wrong in mistakes
    ]


_cut = Step(
    "cut",
    _reshaped(0, 1, 2),
    *_declared(CUTS, lambda z: z.swapaxes(0, 1)),
    Mistake(
        "the reshape has its lengths in another order",
        "The words stay in front, and the width H*d is H pieces of d numbers:"
        " (T, H, d), in this order.",
        *(
            _reshaped(*order)
            for order in itertools.permutations(range(3))
            if order != (0, 1, 2)
        ),
    ),
    Mistake(
        "the number of heads is fixed",
        "num_heads differs from call to call: use the argument.",
        *(
            lambda c, n=n: c.projected.reshape(len(c.projected), n, -1)
            for n in (2, 3, 4)
        ),
        *(
            lambda c, d=d: c.projected.reshape(len(c.projected), -1, d)
            for d in (2, 3)
        ),
    ),
)
_ordered = Step(
    "ordered",
    lambda c: c.cut,
    Mistake(
        "the heads come in reverse order",
        "The first head owns the first columns.",
        *on("cut", lambda z: z[:, ::-1]),
    ),
)
_heads = Step(
    "heads",
    lambda c: c.ordered.swapaxes(0, 1),
    *_declared(SPLITS),
    Mistake(
        "the heads still stand behind the words",
        "(T, H, d) is halfway. Exchange the first two axes: (H, T, d)."
        " (swapaxes returns a new array, it changes nothing in place.)",
        *on("ordered", lambda z: z),
    ),
    Mistake(
        "axes 1 and 2 are exchanged, not axes 0 and 1",
        "After the right cut the axes are (T, H, d), numbers 0, 1 and 2."
        " Exchange the first two: (H, T, d).",
        *on("ordered", lambda z: z.swapaxes(1, 2)),
    ),
    Mistake(
        "axes 0 and 2 are exchanged, not axes 0 and 1",
        "The right cut, (T, H, d), becomes (d, H, T), as by swapaxes(0, 2)"
        " or .T. Exchange only words and heads.",
        *on("ordered", lambda z: z.swapaxes(0, 2)),
    ),
    Mistake(
        "the table is transposed before the reshape",
        "After .T a reshape reads column by column. The words stay in front.",
        *(
            lambda c, order=order: c.projected.T.reshape(
                [_lengths(c)[i] for i in order]
            )
            for order in itertools.permutations(range(3))
        ),
    ),
    Mistake(
        "only one head is split off",
        "Each of the H heads gets its part of the width.",
        *on("ordered", *(lambda z, i=i: z[:, i] for i in (0, -1))),
    ),
    Mistake(
        "the heads stand one below the other",
        "They need an axis of their own, in front: (H, T, d). np.concatenate"
        " makes none.",
        *on("ordered", lambda z: np.concatenate(list(z.swapaxes(0, 1)))),
    ),
    Mistake(
        "nothing is cut",
        "Each head gets a part of every row: (H, T, d).",
        lambda c: c.projected,
    ),
)
_scaled = Step(
    "scaled",
    lambda c: c.heads,
    Mistake(
        "the numbers are scaled",
        "The split only moves numbers.",
        lambda c: c.heads / np.sqrt(_lengths(c)[2]),
        lambda c: c.heads / np.sqrt(_lengths(c)[1]),
    ),
)


def _numbered(length, width):
    """0, 1, 2 and so on in order: easy to follow through a reshape."""
    return np.arange(float(length * width)).reshape(length, width)


split_heads = Exercise(
    name="split_heads",
    call="split_heads(projected, num_heads)",
    results=("heads",),
    shape="(H, T, d), one table per head, one row per word",
    steps=(_cut, _ordered, _heads, _scaled),
    probes=(
        Probe("3 words of width 4, 2 heads", (_numbered(3, 4), 2)),
        Probe("4 words of width 6, 3 heads", (_numbered(4, 6), 3)),
        Probe("5 words of width 6, 2 heads", (table(401, 5, 6), 2)),
        Probe("4 words of width 4, 2 heads", (table(402, 4, 4), 2)),
        Probe("2 words of width 12, 3 heads", (table(403, 2, 12), 3)),
        Probe("one head", (table(404, 3, 4), 1), "edge"),
        Probe("one word", (table(405, 1, 4), 2), "edge"),
        Probe("as many heads as columns", (table(406, 2, 3), 3), "edge"),
    ),
    praise="No number was computed, and none was lost.",
)

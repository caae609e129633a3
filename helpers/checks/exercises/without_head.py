"""Notebook 07: W_O without what one head says."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_ROWS = (
    "The contexts stand side by side and meet W_O as [Z_1 | Z_2 | …] @ W_O:"
    " head 0 owns its first d *rows*."
)


def _of_head(c, size):
    """Whether each of `size` rows, or columns, belongs to the head."""
    return np.isin(np.arange(size), np.arange(c.start, c.start + c.width))


_width = Step(
    "width",
    lambda c: len(c.w_o) // c.num_heads,
    Mistake(
        "a head has one row",
        f"A head has d = rows / num_heads of them. {_ROWS}",
        lambda c: 1,
    ),
    Mistake(
        "the width of a head is fixed, not taken from w_o",
        f"d is the number of rows of w_o, divided by num_heads. {_ROWS}",
        lambda c: 32,
    ),
    Mistake(
        "the width of a head is taken from the columns of w_o",
        f"d is the number of rows, divided by num_heads. {_ROWS}",
        lambda c: c.w_o.shape[1] // c.num_heads,
    ),
    Mistake(
        "a head has num_heads rows",
        f"d is the number of rows, divided by num_heads. {_ROWS}",
        lambda c: c.num_heads,
    ),
)
_start = Step(
    "start",
    lambda c: c.head * c.width,
    Mistake(
        "heads are counted from 1",
        "Head 0 is the first one here.",
        lambda c: (c.head - 1) * c.width,
    ),
    Mistake(
        "the rows begin at `head`",
        "Each head before it owns d rows as well.",
        lambda c: c.head,
    ),
)
_off = Step(
    "off",
    lambda c: _of_head(c, len(c.w_o)),
    Mistake(
        "rows of all heads are mixed",
        f"The heads lie one after the other, not in turns. {_ROWS}",
        lambda c: np.arange(len(c.w_o)) % c.num_heads == c.head,
    ),
    Mistake(
        "all other heads are off",
        "One head goes, the others stay.",
        lambda c: ~_of_head(c, len(c.w_o)),
    ),
    Mistake(
        "all heads from this one on are off",
        "The rows of a head have an end, too.",
        lambda c: np.arange(len(c.w_o)) >= c.start,
    ),
)
_kept = Step(
    "kept",
    lambda c: np.where(c.off[:, None], 0.0, c.w_o),
    Mistake(
        "columns are taken away, not rows",
        f"A column of W_O is one number of the output, of all heads. {_ROWS}",
        lambda c: np.where(_of_head(c, c.w_o.shape[1]), 0.0, c.w_o),
    ),
    Mistake(
        "the rows are cut out",
        "The shape must stay, or the contexts no longer fit: make them 0.",
        lambda c: c.w_o[~c.off],
    ),
    Mistake(
        "nothing is taken away",
        "Is the changed array returned?",
        lambda c: c.w_o,
    ),
)


def _probe(words, seed, num_heads, d, d_model, head, level="basic"):
    w_o = table(seed, num_heads * d, d_model) + 0.1
    return Probe(words, (w_o, head, num_heads), level)


without_head = Exercise(
    name="without_head",
    call="without_head(w_o, head, num_heads)",
    results=("kept",),
    shape="as large as w_o",
    steps=(_width, _start, _off, _kept),
    probes=(
        _probe("3 heads of width 4, head 1", 741, 3, 4, 12, 1),
        _probe("4 heads of width 3, head 2", 743, 4, 3, 10, 2),
        _probe("2 heads of width 5, head 0", 745, 2, 5, 10, 0),
        _probe("5 heads of width 2, head 4", 747, 5, 2, 9, 4),
        _probe("one head", 749, 1, 3, 3, 0, "edge"),
    ),
    praise="Its context still comes, and nobody listens.",
)

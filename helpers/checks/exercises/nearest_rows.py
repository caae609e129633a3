"""Notebook 07: which other row is nearest, by the cosine?"""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import t, table

_SELF = (
    "A row's cosine with itself is 1, so it must not run against the others."
    " And argmin would find what you set lowest."
)

_unit = Step(
    "unit",
    lambda c: c.rows / np.sqrt((c.rows**2).sum(axis=1, keepdims=True)),
    Mistake(
        "dot products are compared",
        "A long row wins without being alike. Divide each row by its length"
        " first.",
        lambda c: c.rows,
    ),
    Mistake(
        "columns are divided by their lengths, not rows",
        "The length of one *row*: sum over its columns.",
        lambda c: c.rows / np.sqrt((c.rows**2).sum(axis=0)),
    ),
    Mistake(
        "all rows are divided by one length",
        "Each row has a length of its own: keep that axis.",
        lambda c: c.rows / np.sqrt((c.rows**2).sum()),
    ),
)
_alike = Step(
    "alike",
    lambda c: c.unit @ t(c.unit),
    Mistake(
        "distances are compared, and the largest is taken",
        "The nearest has the *smallest* distance, and the largest cosine.",
        lambda c: np.abs(c.unit[:, None] - c.unit).sum(axis=-1),
        lambda c: ((c.unit[:, None] - c.unit) ** 2).sum(axis=-1),
    ),
    Mistake(
        "distances of the rows as they are decide",
        "The cosine ignores how long a row is. A distance does not.",
        lambda c: -((c.rows[:, None] - c.rows) ** 2).sum(axis=-1),
    ),
    Mistake(
        "the sign of the cosine is dropped",
        "Cosine -1 is the opposite direction, the farthest of all.",
        lambda c: np.abs(c.unit @ t(c.unit)),
    ),
)
_others = Step(
    "others",
    lambda c: np.where(np.eye(len(c.rows), dtype=bool), -np.inf, c.alike),
    Mistake(
        "every row finds itself",
        _SELF,
        lambda c: c.alike + np.eye(len(c.rows)),
    ),
    Mistake(
        "the diagonal becomes 0",
        "If all others have negative cosines, 0 still wins. Take something"
        " below -1.",
        lambda c: np.where(np.eye(len(c.rows), dtype=bool), 0.0, c.alike),
    ),
)
_nearest = Step(
    "nearest",
    lambda c: c.others.argmax(axis=1),
    Mistake(
        "the farthest row is found",
        "A cosine of 1 is the same direction: the largest is the nearest.",
        lambda c: np.where(
            np.eye(len(c.rows), dtype=bool), np.inf, c.others
        ).argmin(axis=1),
        lambda c: c.alike.argmin(axis=1),
    ),
    Mistake(
        "the cosine is returned, not its place",
        "Asked is *which* row: argmax in place of max.",
        lambda c: c.others.max(axis=1),
    ),
    Mistake(
        "one place for the whole table",
        "Each row has its own nearest: give argmax an axis.",
        lambda c: c.others.argmax(),
    ),
    Mistake(
        "places are counted from 1",
        "The first row is row 0.",
        lambda c: c.others.argmax(axis=1) + 1,
    ),
)


def _probe(words, seed, length, width, level="basic"):
    rows = table(seed, length, width, step=8)
    stretch = 1 + np.arange(length)[:, None] ** 2 / 4.0
    return Probe(words, ((rows + 0.01) * stretch,), level)


_APART = np.array([[3.0, 0.1, 0.0], [-1.0, 2.0, 0.2], [-2.0, -3.0, -0.5]])

nearest_rows = Exercise(
    name="nearest_rows",
    call="nearest_rows(rows)",
    results=("nearest",),
    shape="one number per row",
    steps=(_unit, _alike, _others, _nearest),
    probes=(
        _probe("7 rows of width 3", 721, 7, 3),
        _probe("9 rows of width 4", 723, 9, 4),
        _probe("8 rows of width 8", 725, 8, 8),
        _probe("6 rows of width 2", 727, 6, 2),
        Probe("rows that are all far apart", (_APART,), "edge"),
    ),
    praise="Nearest by direction, and never itself.",
)

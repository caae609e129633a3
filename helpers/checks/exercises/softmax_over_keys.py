"""Notebook 01: a softmax over the keys that cannot overflow."""

import numpy as np

from helpers.checks.engine import Exercise, Probe, Step
from helpers.checks.steps import SOFTMAX
from helpers.checks.steps.softmax import shifted_otherwise
from helpers.checks.steps.tools import WEIGHTS, table

_FAR = np.array(
    [
        [-20000.0, -20001.5, -20000.5],
        [0.5, 1.0, -0.25],
        [-20002.0, -20000.25, -20001.0],
    ]
)
_APART = np.array(
    [
        [0.5, -20000.0, -20001.5],
        [-20000.5, 1.0, -20002.0],
        [-20001.0, -20000.25, -0.25],
    ]
)
_BELOW = np.array([[0.5, 1.0, -999.0], [1.0, -999.5, 0.25]])
_LIMIT = np.array([[700.0, 702.0, 710.5, 699.0], [650.0, 709.75, 1.0, 709.0]])

softmax_over_keys = Exercise(
    name="softmax_over_keys",
    call="softmax_over_keys(scores)",
    results=("weights",),
    shape="one row per query, one column per key, as the scores",
    steps=(
        Step("scaled", lambda c: c.scores),
        SOFTMAX[0].but(also=shifted_otherwise),
        *SOFTMAX[1:],
    ),
    probes=(
        Probe("2 queries and 3 keys", (table(41, 2, 3),)),
        Probe("3 queries and 2 keys", (table(42, 3, 2),)),
        Probe("3 queries and 3 keys", (table(43, 3, 3),)),
        Probe("4 queries and 4 keys", (table(44, 4, 4),)),
        Probe("negative scores", (table(45, 2, 4) - 8,)),
        Probe("one key only", (table(46, 3, 1),), "edge"),
        Probe("scores of some hundreds", (100 * table(49, 3, 4),), "edge"),
        Probe("scores just above 709", (_LIMIT,), "edge"),
        Probe("large scores", (table(47, 2, 3) + 1000,), "edge"),
        Probe("scores far below 0", (table(48, 2, 3) - 1000,), "edge"),
        Probe("rows far apart", (_FAR,), "edge"),
        Probe("one score far below", (_BELOW,), "edge"),
        Probe("scores far apart", (_APART,), "edge"),
    ),
    properties=WEIGHTS,
    praise="Every row sums to 1, and no score is too large.",
)

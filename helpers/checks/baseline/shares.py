"""Notebook 01: scores become shares, by a softmax over the keys."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.baseline import shares_wrong as wrong
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import (
    STACKED,
    WHOLE,
    WHOLE_HINT,
    finite,
    rows_sum_to_one,
    shares_not_negative,
    table,
)

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
_SHIFT = (
    "Subtracting the same number from all scores of a row changes no share."
    " Which number of the row makes exp safe?"
)

OVER_QUERIES = Bug(
    "the shares run over the queries, not over the keys",
    wrong.OVER_QUERIES,
    "Here every column sums to 1. Rows are queries: a row is one query that"
    " shares out its attention among the keys, so the softmax runs along the"
    " keys, the last axis.",
)
OVERFLOW = Bug(
    "right for small scores, but large ones overflow",
    wrong.OVERFLOW,
    "exp(1000) is too large for the computer and becomes infinity, and"
    " infinity / infinity is NaN; exp(-1000) becomes 0, and so does the"
    f" row's total. {_SHIFT}",
)
FAR_ROW = Bug(
    "a row far below the others loses all its shares",
    wrong.FAR_ROW,
    "In a row far below the others every exp becomes 0, and 0 / 0 is NaN: the"
    " highest score of the whole table is not enough, nor is a wider type of"
    " number. Each row needs a number of its own.",
)
ONE_ROW = Bug(
    "the highest score of one row is subtracted from all rows",
    wrong.ONE_ROW,
    "Another row may lie far above it, or far below: its exp overflows or"
    " becomes 0. Each row needs a number of its own.",
)
POWERS_SUBTRACTED = Bug(
    "the highest of the powers is subtracted, not of the scores",
    wrong.POWERS_SUBTRACTED,
    "exp comes after the subtraction. exp(50) has 22 digits: with that"
    " subtracted from the scores, every power is 0, and 0 / 0 is NaN.",
)
ONE_SIDE = Bug(
    "only one side of the fraction has the highest score subtracted",
    wrong.ONE_SIDE,
    "exp(-highest) cancels only if it stands above and below the line: divide"
    " by the sum of the same powers that are shared out.",
)
CUT_OFF = Bug(
    "large scores are cut off",
    wrong.CUT_OFF,
    "Beyond the limit all scores look equal, so 1000 and 1001 get the same"
    " share. Subtracting the same number from all scores of a row changes no"
    " share and keeps exp from overflowing.",
)
NO_KEEPDIMS = Bug(
    "rows get the numbers of other rows",
    wrong.NO_KEEPDIMS,
    "Without keepdims=True a total (or a maximum) of each row loses its axis,"
    " and broadcasting lines it up with the columns. On a square table"
    " nothing crashes: every number meets another row's total.",
)
COLUMN_MAXIMUM = Bug(
    "the highest score of each column is subtracted",
    wrong.COLUMN_MAXIMUM,
    "Only a number that is the same for the whole row leaves its shares"
    " as they are. Take the highest score along the keys.",
)
TURNED = Bug(
    "the result is turned on its side",
    wrong.TURNED,
    "Rows are queries and columns are keys, before the softmax and after it.",
)

BUGS = (
    OVER_QUERIES,
    Bug(
        "the shares run over the whole table",
        wrong.OVER_EVERYTHING,
        "All numbers together sum to 1. Each query has a whole attention of"
        " its own to share out: every row sums to 1.",
    ),
    NO_KEEPDIMS,
    ONE_ROW,
    OVERFLOW,
    POWERS_SUBTRACTED,
    Bug(
        "the highest score is added, not subtracted",
        wrong.ADDED,
        "The sign is turned around. Added, it makes large scores larger still:"
        " exp overflows earlier than before. Subtracted, it leaves no score"
        " above 0.",
    ),
    FAR_ROW,
    CUT_OFF,
    COLUMN_MAXIMUM,
    Bug(
        "exp is missing",
        wrong.NO_EXP,
        "Scores may be negative, and then so are these shares; a total near 0"
        " blows them up. exp makes every score positive first and keeps their"
        " order.",
    ),
    Bug(
        "exp is missing, and the lowest key of each row gets nothing",
        wrong.NO_EXP_FROM_ZERO,
        "With the lowest score subtracted no share is negative, but what is"
        " lowest becomes 0. exp makes every score positive, so that each key"
        " gets a share.",
    ),
    ONE_SIDE,
    Bug(
        "divided by the total of the scores, not of their powers",
        wrong.BY_THE_SCORES,
        "The parts of a row sum to 1 when each is divided by the sum of the"
        " same parts. Which numbers of the row do you share out: the scores,"
        " or the results of exp?",
    ),
    Bug(
        "not divided by the sum of the row",
        wrong.BY_THE_HIGHEST,
        "The highest number of each row is now 1. (With the highest score"
        " subtracted it is 1 from the start: to divide by it, or by 1, changes"
        " nothing.) They become shares when each row is divided by its sum.",
    ),
    Bug(
        "not yet divided by the row's total",
        wrong.NO_TOTAL,
        "exp makes the scores positive. They become shares when each row is"
        " divided by its own total.",
    ),
    Bug(
        "these are the logarithms of the shares",
        wrong.LOGARITHM,
        "A share lies between 0 and 1, and a row sums to 1. The logarithm is"
        " useful later, in a loss.",
    ),
    Bug(
        "each score is squashed by a sigmoid",
        wrong.SIGMOID,
        "A sigmoid looks at one score alone. In a softmax the keys compete:"
        " exp of the score, divided by the sum of exp over the whole row.",
    ),
    Bug(
        "only the highest score gets something",
        wrong.HARD,
        "That is a hard choice. Softmax is its soft form: every key gets a"
        " share, and a small change of a score changes it a little.",
    ),
    Bug(
        "the base of the power is not e",
        wrong.OTHER_BASE,
        "The shares are too even, or too uneven: softmax uses np.exp.",
    ),
    Bug(
        "the scores are scaled first",
        wrong.SCALED,
        "Dividing the scores makes the shares more even or less so. Scaling is"
        " the subject of notebook 03; here the scores are used as they are.",
    ),
    Bug(
        "low scores get the large shares",
        wrong.SIGN,
        "The sign is turned around: a higher score means a larger share.",
    ),
    Bug(
        "the sign of the scores is lost",
        wrong.NO_SIGN,
        "A score of -2 must get less than a score of 0. exp keeps the order"
        " of the scores; a square or an absolute value does not.",
    ),
    Bug(
        "negative scores get nothing",
        wrong.POSITIVE_ONLY,
        "A negative score is a small share, not none. exp makes every score"
        " positive and keeps their order.",
    ),
    Bug(
        "the row is not divided by its sum",
        wrong.OTHER_TOTAL,
        "Some other number of the row is used: its mean, its length, its"
        " range or a sum with something added. Shares sum to 1 only after"
        " division by their sum.",
    ),
    Bug(
        "the softmax is taken twice",
        wrong.TWICE,
        "The second softmax takes shares for scores. As they all lie between"
        " 0 and 1, it makes them nearly equal.",
    ),
    TURNED,
    Bug(
        "axis=1 counts from the front",
        wrong.FROM_THE_FRONT,
        "With sentences in front, axis 1 holds the queries. The keys are"
        " always the last axis, -1.",
    ),
)

softmax_over_keys = Exercise(
    name="softmax_over_keys",
    call="softmax_over_keys(scores)",
    reference=softmax,
    results=("weights",),
    shape="one row per query, one column per key, like the scores",
    probes=(
        Probe("2 queries and 3 keys", (table(1, 2, 3),)),
        Probe("4 queries and 2 keys", (table(2, 4, 2),)),
        Probe("3 queries and 3 keys", (table(3, 3, 3),)),
        Probe("equal scores", (np.full((2, 4), 0.5),)),
        Probe("one key only", (table(4, 3, 1),), "hard"),
        Probe("one query only", (table(8, 1, 4),), "hard"),
        Probe("scores near 50", (50 + table(10, 2, 3),), "hard", _SHIFT),
        Probe("scores near 400", (400 + table(9, 2, 3),), "hard", _SHIFT),
        Probe("scores near 1000", (1000 + table(5, 2, 3),), "hard", _SHIFT),
        Probe("scores near -1000", (table(6, 2, 3) - 1000,), "hard", _SHIFT),
        Probe("rows far below another", (_FAR,), "hard", _SHIFT),
        Probe("scores far apart in a row", (_APART,), "hard", _SHIFT),
        Probe("whole numbers", (WHOLE,), "beyond", WHOLE_HINT),
        Probe(
            STACKED,
            (table(7, 2, 3, 4),),
            "beyond",
            "Count axes from the end: -1 is the keys, whatever stands before.",
        ),
    ),
    properties=(finite, shares_not_negative, rows_sum_to_one),
    bugs=BUGS,
    proves=(
        "Each query shares out exactly 1 among the keys, whatever the size of"
        " the scores: 1000 does not overflow."
    ),
)

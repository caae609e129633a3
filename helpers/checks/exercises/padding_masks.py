"""Notebook 05: the two masks that torch reads in opposite ways."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_OPPOSITE = (
    "The two read True in opposite ways: SDPA as *may attend*,"
    " key_padding_mask as *is padding*."
)
_FROM_0 = "Positions count from 0: a sentence of 3 words has 0, 1 and 2."
_OWN = "Each sentence has a length of its own, so each needs a row of its own."
_COLUMN = (
    "(T,) and (B,) line up from the right, position by sentence. As a column"
    " (B, 1) the lengths give every sentence a row of its own."
)
_SHAPE = (
    "Scores are (B, H, T_q, T_k). A mask lines up with them from the right; an"
    " axis of length 1 is stretched."
)
_BOOLEAN = "Both masks are boolean: True or False, as in the table."


def _probe(*lengths, longest, level="basic"):
    words = ", ".join(map(str, lengths))
    args = np.array(lengths), longest
    return Probe(f"lengths {words} and longest = {longest}", args, level)


def _added(hidden, fill):
    return np.where(hidden, fill, 0.0)


_ends = Step(
    "ends",
    lambda c: c.lengths[:, None],
    Mistake(
        "the lengths are not a column",
        _COLUMN,
        lambda c: c.lengths,
        lambda c: c.lengths[None],
    ),
    Mistake(
        "all sentences get the same length",
        _OWN,
        lambda c: np.full((len(c.lengths), 1), c.lengths.max()),
        lambda c: np.full((len(c.lengths), 1), c.lengths.min()),
        lambda c: np.full((len(c.lengths), 1), c.lengths[0]),
        lambda c: np.full((len(c.lengths), 1), c.lengths[-1]),
        lambda c: np.full((len(c.lengths), 1), c.lengths.mean()),
        lambda c: np.full((len(c.lengths), 1), c.lengths.sum()),
        lambda c: np.full((len(c.lengths), 1), c.longest),
        lambda c: np.full((len(c.lengths), 1), len(c.lengths)),
        lambda c: c.lengths.max(),
        lambda c: c.lengths.min(),
        lambda c: c.longest,
        lambda c: len(c.lengths),
    ),
    Mistake(
        "the number of padded places is taken for the length",
        "longest - lengths counts the padding. The words come first: they end"
        " where the length says.",
        lambda c: c.longest - c.lengths[:, None],
    ),
    Mistake(
        "the lengths are brought into another order",
        "Row b belongs to sentence b.",
        lambda c: np.sort(c.lengths)[:, None],
        lambda c: np.sort(c.lengths)[::-1, None],
        lambda c: c.lengths[::-1, None],
    ),
    Mistake(
        "the lengths are added up along the batch",
        _OWN,
        lambda c: np.cumsum(c.lengths)[:, None],
    ),
    Mistake(
        "the lengths have an axis too many",
        "A column has two axes: (B, 1).",
        lambda c: c.lengths[:, None, None],
    ),
)
_is_padding = Step(
    "is_padding",
    lambda c: np.arange(c.longest) >= c.ends,
    Mistake(
        "the padding is taken to stand in front",
        "Here the words come first, then the padding.",
        lambda c: np.arange(c.longest) < c.longest - c.ends,
        lambda c: (np.arange(c.longest) >= c.ends)[..., ::-1],
    ),
    Mistake(
        "`is_padding` is turned around",
        f"It is True where a place is padding. {_OPPOSITE}",
        lambda c: np.arange(c.longest) < c.ends,
    ),
    Mistake(
        "one word too many",
        _FROM_0,
        lambda c: np.arange(c.longest) > c.ends,
    ),
    Mistake(
        "one word too few",
        _FROM_0,
        lambda c: np.arange(c.longest) >= c.ends - 1,
    ),
    Mistake(
        "one word is taken for padding, and the padding is not",
        "All places from the length on are padding.",
        lambda c: np.arange(c.longest) == c.ends,
        lambda c: np.arange(c.longest) == c.ends - 1,
    ),
    Mistake(
        "only the first place after the words is no padding",
        "Padding are the places from the length on.",
        lambda c: np.arange(c.longest) != c.ends,
    ),
)
_hidden = Step(
    "may",
    lambda c: np.logical_not(c.is_padding),
    Mistake(
        "`may_attend` is True for the padding",
        _OPPOSITE,
        lambda c: c.is_padding,
    ),
    Mistake(
        "`may_attend` is made to be added to the scores",
        "0 and a large negative number are another way to hide a key."
        f" {_BOOLEAN}",
        *(
            lambda c, n=n: _added(c.is_padding, n)
            for n in (-np.inf, -1e9, -1e4, -1e10, -1e8, -1e5, -1e6, -1000.0)
        ),
        lambda c: _added(~c.is_padding, -np.inf),
        lambda c: _added(~c.is_padding, -1e9),
        lambda c: -1.0 * c.is_padding,
        lambda c: np.where(c.is_padding, -np.inf, 1.0),
        lambda c: np.where(c.is_padding, -1e9, 1.0),
    ),
    Mistake(
        "`~` has met whole numbers, not booleans",
        "~1 is -2 and ~0 is -1: of whole numbers it turns every bit around."
        f" {_BOOLEAN}",
        lambda c: ~c.is_padding.astype(int),
        lambda c: -c.is_padding.astype(int) - 1,
    ),
    Mistake(
        "`may_attend` does not depend on the lengths",
        "Padded places must not be attended to.",
        lambda c: np.ones_like(c.is_padding),
        lambda c: np.zeros_like(c.is_padding),
    ),
    Mistake(
        "one word too many in `may_attend`",
        _FROM_0,
        lambda c: np.arange(c.longest) <= c.ends,
    ),
    Mistake(
        "one word too few in `may_attend`",
        _FROM_0,
        lambda c: np.arange(c.longest) < c.ends - 1,
    ),
)


def _causal(c):
    return np.tri(c.longest, dtype=bool)


_axes = Step(
    "may_attend",
    lambda c: c.may[:, None, None, :],
    Mistake(
        "the axes of heads and queries are missing",
        f"{_SHAPE} With (B, T) sentences would be taken for queries.",
        lambda c: c.may,
    ),
    Mistake(
        "an axis is missing",
        f"{_SHAPE} With (B, 1, T) sentences would be taken for heads.",
        lambda c: c.may[:, None],
        lambda c: c.may[:, :, None],
        lambda c: c.may[None],
    ),
    Mistake(
        "the new axes stand in the wrong place",
        f"{_SHAPE} So the sentences are the first axis, the keys the last.",
        lambda c: c.may[None, None],
        lambda c: c.may[:, :, None, None],
        lambda c: c.may[None, :, None, :],
        lambda c: c.may[None, :, :, None],
        lambda c: c.may.T[None, None],
        lambda c: c.may.T[:, None, None, :],
        lambda c: c.may.reshape(1, 1, 1, -1),
        lambda c: c.may.reshape(-1, 1, 1, 1),
    ),
    Mistake(
        "queries are hidden, not keys",
        "The last axis is the key. Yours hides queries.",
        lambda c: c.may[:, None, :, None],
    ),
    Mistake(
        "there is an axis too many",
        _SHAPE,
        lambda c: c.may[:, None, None, None, :],
        lambda c: c.may[:, None, None, :, None],
    ),
    Mistake(
        "the mask has a row for every query",
        "torch would take it, but all rows are the same. An axis of length 1"
        " is stretched over the queries by itself: (B, 1, 1, T).",
        lambda c: np.repeat(c.may[:, None, None], c.longest, axis=2),
        lambda c: np.repeat(c.may[:, None], c.longest, axis=1),
    ),
    Mistake(
        "the mask has a row for every sentence",
        "(B, 1, 1, T) has one row for each sentence already.",
        lambda c: np.repeat(c.may[:, None, None], len(c.may), axis=1),
        lambda c: np.repeat(c.may[:, None, None], len(c.may), axis=2),
    ),
    Mistake(
        "the queries are hidden as well",
        "Only keys have to be hidden. A query without any key has nothing to"
        " take a softmax of; what it finds is thrown away anyway.",
        lambda c: c.may[:, None, :, None] & c.may[:, None, None] > 0,
        lambda c: c.may[:, :, None] & c.may[:, None] > 0,
        lambda c: c.may[:, None, :, None] | c.may[:, None, None] > 0,
    ),
    Mistake(
        "later words are hidden as well",
        "That is a causal mask. Here a word may look ahead, but not at"
        " padding.",
        lambda c: _causal(c),
        lambda c: _causal(c)[None, None],
        lambda c: c.may[:, None, None, :] * _causal(c),
    ),
)
_both = Step(
    "masks",
    lambda c: (c.may_attend, c.is_padding),
    Mistake(
        "both masks are turned around",
        f"{_OPPOSITE} With yours a model reads the padding only, and no error"
        " says so.",
        {
            "may": lambda c: c.is_padding,
            "masks": lambda c: (c.may_attend, np.logical_not(c.is_padding)),
        },
    ),
    Mistake(
        "both masks say which places are words",
        _OPPOSITE,
        lambda c: (c.may_attend, np.logical_not(c.is_padding)),
    ),
    Mistake(
        "both masks have the new axes",
        "nn.MultiheadAttention adds the axes itself: key_padding_mask is"
        " (B, T).",
        lambda c: (c.may_attend, c.is_padding[:, None, None]),
    ),
    Mistake(
        "`is_padding` has an axis too many",
        "key_padding_mask is (B, T).",
        lambda c: (c.may_attend, c.is_padding[:, None]),
        lambda c: (c.may_attend, c.is_padding[None]),
        lambda c: (c.may_attend, c.is_padding[..., None]),
    ),
    Mistake(
        "the new axes are in the mask that does not need them",
        "SDPA wants (B, 1, 1, T), key_padding_mask is (B, T).",
        lambda c: (c.may, c.is_padding[:, None, None]),
    ),
    Mistake(
        "`is_padding` is made to be added to the scores",
        _BOOLEAN,
        *(
            lambda c, n=n: (c.may_attend, _added(c.is_padding, n))
            for n in (-np.inf, -1e9)
        ),
    ),
    Mistake(
        "the same mask is returned twice",
        f"{_OPPOSITE} Their shapes differ as well.",
        lambda c: (c.is_padding, c.is_padding),
        lambda c: (c.may_attend, c.may_attend),
        lambda c: (c.may, c.may),
    ),
)


def _not_boolean(outcome):
    names = ("may_attend", "is_padding")
    for name, kind in zip(names, outcome.kinds, strict=True):
        if kind != "b":
            return (
                f"right zeros and ones, but `{name}` is not boolean.",
                "torch would *add* a mask of numbers to the scores: 1 and 0"
                f" would hardly matter. {_BOOLEAN}",
            )
    return None


def _no_column(exercise, trials):
    """Recognize from the errors that the lengths meet the positions."""
    for trial in trials:
        lengths, longest = trial.probe.args
        shapes = f"({longest},)", f"({len(lengths)},)"
        if all(shape in trial.got.error for shape in shapes):
            return (
                "the lengths are not a column.",
                f"{_COLUMN} It stops for {trial.probe.words}:"
                f" {trial.got.error}",
            )
    if "array is 1-dimensional" in trials[0].got.error:
        return (
            "a mask of one axis stands where one of two belongs.",
            f"{_OWN} With the lengths as a column (B, 1) the comparison gives"
            f" (B, T). It stops with an error: {trials[0].got.error}",
        )
    return None


padding_masks = Exercise(
    name="padding_masks",
    call="padding_masks(lengths, longest)",
    results=("may_attend", "is_padding"),
    shape="(B, 1, 1, T) and (B, T)",
    steps=(_ends, _is_padding, _hidden, _axes, _both),
    probes=(
        _probe(3, 1, 2, longest=5),
        _probe(2, 5, longest=6),
        _probe(1, 4, 2, 3, longest=4),
        _probe(4, 1, 1, 3, 2, longest=7),
        _probe(2, longest=6, level="edge"),
        _probe(3, 3, longest=3, level="edge"),
    ),
    refuse=_not_boolean,
    recognize=_no_column,
    praise="Two masks, opposite meanings of True.",
)

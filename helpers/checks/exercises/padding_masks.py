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
_FLAT = "key_padding_mask is (B, T): torch adds the axes itself."


def _probe(*lengths, longest, level="basic"):
    words = ", ".join(map(str, lengths))
    words = f"lengths {words} and longest = {longest}"
    return Probe(words, (np.array(lengths), longest), level)


def _same(function):
    """Give all sentences the same length."""
    return lambda c: np.full((len(c.lengths), 1), function(c))


def _may(*functions):
    """Turn functions of the mask (B, T) into wrong steps."""
    return [lambda c, f=f: f(c.may) for f in functions]


def _added(hidden, fill):
    return np.where(hidden, fill, 0.0)


_positions = Step(
    "positions",
    lambda c: np.arange(c.longest),
    Mistake(
        "there is one place too many",
        "Positions 0 to longest - 1 are `longest` places.",
        lambda c: np.arange(c.longest + 1),
    ),
    Mistake(
        "`longest` is not used",
        "The masks have as many places as `longest` says, even where no"
        " sentence of the batch is that long.",
        lambda c: np.arange(c.lengths.max()),
    ),
)
_ends = Step(
    "ends",
    lambda c: c.lengths[:, None],
    Mistake(
        "the lengths are not a column",
        _COLUMN,
        lambda c: c.lengths,
        lambda c: c.lengths[None],
        {
            "ends": lambda c: c.lengths,
            "may_attend": lambda c: c.may[None, None, None],
        },
        {
            "ends": lambda c: c.lengths,
            "may_attend": lambda c: c.may[..., None, None, :],
        },
    ),
    Mistake(
        "all sentences get the same length",
        _OWN,
        _same(lambda c: c.lengths.max()),
        _same(lambda c: c.lengths.min()),
        _same(lambda c: c.lengths[-1]),
        _same(lambda c: c.lengths.sum()),
    ),
    Mistake(
        "`longest` is taken for the length of every sentence",
        "`longest` is the number of places. Each sentence has its own length.",
        _same(lambda c: c.longest),
    ),
)
_is_padding = Step(
    "is_padding",
    lambda c: c.positions >= c.ends,
    Mistake(
        "the padding is taken to stand in front",
        "Here the words come first, then the padding.",
        lambda c: c.positions < c.longest - c.ends,
    ),
    Mistake(
        "the number of padded places is taken for the length",
        "longest - lengths counts the padding. The words come first: they end"
        " where the length says.",
        lambda c: c.positions >= c.longest - c.ends,
    ),
    Mistake(
        "`is_padding` is turned around",
        f"It is to be True where a place is padding. {_OPPOSITE}",
        lambda c: c.positions < c.ends,
    ),
    Mistake("one word too many", _FROM_0, lambda c: c.positions > c.ends),
    Mistake("one word too few", _FROM_0, lambda c: c.positions >= c.ends - 1),
    Mistake(
        "only the first padded place is marked",
        "All places from the length on are padding.",
        lambda c: c.positions == c.ends,
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
            for n in (-np.inf, -1e9, -1e4)
        ),
        lambda c: _added(~c.is_padding, -np.inf),
    ),
    Mistake(
        "`~` has met whole numbers, not booleans",
        "~1 is -2 and ~0 is -1: of whole numbers it turns every bit around."
        f" {_BOOLEAN}",
        lambda c: ~c.is_padding.astype(int),
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
        *_may(lambda m: m[:, None], lambda m: m[None]),
    ),
    Mistake(
        "the new axes stand in the wrong place",
        f"{_SHAPE} So the sentences are the first axis, the keys the last.",
        *_may(
            lambda m: m[None, None],
            lambda m: m[:, :, None, None],
            lambda m: m[None, :, None, :],
            lambda m: m.T[:, None, None, :],
            lambda m: m.reshape(1, 1, 1, -1),
        ),
    ),
    Mistake(
        "queries are hidden, not keys",
        "The last axis is the key, the one before it the query.",
        *_may(lambda m: m[:, None, :, None]),
    ),
    Mistake(
        "the mask has a row for every query",
        "torch would take it, but all rows are the same. An axis of length 1"
        " is stretched over the queries by itself: (B, 1, 1, T).",
        lambda c: np.repeat(c.may[:, None, None], c.longest, axis=2),
    ),
    Mistake(
        "the queries are hidden as well",
        "Only keys have to be hidden. A query without any key has nothing to"
        " take a softmax of; what it finds is thrown away anyway.",
        *_may(
            lambda m: m[:, None, :, None] & m[:, None, None] > 0,
            lambda m: m[:, :, None] & m[:, None] > 0,
        ),
    ),
    Mistake(
        "later words are hidden as well",
        "That is a causal mask. Here a word may look ahead, but not at"
        " padding.",
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
        _FLAT,
        lambda c: (c.may_attend, c.is_padding[:, None, None]),
    ),
    Mistake(
        "the new axes are in the mask that does not need them",
        f"SDPA wants (B, 1, 1, T). {_FLAT}",
        lambda c: (c.may, c.is_padding[:, None, None]),
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


def _from_errors(exercise, trials):
    """Recognize mistakes that stop with an error."""
    for trial in trials:
        lengths, longest = trial.probe.args
        shapes = f"({longest},)", f"({len(lengths)},)"
        if all(shape in trial.got.error for shape in shapes):
            return (
                "the lengths are not a column.",
                f"{_COLUMN} It stops for {trial.probe.words}:"
                f" {trial.got.error}",
            )
    sizes = {len(t.probe.args[0]) for t in trials if t.right}
    failed = [t for t in trials if len(t.probe.args[0]) not in sizes]
    if len(sizes) == 1 and failed and all(t.got.error for t in failed):
        return (
            "the number of sentences is fixed in the code.",
            f"It is right for {sizes.pop()} sentences only: B is the number of"
            " lengths.",
        )
    return None


padding_masks = Exercise(
    name="padding_masks",
    call="padding_masks(lengths, longest)",
    results=("may_attend", "is_padding"),
    shape="(B, 1, 1, T) and (B, T)",
    steps=(_positions, _ends, _is_padding, _hidden, _axes, _both),
    probes=(
        _probe(3, 1, 2, longest=5),
        _probe(2, 5, longest=6),
        _probe(1, 4, 2, 3, longest=4),
        _probe(4, 1, 1, 3, 2, longest=7),
        _probe(2, longest=6, level="edge"),
        _probe(3, 3, longest=3, level="edge"),
    ),
    refuse=_not_boolean,
    recognize=_from_errors,
    praise="Two masks, opposite meanings of True.",
)

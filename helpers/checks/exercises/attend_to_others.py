"""Notebook 01: weights of words that may not look at themselves."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps import SOFTMAX
from helpers.checks.steps.tools import WEIGHTS, softmax, table

_BEFORE = (
    "The softmax deals out all of the attention. Take a key away *before* it,"
    " and the others share what it would have got."
)
_DIAGONAL = "The word at position i may not see key i: that is the diagonal."
_OWN = "own scores thousands above the others"
_CHANGED = "the own score is changed, but not to minus infinity"
_EXP = (
    "exp of a number is never 0: exp(0) is 1, and exp(-10) is still"
    " something. Which score has a power of exactly 0?"
)


def _diagonal(scores):
    return np.eye(len(scores), dtype=bool)


def _hidden(mask, fill=-np.inf):
    """Put `fill` where mask(scores) is True."""
    return lambda c: np.where(mask(c.scores), fill, c.scores)


def _first(scores, axis):
    """All of the first row (0) or column (1)."""
    return np.indices(scores.shape)[axis] == 0


def _high_own():
    return table(53, 3, 3) + 4000 * np.eye(3)


def _low_others(own):
    return np.where(np.eye(3), own, table(59, 3, 3) - 600)


def _changed_own(exercise, trials):
    """Recognize any finite own score: the others share what it leaves."""
    own = []
    for trial in trials:
        got, want = (one.arrays for one in (trial.got, trial.want))
        if not got or got[0].shape != want[0].shape:
            return None
        own += np.diag(got[0]).tolist()
        others = np.where(_diagonal(got[0]), 0, got[0])
        left = 1 - np.diag(got[0])[:, None]
        if not np.allclose(others, want[0] * left, atol=1e-6):
            return None
    return (f"{_CHANGED}.", _EXP) if max(own) > 1e-6 else None


def _hidden_late(scores):
    return np.where(_diagonal(scores), 0, softmax(scores))


def _strictly_before(scores):
    before = np.tri(len(scores), k=-1, dtype=bool)
    weights = np.where(before, np.exp(scores - scores.max()), 0)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)


_mask = Step(
    "scaled",
    _hidden(_diagonal),
    Mistake(
        _CHANGED,
        _EXP,
        *(_hidden(_diagonal, fill) for fill in (0.0, -1.0, 1e-9, -10.0)),
        lambda c: c.scores - 10 * _diagonal(c.scores),
        lambda c: np.where(_diagonal(c.scores), c.scores.min(), c.scores),
    ),
    Mistake(
        "the own score is low, but not low enough",
        "A finite number hides a key only while the others score higher: in"
        " the row (5, -600, -610), -100 in place of 5 is still the highest."
        " Which score is below every number?",
        _hidden(_diagonal, -100.0),
    ),
    Mistake(
        "the own scores are subtracted from whole columns",
        "np.diag makes a vector of the diagonal, and broadcasting takes it"
        " from every row. Only the cells of the diagonal should change.",
        lambda c: c.scores - np.diag(c.scores),
    ),
    Mistake(
        "a softmax is taken before the mask, and another one after it",
        "The second softmax takes weights for scores. The mask belongs on the"
        " scores, before the only softmax.",
        lambda c: np.where(_diagonal(c.scores), -np.inf, softmax(c.scores)),
    ),
    Mistake(
        "a table of zeros is multiplied by infinity",
        "0 × infinity is NaN, not 0: the other scores are lost. np.where puts"
        " -np.inf on the diagonal and leaves the others alone.",
        lambda c: c.scores * np.nan,
    ),
    Mistake(
        "the own score is set to plus infinity",
        "That is the highest score there is. Which one has a power of 0?",
        _hidden(_diagonal, np.inf),
    ),
    Mistake(
        "all others are hidden, not the word itself",
        f"The mask is turned around. {_DIAGONAL}",
        _hidden(lambda s: ~_diagonal(s)),
    ),
    Mistake(
        "the highest score of each row is hidden, not the own one",
        f"They often agree, but not always. {_DIAGONAL}",
        _hidden(lambda s: s == s.max(axis=1, keepdims=True)),
    ),
    Mistake(
        "a whole column is hidden, for all queries",
        f"Each query leaves out a key of its own. {_DIAGONAL}",
        _hidden(lambda s: _first(s, 1)),
        _hidden(lambda s: _first(s, 1)[:, ::-1]),
    ),
    Mistake(
        "the other diagonal is hidden",
        f"That is the one from the right to the left. {_DIAGONAL}",
        _hidden(lambda s: _diagonal(s)[::-1]),
    ),
    Mistake(
        "the word itself is not hidden at all",
        f"A function such as np.fill_diagonal changes an array and returns"
        f" None; np.where returns a new array. {_DIAGONAL}",
        lambda c: c.scores,
    ),
)
_done = Step(
    "done",
    lambda c: c.weights,
    Mistake(
        "minus infinity is set after the softmax, on the weights",
        f"It belongs on the scores: its power is 0. {_BEFORE}",
        lambda c: np.where(_diagonal(c.scores), -np.inf, softmax(c.scores)),
    ),
    Mistake(
        "the own weight is set to 0 after the softmax",
        f"Then the rows sum to less than 1. {_BEFORE}",
        lambda c: _hidden_late(c.scores),
    ),
    Mistake(
        "after hiding, rows are divided by the totals of other rows",
        "Without keepdims=True the totals lose their axis, and broadcasting"
        " lines them up with the columns.",
        lambda c: _hidden_late(c.scores) / _hidden_late(c.scores).sum(axis=1),
    ),
    Mistake(
        "later words are hidden as well as the word itself",
        f"That is a causal mask, and more. {_DIAGONAL} All others stay.",
        lambda c: _strictly_before(c.scores),
    ),
)

attend_to_others = Exercise(
    name="attend_to_others",
    call="attend_to_others(scores)",
    results=("weights",),
    shape="one row per query, one column per key, as the scores",
    steps=(_mask, *SOFTMAX, _done),
    probes=(
        Probe("3 words", (table(54, 3, 3),)),
        Probe("4 words", (table(55, 4, 4),)),
        Probe("2 words", (table(56, 2, 2),)),
        Probe("own scores highest", (table(57, 4, 4) + 3 * np.eye(4),)),
        Probe("large scores", (table(58, 3, 3) + 1000,), "edge"),
        Probe("others hundreds below", (_low_others(5.0),), "edge"),
        Probe(
            "scores far below zero",
            (table(60, 3, 3) - 1e12,),
            "extra",
            "You hide the word with a large negative number. That is right as"
            " long as all scores lie above it; -np.inf lies below every"
            " number.",
        ),
        Probe(
            _OWN,
            (_high_own(),),
            "extra",
            "You hide the word after the softmax and divide again. That is"
            " right, as long as the others have something left: an own score"
            " thousands above them leaves 0 / 0. Hiding before the softmax"
            " cannot fail.",
        ),
    ),
    properties=WEIGHTS,
    praise="No row sees itself, and each sums to 1.",
    recognize=_changed_own,
)

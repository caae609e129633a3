"""Notebook 01: scores, softmax and mix in one function.

Most bugs come from the other exercises: each of theirs, built into the whole.
"""

import numpy as np

from helpers.attention import softmax
from helpers.checks.baseline import context, pairs, shares, shares_wrong
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import (
    STACKED,
    WHOLE,
    WHOLE_HINT,
    finite,
    rows_sum_to_one,
    shares_not_negative,
    table,
    total,
    turned,
)


def _attention(x, scores=None, share=softmax, mix=np.matmul):
    weights = share(x @ turned(x) if scores is None else scores(x))
    return mix(weights, x), weights


def _wrong_scores(wrong):
    return lambda x: _attention(x, scores=wrong)


def _wrong_shares(wrong):
    return lambda x: _attention(x, share=wrong)


def _wrong_mix(wrong):
    return lambda x: _attention(x, mix=wrong)


def _built_in(step, build, bugs, without):
    """Build bugs of one step into the whole, some variants left out."""
    for bug in bugs:
        variants = [wrong for wrong in bug.variants if wrong not in without]
        if variants:
            yield Bug(
                f"in the {step}, {bug.name}",
                tuple(map(build, variants)),
                bug.feedback,
            )


# scores are symmetric, so these give the same as another bug, or no bug
_SAME_IN_THE_WHOLE = (
    *shares_wrong.ADDED,  # overflows where adding nothing does
    *shares_wrong.OVER_QUERIES,
    *shares_wrong.NO_KEEPDIMS_SYMMETRIC,
    *shares_wrong.COLUMN_MAXIMUM,
    *shares_wrong.LOST_MAXIMUM,
    *shares_wrong.TURNED,
)
_TOLD_ABOVE = (
    *pairs.SCALED.variants,
    *pairs.NO_SIGN.variants,
    *pairs.SUMMED.variants,
    *pairs.SHARES_ALREADY.variants,
    *pairs.ACROSS_SENTENCES.variants,
)


def _causal(scores):
    return softmax(np.where(np.tri(*scores.shape[-2:]), scores, -np.inf))


def _by_the_diagonal(scores):
    own = np.diagonal(scores, axis1=-2, axis2=-1)[..., None]
    powers = np.exp(scores - own)
    return powers / total(powers)


def _even(scores):
    return np.full_like(scores, 1 / scores.shape[-1])


BUGS = (
    Bug(
        "only one of the two results",
        (lambda x: _attention(x)[0], lambda x: _attention(x)[1]),
        "Return both, separated by a comma: first the context, then the"
        " weights. Without the weights nobody sees which token mattered.",
    ),
    Bug(
        "the two results are in the other order",
        lambda x: _attention(x)[::-1],
        "Asked for is first the context, then the weights.",
    ),
    Bug(
        "the scores are divided by the width or its root",
        (
            lambda x: _attention(
                x, lambda x: x @ turned(x) / x.shape[-1] ** 0.5
            ),
            lambda x: _attention(x, lambda x: x @ turned(x) / x.shape[-1]),
        ),
        "You know more than was asked: that is the scaling of notebook 03,"
        " where you measure what it is for. Here the plain dot product is"
        " used.",
    ),
    Bug(
        "the scores are returned instead of the weights",
        lambda x: (_attention(x)[0], x @ turned(x)),
        "The context is right. Scores are before the softmax, weights after"
        " it.",
    ),
    Bug(
        "the weights are returned on their side",
        lambda x: (_attention(x)[0], turned(_attention(x)[1])),
        "The context is right. Rows of the weights are queries.",
    ),
    Bug(
        "the softmax is missing",
        lambda x: _attention(x, share=lambda scores: scores),
        "Scores are not shares: they may be negative and sum to anything.",
    ),
    Bug(
        "the scores are mixed, not the weights",
        lambda x: (x @ turned(x) @ x, _attention(x)[1]),
        "The weights are right. They are what the context is mixed with.",
    ),
    Bug(
        "later tokens are left out",
        lambda x: _attention(x, share=_causal),
        "That is a causal mask, for models that write text word by word. Here"
        " every token may look at every token.",
    ),
    Bug(
        "the columns of the weights sum to 1, not the rows",
        tuple(
            _wrong_shares(wrong)
            for wrong in (
                *shares_wrong.OVER_QUERIES,
                *shares_wrong.NO_KEEPDIMS_SYMMETRIC,
            )
        ),
        "A row of the weights is one query that shares out its attention:"
        " rows sum to 1. Either the softmax runs along the wrong axis, or its"
        " total lost its axis (keepdims=True): as the scores are symmetric,"
        " both come to the same.",
    ),
    Bug(
        "each row has the highest score of another row subtracted",
        tuple(
            _wrong_shares(wrong)
            for wrong in (
                *shares_wrong.COLUMN_MAXIMUM,
                *shares_wrong.LOST_MAXIMUM,
            )
        ),
        "Only a number that is the same for the whole row leaves its shares"
        " as they are. Either the highest score is searched along the wrong"
        " axis, or it lost its axis (keepdims=True): as the scores are"
        " symmetric, both come to the same.",
    ),
    Bug(
        "each row has its own score with itself subtracted, not the highest",
        lambda x: _attention(x, share=_by_the_diagonal),
        "A token is most like itself, as a rule. But a short vector scores"
        " higher with a long one that points the same way: exp overflows.",
    ),
    Bug(
        "the weights are the same for all tokens",
        lambda x: _attention(x, share=_even),
        "The mix is right. The weights do not come from the scores yet: exp of"
        " each score, divided by the sum of its row.",
    ),
    *_built_in("softmax", _wrong_shares, shares.BUGS, _SAME_IN_THE_WHOLE),
    *_built_in("mix", _wrong_mix, context.BUGS, context.NOT_USED.variants),
    *_built_in("scores", _wrong_scores, pairs.BUGS, _TOLD_ABOVE),
)


_BESIDE = np.array([[0.5, 0.25], [4000.0, 2000.0], [-4.0, 8.0]])


def _small(seed, *shape):
    return table(seed, *shape, step=8)


self_attention = Exercise(
    name="self_attention",
    call="self_attention(x)",
    reference=_attention,
    results=("context", "weights"),
    shape="the context is as large as x, the weights are tokens by tokens",
    probes=(
        Probe("3 tokens of width 2", (_small(31, 3, 2),)),
        Probe("2 tokens of width 4", (_small(32, 2, 4),)),
        Probe("3 tokens of width 3", (_small(33, 3, 3),)),
        Probe("a repeated token", (_small(34, 2, 3)[[0, 1, 0, 1]],), "hard"),
        Probe("one token only", (_small(35, 1, 3),), "hard"),
        Probe("long vectors", (_small(46, 3, 4) * 64,), "hard"),
        Probe("a short vector beside a long one", (_BESIDE,), "hard"),
        Probe(STACKED, (_small(38, 3, 3, 3),), "beyond"),
        Probe("whole numbers", (WHOLE,), "beyond", WHOLE_HINT),
        Probe(
            STACKED,
            (_small(37, 2, 3, 4),),
            "beyond",
            "Count axes from the end, and let @ leave the axes before the"
            " last two alone.",
        ),
    ),
    properties=(finite, shares_not_negative, rows_sum_to_one),
    bugs=BUGS,
    proves=(
        "Scores, softmax and mix are one function now: attention with"
        " nothing learned."
    ),
)

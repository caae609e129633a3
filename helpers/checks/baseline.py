"""The checks of notebook 01: softmax, all-pairs scores, context vectors."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.machinery import Bug, Exercise, Probe


def _table(seed, *shape, step=4):
    """Multiples of 1/step, exact in float32 as well, around 0."""
    return np.random.default_rng(seed).integers(-8, 9, shape) / step


def _shares(seed, *shape):
    raw = np.random.default_rng(seed).integers(1, 12, shape) ** 2
    return raw / raw.sum(axis=-1, keepdims=True)


def _t(x):
    return np.swapaxes(x, -1, -2)


def _without_own(weights):
    return weights * (1 - np.eye(weights.shape[-2], weights.shape[-1]))


def _rows_sum_to_one(args, *arrays):
    sums = arrays[-1].sum(axis=-1).ravel()
    for row, total in enumerate(sums):
        if not np.isclose(total, 1, atol=1e-5):
            shown = "NaN (not a number)" if np.isnan(total) else f"{total:.3f}"
            return (
                f"row {row} sums to {shown}. Shares of one query's attention"
                " sum to 1."
            )
    return ""


def _finite(args, *arrays):
    if all(np.isfinite(array).all() for array in arrays):
        return ""
    return (
        "the result contains NaN or infinity: a number became too large for"
        " the computer, or 0 was divided by 0."
    )


_FAR = np.array([[0.5, 1.0, -0.25], [-2000.0, -2001.5, -2000.5]])

_UNSTABLE = (
    "exp(1000) is too large for the computer and becomes infinity, and"
    " infinity / infinity is NaN; exp(-1000) becomes 0, and 0 / 0 is NaN too."
    " Subtracting the same number from all scores of a row changes no share."
    " Which number of the row makes exp safe?"
)
_NO_KEEPDIMS = (
    "Without keepdims=True the total of each row loses its axis, and"
    " broadcasting then lines the totals up with the columns. On a square"
    " table nothing crashes: each number is divided by another row's total."
)
_OVER_QUERIES = (
    "Here every column sums to 1. Rows are queries: a row is one query that"
    " shares out its attention among the keys, so the softmax runs along the"
    " keys, the last axis."
)


def _exp(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def _total(x, axis=-1):
    return x.sum(axis=axis, keepdims=True)


def _one_hot(scores):
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _all_highest(scores):
    highest = scores == scores.max(axis=-1, keepdims=True)
    return highest / _total(highest)


def _over_everything(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


def _both_lost(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1)


def _total_lost(scores):
    return _exp(scores) / _exp(scores).sum(axis=-1)


def _highest_lost(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / _total(e)


def _naive_total_lost(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)


def _unstable(shift):
    def softmax_with_shift(scores):
        e = np.exp(scores - shift(scores))
        return e / _total(e)

    return softmax_with_shift


def _row(function):
    return lambda s: function(s, axis=-1, keepdims=True)


softmax_over_keys = Exercise(
    name="softmax_over_keys",
    call="softmax_over_keys(scores)",
    reference=softmax,
    results=("weights",),
    shape="one row per query, one column per key, like the scores",
    probes=(
        Probe("2 queries and 3 keys", (_table(1, 2, 3),)),
        Probe("4 queries and 2 keys", (_table(2, 4, 2),)),
        Probe("3 queries and 3 keys", (_table(3, 3, 3),)),
        Probe("equal scores", (np.full((2, 4), 0.5),)),
        Probe("one key only", (_table(4, 3, 1),), "hard"),
        Probe("scores near 1000", (1000 + _table(5, 2, 3),), "hard"),
        Probe("scores near -1000", (_table(6, 2, 3) - 1000,), "hard"),
        Probe("a row 2000 below the other", (_FAR,), "hard"),
        Probe("scores 2000 apart in a row", (_FAR.T,), "hard"),
        Probe("2 sentences at once", (_table(7, 2, 3, 4),), "beyond"),
    ),
    properties=(_finite, _rows_sum_to_one),
    bugs=(
        Bug(
            "the shares run over the queries, not over the keys",
            (lambda s: softmax(s, -2), lambda s: softmax(s, 0)),
            _OVER_QUERIES,
        ),
        Bug(
            "the shares run over the whole table",
            _over_everything,
            "All numbers together sum to 1. Each query has a whole attention"
            " of its own to share out: every row sums to 1.",
        ),
        Bug(
            "each row is divided by the totals of other rows",
            (_total_lost, _both_lost, _highest_lost, _naive_total_lost),
            _NO_KEEPDIMS,
        ),
        Bug(
            "right for small scores, but large ones overflow",
            (
                _unstable(lambda s: 0),
                _unstable(_row(np.mean)),
                _unstable(_row(np.min)),
            ),
            _UNSTABLE,
        ),
        Bug(
            "one far row loses all its shares",
            _unstable(np.max),
            "You subtract the highest score of the whole table. In a row far"
            " below it every exp becomes 0, and 0 / 0 is NaN. Subtract the"
            " highest score of each row.",
        ),
        Bug(
            "exp is missing",
            lambda s: s / _total(s),
            "Scores may be negative, and then so are these shares; a total"
            " near 0 blows them up. exp makes every score positive first and"
            " keeps their order.",
        ),
        Bug(
            "not yet divided by the row's total",
            (np.exp, _exp),
            "exp makes the scores positive. They become shares when each row"
            " is divided by its own total.",
        ),
        Bug(
            "these are the logarithms of the shares",
            lambda s: np.log(softmax(s)),
            "A share lies between 0 and 1 and the row sums to 1; the"
            " logarithm is what a loss function needs later.",
        ),
        Bug(
            "each score is squashed on its own (sigmoid)",
            lambda s: 1 / (1 + np.exp(-s)),
            "In a softmax the keys compete: a higher score of one key lowers"
            " the shares of the others. That comes from the row's total.",
        ),
        Bug(
            "only the highest score gets something",
            (_one_hot, _all_highest),
            "That is a hard choice. Softmax is its soft form: every key gets"
            " a share, and a small change of a score changes it a little.",
        ),
        Bug(
            "the base is 2 instead of e",
            lambda s: softmax(s * np.log(2)),
            "The shares are a little too even: softmax uses np.exp.",
        ),
        Bug(
            "low scores get the large shares",
            lambda s: softmax(-s),
            "The sign is turned around: a higher score means a larger share.",
        ),
        Bug(
            "the sign of the scores is lost",
            (
                lambda s: softmax(np.abs(s)),
                lambda s: np.abs(s) / _total(np.abs(s)),
                lambda s: s**2 / _total(s**2),
            ),
            "A score of -2 must get less than a score of 0. exp keeps the"
            " order of the scores; a square or an absolute value does not.",
        ),
        Bug(
            "the average of the row is used for its total",
            lambda s: softmax(s) * s.shape[-1],
            "Every row sums to the number of keys. Divide by the sum.",
        ),
        Bug(
            "the result is turned on its side",
            (lambda s: _t(softmax(s)), lambda s: softmax(_t(s))),
            "Rows are queries and columns are keys, before the softmax and"
            " after it.",
        ),
    ),
    proves=(
        "Each query shares out exactly 1 among the keys, whatever the size of"
        " the scores: 1000 does not overflow."
    ),
)


_PAIRS = (
    "Each token is one row of x. The score of tokens i and j is row i times"
    " row j, summed over the features."
)


def _unit(x):
    return x / np.sqrt(_total(x * x))


all_pairs_scores = Exercise(
    name="all_pairs_scores",
    call="all_pairs_scores(x)",
    reference=lambda x: x @ _t(x),
    results=("scores",),
    shape="one row and one column per token",
    probes=(
        Probe("3 tokens of width 2", (_table(11, 3, 2),)),
        Probe("2 tokens of width 4", (_table(12, 2, 4),)),
        Probe("3 tokens of width 3", (_table(13, 3, 3),)),
        Probe("a repeated token", (_table(14, 2, 3)[[0, 1, 0, 1]],)),
        Probe("one token only", (_table(15, 1, 3),), "hard"),
        Probe("2 sentences at once", (_table(16, 2, 3, 4),), "beyond"),
    ),
    bugs=(
        Bug(
            "this compares features, not tokens",
            lambda x: _t(x) @ x,
            _PAIRS
            + " The product in the other order has one row per feature.",
        ),
        Bug(
            "this multiplies number by number",
            lambda x: x * x,
            _PAIRS + " The operator * makes no sums; @ does.",
        ),
        Bug(
            "x is multiplied with itself as it stands",
            lambda x: x @ x,
            _PAIRS + " In A @ B the rows of A meet the columns of B: the"
            " tokens must stand in the columns of the second one.",
        ),
        Bug(
            "these are cosines",
            lambda x: _unit(x) @ _t(_unit(x)),
            "The lengths of the vectors are divided out. The dot product"
            " keeps them: a longer vector gets larger scores.",
        ),
        Bug(
            "the scores are divided by the root of the width",
            lambda x: x @ _t(x) / np.sqrt(x.shape[-1]),
            "That is the scaling of notebook 03, where you measure what it is"
            " for. Here the plain dot product is asked for.",
        ),
        Bug(
            "only the score of each token with itself",
            (
                lambda x: (x * x).sum(axis=-1),
                lambda x: x @ _t(x) * np.eye(len(x)),
            ),
            "Every token is compared with every token: T times T scores.",
        ),
        Bug(
            "the scores are summed up",
            lambda x: (x @ _t(x)).sum(axis=-1),
            "Keep one score for each pair of tokens; nothing is added up yet.",
        ),
        Bug(
            "the tokens are not compared with themselves",
            lambda x: _without_own(x @ _t(x)),
            "The diagonal belongs to the table: a token is a key as well.",
        ),
        Bug(
            "these are shares already",
            lambda x: softmax(x @ _t(x)),
            "The softmax is the next step; scores may be negative.",
        ),
        Bug(
            ".T turns round all axes",
            lambda x: x @ x.T,
            "With sentences in front, .T moves them to the end. Exchange only"
            " the last two axes: np.swapaxes(x, -1, -2).",
        ),
    ),
    proves=(
        "One matrix product holds the dot product of every token with every"
        " token: row i, column j is token i with token j."
    ),
)


_MIX = (
    "A[query, key]: row i holds the shares that token i gives to all tokens,"
    " so context i is the sum of all rows of x, each times its share."
)


def _column_shares(weights):
    return weights / _total(weights, axis=-2)


def _no_self(weights):
    return _without_own(weights) / _total(_without_own(weights))


_ONE_HOT = np.eye(3)[[2, 0, 0]]

context_vectors = Exercise(
    name="context_vectors",
    call="context_vectors(weights, x)",
    reference=lambda weights, x: weights @ x,
    results=("context",),
    shape="one row per token, as wide as x",
    probes=(
        Probe("3 tokens of width 2", (_shares(21, 3, 3), _table(21, 3, 2))),
        Probe("2 tokens of width 4", (_shares(22, 2, 2), _table(22, 2, 4))),
        Probe("3 tokens of width 3", (_shares(23, 3, 3), _table(23, 3, 3))),
        Probe("weights of 0 and 1 only", (_ONE_HOT, _table(24, 3, 2)), "hard"),
        Probe("one token only", (np.ones((1, 1)), _table(25, 1, 3)), "hard"),
        Probe(
            "fewer queries than keys",
            (_shares(26, 2, 3), _table(26, 3, 4)),
            "beyond",
            "The number of queries is the number of rows of the weights.",
        ),
        Probe(
            "2 sentences at once",
            (_shares(27, 2, 3, 3), _table(27, 2, 3, 4)),
            "beyond",
            "The operator @ multiplies the last two axes and leaves the axes"
            " before them alone.",
        ),
    ),
    bugs=(
        Bug(
            "the weights are used on their side",
            lambda a, x: _t(a) @ x,
            _MIX + " Here the columns have been used, which do not sum to 1.",
        ),
        Bug(
            "this multiplies number by number",
            lambda a, x: a * x,
            _MIX + " The operator * makes no sums; @ does.",
        ),
        Bug(
            "the product is in the other order",
            lambda a, x: x @ a,
            _MIX + " In A @ B the rows of A choose how to mix the rows of B.",
        ),
        Bug(
            "every token counts the same",
            lambda a, x: x.mean(axis=-2, keepdims=True) + 0 * (a @ x),
            _MIX + " Here the weights make no difference.",
        ),
        Bug(
            "x comes back as it was",
            lambda a, x: x,
            _MIX + " A row's weights sum to 1, so adding them up before they"
            " meet x leaves nothing of them.",
        ),
        Bug(
            "only the token with the largest weight is taken",
            lambda a, x: x[a.argmax(axis=-1)],
            "That is a hard choice. Every token contributes by its share.",
        ),
        Bug(
            "the token's own vector is left out",
            (
                lambda a, x: _without_own(a) @ x,
                lambda a, x: _no_self(a) @ x,
            ),
            "The diagonal belongs to the weights: a token's own vector enters"
            " the mix with its share.",
        ),
        Bug(
            "the weights have been divided by their column totals",
            lambda a, x: _column_shares(a) @ x,
            _MIX + " They are shares already.",
        ),
        Bug(
            "the softmax has been taken again",
            lambda a, x: softmax(a) @ x,
            "The weights are shares already; a second softmax makes them"
            " nearly equal.",
        ),
        Bug(
            "x itself is added",
            lambda a, x: a @ x + x,
            "That is a residual connection, which comes in notebook 04. The"
            " context vector is the mix alone.",
        ),
        Bug(
            "the contexts have been summed or averaged",
            (
                lambda a, x: (a @ x).sum(axis=-2),
                lambda a, x: (a @ x).mean(axis=-2),
            ),
            "There is one context vector for each token, not one for the"
            " sentence.",
        ),
    ),
    proves=(
        "Each context vector is a weighted sum of all rows of x, with one"
        " row of weights: the token's own."
    ),
)


def _attend(x, scores=None, axis=-1):
    weights = softmax(x @ _t(x) if scores is None else scores, axis)
    return weights @ x, weights


def _turned(x):
    weights = _attend(x)[1]
    return _t(weights) @ x, weights


def _no_softmax(x):
    return x @ _t(x) @ x, x @ _t(x)


def _naive(x):
    weights = _unstable(lambda s: 0)(x @ _t(x))
    return weights @ x, weights


def _residual(x):
    return _attend(x)[0] + x, _attend(x)[1]


def _small(seed, *shape):
    return _table(seed, *shape, step=8)


self_attention = Exercise(
    name="self_attention",
    call="self_attention(x)",
    reference=_attend,
    results=("context", "weights"),
    shape="the context is as large as x; the weights are tokens by tokens",
    probes=(
        Probe("3 tokens of width 2", (_small(31, 3, 2),)),
        Probe("2 tokens of width 4", (_small(32, 2, 4),)),
        Probe("3 tokens of width 3", (_small(33, 3, 3),)),
        Probe("a repeated token", (_small(34, 2, 3)[[0, 1, 0, 1]],), "hard"),
        Probe("one token only", (_small(35, 1, 3),), "hard"),
        Probe("long vectors", (_small(36, 3, 4) * 64,), "hard"),
        Probe("2 sentences at once", (_small(37, 2, 3, 4),), "beyond"),
    ),
    properties=(_finite, _rows_sum_to_one),
    bugs=(
        Bug(
            "only one of the two results",
            (lambda x: _attend(x)[0], lambda x: _attend(x)[1]),
            "Return both: `return context, weights`. Without the weights"
            " nobody can see who looked at whom.",
        ),
        Bug(
            "the two results are in the other order",
            lambda x: _attend(x)[::-1],
            "Asked for is first the context, then the weights.",
        ),
        Bug(
            "the scores are divided by the root of the width",
            lambda x: _attend(x, x @ _t(x) / np.sqrt(x.shape[-1])),
            "Well known! That is the scaling of notebook 03, where you"
            " measure what it is for. Here the plain dot product is used.",
        ),
        Bug(
            "the shares run over the queries, not over the keys",
            lambda x: _attend(x, axis=-2),
            _OVER_QUERIES + " The scores are symmetric, so no shape and no"
            " score gives this away; only the sums do.",
        ),
        Bug(
            "the weights are used on their side",
            _turned,
            _MIX + " The scores are symmetric, the weights are not.",
        ),
        Bug(
            "the softmax is missing",
            _no_softmax,
            "Scores are not shares: they may be negative and sum to anything.",
        ),
        Bug(
            "right for short vectors, but large scores overflow",
            _naive,
            _UNSTABLE,
        ),
        Bug(
            "x itself is added",
            _residual,
            "That is a residual connection, which comes in notebook 04. The"
            " context vector is the mix alone.",
        ),
        Bug(
            "cosines are used for scores",
            lambda x: _attend(x, _unit(x) @ _t(_unit(x))),
            "The lengths of the vectors are divided out. The dot product"
            " keeps them.",
        ),
        Bug(
            ".T turns round all axes",
            lambda x: _attend(x, x @ x.T),
            "With sentences in front, .T moves them to the end. Exchange only"
            " the last two axes: np.swapaxes(x, -1, -2).",
        ),
    ),
    proves=(
        "Scores, softmax and mix are one function now: attention with"
        " nothing learned."
    ),
)

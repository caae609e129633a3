"""The checks of notebook 03: variance, scale, temperature and entropy."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.machinery import Bug, Exercise, Probe


def _table(seed, *shape, step=4):
    """Multiples of 1/step, exact in float32 as well, around 0."""
    return np.random.default_rng(seed).integers(-8, 9, shape) / step


_SUM = (
    "A dot product is a sum of d_k products. Independent terms: their"
    " variances add up, and the variance of one product of two numbers with"
    " mean 0 is the product of their variances."
)

dot_product_variance = Exercise(
    name="dot_product_variance",
    call="dot_product_variance(d_k, var_q, var_k)",
    reference=lambda d_k, var_q, var_k: d_k * var_q * var_k,
    results=("variance",),
    shape="one number",
    probes=(
        Probe("d_k = 16, variances 1 and 1", (16, 1.0, 1.0)),
        Probe("d_k = 3, variances 2 and 5", (3, 2.0, 5.0)),
        Probe("d_k = 64, variances 0.25 and 3", (64, 0.25, 3.0)),
        Probe("d_k = 5, variances 0.5 and 0.3", (5, 0.5, 0.3)),
        Probe("d_k = 1, variances 4 and 9", (1, 4.0, 9.0), "hard"),
        Probe("d_k = 8, one variance 0", (8, 0.0, 2.0), "hard"),
    ),
    bugs=(
        Bug(
            "this is right for unit variance only",
            lambda d, q, k: d + 0 * q,
            _SUM + " With other variances the factor changes: 2 and 5 give 10"
            " for each term.",
        ),
        Bug(
            "one of the two variances is missing",
            (lambda d, q, k: d * q, lambda d, q, k: d * k),
            _SUM,
        ),
        Bug(
            "this is the scale, not the variance",
            (
                lambda d, q, k: 1 / np.sqrt(d * q * k),
                lambda d, q, k: 1 / np.sqrt(d) + 0 * q,
            ),
            "One over the root of the variance is what the scores will be"
            " multiplied by. Asked for is the variance itself.",
        ),
        Bug(
            "this is the standard deviation",
            (
                lambda d, q, k: np.sqrt(d * q * k),
                lambda d, q, k: np.sqrt(d) * q * k,
                lambda d, q, k: np.sqrt(d) + 0 * q,
            ),
            "The root of the variance is the standard deviation, which is"
            " what the scores are divided by. Asked for is the variance.",
        ),
        Bug(
            "the two variances are added where they multiply",
            (
                lambda d, q, k: d * (q + k),
                lambda d, q, k: d * (q + k) / 2,
                lambda d, q, k: d + q + k,
            ),
            _SUM,
        ),
        Bug(
            "d_k is squared",
            lambda d, q, k: d**2 * q * k,
            _SUM + " d_k terms give d_k times the variance of one. d_k times"
            " *the same* term would give d_k squared.",
        ),
        Bug(
            "the number of terms is missing",
            lambda d, q, k: q * k,
            _SUM + " This is the variance of one term.",
        ),
        Bug(
            "the variances are taken for standard deviations",
            lambda d, q, k: d * q**2 * k**2,
            "var_q and var_k are squares already.",
        ),
        Bug(
            "the roots of the variances are used",
            lambda d, q, k: d * np.sqrt(q * k),
            _SUM,
        ),
        Bug(
            "divided by d_k instead of multiplied",
            lambda d, q, k: q * k / d,
            "That is the variance of the *mean* of the products. A dot"
            " product is their sum.",
        ),
        Bug(
            "cut to a whole number",
            (lambda d, q, k: int(d * q * k), lambda d, q, k: round(d * q * k)),
            "A variance may lie between two whole numbers: leave the product"
            " as it is.",
        ),
    ),
    proves=(
        "The variance grows with d_k, so the typical score grows with its"
        " root: sqrt(d_k) for unit variance."
    ),
)


_HEAD = (
    "What is summed up in a score are the numbers of one head's query and"
    " key: d_k = d_model / num_heads of them."
)

head_scale = Exercise(
    name="head_scale",
    call="head_scale(d_model, num_heads)",
    reference=lambda d, h: 1 / np.sqrt(d / h),
    results=("scale",),
    shape="one number",
    probes=(
        Probe("d_model 64 in 4 heads", (64, 4)),
        Probe("d_model 512 in 8 heads", (512, 8)),
        Probe("d_model 12 in 3 heads", (12, 3)),
        Probe("one head", (64, 1), "hard"),
        Probe("as many heads as numbers", (8, 8), "hard"),
    ),
    bugs=(
        Bug(
            "the whole width is taken for a head's",
            (lambda d, h: 1 / np.sqrt(d), lambda d, h: 1 / d**0.5 + 0 * h),
            _HEAD,
        ),
        Bug(
            "this is what to divide by",
            lambda d, h: np.sqrt(d / h),
            "The scale is a factor: the scores are *multiplied* by it. Where"
            " you would divide by 8, multiply by 0.125, not by 8.",
        ),
        Bug(
            "divided by d_k instead of its root",
            (lambda d, h: h / d, lambda d, h: (h / d) ** 2),
            "The spread of a sum of d_k products grows with the root of d_k.",
        ),
        Bug(
            "this is d_k",
            (lambda d, h: d / h, lambda d, h: d // h),
            "d_k is the width of a head. The scale is one over its root.",
        ),
        Bug(
            "the model's width, and not one over its root",
            (lambda d, h: 1 / d + 0 * h, lambda d, h: np.sqrt(d) + 0 * h),
            _HEAD + " The scale is one over the root of that.",
        ),
        Bug(
            "the root of the number of heads",
            lambda d, h: 1 / np.sqrt(h),
            _HEAD,
        ),
        Bug(
            "multiplied by the number of heads",
            lambda d, h: 1 / np.sqrt(d * h),
            _HEAD + " The heads share out the width.",
        ),
        Bug(
            "only d_model is under the root",
            (lambda d, h: h / np.sqrt(d), lambda d, h: 1 / np.sqrt(d) / h),
            _HEAD + " The whole of d_k stands under the root.",
        ),
    ),
    proves=(
        "The scale belongs to a head, not to the model: 64 numbers in 4 heads"
        " need 1/4, not 1/8."
    ),
)


def _rows_sum_to_one(args, *arrays):
    for row, total in enumerate(arrays[-1].sum(axis=-1).ravel()):
        if not np.isclose(total, 1, atol=1e-5):
            shown = "NaN (not a number)" if np.isnan(total) else f"{total:.3f}"
            return f"row {row} sums to {shown}; shares sum to 1."
    return ""


_HIGH = np.array([[1000.0, 1000.5, 999.0], [998.5, 1001.0, 1000.0]])
_FAR = np.array([[0.5, 1.0, -0.25], [-2000.0, -2001.5, -2000.5]])


_COLD = (
    "Subtract the highest score of each row, divided by the temperature like"
    " the others: then no exponent is above 0."
)


def _naive(scores, tau):
    e = np.exp(scores / tau)
    return e / e.sum(axis=-1, keepdims=True)


def _whole_table(scores, tau):
    return _naive(scores - scores.max(), tau)


def _undivided(scores, tau):
    e = np.exp(scores / tau - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _mean_subtracted(scores, tau):
    return _naive(scores - scores.mean(axis=-1, keepdims=True), tau)


def _clipped(limit, low=-np.inf):
    return lambda s, tau: _naive(np.clip(s / tau, low, limit), 1.0)


def _powered(scores, tau):
    p = softmax(scores) ** tau
    return p / p.sum(axis=-1, keepdims=True)


softmax_with_temperature = Exercise(
    name="softmax_with_temperature",
    call="softmax_with_temperature(scores, temperature)",
    reference=lambda scores, tau: softmax(scores / tau),
    results=("weights",),
    shape="one row per query, one column per key, like the scores",
    probes=(
        Probe("temperature 1", (_table(201, 2, 3), 1.0)),
        Probe("temperature 2", (_table(202, 4, 2), 2.0)),
        Probe("temperature 0.5", (_table(203, 3, 3), 0.5)),
        Probe("temperature 4, 5 keys", (_table(204, 3, 5), 4.0)),
        Probe("one key only", (_table(205, 3, 1), 2.0), "hard"),
        Probe("temperature 0.001", (_table(206, 2, 3), 0.001), "hard", _COLD),
        Probe("temperature 1000", (_table(207, 2, 3), 1000.0), "hard"),
        Probe("scores near 1000", (_HIGH, 1.0), "hard", _COLD),
        Probe("a row far below the other", (_FAR, 0.5), "hard"),
        Probe("2 sentences at once", (_table(208, 2, 3, 4), 2.0), "beyond"),
    ),
    properties=(_rows_sum_to_one,),
    bugs=(
        Bug(
            "the temperature multiplies",
            (lambda s, t: softmax(s * t), _powered),
            "Hot is even, cold is sharp: a high temperature brings the scores"
            " closer together. So it divides them.",
        ),
        Bug(
            "the temperature acts on the weights, not on the scores",
            (lambda s, t: softmax(s) / t, lambda s, t: softmax(s) * t),
            "After the softmax it is too late: the rows no longer sum to 1."
            " The temperature divides the scores.",
        ),
        Bug(
            "the temperature does nothing",
            lambda s, t: softmax(s) + 0 * t,
            "The scores must be divided by it before the softmax. What is"
            " added to a whole row, or divides all its exponentials, cancels"
            " in the fraction.",
        ),
        Bug(
            "right at mild temperatures, but cold ones overflow",
            _naive,
            "At temperature 0.001 a score of 2 becomes 2,000, and exp(2000)"
            " is infinity. Subtract the row's highest score, after the"
            " division or before it.",
        ),
        Bug(
            "you subtract the undivided maximum",
            _undivided,
            _COLD + " At temperature 0.001 a score of 2 becomes 2,000; minus"
            " 2 that is still far too much for exp.",
        ),
        Bug(
            "you subtract the mean of the row",
            _mean_subtracted,
            "That cancels in the fraction as well, but a cold temperature can"
            f" still lift a score far above the mean. {_COLD}",
        ),
        Bug(
            "high scores are cut off",
            tuple(
                _clipped(limit, low)
                for limit in (88, 100, 500, 600, 700, 709)
                for low in (-np.inf, -limit)
            ),
            "Where two scores are cut to the same number, their shares become"
            f" equal. {_COLD}",
        ),
        Bug(
            "a row far below the others loses all its shares",
            (_whole_table, lambda s, t: _whole_table(s / t, 1.0)),
            "You subtract the highest score of the whole table. In a row far"
            " below it every exp becomes 0, and 0 / 0 is NaN. Subtract the"
            " highest score of each row.",
        ),
        Bug(
            "the root of the temperature is used",
            lambda s, t: softmax(s / np.sqrt(t)),
            "The scores are divided by the temperature itself.",
        ),
        Bug(
            "the square of the temperature is used",
            lambda s, t: softmax(s / t**2),
            "The scores are divided by the temperature once.",
        ),
        Bug(
            "the shares run over the queries, not over the keys",
            (lambda s, t: softmax(s / t, -2), lambda s, t: softmax(s / t, 0)),
            "Each row is one query that shares out its attention among the"
            " keys, the last axis.",
        ),
    ),
    proves=(
        "1/sqrt(d_k) is a temperature: dividing by sqrt(d_k) is a softmax at"
        " temperature sqrt(d_k)."
    ),
)


def _shares(seed, *shape):
    raw = np.random.default_rng(seed).integers(1, 12, shape) ** 2
    return raw / raw.sum(axis=-1, keepdims=True)


def _entropy(p):
    logs = np.log(np.where(p > 0, p, 1))
    return -(p * logs).sum(axis=-1)


def _naive_entropy(p):
    return -(p * np.log(p)).sum(axis=-1) / np.log(p.shape[-1])


def _shifted_entropy(p):
    return -(p * np.log(p + 1e-3)).sum(axis=-1) / np.log(p.shape[-1])


def _above(limit):
    """Entropy that takes weights up to `limit` for 0, and one that lifts."""

    def ignores(p):
        logs = np.log(np.where(p > limit, p, 1))
        return -(p * logs).sum(axis=-1) / np.log(p.shape[-1])

    def lifts(p):
        logs = np.log(np.maximum(p, limit))
        return -(p * logs).sum(axis=-1) / np.log(p.shape[-1])

    return ignores, lifts


_TINY = np.array([[0.9, 0.0992, 6e-4, 2e-4], [0.5, 0.497, 0.0028, 2e-4]])
_ZEROS = np.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])

normalized_entropy = Exercise(
    name="normalized_entropy",
    call="normalized_entropy(weights)",
    reference=lambda p: _entropy(p) / np.log(p.shape[-1]),
    results=("entropy",),
    shape="one number per query",
    probes=(
        Probe("2 queries and 3 keys", (_shares(221, 2, 3),)),
        Probe("4 queries and 2 keys", (_shares(222, 4, 2),)),
        Probe("3 queries and 3 keys", (_shares(223, 3, 3),)),
        Probe("equal weights", (np.full((2, 5), 0.2),)),
        Probe("weights of 0 and 1", (_ZEROS,), "hard"),
        Probe(
            "weights down to 0.0002",
            (_TINY,),
            "hard",
            "Only a weight of exactly 0 needs something harmless in the log.",
        ),
        Probe("2 sentences at once", (_shares(224, 2, 3, 4),), "beyond"),
    ),
    bugs=(
        Bug(
            "right, but a weight of 0 gives NaN",
            (
                _naive_entropy,
                lambda p: (
                    -np.sum(p * np.log2(p), axis=-1) / np.log2(p.shape[-1])
                ),
            ),
            "log(0) is minus infinity, and 0 times infinity is NaN. The limit"
            " of p log p for p to 0 is 0: give the log a harmless number"
            " where the weight is 0, for instance with np.where. A 0 put in"
            " there is log(0) again: put a 1, whose log is 0.",
        ),
        Bug(
            "not yet divided by the largest possible entropy",
            (
                _entropy,
                lambda p: -(p * np.log(p)).sum(axis=-1),
                lambda p: _entropy(p) / np.log(2),
                lambda p: -(p * np.log2(p)).sum(axis=-1),
            ),
            "Equal weights on T keys have entropy log(T). Divide by it, so"
            " that 1 means even, whatever the number of keys.",
        ),
        Bug(
            "divided by the largest number found",
            (
                lambda p: _entropy(p) / _entropy(p).max(),
                lambda p: _entropy(p) / p.max(),
                lambda p: _entropy(p) / p.max(axis=-1),
            ),
            "Meant is the largest entropy that any row of T keys could have,"
            " found in this table or not: that of equal weights, log(T).",
        ),
        Bug(
            "a mean where the sum belongs",
            lambda p: _entropy(p) / p.shape[-1] / np.log(p.shape[-1]),
            "The weights are the shares already: summed up, they make the"
            " mean. .mean() divides by the number of keys once more.",
        ),
        Bug(
            "divided by the number of keys, not by its logarithm",
            lambda p: _entropy(p) / p.shape[-1],
            "Equal weights on T keys have entropy log(T), not T.",
        ),
        Bug(
            "divided by the logarithm of the number of queries",
            lambda p: _entropy(p) / np.log(p.shape[-2]),
            "A row shares out among the keys: their number counts.",
        ),
        Bug(
            "divided by the logarithm of the size of the table",
            lambda p: _entropy(p) / np.log(p.size),
            "Each row shares out among its own keys: their number counts.",
        ),
        Bug(
            "the minus is missing",
            lambda p: -_entropy(p) / np.log(p.shape[-1]),
            "Logarithms of shares are negative; entropy is not.",
        ),
        Bug(
            "two different logarithms",
            (
                lambda p: _entropy(p) / np.log2(p.shape[-1]),
                lambda p: _entropy(p) / np.log(2) / np.log(p.shape[-1]),
                lambda p: _entropy(p) / np.log(10) / np.log(p.shape[-1]),
            ),
            "Any base will do, but the same above and below.",
        ),
        Bug(
            "the factor p is missing",
            (
                lambda p: -np.log(p).sum(axis=-1) / np.log(p.shape[-1]),
                lambda p: -np.log(p).mean(axis=-1) / np.log(p.shape[-1]),
            ),
            "Entropy is the mean surprise: each -log(p) counts with share p.",
        ),
        Bug(
            "one minus the entropy",
            lambda p: 1 - _entropy(p) / np.log(p.shape[-1]),
            "1 is to mean even, and 0 all on one key.",
        ),
        Bug(
            "a number added inside the logarithm bends the result",
            (
                _shifted_entropy,
                lambda p: -(p * np.log(p + 0.01)).sum(-1) / np.log(len(p.T)),
                lambda p: -(p * np.log(p + 1e-4)).sum(-1) / np.log(len(p.T)),
            ),
            "It avoids log(0), but changes every other number. Use np.where"
            " to change only what is 0.",
        ),
        Bug(
            "small weights are treated like 0",
            tuple(
                wrong
                for limit in (0.01, 0.005, 0.001, 5e-4)
                for wrong in _above(limit)
            ),
            "Only a weight of exactly 0 needs something harmless in the log."
            " Every other weight, however small, counts as it is.",
        ),
        Bug(
            "the sums run over the queries",
            lambda p: (
                -(p * np.log(np.where(p > 0, p, 1))).sum(axis=-2)
                / np.log(p.shape[-1])
            ),
            "Each row is one query's attention: sum along the keys.",
        ),
        Bug(
            "one number for the whole table",
            (
                lambda p: (_entropy(p) / np.log(p.shape[-1])).mean(),
                lambda p: (_entropy(p) / np.log(p.shape[-1])).sum(),
            ),
            "Each query has an attention of its own, sharp or even.",
        ),
    ),
    proves=(
        "1 is even, 0 is all on one key, whatever the number of keys. A weight"
        " of 0 adds nothing."
    ),
)

"""The checks of notebook 02: project and score, and two backward steps."""

import numpy as np

from helpers.attention import softmax
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.gradients import softmax_backward as _backward


def _table(seed, *shape, step=4):
    """Multiples of 1/step, exact in float32 as well, around 0."""
    return np.random.default_rng(seed).integers(-8, 9, shape) / step


def _t(x):
    return np.swapaxes(x, -1, -2)


def _root(x):
    return np.sqrt(x.shape[-1])


def _projected(seed, length, d_model, d_k, *batch):
    return (
        _table(seed, *batch, length, d_model),
        _table(seed + 1, d_model, d_k),
        _table(seed + 2, d_model, d_k),
    )


def _scores(x, w_q, w_k):
    return (x @ w_q) @ _t(x @ w_k) / _root(w_k)


def _fixed(unscaled):
    """Divide by one number: a root or a width that fits one input only."""
    numbers = (2, 3**0.5, 2**0.5, 4, 8, 3, 16, 64)
    return tuple(
        lambda *args, n=number: unscaled(*args) / n for number in numbers
    )


_SCORE = (
    "Row i of the result belongs to the word that asks, column j to the word"
    " that is asked: query i times key j."
)

project_and_score = Exercise(
    name="project_and_score",
    call="project_and_score(x, w_q, w_k)",
    reference=_scores,
    results=("scores",),
    shape="one row per query, one column per key",
    probes=(
        Probe("3 words of width 4, d_k = 2", _projected(101, 3, 4, 2)),
        Probe("4 words of width 2, d_k = 3", _projected(104, 4, 2, 3)),
        Probe("3 words of width 3, d_k = 3", _projected(107, 3, 3, 3)),
        Probe("2 words of width 5, d_k = 4", _projected(110, 2, 5, 4)),
        Probe("d_k = 1", _projected(113, 3, 4, 1), "hard"),
        Probe("one word only", _projected(116, 1, 3, 2), "hard"),
        Probe("2 sentences at once", _projected(119, 2, 3, 2, 2), "beyond"),
    ),
    bugs=(
        Bug(
            "the scale is missing",
            lambda x, q, k: _scores(x, q, k) * _root(k),
            "The products are right. Divide them by the square root of d_k,"
            " the width of a query; notebook 03 measures what that is for.",
        ),
        Bug(
            "divided by d_k instead of its root",
            lambda x, q, k: _scores(x, q, k) / _root(k),
            "The spread of a sum of d_k products grows with the root of d_k,"
            " so the root is what it is divided by.",
        ),
        Bug(
            "divided by the root of another width",
            (
                lambda x, q, k: _scores(x, q, k) * _root(k) / _root(x),
                lambda x, q, k: (
                    _scores(x, q, k) * _root(k) / np.sqrt(x.shape[-2])
                ),
            ),
            "What is summed up in a score are the d_k numbers of a query and"
            " a key. So it is d_k whose root counts: not the width of x, and"
            " not the number of words.",
        ),
        Bug(
            "multiplied by the root instead of divided",
            lambda x, q, k: _scores(x, q, k) * k.shape[-1],
            "Large scores are to become smaller.",
        ),
        Bug(
            "divided by a fixed number",
            _fixed(lambda x, q, k: _scores(x, q, k) * _root(k)),
            "Here d_k differs from input to input, so take it from the"
            " shape: it is the width of a query.",
        ),
        Bug(
            "queries and keys have changed places",
            (
                lambda x, q, k: _scores(x, k, q),
                lambda x, q, k: _scores(x, k, q) * _root(k),
                lambda x, q, k: _scores(x, k, q) / _root(k),
            ),
            _SCORE + " Your table is the transpose of that. The symmetric"
            " scores of notebook 01 would have hidden it.",
        ),
        Bug(
            "queries meet queries",
            (
                lambda x, q, k: _scores(x, q, q),
                lambda x, q, k: _scores(x, q, q) * _root(k),
            ),
            "w_k is not used. Your scores are symmetric again: what a word"
            " asks and what it offers would be the same.",
        ),
        Bug(
            "keys meet keys",
            (
                lambda x, q, k: _scores(x, k, k),
                lambda x, q, k: _scores(x, k, k) * _root(k),
            ),
            "w_q is not used. Your scores are symmetric again: what a word"
            " asks and what it offers would be the same.",
        ),
        Bug(
            "the keys are not projected",
            (
                lambda x, q, k: (x @ q) @ _t(x) / _root(k),
                lambda x, q, k: (x @ q) @ _t(x),
            ),
            "Both sides pass through a matrix of their own: the query through"
            " w_q, the key through w_k.",
        ),
        Bug(
            "these are shares already",
            (
                lambda x, q, k: softmax(_scores(x, q, k)),
                lambda x, q, k: softmax(_scores(x, q, k) * _root(k)),
            ),
            "Asked for are the scores; the softmax is the next step.",
        ),
        Bug(
            "nothing is projected",
            (lambda x, q, k: x @ _t(x), lambda x, q, k: x @ _t(x) / _root(x)),
            "That is the baseline of notebook 01. Now each word first turns"
            " into a query and a key.",
        ),
        Bug(
            "only the scores of each word with itself",
            lambda x, q, k: ((x @ q) * (x @ k)).sum(-1) / _root(k),
            "Every query meets every key: T times T scores.",
        ),
        Bug(
            ".T turns round all axes",
            lambda x, q, k: (x @ q) @ (x @ k).T / _root(k),
            "With sentences in front, .T moves them to the end. Exchange only"
            " the last two axes: np.swapaxes(key, -1, -2).",
        ),
    ),
    proves=(
        "Row i, column j is what word i asks times what word j offers. The"
        " table need not be symmetric any more."
    ),
)


def _pair(seed, *shape):
    return _table(seed, *shape), softmax(_table(seed + 1, *shape))


def _mean(g, p):
    return (p * g).sum(axis=-1, keepdims=True)


_COUPLED = (
    "Raising one score lowers the shares of all other keys of the row, so"
    " every gradient of the row has a part in it: g minus the row's weighted"
    " mean of g."
)


def _rows_sum_to_zero(args, *arrays):
    sums = arrays[-1].sum(axis=-1).ravel()
    for row, total in enumerate(sums):
        if not abs(total) < 1e-6:
            return (
                f"row {row} sums to {total:.3f}. Adding one number to all"
                " scores of a row changes no share, so the gradients of a row"
                " must sum to 0."
            )
    return ""


_SURE = np.array([[0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])

softmax_backward = Exercise(
    name="softmax_backward",
    call="softmax_backward(grad_weights, weights)",
    reference=_backward,
    results=("grad_scores",),
    shape="the shape of the weights: one row per query, one column per key",
    probes=(
        Probe("2 queries and 3 keys", _pair(131, 2, 3)),
        Probe("4 queries and 2 keys", _pair(133, 4, 2)),
        Probe("3 queries and 3 keys", _pair(135, 3, 3)),
        Probe("5 keys", _pair(137, 3, 5)),
        Probe("one key only", _pair(139, 3, 1), "hard"),
        Probe("a weight of 1", (_table(141, 2, 3), _SURE), "hard"),
        Probe("2 sentences at once", _pair(143, 2, 3, 4), "beyond"),
    ),
    properties=(_rows_sum_to_zero,),
    bugs=(
        Bug(
            "p (1 - p) is only the diagonal of the Jacobian",
            (
                lambda g, p: g * p * (1 - p),
                lambda g, p: p * (1 - p),
            ),
            "p (1 - p) says how a score changes its *own* share. "
            + _COUPLED
            + " It would be right for a sigmoid, where nothing is shared.",
        ),
        Bug(
            "the shares of the other keys do not answer",
            lambda g, p: g * p,
            _COUPLED + " Here the mean has not been subtracted.",
        ),
        Bug(
            "the plain mean is subtracted, not the weighted one",
            (
                lambda g, p: p * (g - g.mean(axis=-1, keepdims=True)),
                lambda g, p: p * g - g.mean(axis=-1, keepdims=True),
            ),
            "The mean counts each gradient with its share: sum(p * g).",
        ),
        Bug(
            "the weighted mean is divided by the number of keys as well",
            (
                lambda g, p: p * (g - (p * g).mean(axis=-1, keepdims=True)),
                lambda g, p: p * g - (p * g).mean(axis=-1, keepdims=True),
            ),
            "The shares p sum to 1 already. So the weighted mean is"
            " sum(p * g), not mean(p * g).",
        ),
        Bug(
            "the mean is added, not subtracted",
            lambda g, p: p * (g + _mean(g, p)),
            "The Jacobian is diag(p) - p p.T, with a minus: what one key"
            " gains, the others lose.",
        ),
        Bug(
            "the sum of g is subtracted",
            lambda g, p: p * (g - g.sum(axis=-1, keepdims=True)),
            "Each gradient counts with its share: sum(p * g), not sum(g).",
        ),
        Bug(
            "the first factor p is missing",
            lambda g, p: g - _mean(g, p),
            "The Jacobian is diag(p) - p p.T: both parts carry p_i. A key"
            " with no share cannot move anything.",
        ),
        Bug(
            "the mean is subtracted from p g",
            lambda g, p: p * g - _mean(g, p),
            "The second part of the Jacobian, p p.T, carries p_i as well:"
            " p_i times the weighted mean.",
        ),
        Bug(
            "the sums run over the queries, not over the keys",
            lambda g, p: p * (g - (p * g).sum(axis=-2, keepdims=True)),
            "Each query has a softmax of its own along the keys, the last"
            " axis; the rows have nothing to do with each other.",
        ),
        Bug(
            "the sum runs over the whole table",
            lambda g, p: p * (g - (p * g).sum()),
            "Each query has a softmax of its own: one mean per row.",
        ),
        Bug(
            "each row meets the mean of other rows",
            lambda g, p: p * (g - (p * g).sum(axis=-1)),
            "Without keepdims=True the means lose their axis, and"
            " broadcasting lines them up with the columns.",
        ),
        Bug(
            "the sign is turned around",
            lambda g, p: -_backward(g, p),
            "It is p * (g - mean), not p * (mean - g).",
        ),
        Bug(
            "the gradients have passed through unchanged",
            lambda g, p: g,
            "The softmax has a derivative of its own. " + _COUPLED,
        ),
        Bug(
            "the softmax has been taken again",
            lambda g, p: _backward(g, softmax(p)),
            "The weights are shares already: they are what the softmax gave.",
        ),
        Bug(
            "the two arguments have changed places",
            lambda g, p: _backward(p, g),
            "First comes the gradient, then the weights.",
        ),
    ),
    proves=(
        "This equals diag(p) - p p.T times g, row by row. Every row sums to"
        " 0: what one key gains, the others lose."
    ),
)


def _step(seed, length, d_model, d_k, *batch):
    return (
        _table(seed, *batch, length, d_model),
        _table(seed + 1, *batch, length, d_k),
        _table(seed + 2, *batch, length, length),
    )


def _grad_w_q(x, key, grad_scores):
    grad_query = grad_scores @ key / _root(key)
    return np.einsum("...td,...tk->dk", x, grad_query)


_CHAIN = (
    "Two steps: scores = query @ key.T / sqrt(d_k) gives the gradient of the"
    " query; query = x @ w_q then gives that of w_q."
)

grad_w_q = Exercise(
    name="grad_w_q",
    call="grad_w_q(x, key, grad_scores)",
    reference=_grad_w_q,
    results=("grad_w_q",),
    shape="the shape of w_q: d_model rows, d_k columns",
    probes=(
        Probe("3 words of width 4, d_k = 2", _step(151, 3, 4, 2)),
        Probe("4 words of width 2, d_k = 3", _step(154, 4, 2, 3)),
        Probe("3 words of width 3, d_k = 3", _step(157, 3, 3, 3)),
        Probe("5 words of width 2, d_k = 2", _step(160, 5, 2, 2)),
        Probe("d_k = 1", _step(163, 3, 4, 1), "hard"),
        Probe("one word only", _step(166, 1, 3, 2), "hard"),
    ),
    bugs=(
        Bug(
            "the scale is missing",
            lambda x, k, g: _grad_w_q(x, k, g) * _root(k),
            "The forward pass divided the scores by sqrt(d_k). A constant"
            " factor on the way forward is the same factor on the way back.",
        ),
        Bug(
            "divided by d_k instead of its root",
            lambda x, k, g: _grad_w_q(x, k, g) / _root(k),
            "Backward has the same factor as forward: 1 / sqrt(d_k), once.",
        ),
        Bug(
            "divided by the root of another width",
            (
                lambda x, k, g: _grad_w_q(x, k, g) * _root(k) / _root(x),
                lambda x, k, g: _grad_w_q(x, k, g) * _root(k) / _root(g),
            ),
            "The scale belongs to d_k, the width of the keys.",
        ),
        Bug(
            "multiplied by the root instead of divided",
            lambda x, k, g: _grad_w_q(x, k, g) * k.shape[-1],
            "Backward has the same factor as forward: 1 / sqrt(d_k).",
        ),
        Bug(
            "divided by a fixed number",
            _fixed(lambda x, k, g: _grad_w_q(x, k, g) * _root(k)),
            "Here d_k differs from input to input, so take it from the"
            " shape: it is the width of the keys.",
        ),
        Bug(
            "the softmax is differentiated once more",
            (
                lambda x, k, g: _grad_w_q(x, k, g * (1 - g)),
                lambda x, k, g: _grad_w_q(x, k, g * (1 - g)) * _root(k),
                lambda x, k, g: _grad_w_q(x, k, _backward(g, softmax(g))),
            ),
            "grad_scores is already behind the softmax: it is the gradient"
            " of the scores. What is left are two products.",
        ),
        Bug(
            "the score gradients are used on their side",
            (
                lambda x, k, g: _grad_w_q(x, k, _t(g)),
                lambda x, k, g: _grad_w_q(x, k, _t(g)) * _root(k),
            ),
            "grad_scores[i, j] belongs to query i and key j. The gradient of"
            " query i sums over the keys j: grad_scores @ key. The transpose"
            " is what the *keys* get.",
        ),
        Bug(
            "this is the gradient of the queries",
            (
                lambda x, k, g: g @ k / _root(k),
                lambda x, k, g: g @ k,
            ),
            "One step is left: every word used the same w_q, so its gradient"
            " is summed over the words, each with its x: x.T @ grad_query.",
        ),
        Bug(
            "the product is in the other order",
            (
                lambda x, k, g: _t(_grad_w_q(x, k, g)),
                lambda x, k, g: _t(_grad_w_q(x, k, g)) * _root(k),
            ),
            "A gradient has the shape of what it belongs to: w_q has d_model"
            " rows and d_k columns.",
        ),
        Bug(
            "x and key have changed places",
            lambda x, k, g: _t(k) @ g @ x / _root(k),
            _CHAIN,
        ),
        Bug(
            "the words are not added up",
            lambda x, k, g: x[..., :, None] * (g @ k / _root(k))[..., None, :],
            "There is one w_q for all words: the gradients of all words are"
            " added up, which x.T @ grad_query does.",
        ),
        Bug(
            "averaged over the words, not added up",
            lambda x, k, g: _grad_w_q(x, k, g) / x.shape[-2],
            "Every word adds its part to the loss, so the parts are added.",
        ),
        Bug(
            "the sign is turned around",
            lambda x, k, g: -_grad_w_q(x, k, g),
            "The minus comes later, when the optimizer steps downhill.",
        ),
        Bug(
            "the score gradients have been forgotten",
            (
                lambda x, k, g: _t(x) @ k,
                lambda x, k, g: _t(x) @ k / _root(k),
            ),
            _CHAIN,
        ),
    ),
    proves=(
        "All words share one w_q, so its gradient is a sum over all of them:"
        " x.T @ grad_query. w_k gets the same with grad_scores transposed."
    ),
)

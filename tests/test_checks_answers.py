"""Answers that learners gave, and what they must be told."""

import numpy as np
import pytest

from helpers import checks
from helpers.attention import softmax


def open_blank(x):
    return ...


def half_open(x):
    highest = ...
    return np.exp(x - highest)


open_table = ...


def second_is_open(x):
    weights = softmax(x @ x.T)
    context = weights @ x
    return context, ...


def first_is_open(x):
    weights = softmax(x @ x.T)
    return open_blank(weights), weights


def uses_open(x):
    weights = softmax(open_blank(x))
    return weights @ x, weights


def uses_open_in_a_product(x):
    weights = open_blank(x @ x.T)
    return weights @ x, weights


def uses_half_open(x):
    weights = half_open(x @ x.T)
    return weights @ x, weights


def uses_open_table(x):
    return open_table @ x, open_table


def is_open_elsewhere(x):
    weights = softmax(eval("..."))
    return weights @ x, weights


def adds_weights(x):
    weights = softmax(x @ x.T)
    return weights @ x + weights, weights


def two_results(weights, x):
    return weights @ x, weights


def stub_with(highest, total, sign=-1):
    """Fill the blanks of exercise 2."""

    def answer(scores):
        powers = np.exp(scores + sign * highest(scores))
        return powers / total(scores, powers)

    return answer


def highest_of(table):
    return table.max(axis=-1, keepdims=True)


def sum_of(table):
    return table.sum(axis=-1, keepdims=True)


def takes_the_position(scores):
    highest = scores.argmax(axis=-1, keepdims=True)
    powers = np.exp(scores - highest)
    return powers / sum_of(powers)


def loses_an_axis(scores):
    highest = scores.argmax(axis=-1)
    powers = np.exp(scores - highest)
    return powers / sum_of(powers)


def takes_max_of_python(scores):
    highest = max(scores)
    powers = np.exp(scores - highest)
    return powers / sum_of(powers)


def returns_in_the_loop(x):
    rows = []
    for token in x:
        rows.append(x @ token)
        return rows


def returns_a_table_in_the_loop(x):
    scores = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(len(x)):
            scores[i, j] = x[i] @ x[j]
        return scores


def returns_in_the_inner_loop(x):
    scores = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(len(x)):
            scores[i, j] = x[i] @ x[j]
            return scores


def forgets_products(x):
    scores = np.zeros((len(x), len(x)))
    for i, j in np.ndindex(*scores.shape):
        for k in range(x.shape[1]):
            scores[i, j] = x[i, k] * x[j, k]
    return scores


def forgets_terms(weights, x):
    context = np.zeros((len(weights), x.shape[1]))
    for i in range(len(weights)):
        for j in range(len(x)):
            context[i] = weights[i, j] * x[j]
    return context


def context_in_the_loop(weights, x):
    for row in weights:
        return row @ x


def shares_of_one_query(scores):
    for row in softmax(scores):
        return row


def shares_without(shift, axis=-1):
    """Answer exercise 4 with another number subtracted from the scores."""

    def answer(x):
        scores = x @ x.T
        powers = np.exp(scores - shift(scores))
        weights = powers / powers.sum(axis=axis, keepdims=True)
        return weights @ x, weights

    return answer


def own_score(scores):
    return np.diag(scores)[:, None]


def even_weights(x):
    weights = np.full((len(x), len(x)), 1 / len(x))
    return weights @ x, weights


def all_pairs_without_return(x):
    x @ x.T


def uses_a_function_that_returns_nothing(x):
    scores = all_pairs_without_return(x)
    weights = softmax(scores - scores.max())
    return weights @ x, weights


def one_by_one(x):
    return np.array([[a @ b for b in x] for a in x])


def ends_early(x):
    scores = np.zeros((len(x), len(x)))
    for i in range(len(x) - 1):
        for j in range(len(x) - 1):
            scores[i, j] = x[i] @ x[j]
    return scores


def total_of_other_powers(scores, powers):
    return sum_of(np.exp(scores))


def shares_above_the_lowest(scores):
    above = scores - scores.min(axis=1, keepdims=True)
    return above / sum_of(above)


def pytorch_spelling(scores):
    return scores.max(axis=1, keepdim=True)


_FIRST_IN_ROW = stub_with(lambda s: s[:, :1], lambda s, powers: sum_of(powers))
_OF_FIRST_ROW = stub_with(
    lambda s: s.max(axis=1)[0], lambda s, powers: sum_of(powers)
)
_OF_POWERS = stub_with(
    lambda s: highest_of(np.exp(s)), lambda s, powers: sum_of(powers)
)
_BY_SCORES = stub_with(highest_of, lambda scores, powers: sum_of(scores))
_BY_HIGHEST = stub_with(highest_of, lambda scores, powers: highest_of(powers))
_ADDED = stub_with(highest_of, lambda scores, powers: sum_of(powers), sign=1)
_ROW = "this is the row of one query only"
_IN_LOOP = "is `return` inside the loop?"
_NO_PARENTHESES = "`.T` takes no parentheses; `transpose()` needs them"
_NOT_FITTING = "lined up from the right, and do not fit."


def fixed_root(root):
    return lambda x, w_q, w_k: (x @ w_q) @ (x @ w_k).T / root


def mean_of_row(table):
    return table.mean(axis=-1, keepdims=True)


def builds_each_jacobian(grad, weights):
    return np.array(
        [
            (np.diag(p) - np.outer(p, p)) @ g
            for g, p in zip(grad, weights, strict=True)
        ]
    )


def derives_the_softmax_again(x, key, grad):
    grad = grad * (1 - grad)
    return x.T @ (grad @ key) / np.sqrt(key.shape[-1])


_FIXED = ("divided by a fixed number", "take it from the shape")

TOLD = {
    "project_and_score": (
        (fixed_root(4), "✗", *_FIXED),
        (fixed_root(np.sqrt(3)), "✗", *_FIXED),
    ),
    "softmax_backward": (
        (
            lambda g, p: p * (g - mean_of_row(g * p)),
            "✗",
            "divided by the number of keys",
            "sum(p * g), not mean(p * g)",
        ),
        (lambda g, p: p * (g - mean_of_row(g)), "✗", "the plain mean"),
        (lambda g, p: p * (g + sum_of(g * p)), "✗", "the mean is added"),
        (builds_each_jacobian, "✓", "This equals diag(p) - p p.T times g"),
    ),
    "grad_w_q": (
        (derives_the_softmax_again, "✗", "already behind the softmax"),
        (lambda x, k, g: x.T @ (g @ k) / np.sqrt(3), "✗", *_FIXED),
    ),
    "self_attention": (
        (second_is_open, "○", "not finished", "`...` as its second result"),
        (first_is_open, "○", "as its first result", "It uses `open_blank`"),
        (uses_open, "○", "not finished", "It uses `open_blank`"),
        (uses_open_in_a_product, "○", "It uses `open_blank`"),
        (uses_half_open, "○", "It uses `half_open`"),
        (uses_open_table, "○", "It uses `open_table`"),
        (is_open_elsewhere, "○", "Something that it uses is still `...`"),
        (lambda x: open_blank(x), "○", "not finished", "`open_blank`"),
        (lambda x: (..., ...), "○", "not attempted yet."),
        (adds_weights, "✗", f"{_NOT_FITTING} It fails"),
        (shares_without(own_score), "✗", "its own score with itself"),
        (shares_without(lambda s: s.max(0)), "✗", "of another row subtracted"),
        (shares_without(lambda s: s[:, -1:]), "✗", "large ones overflow"),
        (even_weights, "✗", "the same for all tokens. The mix is right"),
        (uses_a_function_that_returns_nothing, "✗", "forget its `return`?"),
    ),
    "all_pairs_scores": (
        (lambda x: x[0] @ x.T, "✗", _ROW),
        (lambda x: x[1] @ x.T, "✗", _ROW),
        (returns_in_the_loop, "✗", _ROW, _IN_LOOP),
        (returns_a_table_in_the_loop, "✗", _ROW, _IN_LOOP),
        (returns_in_the_inner_loop, "✗", _IN_LOOP.capitalize()),
        (forgets_products, "✗", "only the last product", "`+=` adds up"),
        (lambda x: x @ x.T(), "✗", _NO_PARENTHESES),
        (lambda x: x @ x.transpose, "✗", _NO_PARENTHESES),
        (lambda x: x.dot(x.transpose), "✗", _NO_PARENTHESES),
        (lambda x: (x @ x.T, x), "✗", "it returns 2 results; one is asked"),
        (lambda x: (x @ x.T,) * 2, "✗", "2 results", "Asked for: scores."),
        (lambda x: (x @ x.T,), "✗", "a comma at the end of the `return`"),
        (one_by_one, "✓", "You went through the tokens one by one."),
        (ends_early, "✗", "one token is left out", "end one token early?"),
        (
            lambda x: np.einsum("id,jd", x, x),
            "✓",
            "third axis",
            "The operator",
        ),
    ),
    "context_vectors": (
        (two_results, "✗", "2 results; one is asked", "Asked for: context."),
        (forgets_terms, "✗", "only the last term", "`+=` adds up"),
        (context_in_the_loop, "✗", "the context of one token", _IN_LOOP),
        (lambda a, x: a @ x + x, "✗", "hands a layer's input on"),
    ),
    "softmax_over_keys": (
        (_BY_SCORES, "✗", "the total of the scores, not of their powers"),
        (_BY_HIGHEST, "✗", "not divided by the sum of the row"),
        (_ADDED, "✗", "the highest score is added, not subtracted"),
        (takes_the_position, "✗", "argmax gives a position, not a score"),
        (loses_an_axis, "✗", f"{_NOT_FITTING} A sum", "keepdims", "position"),
        (takes_max_of_python, "✗", "want one number at a time"),
        (_FIRST_IN_ROW, "✗", "right for small scores"),
        (_OF_FIRST_ROW, "✗", "of one row is subtracted from all rows"),
        (_OF_POWERS, "✗", "the highest of the powers is subtracted"),
        (stub_with(highest_of, total_of_other_powers), "✗", "only one side"),
        (shares_above_the_lowest, "✗", "exp is missing, and the lowest key"),
        (pytorch_spelling, "✗", "In NumPy it is `keepdims`"),
        (lambda s: s.max(1, True), "✗", "write keepdims=True"),
        (lambda s: s.max(axis=2), "✗", "A table has two axes"),
        (lambda s: s.max(axis=1, keepdims=true), "✗", "with a capital T"),  # noqa: F821
        (shares_of_one_query, "✗", _IN_LOOP.capitalize()),
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_learners_are_told(name):
    for number, (answer, mark, *phrases) in enumerate(TOLD[name]):
        text = checks.EXERCISES[name].judge(answer)
        assert text.startswith(f"{mark} {name}: "), (number, text)
        for phrase in phrases:
            assert phrase in " ".join(text.split()), (number, text)


def test_there_is_no_advice_that_does_not_fit():
    text = checks.context_vectors.judge(two_results)
    assert "np.array" not in text
    text = checks.self_attention.judge(adds_weights)
    assert "keepdims" not in text
    text = checks.all_pairs_scores.judge(lambda x: np.einsum("id,jd", x, x))
    assert "  The operator" not in text.replace("\n  ", "\n")

"""Answers as learners write them: right in many styles, wrong in many ways."""

import functools
import math

import numpy as np
import pytest
import torch

from helpers import attention, checks, embeddings
from helpers.checks.engine.explain import edited
from helpers.layers import sinusoidal_positions
from helpers.models import AttentionClassifier


def softmax_by_loops(scores):
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        total = sum(math.exp(score - max(row)) for score in row)
        for j, score in enumerate(row):
            weights[i, j] = math.exp(score - max(row)) / total
    return weights


def softmax_in_place_of_a_copy(scores):
    scores = scores - scores.max(axis=1).reshape(-1, 1)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1).reshape(-1, 1)
    return scores


def softmax_with_epsilon(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9)


def softmax_of_columns(scores):
    e = np.exp(scores.T - scores.T.max(axis=0))
    return (e / e.sum(axis=0)).T


def cosine_shift(context, word, probe):
    return embeddings.cosine(context, probe) - embeddings.cosine(word, probe)


def one_row_at_a_time(scores):
    weights = []
    for i, row in enumerate(scores):
        others = attention.softmax(np.delete(row, i))
        weights.append(np.insert(others, i, 0))
    return weights


def hides_with(fill, scores):
    return softmax(np.where(np.eye(len(scores)), fill, scores))


def hides_later_and_divides_again(scores):
    weights = softmax(scores) * (1 - np.eye(len(scores)))
    return weights / weights.sum(axis=1, keepdims=True)


def attention_by_steps(x):
    weights = softmax_by_loops(x @ x.T)
    return [weights @ x, weights]


def split_by_columns(x, num_heads):
    d = x.shape[-1] // num_heads
    return [x[:, h * d : (h + 1) * d] for h in range(num_heads)]


def split_by_turning_twice(x, num_heads):
    return x.T.reshape(num_heads, -1, len(x)).swapaxes(1, 2)


def attend_head_by_head(x, w_q, w_k, w_v, w_o, num_heads):
    contexts, weights = [], []
    for h in range(num_heads):
        query, key, value = (
            np.split(x @ w, num_heads, axis=1)[h] for w in (w_q, w_k, w_v)
        )
        scores = query @ key.T * query.shape[1] ** -0.5
        weights.append(attention.softmax(scores))
        contexts.append(weights[-1] @ value)
    return np.concatenate(contexts, axis=1) @ w_o, weights


def attend_by_einsum(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = ((x @ w).reshape(len(x), num_heads, -1) for w in (w_q, w_k, w_v))
    scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    context = np.einsum("hqk,khd->qhd", weights, v)
    return context.reshape(len(x), -1) @ w_o, weights


def attend(x, matrices, num_heads):
    return attend_by_einsum(x, *map(np.asarray, matrices), num_heads)[0]


def stacked_by_hand(x, layers, num_heads):
    for matrices in layers:
        x = x + attend(x, matrices, num_heads)
    return x


def uneven_values(x, w_q, w_k, w_v, w_o, num_heads):
    """Right as long as values are as wide as keys."""
    d = w_q.shape[1] // num_heads
    parts = [slice(h * d, (h + 1) * d) for h in range(num_heads)]
    weights = [
        softmax(x @ w_q[:, p] @ (x @ w_k[:, p]).T / np.sqrt(d)) for p in parts
    ]
    pairs = zip(weights, parts, strict=True)
    contexts = [a @ (x @ w_v[:, p]) for a, p in pairs]
    return np.concatenate(contexts, axis=1) @ w_o, np.array(weights)


def test_heads_of_one_width_are_not_all_heads(told_why):
    told_why(
        "multi_head_attention",
        uneven_values,
        "code works only for some widths",
        "w_v has H·d_v columns",
    )


def test_two_layers_are_those_of_the_model(told):
    def answer(x, first, second, num_heads):
        width = x.shape[1]
        model = AttentionClassifier(
            width,
            width // num_heads,
            width // num_heads,
            layers=2,
            heads=num_heads,
            residual=True,
            output=True,
        )
        for layer, matrices in enumerate((first, second)):
            names = [f"w_{name}{layer}" for name in "qkvo"]
            model.parameters |= dict(zip(names, matrices, strict=True))
        model.parameters |= {"w_c": np.eye(width), "b_c": np.zeros(width)}
        words, rows = np.arange(len(x)), [x] * len(x)
        mask = np.ones((len(x), len(x)), bool)
        return model.forward(np.array(rows), words, mask)[0]

    assert told(checks.two_layers, answer).startswith("✓")


def positions_by_loops(x):
    out = x.copy()
    for t in range(len(x)):
        for i in range(x.shape[1] // 2):
            angle = t / 10000 ** (2 * i / x.shape[1])
            out[t, 2 * i] += np.sin(angle)
            out[t, 2 * i + 1] += np.cos(angle)
    return out


def positions_by_exponents(x):
    d_model = x.shape[1]
    rates = np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model)
    turns = np.exp(1j * np.arange(len(x))[:, None] * rates)
    return x + np.stack([turns.imag, turns.real], -1).reshape(x.shape)


def entropy(logs):
    return lambda p: -(p * logs(p)).sum(axis=-1) / np.log(p.shape[-1])


def above(limit):
    return lambda p: np.log(np.where(p > limit, p, 1))


def hide_top_by_rows(scores):
    scores = scores.copy()
    for row in scores:
        row[row.argmax()] = -np.inf
    return attention.softmax(scores)


def top_p(order):
    """Keep what is needed to reach p, in some order of equal ones."""

    def answer(probabilities, p):
        ranked = probabilities[order(probabilities)]
        stay = order(probabilities)[np.cumsum(ranked) - ranked < p]
        kept = np.zeros(len(probabilities))
        kept[stay] = probabilities[stay]
        return kept / kept.sum()

    return answer


def without_top(scores):
    weights = attention.softmax(scores)
    return np.where(weights == weights.max(axis=1, keepdims=True), 0, weights)


def moves(parameters, name, change):
    parameters[name] -= change


def replaces(parameters, name, change):
    parameters[name] = parameters[name] - change


def trains(
    use=lambda slope, loss, x: slope,
    step=moves,
    batch_of=lambda batch: batch,
    prints=False,
):
    """Return a learner's loop that steps by learning_rate * use(…)."""

    def answer(model, batches, epochs, learning_rate):
        history = []
        for _ in range(epochs):
            losses = []
            for batch in batches:
                loss, slopes = model.loss_and_gradients(*batch_of(batch))
                for name, slope in slopes.items():
                    change = learning_rate * use(slope, loss, batch[0])
                    step(model.parameters, name, change)
                losses.append(loss)
            history.append(sum(losses) / len(losses))
            if prints:
                print(history[-1])
        return history

    return answer


def masks(may=np.invert):
    def answer(lengths, longest):
        padding = np.arange(longest) >= lengths[:, None]
        return may(padding)[:, None, None], padding

    return answer


def slope(x, y):
    return np.polyfit(x, y, 1)[0]


def drawn(d_k, pairs=3000):
    """Queries and keys (pairs, d_k) of a learner, the same each time."""
    return np.random.default_rng(d_k).standard_normal((2, pairs, d_k))


def of_positive_numbers(d_k, scale):
    query, key = np.random.default_rng(d_k).random((2, 3000, d_k))
    return (query * key).sum(axis=1).std() * scale


def one_query(d_k, scale):
    query, keys = drawn(d_k)
    return (keys @ (0.8 * query[0]) * scale).std()


def over_pairs(pairs):
    """Sum along the wrong axis."""
    return lambda d, s: (s * np.multiply(*drawn(d, pairs)).sum(axis=0)).std()


def one_pair(d_k, scale):
    return (scale * np.multiply(*drawn(d_k, 1))).std()


def steady_once():
    """Be right for each input at first, and 20% off the second time."""
    seen = set()

    def answer(d_k, scale):
        late = (d_k, scale) in seen
        seen.add((d_k, scale))
        return math.sqrt(d_k) * scale * (1.2 if late else 1)

    return answer


def spread(of=np.std, pairs=3000):
    """Measure scores of drawn vectors."""
    return lambda d, s: of(s * np.multiply(*drawn(d, pairs)).sum(axis=1))


def unseeded(pairs, seed):
    """Draw new pairs at every call, which a seed here makes repeatable."""
    rng = np.random.default_rng(seed)

    def answer(d_k, scale):
        query, key = rng.standard_normal((2, pairs, d_k))
        return (query * key).sum(axis=1).std() * scale

    return answer


def one_by_one(scores, values, order=None):
    "Right in an order where nothing rises; nothing is rescaled."
    order = np.argsort(-scores) if order else range(len(scores))
    highest, total, mix = -np.inf, 0.0, 0.0
    for i in order:
        new = max(highest, scores[i])
        total = total * np.exp(highest - new) + np.exp(scores[i] - new)
        mix = mix + np.exp(scores[i] - new) * values[i]
        highest = new
    return mix / total


def merged_by_logarithms(high_a, total_a, mix_a, high_b, total_b, mix_b):
    """Through the logarithms of both sums."""
    logs = high_a + np.log(total_a), high_b + np.log(total_b)
    highest, log_sum = np.maximum(high_a, high_b), np.logaddexp(*logs)
    parts = [np.exp(log - log_sum) for log in logs]
    mean = parts[0] * mix_a / total_a + parts[1] * mix_b / total_b
    total = np.exp(log_sum - highest)
    return highest, total, mean * total


RIGHT = {
    "softmax_over_keys": (
        softmax_by_loops,
        softmax_in_place_of_a_copy,
        softmax_with_epsilon,
        softmax_of_columns,
        lambda s: 1 / np.exp(s[:, None, :] - s[:, :, None]).sum(axis=-1),
        lambda s: np.float32(softmax_by_loops(s)),
    ),
    "shift_toward": (
        lambda x, i, p: cosine_shift(attention_by_steps(x)[0][i], x[i], p),
        lambda x, i, p: [
            cosine_shift(softmax_by_loops(x @ x.T)[i] @ x, x[i], p)
        ],
    ),
    "attend_to_others": (
        lambda s: softmax_by_loops(s - 1e9 * np.eye(len(s))),
        lambda s: attention.softmax(np.where(np.eye(len(s)), -np.inf, s)),
        one_row_at_a_time,
        functools.partial(hides_with, -1e9),
        hides_later_and_divides_again,
    ),
    "self_attention": (attention_by_steps,),
    "split_heads": (
        split_by_columns,
        split_by_turning_twice,
        lambda x, h: np.split(x, h, axis=1),
        lambda x, h: x.reshape(len(x), h, -1).transpose(1, 0, 2),
    ),
    "switch_off": (
        lambda z, head: z * (np.arange(z.shape[1]) != head)[:, None],
        lambda z, head: [
            [0 * x if h == head else x for h, x in enumerate(each)]
            for each in z
        ],
    ),
    "hide_future": (
        lambda s: np.where(np.triu(np.ones(s.shape), 1) == 1, -np.inf, s),
        lambda s: s + np.triu(np.full(s.shape[-2:], -np.inf), 1),
    ),
    "multi_head_attention": (
        attend_head_by_head,
        attend_by_einsum,
        attention.multi_head_attention,
    ),
    "two_layers": (
        lambda x, a, b, h: stacked_by_hand(x, (a, b), h),
        lambda x, a, b, h: stacked_by_hand(x, [list(a), list(b)], h).tolist(),
    ),
    "add_positions": (positions_by_loops, positions_by_exponents),
    "project_and_score": (
        lambda x, q, k: x @ q @ (x @ k).T / np.array([q.shape[1] ** 0.5]),
    ),
    "softmax_backward": (
        lambda g, p: p * (g - np.einsum("qk,qk->q", p, g)[:, None]),
    ),
    "train_by_hand": (trains(), trains(step=replaces, prints=True)),
    "tied_step": (lambda w, q, k, rate: w - rate * q - rate * k,),
    "hide_top": (
        hide_top_by_rows,
        lambda s: attention.softmax(
            np.where(s == s.max(axis=1, keepdims=True), -1e9, s)
        ),
        lambda s: without_top(s) / without_top(s).sum(axis=1, keepdims=True),
    ),
    "grad_w_q": (lambda x, k, g: torch.tensor(x.T @ g @ k / len(k.T) ** 0.5),),
    "dot_product_variance": (
        lambda d, q, k: np.array([d * q * k]),
        lambda d, q, k: torch.tensor(d * q * k),
    ),
    "score_spread": (
        spread(),
        lambda d, s: (drawn(d)[0][:200] @ drawn(d)[1][:200].T * s).std(),
        unseeded(2000, 1),
        unseeded(2000, 2),
    ),
    "top_p": (
        top_p(lambda q: np.argsort(-q, kind="stable")),
        top_p(lambda q: np.argsort(q, kind="stable")[::-1]),
    ),
    "fold_root": (
        lambda d, r: (1 / np.sqrt(np.sqrt(d)), r / math.sqrt(math.sqrt(d))),
        lambda d, r: [torch.tensor(d) ** -0.25, r * math.exp(-np.log(d) / 4)],
    ),
    "normalized_entropy": (
        entropy(lambda p: np.log(p + 1e-12)),
        entropy(lambda p: np.log(np.maximum(p, 1e-30))),
        lambda p: entropy(above(0))(p).tolist(),
    ),
    "softmax_with_temperature": (
        lambda s, t: torch.softmax(torch.tensor(s) / t, -1),
    ),
    "padding_masks": (lambda *a: [m.tolist() for m in masks()(*a)],),
    "fitted_exponent": (lambda n, s: [slope(np.log2(n), np.log2(s))],),
    "online_attention": (
        lambda s, v: attention.softmax(s) @ v,
        lambda s, v: one_by_one(s, v, list(range(len(s)))[::-1]),
    ),
    "attend_in_blocks": (
        lambda q, k, v, size: attention.scaled_dot_product_attention(q, k, v)[
            0
        ],
    ),
    "merge_halves": (merged_by_logarithms,),
    "cache_bytes": (
        lambda t, n, h, kv, d, b: b * sum([kv * d + kv * d] * n) * t,
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_in_many_styles(name, told):
    for number, answer in enumerate(RIGHT[name]):
        text = told(checks.EXERCISES[name], answer)
        assert text.startswith(f"✓ {name}: correct."), (number, text)


def test_a_finite_mask_is_a_remark_minus_infinity_is_none(told):
    for fill, remark in ((-1e9, True), (-np.inf, False)):
        answer = functools.partial(hides_with, fill)
        text = told(checks.attend_to_others, answer)
        assert text.startswith("✓") and ("large negative" in text) is remark


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def swaps_and_forgets(scores):
    e = np.exp(scores)
    return e / e.sum(axis=0)


def hides_words(fill, scores, is_word):
    return np.where(is_word, scores, fill)


def test_only_a_zero_is_said_to_become_one(told):
    for fill in (0, -1e9, np.nan):
        text = told(checks.hide_words, functools.partial(hides_words, fill))
        assert ("exp(0) is 1" in text) == (fill == 0)
        assert "-np.inf" in text


def reshapes_and_divides_by_d_k(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = ((x @ w).reshape(num_heads, len(x), -1) for w in (w_q, w_k, w_v))
    weights = softmax(q @ k.swapaxes(-1, -2) / q.shape[-1])
    return attention.merge_heads(weights @ v) @ w_o, weights


def cuts_the_words(x, w_q, w_k, w_v, w_o, num_heads):
    cut = attention.split_heads(x, num_heads)
    q, k, v = (cut @ w for w in (w_q, w_k, w_v))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return attention.merge_heads(weights @ v) @ w_o, weights


def forgets_the_merge(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    context, weights = attention.scaled_dot_product_attention(q, k, v)
    return context @ w_o, weights


def multiplies(a, b):
    return a @ b


def forgets_it_elsewhere(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    context, weights = attention.scaled_dot_product_attention(q, k, v)
    w = w_o
    return multiplies(context, w), weights


def overflows(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    powers = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return attention.merge_heads(weights @ v) @ w_o, weights


def positions_in_a_row(x):
    length, d = x.shape
    angles = np.arange(length) / 10_000 ** (np.arange(0, d, 2) / d)
    p = np.zeros(x.shape)
    p[:, 0::2], p[:, 1::2] = np.sin(angles), np.cos(angles)
    return x + p


def without_the_star(x, first, second, num_heads):
    x = x + attention.multi_head_attention(x, first, num_heads)[0]
    return x + attention.multi_head_attention(x, second, num_heads)[0]


def without_num_heads(x, first, second, num_heads):
    x = x + attention.multi_head_attention(x, *first)[0]
    return x + attention.multi_head_attention(x, *second)[0]


def attends_and(finish):
    """A layer that does something with the pair of results."""

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        q, k, v = (
            attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
        )
        pair = attention.scaled_dot_product_attention(q, k, v)
        return finish(pair, w_o)

    return answer


def not_unpacked(pair, w_o):
    return attention.merge_heads(pair) @ w_o, pair


def swapped_as_a_pair(pair, w_o):
    return pair.swapaxes(0, 1).reshape(len(pair), -1) @ w_o, pair


def exchanged(pair, w_o):
    weights, context = pair
    return attention.merge_heads(context) @ w_o, weights


def one_maximum_for_all(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return attention.merge_heads(weights @ v) @ w_o, weights


def turns_all_axes(x, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        attention.split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)
    )
    weights = softmax(q @ k.T / np.sqrt(q.shape[-1]))
    return attention.merge_heads(weights @ v) @ w_o, weights


def halves_from_1(x):
    length, d_model = x.shape
    places = np.arange(1, 1 + length)[:, None]
    angles = places / 10_000 ** (np.arange(0, d_model, 2) / d_model)
    return x + np.hstack([np.sin(angles), np.cos(angles)])


def estimate(d_k, var_q, var_k):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 5000, d_k))
    return (q * k).sum(axis=1).var() * var_q * var_k


FOUR = softmax(np.arange(16.0).reshape(4, 4) ** 2 / 9)  # of a notebook


WRONG = (
    ("softmax_over_keys", swaps_and_forgets, "overflow", "over the queries"),
    ("score_spread", of_positive_numbers, "draws numbers between 0 and 1"),
    ("attend_to_others", lambda s: np.fill_diagonal(s, -np.inf), "None"),
    *(
        ("attend_to_others", functools.partial(hides_with, fill), words)
        for fill, words in (
            (-5, "changes a word's own score, but"),
            (-100, "low enough"),
        )
    ),
    (
        "attend_to_others",
        lambda s: softmax(s - np.eye(len(s))),
        "changes a word's own score, but",
    ),
    (
        "add_positions",
        lambda x: x + sinusoidal_positions(*x.shape),
        "the course's function",
    ),
    (
        "multi_head_attention",
        reshapes_and_divides_by_d_k,
        "straight into the heads",
        "d_k instead of its root",
    ),
    ("multi_head_attention", cuts_the_words, "cuts x before projecting it"),
    ("multi_head_attention", turns_all_axes, ".T does not fit the keys"),
    (
        "multi_head_attention",
        forgets_the_merge,
        "not merge the heads before w_o",
    ),
    ("multi_head_attention", forgets_it_elsewhere, "Does it cut x", "Or does"),
    ("multi_head_attention", overflows, "infinity", "largest score first"),
    ("multi_head_attention", one_maximum_for_all, "0 / 0", "row's own maxi"),
    *(
        ("multi_head_attention", attends_and(finish), words, "two results")
        for finish, words in (
            (not_unpacked, "a tuple like an array"),
            (swapped_as_a_pair, "a tuple like an array"),
            (exchanged, "as if the weights were merged"),
        )
    ),
    ("two_layers", without_the_star, "one by one: *first"),
    ("two_layers", without_num_heads, "num_heads is missing"),
    ("add_positions", positions_in_a_row, "a row, not a column"),
    (
        "two_layers",
        lambda x, a, b, h: x + attend(attend(x, a, h), b, h),
        "the first sum is missing",
        "the original words",
    ),
    ("add_positions", halves_from_1, "all sines", "at 1"),
    (
        "train_by_hand",
        trains(batch_of=lambda batch: [batch]),
        "With a star",
    ),
    *(
        ("train_by_hand", trains(use), *words)
        for use, *words in (
            (lambda slope, loss, x: 1, "does not use the slopes"),
            (
                lambda slope, loss, x: np.sin(slope),
                "not right yet",
                "a tiny model",
            ),
        )
    ),
    (
        "hide_top",
        lambda s: softmax(np.delete(s, s.argmax(), axis=1)),
        "counts through the whole matrix",
    ),
    (
        "grad_w_q",
        lambda x, k, g: x.T @ (g * FOUR) @ k / math.sqrt(k.shape[1]),
        "uses a (4, 4) matrix of the notebook",
        "the softmax is already done",
    ),
    ("dot_product_variance", estimate, "Is it an estimate from random"),
    ("score_spread", steady_once(), "near, but too rough"),
    ("score_spread", spread(np.mean), "is it the mean of the scores"),
    ("score_spread", unseeded(300, 3), "should scatter by less"),
    ("score_spread", over_pairs(2000), "over the pairs, not over d_k"),
    ("score_spread", over_pairs(100), "does not grow with d_k"),
    ("score_spread", one_pair, "does not add up the products"),
    ("score_spread", one_query, "for all keys is not enough"),
    ("padding_masks", masks(lambda p: 1 - p), "is not boolean"),
    ("merge_halves", lambda a, t, m, b, *_: max(a, b), "np.maximum(a, b)"),
    ("merge_halves", lambda a, t, m, b, *_: np.max(a, b), "np.maximum(a, b)"),
)


def test_halves_that_are_partly_merged_are_not_finished(told):
    for blanks in (1, 2):

        def answer(*halves, blanks=blanks):
            right = checks.merge_halves.reference(*halves)
            return *right[: 3 - blanks], *[...] * blanks

        text = told(checks.merge_halves, answer)
        assert text.startswith("○ merge_halves: not finished yet.")


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])


# Put together at random: no wrong answer may pass

SHIFTS = (
    lambda s: s.max(axis=-1, keepdims=True),
    lambda s: 0,
    lambda s: s.max(axis=0, keepdims=True),
    lambda s: s.min(axis=-1, keepdims=True),
    np.mean,
)
POWERS = (np.exp, np.exp2, np.expm1, np.tanh, lambda s: np.maximum(s, 0))
TOTALS = (
    lambda e: e.sum(axis=-1, keepdims=True),
    lambda e: e.sum(axis=0, keepdims=True),
    lambda e: e.sum(axis=-1, keepdims=True) + 1e-3,
    lambda e: np.linalg.norm(e, axis=-1, keepdims=True),
    lambda e: e[..., :-1].sum(axis=-1, keepdims=True),
)


def test_compositions_are_not_taken_for_a_softmax(told, monkeypatch):
    monkeypatch.setattr(edited, "too_plain", lambda trials: True)
    rng = np.random.default_rng(0)
    tables = [rng.normal(size=(4, 3)) * 5, rng.normal(size=(3, 3)) + 800]
    for _ in range(12):
        shift, power, total = (
            part[rng.integers(5) * (rng.random() < 0.5)]
            for part in (SHIFTS, POWERS, TOTALS)
        )

        def answer(s, shift=shift, power=power, total=total):
            e = power(s - shift(s))
            return e / total(e)

        if told(checks.softmax_over_keys, answer).startswith("✓"):
            for table in tables:
                assert np.allclose(answer(table), softmax(table), atol=1e-4)

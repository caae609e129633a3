"""The checks of notebook 05: two masks, torch's weights, an exponent."""

import itertools

import numpy as np

from helpers.checks import feedback, results
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import table


class _Boolean(Exercise):
    """An exercise whose results must be boolean arrays, not only 0 and 1."""

    def judge(self, function):
        text = super().judge(function)
        if not text.startswith("✓"):
            return text
        found = function(*map(results.copy, self.probes[0].args))
        for name, array in zip(self.results, found, strict=True):
            kind = np.asarray(array).dtype
            if kind.kind != "b":
                return feedback.not_boolean(self, name, kind)
        return text


def _words(lengths, longest):
    return np.arange(longest) < lengths[:, None]  # (B, T)


def _masks(lengths, longest):
    is_word = _words(lengths, longest)
    return is_word[:, None, None, :], ~is_word


def _from(masks):
    """Return an answer that makes its masks from is_word (B, T)."""
    return lambda lengths, longest: masks(_words(lengths, longest))


def _added(is_word, hide=-np.inf):
    return np.where(is_word, 0, hide)


def _in_front(lengths, longest):
    return _masks(longest - lengths, longest)


padding_masks = _Boolean(
    name="padding_masks",
    call="padding_masks(lengths, longest)",
    reference=_masks,
    results=("may_attend", "is_padding"),
    shape="(B, 1, 1, T) and (B, T)",
    probes=(
        Probe("lengths 3, 1 and 2, T = 4", (np.array([3, 1, 2]), 4)),
        Probe("lengths 2 and 5, T = 5", (np.array([2, 5]), 5)),
        Probe("lengths 1, 2 and 3, T = 3", (np.array([1, 2, 3]), 3)),
        Probe("one sentence", (np.array([2]), 6), "hard"),
        Probe("no padding", (np.array([3, 3]), 3), "hard"),
    ),
    bugs=(
        Bug(
            "both masks have the polarity of the first",
            _from(lambda w: (w[:, None, None], w)),
            "The two read True in opposite ways: SDPA as *may attend*,"
            " key_padding_mask as *is padding, ignore it*.",
        ),
        Bug(
            "both masks have the polarity of the second",
            _from(lambda w: (~w[:, None, None], ~w)),
            "The two read True in opposite ways: SDPA as *may attend*,"
            " key_padding_mask as *is padding, ignore it*.",
        ),
        Bug(
            "the two polarities are exchanged",
            _from(lambda w: (~w[:, None, None], w)),
            "True means *may attend* in SDPA and *ignore it* in"
            " key_padding_mask. With yours a model reads the padding only,"
            " and no error tells it.",
        ),
        Bug(
            "the two masks have changed places",
            lambda n, t: _masks(n, t)[::-1],
            "First the one for SDPA, then the one for key_padding_mask.",
        ),
        Bug(
            "the axes of heads and queries are missing",
            _from(lambda w: (w, ~w)),
            "Scores are (B, H, T, T). A mask (B, T) lines up with the *last*"
            " two axes: its sentences would be taken for queries. None in an"
            " index, or a reshape, adds axes of length 1.",
        ),
        Bug(
            "an axis is missing",
            _from(lambda w: (w[:, None], ~w)),
            "Scores are (B, H, T, T). A mask (B, 1, T) lines up from the"
            " right: its sentences would be taken for heads.",
        ),
        Bug(
            "the new axes stand in front",
            _from(lambda w: (w[None, None], ~w)),
            "Scores are (B, H, T, T): the first axis is the sentence. Yours"
            " takes sentences for queries.",
        ),
        Bug(
            "both masks have got the new axes",
            lambda n, t: (_masks(n, t)[0], ~_masks(n, t)[0]),
            "nn.MultiheadAttention adds the axes itself: it wants (B, T).",
        ),
        Bug(
            "this mask is made to be added to the scores",
            tuple(
                _from(
                    lambda w, h=hide, p=pad: (
                        _added(w, h)[:, None, None],
                        p(w),
                    )
                )
                for hide in (-np.inf, -1e9)
                for pad in (np.invert, lambda w: _added(w))
            ),
            "0 and a large negative number are the other way to hide a key."
            " Here we want booleans: True or False, as in the table.",
        ),
        Bug(
            "the mask has a row for every query",
            _from(
                lambda w: (w[:, None, None] & (w | True)[:, None, :, None], ~w)
            ),
            "torch would take it, but all rows are the same. An axis of"
            " length 1 is stretched over the queries by itself: (B, 1, 1, T).",
        ),
        Bug(
            "the queries are hidden as well",
            _from(lambda w: (w[:, None, :, None] & w[:, None, None], ~w)),
            "Only keys have to be hidden. A query without any key has no"
            " weights to share out; what it finds is thrown away anyway.",
        ),
        Bug(
            "queries are hidden, not keys",
            _from(lambda w: (w[:, None, :, None], ~w)),
            "The last axis is the key. Yours hides queries.",
        ),
        Bug(
            "the padding is taken to stand in front",
            lambda n, t: tuple(~m for m in _in_front(n, t)),
            "Here the words come first, then the padding.",
        ),
        Bug(
            "one word too many",
            lambda n, t: _masks(n + 1, t),
            "Positions count from 0: a sentence of 3 words has 0, 1 and 2.",
        ),
        Bug(
            "one word too few",
            lambda n, t: _masks(n - 1, t),
            "Positions count from 0: a sentence of 3 words has 0, 1 and 2.",
        ),
    ),
    proves=(
        "Two masks, opposite polarities: True is *may attend* for SDPA and"
        " *ignore it* for nn.MultiheadAttention."
    ),
)

NAMES = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "num_heads")


def _to_torch(q, k, v, o, b_q, b_k, b_v, b_o, heads):
    weight = np.concatenate([q.T, k.T, v.T])
    return weight, np.concatenate([b_q, b_k, b_v]), o.T.copy(), b_o.copy()


def _reordered(first, second, third, *, biases=True):
    def wrong(*args):
        order = (first, second, third)
        weights = [args[i] for i in order]
        found = [args[4 + (i if biases else j)] for j, i in enumerate(order)]
        return _to_torch(*weights, args[3], *found, *args[7:])

    return wrong


def _by_head(rows, heads):
    """Put head 0's queries, keys and values first, then head 1's."""
    parts = rows.reshape(3, heads, -1, *rows.shape[1:])
    return parts.swapaxes(0, 1).reshape(rows.shape)


def _by_number(rows, heads):
    """Put the first number of each head first, then the second ones."""
    parts = rows.reshape(3, heads, -1, *rows.shape[1:])
    return parts.swapaxes(1, 2).reshape(rows.shape)


def _interleaved(shuffle):
    def wrong(*args):
        weight, bias, *out = _to_torch(*args)
        return shuffle(weight, args[8]), shuffle(bias, args[8]), *out

    return wrong


def _weight(change):
    def wrong(*args):
        return change(*args[:3]), *_to_torch(*args)[1:]

    return wrong


def _turned(which):
    """Transpose only some of the three matrices, as `which` says."""
    return _weight(
        lambda *w: np.concatenate(
            [m.T if turn else m for m, turn in zip(w, which, strict=True)]
        )
    )


def _permuted(order):
    return lambda *args: tuple(_to_torch(*args)[i] for i in order)


def _layer(seed, d_model, heads):
    shapes = [(d_model, d_model)] * 4 + [(d_model,)] * 4
    arrays = [table(seed + i, *shape) for i, shape in enumerate(shapes)]
    return *arrays, heads


to_torch = Exercise(
    name="to_torch",
    call=f"to_torch({', '.join(NAMES)})",
    reference=_to_torch,
    results=(
        "in_proj_weight",
        "in_proj_bias",
        "out_proj_weight",
        "out_proj_bias",
    ),
    shape="(3·E, E), (3·E,), (E, E) and (E,) for width E",
    probes=(
        Probe("width 4, 2 heads", _layer(501, 4, 2)),
        Probe("width 6, 2 heads", _layer(511, 6, 2)),
        Probe("width 6, 3 heads", _layer(521, 6, 3)),
        Probe("one head", _layer(531, 3, 1), "hard"),
    ),
    bugs=(
        Bug(
            "nothing is transposed",
            lambda *a: (np.concatenate(a[:3]), _to_torch(*a)[1], a[3], a[7]),
            "We compute x @ w, torch computes x @ weight.T: each of its"
            " matrices is ours turned on its side. All are square here, so"
            " no error tells you.",
        ),
        Bug(
            "out_proj_weight is not transposed",
            lambda *a: (*_to_torch(*a)[:2], a[3], a[7]),
            "out_proj is a linear layer like the others: torch multiplies by"
            " its transpose.",
        ),
        Bug(
            "in_proj_weight is not transposed",
            _weight(lambda *w: np.concatenate(w)),
            "Stacking does not transpose: each of the three matrices has to"
            " be turned before it is stacked.",
        ),
        Bug(
            "not all three are transposed",
            tuple(
                _turned(which)
                for which in itertools.product((True, False), repeat=3)
                if 0 < sum(which) < 3
            ),
            "Queries, keys and values are each kept as one row per output:"
            " each of the three has to be turned.",
        ),
        Bug(
            "the four results come in another order",
            tuple(map(_permuted, list(itertools.permutations(range(4)))[1:])),
            "First in_proj_weight, then in_proj_bias, then out_proj_weight,"
            " then out_proj_bias.",
        ),
        Bug(
            "the three stand side by side",
            (
                _weight(lambda *w: np.concatenate(w, axis=1)),
                _weight(lambda *w: np.concatenate([m.T for m in w], axis=1)),
                _weight(lambda *w: np.concatenate(w).T),
            ),
            "torch keeps (3·E, E): the three stand one above the other, each"
            " transposed.",
        ),
        Bug(
            "keys come before queries",
            (_reordered(1, 0, 2), _reordered(1, 0, 2, biases=False)),
            "The order is query, key, value. Exchanged queries and keys"
            " transpose the scores: a plausible map, of another model.",
        ),
        Bug(
            "the order is not query, key, value",
            (
                _reordered(2, 1, 0),
                _reordered(0, 2, 1),
                _reordered(2, 0, 1),
                _reordered(1, 2, 0),
                _reordered(2, 1, 0, biases=False),
                _reordered(0, 2, 1, biases=False),
                _reordered(2, 0, 1, biases=False),
                _reordered(1, 2, 0, biases=False),
            ),
            "First all queries, then all keys, then all values; the biases"
            " in the same order.",
        ),
        Bug(
            "the biases are in another order than the weights",
            lambda *a: (
                _to_torch(*a)[0],
                np.concatenate([a[5], a[4], a[6]]),
                *_to_torch(*a)[2:],
            ),
            "b_q goes with w_q: query, key, value in both.",
        ),
        Bug(
            "the heads are interleaved",
            (_interleaved(_by_head), _interleaved(_by_number)),
            "Some models store head 0's queries, keys and values, then head"
            " 1's. torch does not: all queries first, head after head, as in"
            " our columns. So the number of heads is not needed.",
        ),
        Bug(
            "the scale has been put into the queries",
            lambda *a: _to_torch(a[0] * (len(a[0]) / a[8]) ** -0.5, *a[1:]),
            "torch divides by the root of the head's width itself; yours"
            " would be divided twice.",
        ),
        Bug(
            "in_proj_bias has become a table",
            lambda *a: (
                _to_torch(*a)[0],
                np.stack(a[4:7]),
                *_to_torch(*a)[2:],
            ),
            "The three biases follow each other in one vector (3·E,).",
        ),
    ),
    proves=(
        "torch's layer holds your four matrices: transposed, queries, keys"
        " and values stacked in this order, heads side by side as in ours."
    ),
)


def _slope(x, y):
    return np.polyfit(x, y, 1)[0]


def _exponent(lengths, seconds):
    return _slope(np.log(lengths), np.log(seconds))


def _timed(power, unit, wobble, *lengths):
    lengths = np.array(lengths, dtype=float)
    factors = 1 + np.array(wobble) / 10
    return lengths, unit * lengths**power * factors


_LOGS = (
    "If seconds = c · lengths**p, then log(seconds) = log(c) + p ·"
    " log(lengths): a straight line in the logarithms, and p is its slope."
)

fitted_exponent = Exercise(
    name="fitted_exponent",
    call="fitted_exponent(lengths, seconds)",
    reference=_exponent,
    results=("exponent",),
    shape="one number",
    probes=(
        Probe(
            "seconds near 1e-7 · T**2",
            _timed(2, 1e-7, (1, -2, 0, 2, -1), 64, 128, 256, 512, 2048),
        ),
        Probe(
            "seconds near 3e-6 · T",
            _timed(1, 3e-6, (-1, 2, 0, -2), 100, 200, 500, 1000),
        ),
        Probe(
            "seconds near 2 · T**3", _timed(3, 2, (2, -1, -2, 1), 2, 3, 5, 9)
        ),
        Probe("two lengths only", _timed(2, 1e-6, (1, -1), 64, 512), "hard"),
    ),
    bugs=(
        Bug(
            "the slope is taken without logarithms",
            _slope,
            _LOGS,
        ),
        Bug(
            "only the seconds are logarithms",
            lambda n, s: _slope(n, np.log(s)),
            "That is the law seconds = c · exp(p · lengths). " + _LOGS,
        ),
        Bug(
            "only the lengths are logarithms",
            lambda n, s: _slope(np.log(n), s),
            _LOGS,
        ),
        Bug(
            "this is the other number of the line",
            (
                lambda n, s: np.polyfit(np.log(n), np.log(s), 1)[1],
                lambda n, s: np.exp(np.polyfit(np.log(n), np.log(s), 1)[1]),
            ),
            "np.polyfit gives the highest power first: the slope, then the"
            " height at log(lengths) = 0, which is log(c).",
        ),
        Bug(
            "this is the whole line, not its slope",
            lambda n, s: np.polyfit(np.log(n), np.log(s), 1),
            "np.polyfit gives two numbers, the slope and the height. Take the"
            " first, [0].",
        ),
        Bug(
            "the two logarithms have different bases",
            tuple(
                lambda n, s, one=one, other=other: _slope(one(n), other(s))
                for one, other in itertools.permutations(
                    (np.log, np.log2, np.log10), 2
                )
            ),
            "Any base will do, but the same for both: another base stretches"
            " one axis, and the slope with it.",
        ),
        Bug(
            "lengths and seconds have changed places",
            lambda n, s: _slope(np.log(s), np.log(n)),
            "The cost depends on the length: the lengths are the x.",
        ),
        Bug(
            "the line is forced through the origin",
            lambda n, s: (
                np.dot(np.log(n), np.log(s)) / np.dot(np.log(n), np.log(n))
            ),
            "Then milliseconds would give another exponent than seconds. The"
            " line needs its height as well: log(c).",
        ),
        Bug(
            "only the first and the last are used",
            lambda n, s: np.log(s[-1] / s[0]) / np.log(n[-1] / n[0]),
            "One disturbed measurement then decides. Fit a line through all"
            " of them.",
        ),
        Bug(
            "only the last two are used",
            lambda n, s: np.log(s[-1] / s[-2]) / np.log(n[-1] / n[-2]),
            "One disturbed measurement then decides. Fit a line through all"
            " of them.",
        ),
        Bug(
            "this is the factor for a doubled length",
            lambda n, s: 2 ** _exponent(n, s),
            "The factor is 2**p; asked for is p.",
        ),
        Bug(
            "a parabola is fitted, not a line",
            (
                lambda n, s: np.polyfit(np.log(n), np.log(s), 2)[0],
                lambda n, s: np.polyfit(n, s, 2)[0],
            ),
            _LOGS,
        ),
    ),
    proves=(
        "The exponent does not depend on the unit or on the machine: that is"
        " why it can be compared, and seconds cannot."
    ),
)

"""Bad input: the type of the error, the argument's name, the shapes."""

import re

import numpy as np
import pytest

from helpers.attention import (
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)

NAN, INF = np.nan, np.inf


class Hostile:
    def __array__(self, dtype=None, copy=None):
        raise KeyError("no array for you")


def ones(*shape, dtype=float, **places):
    """An array of ones, or of places' value at its first entry."""
    array = np.ones(shape, dtype)
    for value in places.values():
        array.flat[0] = value
    return array


def attend(**changes):
    """Valid arguments with T_q 3, T_k 5, d_k 4, d_v 6, some replaced."""
    given = {"query": ones(3, 4), "key": ones(5, 4), "value": ones(5, 6)}
    return scaled_dot_product_attention(**{**given, **changes})


def heads(**changes):
    """Valid arguments with T 3, d_model 4, 2 heads, some replaced."""
    given = {"x": ones(3, 4), "num_heads": 2}
    given |= {f"w_{name}": ones(4, 4) for name in "qkvo"}
    return multi_head_attention(**{**given, **changes})


# Wrong for every array argument: how, what, error, shapes in the message.
NO_ARRAYS = [
    ("none", None, TypeError, ["()"]),
    ("string", "fox", TypeError, ["()"]),
    ("bytes", b"fox", TypeError, ["()"]),
    ("dict", {}, TypeError, ["()"]),
    ("generator", (i for i in "12"), TypeError, ["()"]),
    ("objects", ones(3, 4, dtype=object), TypeError, ["(3, 4)"]),
    ("none-inside", [[1.0, None]], TypeError, ["(1, 2)"]),
    ("words", [["the", "fox"]], TypeError, ["(1, 2)"]),
    ("complex", ones(3, 4, dtype=complex), TypeError, ["(3, 4)"]),
    ("boolean", ones(3, 4, dtype=bool), TypeError, ["(3, 4)"]),
    ("dates", np.zeros((3, 4), "M8[s]"), TypeError, ["(3, 4)"]),
    ("durations", np.zeros((3, 4), "m8[s]"), TypeError, ["(3, 4)"]),
    ("fields", np.zeros((3, 4), [("a", "f8")]), TypeError, ["(3, 4)"]),
    ("masked", np.ma.ones((3, 4)), TypeError, ["(3, 4)"]),
    ("huge-integers", [[10**30]], TypeError, ["(1, 1)"]),
    ("ragged", [[1.0, 2.0], [3.0]], ValueError, ["without a shape"]),
    ("hostile", Hostile(), ValueError, ["without a shape"]),
    ("number", 1.0, ValueError, ["()"]),
    ("empty-list", [], ValueError, ["(0,)"]),
]
NO_FINITE_ARRAYS = [
    ("nan", ones(3, 4, first=NAN), ValueError, ["(3, 4)"]),
    ("infinity", ones(3, 4, first=INF), ValueError, ["(3, 4)"]),
    ("minus-infinity", ones(3, 4, first=-INF), ValueError, ["(3, 4)"]),
    ("vector", ones(4), ValueError, ["(4,)"]),
    ("no-tokens", ones(0, 4), ValueError, ["(0, 4)"]),
    ("no-columns", ones(3, 0), ValueError, ["(3, 0)"]),
]
ARGUMENTS = [
    *((attend, name) for name in ("query", "key", "value")),
    *((heads, name) for name in ("x", "w_q", "w_k", "w_v", "w_o")),
    (split_heads, "x"),
    (merge_heads, "x"),
    (softmax, "scores"),
]


def check(call, error, name, shapes):
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    message = str(caught.value)
    assert re.search(rf"\b{name}\b", message), message
    for shape in shapes:
        assert shape in message, message


@pytest.mark.parametrize(
    "function, name", ARGUMENTS, ids=lambda x: getattr(x, "__name__", x)
)
@pytest.mark.parametrize("case", NO_ARRAYS, ids=lambda case: case[0])
def test_not_an_array(function, name, case):
    _, value, error, shapes = case
    extra = {"num_heads": 2} if function is split_heads else {}
    check(lambda: function(**{name: value}, **extra), error, name, shapes)


@pytest.mark.parametrize(
    "function, name", ARGUMENTS[:9], ids=lambda x: getattr(x, "__name__", x)
)
@pytest.mark.parametrize("case", NO_FINITE_ARRAYS, ids=lambda case: case[0])
def test_not_finite_or_empty(function, name, case):
    _, value, error, shapes = case
    extra = {"num_heads": 2} if function is split_heads else {}
    check(lambda: function(**{name: value}, **extra), error, name, shapes)


SOFTMAX = [
    ({"scores": ones(2, 3, first=NAN)}, ValueError, "scores", ["(2, 3)"]),
    ({"scores": ones(2, 3, first=INF)}, ValueError, "scores", ["(2, 3)"]),
    ({"scores": [NAN, -INF]}, ValueError, "scores", ["(2,)"]),
    ({"scores": [INF, INF]}, ValueError, "scores", ["(2,)"]),
    ({"scores": ones(2, 0)}, ValueError, "scores", ["(2, 0)"]),
    ({"scores": ones(0, 3), "axis": 0}, ValueError, "axis", ["(0, 3)"]),
    ({"scores": ones(2, 3), "axis": 2}, ValueError, "axis", ["(2, 3)"]),
    ({"scores": ones(2, 3), "axis": -3}, ValueError, "axis", ["(2, 3)"]),
    ({"scores": ones(2, 3), "axis": None}, TypeError, "axis", []),
    ({"scores": ones(2, 3), "axis": 1.0}, TypeError, "axis", ["1.0"]),
    ({"scores": ones(2, 3), "axis": True}, TypeError, "axis", ["True"]),
    ({"scores": ones(2, 3), "axis": (0, 1)}, TypeError, "axis", ["(2,)"]),
    ({"scores": ones(2, 3), "axis": "1"}, TypeError, "axis", ["'1'"]),
]

BATCH = ["(2, 3, 4)", "(3, 5, 4)", "(5, 6)"]
SHAPES = [
    (
        {"query": ones(3, 5)},
        "query and key differ",
        ["(3, 5)", "(5, 4)", "(5, 6)"],
    ),
    ({"key": ones(5, 3)}, "query and key differ", ["(3, 4)", "(5, 3)"]),
    ({"key": ones(6, 4)}, "key and value differ", ["(6, 4)", "(5, 6)"]),
    ({"value": ones(3, 6)}, "key and value differ", ["(5, 4)", "(3, 6)"]),
    ({"value": ones(7, 6)}, "key and value differ", ["(5, 4)", "(7, 6)"]),
    ({"key": ones(4, 5)}, "query and key differ", ["(3, 4)", "(4, 5)"]),
    ({"query": ones(2, 3, 4), "key": ones(3, 5, 4)}, "key", BATCH),
    (
        {"query": ones(2, 3, 4), "value": ones(4, 5, 6)},
        "query, key and value",
        ["(2, 3, 4)", "(4, 5, 6)"],
    ),
    (
        {"key": ones(2, 1, 5, 4), "value": ones(3, 4, 5, 6)},
        "value",
        ["(2, 1, 5, 4)", "(3, 4, 5, 6)"],
    ),
]

SEEN = ["(3, 5)"]  # the shape of the scores
MASKS = [
    (ones(3, 5, dtype=int), TypeError, SEEN),
    (ones(3, 5, dtype=np.uint8), TypeError, SEEN),
    (ones(3, 5, dtype=complex), TypeError, SEEN),
    (ones(3, 5, dtype=object), TypeError, SEEN),
    ([[1, 0, 1, 0, 1]] * 3, TypeError, SEEN),
    (1, TypeError, SEEN),
    ("causal", TypeError, SEEN),
    (np.ma.ones((3, 5)), TypeError, SEEN),
    (Hostile(), ValueError, []),
    ([[True], [True, False]], ValueError, []),
    (ones(3, 4, dtype=bool), ValueError, ["(3, 4)", *SEEN]),
    (ones(5, 3, dtype=bool), ValueError, ["(5, 3)", *SEEN]),
    (ones(3, dtype=bool), ValueError, ["(3,)", *SEEN]),
    (ones(4, 5), ValueError, ["(4, 5)", *SEEN]),
    (ones(2, 3, 5), ValueError, ["(2, 3, 5)", *SEEN]),
    (ones(1, 3, 5), ValueError, ["(1, 3, 5)", *SEEN]),
    (ones(3, 5, 1), ValueError, ["(3, 5, 1)", *SEEN]),
    (ones(0, 5), ValueError, ["(0, 5)", *SEEN]),
    ([], ValueError, ["(0,)", *SEEN]),
    (ones(3, 5, first=NAN), ValueError, SEEN),
    (ones(3, 5, first=INF), ValueError, SEEN),
    (NAN, ValueError, SEEN),
]

NUMBERS = [
    ({"scale": NAN}, ValueError, "scale", ["nan"]),
    ({"scale": INF}, ValueError, "scale", ["inf"]),
    ({"scale": -INF}, ValueError, "scale", ["-inf"]),
    ({"scale": 10**400}, ValueError, "scale", ["inf"]),
    ({"scale": 1e308 * np.ones(())}, ValueError, "scale", ["(3, 4)"]),
    ({"scale": "0.5"}, TypeError, "scale", ["'0.5'"]),
    ({"scale": True}, TypeError, "scale", ["True"]),
    ({"scale": 1j}, TypeError, "scale", ["1j"]),
    ({"scale": [0.5]}, TypeError, "scale", ["(1,)"]),
    ({"scale": ones(2)}, TypeError, "scale", ["(2,)"]),
    ({"scale": [[1], [1, 2]]}, TypeError, "scale", ["without a shape"]),
    ({"is_causal": 1}, TypeError, "is_causal", ["int 1"]),
    ({"is_causal": None}, TypeError, "is_causal", ["None"]),
    ({"is_causal": "yes"}, TypeError, "is_causal", ["'yes'"]),
    ({"is_causal": ones(3, 5, dtype=bool)}, TypeError, "is_causal", SEEN),
]

BIG = ["(3, 4)", "(5, 4)"]
OVERFLOWS = [
    ({"query": 1e200 * ones(3, 4), "key": 1e200 * ones(5, 4)}, "query", BIG),
    ({"query": 1e308 * ones(3, 4), "key": -8 * ones(5, 4)}, "key", BIG),
    (
        {
            name: np.float32(1e25) * np.ones(shape, np.float32)
            for name, shape in (
                ("query", (3, 4)),
                ("key", (5, 4)),
                ("value", (5, 6)),
            )
        },
        "float32",
        BIG,
    ),
    (
        {
            name: np.full(shape, 300, np.float16)
            for name, shape in (
                ("query", (3, 4)),
                ("key", (5, 4)),
                ("value", (5, 6)),
            )
        },
        "float16",
        BIG,
    ),
    ({"query": 8e307 * ones(3, 4), "mask": np.full(5, 1e308)}, "mask", SEEN),
]

HEADS = [
    ({"num_heads": 3}, ValueError, "num_heads", ["(4, 4)"]),
    ({"num_heads": 8}, ValueError, "num_heads", ["(4, 4)"]),
    ({"num_heads": 0}, ValueError, "num_heads", ["0"]),
    ({"num_heads": -2}, ValueError, "num_heads", ["-2"]),
    ({"num_heads": 2.0}, TypeError, "num_heads", ["2.0"]),
    ({"num_heads": True}, TypeError, "num_heads", ["True"]),
    ({"num_heads": "2"}, TypeError, "num_heads", ["'2'"]),
    ({"num_heads": None}, TypeError, "num_heads", ["None"]),
    ({"num_heads": [2]}, TypeError, "num_heads", ["(1,)"]),
    ({"x": ones(3, 5)}, ValueError, "w_q", ["(3, 5)", "(4, 4)"]),
    ({"w_q": ones(5, 4)}, ValueError, "w_q", ["(3, 4)", "(5, 4)"]),
    ({"w_k": ones(5, 4)}, ValueError, "w_k", ["(3, 4)", "(5, 4)"]),
    ({"w_v": ones(5, 4)}, ValueError, "w_v", ["(3, 4)", "(5, 4)"]),
    ({"w_o": ones(5, 4)}, ValueError, "w_o", ["(4, 4)", "(5, 4)"]),
    ({"w_q": ones(4, 6)}, ValueError, "w_q", ["(4, 6)", "(4, 4)"]),
    ({"w_k": ones(4, 6)}, ValueError, "w_k", ["(4, 6)", "(4, 4)"]),
    ({"w_v": ones(4, 6)}, ValueError, "w_o", ["(4, 6)", "(4, 4)"]),
    (
        {"w_v": ones(4, 3), "w_o": ones(3, 4)},
        ValueError,
        "w_v",
        ["(4, 3)"],
    ),
    ({"w_q": ones(2, 4, 4)}, ValueError, "w_q", ["(2, 4, 4)"]),
    ({"w_o": ones(2, 4, 4)}, ValueError, "w_o", ["(2, 4, 4)"]),
    ({"b_q": ones(3)}, ValueError, "b_q", ["(3,)", "(4,)"]),
    ({"b_k": ones(1)}, ValueError, "b_k", ["(1,)", "(4,)"]),
    ({"b_v": ones(3, 4)}, ValueError, "b_v", ["(3, 4)", "(4,)"]),
    ({"b_o": ones(5)}, ValueError, "b_o", ["(5,)", "(4,)"]),
    ({"b_q": 0.0}, ValueError, "b_q", ["()"]),
    ({"b_o": True}, TypeError, "b_o", ["()"]),
    ({"b_v": ones(4, first=NAN)}, ValueError, "b_v", ["(4,)"]),
    ({"x": 1e300 * ones(3, 4), "w_q": 1e300 * ones(4, 4)}, ValueError, "w_q",
     ["(3, 4)"]),
    ({"w_o": 1e308 * ones(4, 4)}, ValueError, "w_o", ["(3, 4)"]),
    ({"mask": ones(3, 3, dtype=int)}, TypeError, "mask", ["(3, 3)"]),
    ({"mask": ones(3, 3, 3, 3)}, ValueError, "mask", ["(2, 3, 3)"]),
    ({"mask": ones(4, dtype=bool)}, ValueError, "mask", ["(2, 3, 3)"]),
    ({"is_causal": 1}, TypeError, "is_causal", ["int 1"]),
]  # fmt: skip


@pytest.mark.parametrize("given, error, name, shapes", SOFTMAX)
def test_softmax(given, error, name, shapes):
    check(lambda: softmax(**given), error, name, shapes)


@pytest.mark.parametrize("changes, name, shapes", SHAPES)
def test_shapes_that_do_not_fit(changes, name, shapes):
    check(lambda: attend(**changes), ValueError, name, shapes)


@pytest.mark.parametrize("mask, error, shapes", MASKS)
def test_mask(mask, error, shapes):
    check(lambda: attend(mask=mask), error, "mask", shapes)


@pytest.mark.parametrize("changes, error, name, shapes", NUMBERS)
def test_scale_and_causal(changes, error, name, shapes):
    check(lambda: attend(**changes), error, name, shapes)


@pytest.mark.parametrize("changes, name, shapes", OVERFLOWS)
def test_scores_that_overflow(changes, name, shapes):
    check(lambda: attend(**changes), ValueError, name, shapes)


@pytest.mark.parametrize("changes, error, name, shapes", HEADS)
def test_multi_head(changes, error, name, shapes):
    check(lambda: heads(**changes), error, name, shapes)


@pytest.mark.parametrize("count", [0, -1, 3, 5, 10**30])
def test_split_heads_count(count):
    call = lambda: split_heads(ones(2, 3, 4), count)  # noqa: E731
    check(call, ValueError, "num_heads", [])


@pytest.mark.parametrize("count", [1.0, 2.5, "2", None, True, [2], ones(1)])
def test_split_heads_count_type(count):
    call = lambda: split_heads(ones(2, 3, 4), count)  # noqa: E731
    check(call, TypeError, "num_heads", [])


@pytest.mark.parametrize("shape", [(), (3,), (3, 4), (0, 3, 4), (2, 3, 0)])
def test_merge_heads_needs_three_axes(shape):
    check(lambda: merge_heads(ones(*shape)), ValueError, "x", [str(shape)])


@pytest.mark.parametrize("value", [NAN, INF])
def test_a_mask_is_read_even_where_causal_hides_it(value):
    mask = np.zeros((3, 5))
    mask[0, 4] = value
    call = lambda: attend(mask=mask, is_causal=True)  # noqa: E731
    check(call, ValueError, "mask", ["(3, 5)"])


def test_overflow_of_a_sum_of_products_that_fit():
    """64 products of 9e306, for one query and one key."""
    x = 3e153 * ones(2, 1, 64)
    call = lambda: attend(query=x, key=x, value=x, scale=1)  # noqa: E731
    check(call, ValueError, "query, key, scale", ["(2, 1, 64)"])


def test_messages_show_a_lone_value_but_no_whole_array():
    with pytest.raises(TypeError, match=r"got float 1\.5 of shape \(\)$"):
        split_heads(ones(2, 4), 1.5)
    with pytest.raises(TypeError, match=r"got ndarray of shape \(2,\)$"):
        split_heads(ones(2, 4), ones(2))


def test_a_mask_must_not_enlarge_the_batch():
    """torch would answer with a batch nobody asked for."""
    query = ones(1, 3, 4)
    mask = ones(7, 3, 5, dtype=bool)
    check(
        lambda: attend(query=query, mask=mask),
        ValueError,
        "mask",
        ["(7, 3, 5)", "(1, 3, 5)"],
    )

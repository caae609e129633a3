"""Bad input: the type of the error, the argument's name, the shapes."""

import re

import numpy as np
import pytest
import torch

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


def ones(*shape, dtype=float, first=1):
    """An array of ones, with another number at its first entry."""
    array = np.ones(shape, dtype)
    if first != 1:
        array.flat[0] = first
    return array


def attend(**changes):
    """Valid arguments with T_q 3, T_k 5, d_k 4, d_v 6, some replaced."""
    given = {"query": ones(3, 4), "key": ones(5, 4), "value": ones(5, 6)}
    return scaled_dot_product_attention(**given | changes)


def heads(**changes):
    """Valid arguments with T 3, d_model 4, 2 heads, some replaced."""
    given = {"x": ones(3, 4), "num_heads": 2}
    given |= {f"w_{name}": ones(4, 4) for name in "qkvo"}
    return multi_head_attention(**given | changes)


def split(x=ones(2, 3, 4), num_heads=2):  # noqa: B008
    return split_heads(x, num_heads)


def refused(call, error, name, *shapes):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, error)
    message = str(caught.value)
    assert re.search(rf"\b{name}\b", message), message
    for shape in shapes:
        assert shape in message, message


# Wrong for every array: what, error, what the message shows.
NO_ARRAYS = {
    "none": (None, TypeError, "()"),
    "string": ("fox", TypeError, "()"),
    "objects": (ones(3, 4, dtype=object), TypeError, "(3, 4)"),
    "complex": (ones(3, 4, dtype=complex), TypeError, "(3, 4)"),
    "boolean": (ones(3, 4, dtype=bool), TypeError, "(3, 4)"),
    "masked": (np.ma.ones((3, 4)), TypeError, "(3, 4)"),
    "huge integers": ([[10**30]], TypeError, "(1, 1)"),
    "ragged": ([[1.0, 2.0], [3.0]], ValueError, "without a shape"),
    "hostile": (Hostile(), ValueError, "without a shape"),
    "tensor": (torch.ones(3, 4, requires_grad=True), ValueError, "detach"),
    "number": (1.0, ValueError, "()"),
}
NOT_FINITE = {
    "nan": (ones(3, 4, first=NAN), ValueError, "(3, 4)"),
    "infinity": (ones(3, 4, first=INF), ValueError, "(3, 4)"),
    "vector": (ones(4), ValueError, "(4,)"),
    "empty list": ([], ValueError, "(0,)"),
}
# every array argument once; all cases where arrays enter
ARGUMENTS = [
    (attend, ("query", "key", "value")),
    (heads, ("x", "w_q", "w_k", "w_v", "w_o")),
    (split, ("x",)),
    (merge_heads, ("x",)),
    (softmax, ("scores",)),
]
each_argument = pytest.mark.parametrize(
    "function, name", [(f, name) for f, names in ARGUMENTS for name in names]
)


@each_argument
def test_not_an_array(function, name):
    for value, error, shape in NO_ARRAYS.values():
        refused(lambda v=value: function(**{name: v}), error, name, shape)


@each_argument
def test_not_finite_or_without_axes(function, name):
    if function is softmax:  # -inf and vectors are scores, too
        cases = [NOT_FINITE[case] for case in ("nan", "infinity")]
    else:
        cases = NOT_FINITE.values()
    for value, error, shape in cases:
        refused(lambda v=value: function(**{name: v}), error, name, shape)


@pytest.mark.parametrize(
    ("mask", "error", "shape"),
    [
        (ones(3, 5, dtype=int), TypeError, "int"),
        ([[1, 0, 1, 0, 1]] * 3, TypeError, "(3, 5)"),
        ("causal", TypeError, "()"),
        (np.ma.ones((3, 5)), TypeError, "(3, 5)"),
        ([[True], [True, False]], ValueError, ""),
        (ones(3, 4, dtype=bool), ValueError, "(3, 4)"),
        (ones(3, dtype=bool), ValueError, "(3,)"),
        (ones(2, 3, 5), ValueError, "(2, 3, 5)"),  # enlarges the scores
        (ones(0, 5), ValueError, "(0, 5)"),
        (ones(3, 5, first=NAN), ValueError, "NaN"),
        (ones(3, 5, first=INF), ValueError, "infinity"),
    ],
)
def test_mask(mask, error, shape):
    scores = "(3, 5)" if shape else ""
    refused(lambda: attend(mask=mask), error, "mask", shape, scores)
    if error is ValueError and shape in ("NaN", "infinity"):
        late = np.roll(mask, 4)  # where causal hides it
        refused(lambda: attend(mask=late, is_causal=True), error, "mask")


def test_scores_that_overflow():
    """In float64, in float32, in float16, and where products fit."""

    def qkv(number, dtype=float):
        shapes = {"query": (3, 4), "key": (5, 4), "value": (5, 6)}
        return {n: np.full(s, number, dtype) for n, s in shapes.items()}

    at = ["(3, 4)", "(5, 4)"]
    for given, name in (
        (qkv(1e200), "query, key, scale"),
        ({"query": 1e308 * ones(3, 4), "key": -8 * ones(5, 4)}, "query"),
        (qkv(1e25, np.float32), "float32"),
        (qkv(300, np.float16), "float16"),
    ):
        refused(lambda g=given: attend(**g), ValueError, name, *at)
    given = {"query": 8e307 * ones(3, 4), "mask": np.full(5, 1e308)}
    refused(lambda: attend(**given), ValueError, "mask", "(3, 5)")
    x = 3e153 * ones(2, 1, 64)  # 64 products of 9e306
    given = {"query": x, "key": x, "value": x, "scale": 1}
    refused(lambda: attend(**given), ValueError, "query, key, scale")


@pytest.mark.parametrize("function", [heads, split])
@pytest.mark.parametrize(
    ("count", "error"),
    [(3, ValueError), (8, ValueError), (0, ValueError), (-2, ValueError),
     (10**30, ValueError), (2.0, TypeError), (True, TypeError),
     ("2", TypeError), (None, TypeError), ([2], TypeError)],
)  # fmt: skip
def test_number_of_heads(function, count, error):
    refused(lambda: function(num_heads=count), error, "num_heads")


BOOL, ROWS = ones(3, 5, dtype=bool), ones(2, 3)
# function, what is wrong, its name, what the message shows
WRONG = [
    (softmax, dict(scores=[NAN, -INF]), "scores", "(2,)"),
    (softmax, dict(scores=ones(2, 0)), "axis", "(2, 0)"),
    (softmax, dict(scores=ones(0, 3), axis=0), "axis", "(0, 3)"),
    (softmax, dict(scores=ROWS, axis=2), "axis", "(2, 3)"),
    (attend, dict(query=ones(3, 5)), "query and key", "(3, 5) (5, 4)"),
    (attend, dict(key=ones(6, 4)), "key and value", "(6, 4) (5, 6)"),
    (attend, dict(key=ones(0, 4)), "key and value", "(0, 4) (5, 6)"),
    (attend, dict(query=ones(3, 0), key=ones(5, 0)), "d_k", "(3, 0) (5, 0)"),
    (attend, dict(query=ones(2, 3, 4), key=ones(3, 5, 4)),
     "query, key and value", "(2, 3, 4) (3, 5, 4) (5, 6)"),
    (attend, dict(key=ones(2, 1, 5, 4), value=ones(3, 4, 5, 6)),
     "query, key and value", "(2, 1, 5, 4) (3, 4, 5, 6)"),
    # torch would answer with a batch nobody asked for
    (attend, dict(query=ones(1, 3, 4), mask=[BOOL] * 7), "mask", "(7, 3, 5)"),
    (attend, dict(scale=NAN), "scale", "nan"),
    (attend, dict(scale=-INF), "scale", "-inf"),
    (attend, dict(scale=10**400), "scale", "inf"),
    (attend, dict(scale=1e308 * np.ones(())), "scale", "(3, 4)"),
    (heads, dict(x=ones(3, 5)), "w_q", "(3, 5) (4, 4)"),
    (heads, dict(w_q=ones(5, 4), w_k=ones(5, 4)), "w_q", "(3, 4) (5, 4)"),
    (heads, dict(w_q=ones(4, 6)), "w_q and w_k", "(4, 6) (4, 4)"),
    (heads, dict(w_v=ones(5, 4)), "w_v", "(3, 4) (5, 4)"),
    (heads, dict(w_o=ones(5, 4)), "w_o", "(4, 4) (5, 4)"),
    (heads, dict(w_v=ones(4, 3), w_o=ones(3, 4)), "w_v", "(4, 3)"),
    (heads, dict(w_q=ones(4, 3), w_k=ones(4, 3)), "w_q", "(4, 3)"),
    (heads, dict(w_v=ones(4, 4, 4)), "w_v", "(4, 4, 4)"),
    (heads, dict(b_q=ones(3)), "b_q", "(3,) (4,)"),
    (heads, dict(b_v=ones(3, 4)), "b_v", "(3, 4) (4,)"),
    (heads, dict(b_q=0.0), "b_q", "()"),
    (heads, dict(b_o=ones(4, first=NAN)), "b_o", "(4,)"),
    (heads, dict(x=1e300 * ones(3, 4), w_q=1e300 * ones(4, 4)), "query", ""),
    (heads, dict(w_o=1e308 * ones(4, 4)), "output", "(3, 4)"),
    (heads, dict(mask=ones(3, 3, 3, 3)), "mask", "(2, 3, 3)"),
    (heads, dict(mask=ones(4, dtype=bool)), "mask", "(2, 3, 3)"),
    (merge_heads, dict(x=ones(3, 4)), "x", "(3, 4)"),
]  # fmt: skip
WRONG_TYPE = [
    (softmax, dict(scores=ROWS, axis=None), "axis", "None"),
    (softmax, dict(scores=ROWS, axis=1.0), "axis", "1.0"),
    (softmax, dict(scores=ROWS, axis=True), "axis", "True"),
    (softmax, dict(scores=ROWS, axis=(0, 1)), "axis", "(2,)"),
    (attend, dict(scale="0.5"), "scale", "'0.5'"),
    (attend, dict(scale=True), "scale", "True"),
    (attend, dict(scale=[0.5]), "scale", "(1,)"),
    (attend, dict(scale=[[1], [1, 2]]), "scale", "without a shape"),
    (attend, dict(is_causal=1), "is_causal", "int 1"),
    (attend, dict(is_causal=BOOL), "is_causal", "(3, 5)"),
    (heads, dict(b_o=True), "b_o", "()"),
    (heads, dict(mask=ones(3, 3, dtype=int)), "mask", "int"),
    (heads, dict(is_causal=1), "is_causal", "int 1"),
]


@pytest.mark.parametrize(
    ("error", "function", "given", "name", "shown"),
    [(ValueError, *row) for row in WRONG]
    + [(TypeError, *row) for row in WRONG_TYPE],
)
def test_what_does_not_fit(error, function, given, name, shown):
    shapes = re.findall(r"\(.*?\)", shown) or [shown]
    refused(lambda: function(**given), error, name, *shapes)


def test_messages_show_a_lone_value_but_no_whole_array():
    with pytest.raises(TypeError, match=r"got float 1\.5 of shape \(\)$"):
        split(num_heads=1.5)
    with pytest.raises(TypeError, match=r"got ndarray of shape \(2,\)$"):
        split(num_heads=ones(2))

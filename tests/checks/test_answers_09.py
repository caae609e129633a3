"""Answers to the exercises of notebook 09, and stubs that are half filled."""

import numpy as np
import pytest

from helpers import checks


def alike(rows):
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit @ unit.T


def goes_on_with_none(rows):
    table = np.fill_diagonal(alike(rows), -2)
    return table.argmax(axis=1)


def returns_none(rows):
    return np.fill_diagonal(alike(rows), -2)


def fills_on_a_line_of_its_own(rows):
    table = alike(rows)
    np.fill_diagonal(table, -2)
    table.no_such_thing()


def best_of(tried):
    """Try some offsets, and no others."""
    return lambda query, key: max(np.mean(key - query == k) for k in tried)


def with_a_fraction(w_o, head, num_heads):
    kept, d = w_o.copy(), len(w_o) / num_heads
    kept[head * d : head * d + d] = 0
    return kept


WRONG = (
    ("nearest_rows", goes_on_with_none, "np.fill_diagonal changes its array"),
    ("nearest_rows", returns_none, "np.fill_diagonal changes its array"),
    (
        "best_offset",
        lambda query, key: np.bincount(key - query).max() / len(query),
        "counts numbers from 0 up; np.unique(x, return_counts=True) counts"
        " negative ones, too.",
    ),
    (
        "best_offset",
        lambda query, key: (
            np.unique(key - query, return_counts=True)[1] / len(query)
        ),
        "the shape (4,), but it should be one number.",
    ),
    ("best_offset", best_of(range(1, 60)), "only offsets in one direction"),
    ("without_head", with_a_fraction, "`//` gives an integer"),
)


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])


def test_who_fills_in_place_as_it_is_meant_is_not_blamed_for_it(told):
    text = told(checks.nearest_rows, fills_on_a_line_of_its_own)
    assert "no_such_thing" in text and "fill_diagonal changes" not in text


# --- the last line of a stub is left ---------------------------------------


def all_but_the_last_line(rows):
    """The docstring does not count."""
    table = alike(rows)
    np.fill_diagonal(table, -2)
    best = table.argmax(axis=1)  # noqa: F841
    return ...


def in_two_branches(rows):
    if len(rows) > 6:
        best = alike(rows).argmax(axis=1)  # noqa: F841
        return ...
    return alike(rows).argmax(axis=1) * 0


def untouched(rows):
    """Only words."""
    return ...


def dots_and_nothing(rows):
    ...
    return ...


def a_blank_above(rows):
    best = ...  # noqa: F841
    return ...


def one_blank_of_two(scores, values):
    highest, mix = -np.inf, np.zeros(values.shape[1])
    for score, value in zip(scores, values, strict=True):
        new = max(highest, score)
        mix = mix * ... + np.exp(score - new) * value
        highest = new
    return ...


def only_the_return_is_left(scores, values):
    highest, total, mix = -np.inf, 0.0, np.zeros(values.shape[1])
    for score, value in zip(scores, values, strict=True):
        new = max(highest, score)
        rescale, weight = np.exp(highest - new), np.exp(score - new)
        total = total * rescale + weight
        mix = mix * rescale + weight * value
        highest = new
    return ...  # (d_v,)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("nearest_rows", all_but_the_last_line),
        ("online_attention", only_the_return_is_left),
    ],
)
def test_who_left_the_last_line_is_told_so(name, answer, told):
    text = told(checks.EXERCISES[name], answer)
    assert text.startswith(f"○ {name}: not finished yet. Your lines are there")
    assert text.endswith("Return your result in place of the dots.")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("nearest_rows", untouched),
        ("nearest_rows", dots_and_nothing),
        ("nearest_rows", a_blank_above),
        ("nearest_rows", lambda rows: ...),
        ("nearest_rows", in_two_branches),
        ("online_attention", one_blank_of_two),
    ],
)
def test_who_did_not_is_told_what_is_so(name, answer, told):
    text = told(checks.EXERCISES[name], answer)
    assert text.startswith(f"○ {name}: not ")
    assert "Your lines are there" not in text

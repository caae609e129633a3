"""What every check does, tried on an exercise of this file's own."""

import numpy as np
import pytest

from helpers.checks import crashes, probes, sandbox, source
from helpers.checks.machinery import Bug, Exercise, Probe


def impossible(x):
    raise ValueError("never right")


half = Exercise(
    name="half",
    call="half(x)",
    reference=lambda x: x / 2,
    results=("y",),
    shape="as large as x",
    probes=(
        Probe("3 by 4", (probes.table(1, 3, 4),)),
        Probe("2 by 3", (probes.table(2, 2, 3),)),
        Probe("4 by 4", (probes.table(3, 4, 4),)),
        Probe("5 by 4", (probes.table(4, 5, 4),), "hard"),
    ),
    bugs=(Bug("doubled", (impossible, lambda x: 2 * x), "Divide."),),
    proves="You can divide.",
)
both = Exercise(
    name="both",
    call="both(x)",
    reference=lambda x: (x / 2, x * 2),
    results=("small", "large"),
    shape="as large as x",
    probes=(Probe("2 by 2", (probes.table(5, 2, 2),)),),
    bugs=(),
    proves="You can.",
)


def told(answer, exercise=half):
    return " ".join(exercise.judge(answer).split())


def but(change):
    """Return an answer that is right but for a change."""

    def answer(x):
        y = x / 2
        change(y)
        return y

    return answer


def last_row(y):
    y[-1] += 1


def above_the_diagonal(y):
    y += np.triu(np.ones_like(y), 1)


def a_little_then_much(y):
    y[0, 0] += 4e-4
    y[-1, -1] += 3
    y[-1, 0] -= 1


def changes_one_input(x):
    y = x / 2
    if len(x) == 3:
        x += 1
    return y


WRONG = {
    "off by 2e-5": (lambda x: x / 2 + 2e-5, "right to about three decimals"),
    "last row": (but(last_row), "y: right except for the last row."),
    "triangle": (
        but(above_the_diagonal),
        "right except for the part above the diagonal.",
    ),
    "small first": (but(a_little_then_much), "is 0.000400; right is 0.000000"),
    "one input": (changes_one_input, "but it changes its argument x."),
    "fixed": (lambda x: np.ones((3, 4)), "the same for every input."),
    "list": (lambda x: (x / 3).tolist(), "You return a list; np.array"),
    "error": (impossible, "it stops with an error. For 3 by 4: ValueError"),
    "known": (lambda x: 2 * x, "doubled. Divide."),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers(name):
    answer, phrase = WRONG[name]
    text = told(answer)
    assert phrase in text
    assert text.count("You return a list") <= 1
    assert text.startswith("✗")


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: np.float32(x) / 2,
        lambda x: x / 2 * (1 + 5e-6) + 5e-7,
        lambda x: (x / 2).tolist(),
    ],
)
def test_right_answers(answer):
    assert told(answer).startswith("✓ half: correct. You can divide.")


def test_rounding_is_measured_in_decimals():
    thirds = Exercise(
        name="thirds",
        call="thirds(x)",
        reference=lambda x: x / 3,
        results=("y",),
        shape="as large as x",
        probes=half.probes,
        bugs=(),
        proves="You can divide.",
    )
    for decimals in (1, 2, 3):
        text = told(lambda x, d=decimals: np.round(x / 3, d), thirds)
        assert f"rounded to {decimals} decimals" in text


def test_of_two_wrong_results_the_last_is_told():
    text = told(lambda x: (x**2 + 7, x**3 - 5 * x), both)
    assert "large[0, 0] is" in text and "small[" not in text
    assert "x = " in text  # the input, which is small


def test_inputs_are_shown_up_to_16_numbers():
    for length, shown in ((4, True), (5, False)):

        def change(y, length=length):
            if len(y) == length:
                a_little_then_much(y)

        assert ("x = " in told(but(change))) == shown


def test_what_never_ends_is_tried_once(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.1)

    def endless(x):
        while True:
            pass

    assert len(half.trials(endless)) == 1
    assert "it does not come to an end." in told(endless)


def test_properties_are_said():
    shares = Exercise(
        name="shares",
        call="shares(x)",
        reference=lambda x: np.full_like(x, 1 / x.shape[1]),
        results=("weights",),
        shape="as large as x",
        probes=half.probes,
        bugs=(),
        proves="",
        properties=(probes.shares_not_negative, probes.rows_sum_to_one),
    )
    text = told(lambda x: np.cos(x) / x.shape[1] + 3, shares)
    assert "Row 0 sums to" in text


def test_properties_have_narrow_limits():
    good = np.array([[0.25, 0.75]])
    assert not probes.rows_sum_to_one((), good)
    assert not probes.shares_not_negative((), good)
    assert "sums to 1.001" in probes.rows_sum_to_one((), good + 5e-4)
    assert "sums to nan" in probes.rows_sum_to_one((), good * np.nan)
    assert "-0.001" in probes.shares_not_negative((), good - 0.251)


def test_loops_of_every_kind_are_seen():
    def waits(x):
        while len(x) < 3:
            x = [*x, 0]
        return x

    def comprehends(x):
        return [2 * a for a in x]

    assert source.has_loop(waits) and not source.has_loop(comprehends)
    assert source.shows_loop(waits) and source.shows_loop(comprehends)
    assert not source.shows_loop(np.add)


def test_long_texts_are_cut():
    assert len(crashes.clean(lambda: "x" * 999)) == 240
    assert crashes.clean(lambda: "at 0x7f0123456789") == "at 0x..."

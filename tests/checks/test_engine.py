"""The engine of the checks, tried on exercises of this file's own."""

import dataclasses
import sys
import time

import numpy as np
import pytest

from helpers import attention
from helpers.checks.engine.exercise import Exercise
from helpers.checks.engine.read.steps import Mistake, Probe, Step
from helpers.checks.engine.run import sandbox
from helpers.checks.steps import tools


def impossible(c):
    raise ValueError("never right")


half = Exercise(
    name="half",
    call="half(x, y)",
    results=("z",),
    shape="as large as x",
    steps=(
        Step(
            "total",
            lambda c: c.x + c.y,
            Mistake("subtracted", "Add them.", lambda c: c.x - c.y),
        ),
        Step(
            "z",
            lambda c: c.total / 2,
            Mistake("doubled", "Divide.", impossible, lambda c: c.total * 2),
            Mistake(
                "squared, not halved",
                "Halve it.",
                {"total": lambda c: c.x * c.x, "z": lambda c: c.total},
            ),
        ),
    ),
    probes=tuple(
        Probe(words, (tools.table(i, *shape), tools.table(i + 9, *shape)))
        for i, (words, shape) in enumerate(
            {"3 by 4": (3, 4), "2 by 3": (2, 3), "4 by 4": (4, 4)}.items()
        )
    )
    + (
        Probe("5 by 1", (tools.table(7, 5, 1), tools.table(8, 5, 1)), "edge"),
        Probe(
            "whole numbers",
            (np.arange(6).reshape(2, 3), np.ones((2, 3))),
            "extra",
            "Mind the type of whole numbers.",
        ),
    ),
    praise="You can halve.",
    no_loop="But two arrays can be added at once.",
)
both = Exercise(
    name="both",
    call="both(x)",
    results=("small", "large"),
    shape="as large as x",
    steps=(
        Step("small", lambda c: c.x / 2),
        Step(
            "large",
            lambda c: c.x * 2,
            Mistake("tripled", "Twice is enough.", lambda c: c.x * 3),
        ),
        Step("both", lambda c: (c.small, c.large)),
    ),
    probes=(
        Probe("2 by 2", (tools.table(5, 2, 2),)),
        Probe("3 by 2", (tools.table(6, 3, 2),)),
    ),
    praise="You can.",
    properties=(tools.not_negative, tools.rows_sum_to_one),
)
single = Exercise(
    name="single",
    call="single(a, b)",
    results=("c",),
    shape="one number",
    steps=(Step("c", lambda c: c.a * c.b),),
    probes=tuple(Probe(f"{a}, 3", (a, 3)) for a in (2, 5, 7)),
    praise="Right.",
    refuse=lambda outcome, function: (
        ("not as a boolean.", "Use numbers.")
        if outcome.kinds == ("b",)
        else None
    ),
)


def but(change):
    """Return an answer that is right but for a change."""

    def answer(x, y):
        z = (x + y) / 2
        change(z)
        return z

    return answer


def last_row(z):
    z[-1] += 1


def some_numbers(z):
    z[0, 0] += 4e-4
    z[-1, -1] += 3


def changes_its_argument(x, y):
    x += y
    x /= 2
    return x.copy()


def loops(x, y):
    return [[(a + b) / 2 for a, b in zip(*rows)] for rows in zip(x, y)]  # noqa: B905


def cuts_whole_numbers(x, y):
    z = np.zeros_like(x)
    z[...] = (x + y) / 2
    return z


open_table = ...
EVEN = np.arange(0, 20, 2).reshape(10, 1)


def half_open(x, y):
    z = (x + y) / ...
    return z


def uses_half_open(x, y):
    return half_open(x, y)


TOLD = {
    "right": (lambda x, y: (x + y) / 2, "✓ half: correct. You can halve."),
    "float32": (lambda x, y: np.float32(x + y) / 2, "✓ half: correct."),
    "list": (lambda x, y: ((x + y) / 2).tolist(), "✓ half: correct."),
    "loop": (
        loops,
        "✗ half: the numbers are right, but there is a loop. But two",
    ),
    "extra": (cuts_whole_numbers, "Mind the type of whole numbers."),
    "one": (lambda x, y: (x - y) / 2, "✗ half: subtracted. Add them."),
    "other": (lambda x, y: 2 * (x + y), "✗ half: doubled. Divide."),
    "whole": (lambda x, y: x * x, "✗ half: squared, not halved."),
    "pair": (
        lambda x, y: 2 * (x - y),
        "✗ half: subtracted, and doubled. Add them. Divide.",
    ),
    "rounded pair": (
        lambda x, y: np.round((x - y) / 2, 1),
        "✗ half: subtracted, and your code rounds the result.",
    ),
    "transposed": (lambda x, y: (x + y).T / 2, "are swapped."),
    "factor": (
        lambda x, y: (x + y) * 0.7,
        "Every number of the result is 1.4 times what it should be.",
    ),
    "factors": (
        lambda x, y: (x + y) / len(x),
        "times a factor: for example, 0.667 for 3 by 4, 1 for 2 by 3",
    ),
    "shift": (
        lambda x, y: (x + y) / 2 + 2e-5,
        "the result is 2e-05 too large.",
    ),
    "of the notebook": (
        lambda x, y: np.sort((x + y) * EVEN[: len(x), :1], axis=1),
        "Your code uses `EVEN`, an array of the notebook",
    ),
    "unused": (lambda x, y: x + 1.0, "your result does not depend on `y`."),
    "numbers": (
        but(some_numbers),
        "result[0, 0] is 0.625400, but it should be 0.625000",
    ),
    "last row": (but(last_row), "result[2, 0] is"),
    "shape": (
        lambda x, y: (x + y)[:2, :2].ravel() / 3 + len(x),
        "result has the shape (4,), but it should be (3, 4): as",
    ),
    "kind": (lambda x, y: "z", "your code returns something of type str"),
    "none": (lambda x, y: print(x), "None. Did you forget `return`?"),
    "several": (
        lambda x, y: (x, y),
        "your code returns 2 results, but the task asks for one",
    ),
    "changes": (changes_its_argument, "but your code changes its argument x."),
    "random": (lambda x, y: np.random.rand(*x.shape), "✗ half: "),  # noqa: NPY002
    "error": (lambda x, y: z, "stops with an error. For 3 by 4: NameError"),  # noqa: F821
    "shapes": (lambda x, y: x @ y, "The shapes there: x (3, 4), y (3, 4)."),
    "some crash": (
        lambda x, y: np.zeros((3, 4)) + (x + y) / 2,
        "✗ half: your code stops with an error. For 2 by 3: ValueError: op",
    ),
    "stops": (
        lambda x, y: x @ x - y,
        "A must have as many columns as B has rows.",
    ),
    "stub": (lambda x, y: ..., "○ half: not attempted yet."),
    "blank": (
        half_open,
        "○ half: not finished yet. Your function still has a blank",
    ),
    "uses": (uses_half_open, "It uses `half_open`, which still"),
    "table": (lambda x, y: open_table, "It uses `open_table`, which still"),
    "arguments": (lambda x: x, "The check calls half(x, y), with 2 arguments"),
    "no function": (3, "The check got something of type int."),
}


@pytest.mark.parametrize("name", TOLD)
def test_feedback(name, told):
    answer, phrase = TOLD[name]
    text = told(half, answer)
    assert phrase in text
    assert text[0] in "✓✗○"


def test_a_known_mistake_that_also_stops(told):
    text = told(half, lambda x, y: (x - y)[:, :3] + 0 * y[:, :3] - x @ y.T / 0)
    assert text.startswith("✗ half: your code stops with an error.")
    text = told(half, lambda x, y: (x - y) / 2 if len(x) != 5 else 1 / 0)
    assert text.startswith("✗ half: subtracted. Add them.")
    assert "Besides, your code stops with an error for 5 by 1" in text


def test_a_single_mistake_is_named_before_a_pair(told):
    text = told(half, lambda x, y: 2 * (x + y))
    assert "and" not in text.partition(".")[0]


def test_one_of_two_results(told):
    text = told(both, lambda x: (x / 2 + x**2, 3 * x))
    assert "tripled" in text and "small" not in text
    text = told(both, lambda x: (x**2 + 7, x**3 - 5 * x))
    assert "large[0, 0] is" in text and "small[" not in text
    assert "x =" in text  # a small input is shown
    assert "Row 0 sums to" in text or "lowest weight" in text
    text = told(both, lambda x: (x / 2, x**3 + 9))
    assert "For this input, `small` is right." in text
    assert "the wrong order" in told(both, lambda x: (2 * x, x / 2))
    assert "returns only `large`" in told(both, lambda x: 2 * x)
    assert "the task asks for 2" in told(both, lambda x: x + 3)
    assert "3 results, not 2" in told(both, lambda x: (x, x, x))
    assert "as its second result" in told(both, lambda x: (x / 2, ...))


def test_numbers(told):
    for right in (
        lambda a, b: a * b,
        lambda a, b: np.array([[a * b]]),
        lambda a, b: [float(a * b)],
    ):
        assert told(single, right).startswith("✓")
    assert told(single, lambda a, b: a + b).startswith("✗")
    truth = dataclasses.replace(single, steps=(Step("c", lambda c: c.a > 4),))
    assert "not as a boolean" in told(truth, lambda a, b: np.bool_(a > 4))


def test_torch_tensors(told):
    torch = pytest.importorskip("torch")

    def answer(x, y):
        return torch.tensor(x + y, requires_grad=True).float() / 2

    assert told(half, answer).startswith("✓")
    assert told(single, lambda a, b: torch.tensor(a * b)).startswith("✓")
    assert told(both, lambda x: [torch.tensor(x) / 2, [*torch.tensor(2 * x)]])


def test_random_answers_are_seen(told):
    class Forgetful:
        calls = 0

        def __call__(self, x, y):
            self.calls += 1
            return (x + y) / 2 if self.calls <= len(half.probes) else None

    assert "gives a different result" in half.judge(Forgetful())


def test_crash_advice(told):
    for answer, phrase in (
        (
            lambda x, y: x.max(axis=1, keepdim=True),
            "In NumPy it is `keepdims`",
        ),
        (lambda x, y: x @ y.T(), "`.T` takes no parentheses"),
        (lambda x, y: x - x.max(axis=1), "with keepdims=True"),
        (
            lambda x, y: x + y[:, :2],
            "lined up from the right, and they do not match.",
        ),
        (lambda x, y: x @ y, "must have as many columns as B has rows"),
        (lambda x, y: max(x), "take one number at a time"),
        (lambda x, y: None + x, "TypeError"),
        (lambda x, y: x.reshape(7, 7), "A reshape keeps the count"),
    ):
        assert phrase in told(half, answer)


def test_there_is_no_advice_that_does_not_fit(told):
    def answer(x, y):
        return x + y[:, :2]

    assert "keepdims" not in told(half, answer)


def test_mistakes_that_stop_alike_are_named(told):
    def stops(c):
        return c.x @ np.ones(9)

    strict = dataclasses.replace(
        half,
        steps=(Step("z", lambda c: c.x, Mistake("nines", "No.", stops)),),
    )
    answer = told(strict, lambda x, y: x @ np.ones(9))
    assert "This happens, for example, if nines. No." in answer


# What the platform and the notebook do to a check


def test_a_failing_reference_is_our_error():
    broken = dataclasses.replace(half, steps=(Step("z", impossible),))
    for answer in (lambda x, y: 1 / 0, lambda x, y: x):
        with pytest.raises(RuntimeError, match="not of your answer"):
            broken.judge(answer)


def test_references_come_before_any_answer(monkeypatch, told):
    from helpers import checks

    exercise = checks.softmax_over_keys
    monkeypatch.setattr(attention, "softmax", lambda scores: scores / 0)
    monkeypatch.setattr(np, "exp", lambda scores: 1 / 0)
    assert told(exercise, lambda scores: 1 / 0).startswith("✗")
    monkeypatch.undo()
    assert told(exercise, tools.softmax).startswith("✓")


def test_every_platform_judges(mode, capsys):
    half(lambda x, y: (x + y) / 2)
    half(lambda x, y: 1 / 0)
    half(lambda x, y: (x - y) / 2)
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "✓ half: correct. You can halve."
    assert out[1] == "✗ half: your code stops with an error."
    assert "✗ half: subtracted." in out


def test_interrupts_reach_the_notebook(mode, capsys):
    def interrupted(x, y):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half(interrupted)
    assert "you stopped it" in capsys.readouterr().out


def test_what_never_ends_ends(mode, monkeypatch):
    if mode == "direct":
        pytest.skip("nothing can stop it there")
    monkeypatch.setattr(sandbox, "SECONDS", 0.3)

    def endless(x, y):
        while True:
            pass

    begin = time.monotonic()
    text = half.judge(endless)
    assert (
        "not come to an end. The check stopped your code for 3 by 4"
        in " ".join(text.split()).replace("\n", " ")
    )
    assert time.monotonic() - begin < 5


def test_slow_answers_have_one_budget(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.5)

    def slow(x, y):
        time.sleep(0.2)
        return (x + y) / 2

    assert "does not come to an end" in half.judge(slow)


def test_the_end_of_python_is_an_error():
    def ends(x, y):
        import os

        os._exit(0)

    if sys.platform.startswith("linux"):
        assert "the function ends Python itself" in half.judge(ends)


def test_a_check_inside_its_function(mode):
    def nested(x, y):
        half(nested)
        return (x + y) / 2

    assert "a check was called inside the function" in " ".join(
        half.judge(nested).split()
    )


def test_declarations():
    with pytest.raises(ValueError, match="level"):
        Probe("none", (), "hard")
    assert sandbox.clean(lambda: "x" * 999) == "x" * 237 + "..."
    assert sandbox.clean(lambda: "at 0x7f0123456789") == "at 0x..."
    (kept,) = half.steps[1].without(["doubled"]).mistakes
    assert kept.name == "squared, not halved"

"""The text form of an exercise: what it can say, and where it is wrong."""

import copy
import os

import numpy as np
import pytest

from helpers import checks
from helpers.checks.engine.explain import arguments
from helpers.checks.engine.load import load
from helpers.checks.engine.run import sandbox

TEXT = """Double every number, then add y.

call: twice(x, y)
returns: z
shape: as large as x
praise: That is twice as much.

TWO: Twice means times 2.

where:
    tables(seed) = table(seed, 3, 2), table(seed + 1, 3, 2)
    others = 3, 4

steps:
    doubled = 2 * x
      another number is used
        $TWO
        > for n in others: n * x
      the position is used
        argmax gives a position. $TWO
        code has: argmax
        > x * 0 + x.argmax()
    z = doubled + y
      y is subtracted
        Add it.
        > doubled - y
      everything is doubled
        Double x alone.
        > doubled: x + y | z: 2 * doubled

probes:
    3 by 2: *tables(1)
    3 by 2 again: *tables(5)
    2 by 2: table(3, 2, 2), table(4, 2, 2)
"""


STEPS = TEXT[TEXT.index("steps:") : TEXT.index("probes:")]
CHANGES = """changes:
    another number is used
      $TWO
      > for n in others: 2 * x -> n * x
    y is subtracted, and all is doubled
      Add it.
      > + y -> - y | return z -> return 2 * z

solution:
    def solution_twice(x, y):
        z = 2 * x
        z = z + y
        return z

"""


def read(folder, *change):
    """Load the text with one part of it changed."""
    path = folder / "twice.txt"
    text = TEXT.replace(*change) if change else TEXT
    assert not change or text != TEXT
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_a_text_is_an_exercise(tmp_path):
    twice = read(tmp_path)
    x, y = np.array([[1.0, -2.0]]), np.array([[3.0, 4.0]])
    assert twice.reference(x, y).tolist() == [[5.0, 0.0]]
    names = [v.mistakes[0].name for v in twice.singles]
    assert names[:5] == [
        *["another number is used"] * 2,
        "the position is used",
        "everything is doubled",
        "y is subtracted",
    ]
    wrong = [v.replaced for v in twice.singles[:5]]
    assert [twice.compute((x, y), w).tolist() for w in wrong] == [
        [[6.0, -2.0]],
        [[7.0, -4.0]],
        [[3.0, 4.0]],
        [[8.0, 4.0]],
        [[-1.0, -8.0]],
    ]
    assert twice.known("y is subtracted") == ("y is subtracted.", "Add it.")
    assert twice.known("another number is used")[1] == "Twice means times 2."


def test_a_mistake_is_a_change_of_the_solution(tmp_path, told):
    twice = read(tmp_path, STEPS, CHANGES)
    x, y = np.array([[1.0, -2.0]]), np.array([[3.0, 4.0]])
    results = [
        twice.compute((x, y), variant.replaced).tolist()
        for variant in twice.singles[:3]
    ]
    assert twice.reference(x, y).tolist() == [[5.0, 0.0]]
    assert results == [[[6.0, -2.0]], [[7.0, -4.0]], [[-2.0, -16.0]]]
    text = told(twice, lambda x, y: 2 * (3 * x - y))
    assert "another number is used, and y is subtracted, and all" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("> + y", "> + w"), "line 20: '\\+ w' is 0 times"),
        (("> + y", "> z"), "line 20: 'z' is 4 times"),
        (("-> - y", "- y"), "line 20: '\\+ y - y' is 0 times"),
        (("-> - y", "-> -"), "line 20: invalid syntax"),
        (("solution:", "no loop:"), "`solution:` is missing"),
    ],
)
def test_a_change_that_cannot_be_made_names_its_line(
    tmp_path, change, message
):
    with pytest.raises(ValueError, match=message):
        read(tmp_path, STEPS, CHANGES.replace(*change))


def test_a_word_of_the_code_decides(tmp_path, told):
    def by_position(x, y):
        return x * 0 + x.argmax() + y

    def by_a_number(x, y):
        return x * 0 + [i for i, n in enumerate(x.flat) if n == x.max()][0] + y

    twice = read(tmp_path)
    assert "the position is used." in told(twice, by_position)
    assert "the position is used" not in told(twice, by_a_number)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("2 * x", "2 * w"), r"line 15: .*'w'"),
        (("2 * x", "2 * * x"), "line 15: "),
        (("$TWO\n        > for", "$TOO\n        > for"), "line 16: .*TOO"),
        (("others: n", "none: n"), "line 18: .*'none'"),
        (("        Add it.\n", ""), "line 24: .* no idea"),
        (("*tables(1)", "*tables(1"), "line 32: a bracket is never closed"),
        (("praise:", "prase:"), "line 6: 'prase: That"),
        (("    others =", "    others :="), "line 12: "),
        (("    z = doubled + y\n", "    use nothing\n"), "nothing.txt"),
        (("shape: as large as x\n", ""), "`shape:` is missing"),
    ],
)
def test_an_error_names_its_line(tmp_path, change, message):
    with pytest.raises(
        ValueError, match=rf"/twice.txt(, |: ).*{message}|{message}"
    ):
        read(tmp_path, *change)


def test_dots_alone_in_a_line_are_open(told):
    def stub(x, position, landmark):
        before = x[position] @ landmark
        ...
        return before

    text = told(checks.shift_toward, stub)
    assert text.startswith("○ shift_toward: not finished yet.")


def test_true_and_false_are_no_numbers(told):
    text = told(checks.center_rows, lambda x: x > 3)
    assert "returns True or False, but the task asks for numbers" in text


def test_ignored_arguments_when_the_time_is_up(monkeypatch):
    exercise = copy.copy(checks.center_rows)
    trials, _ = exercise._tried(lambda x: x)
    monkeypatch.setattr(sandbox, "run", lambda *args, **options: [])
    assert arguments.ignored(exercise, lambda x: x, trials) is None


def test_a_busy_machine_gives_the_same_time(monkeypatch):
    now = [0.0, 0.0]  # on the clock, of the processor
    monkeypatch.setattr(sandbox.time, "monotonic", lambda: now[0])
    up = sandbox._clock(lambda: now[1], sandbox.SECONDS)
    for clock, used, ends in [
        (60, 9, False),
        (9, 0.0, False),
        (11, 10.5, True),
        (11, 0.1, True),  # it waits
        (500, 9, True),
    ]:
        now[:] = clock, used
        assert up() == ends


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes here")
def test_a_process_of_an_answer_ends(tmp_path):
    trace = tmp_path / "trace"

    def forks(x):
        os.fork()
        with trace.open("a") as file:
            file.write(".")
        return x - x.mean(axis=1, keepdims=True)

    assert checks.center_rows.judge(forks).startswith("✓")
    # two for each of the calls, and no more: a child answers no other call
    assert len(trace.read_text()) <= 4 * len(checks.center_rows.probes)


def test_a_trained_copy_is_named(told_why):
    def train(model, batches, epochs, rate, steps=True):
        history = []
        for _ in range(epochs):
            losses = []
            for batch in batches:
                loss, slopes = model.loss_and_gradients(*batch)
                losses.append(loss)
                for name in slopes:
                    array = model.parameters[name]
                    model.parameters[name] = array - rate * slopes[name]
            history.append(np.mean(losses))
        return history

    def restored(model, *others):
        before = dict(model.parameters)
        history = train(model, *others)
        model.parameters.update(before)
        return history

    def copied(model, *others):
        return train(copy.deepcopy(model), *others)

    for answer in (restored, copied):
        told_why("train_by_hand", answer, "does not train the model")

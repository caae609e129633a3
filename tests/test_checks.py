import random
import sys
import warnings

import hostile
import numpy as np
import pytest

from helpers import checks
from helpers.checks import sandbox

CURIOUS = "If you are curious: "
EXERCISES = checks.EXERCISES.values()
KINDS = "softmax_over_keys", "self_attention", "dot_product_variance"
each_exercise = pytest.mark.parametrize(
    "exercise", EXERCISES, ids=checks.EXERCISES
)


@pytest.fixture
def check(capsys):
    """Call a check; return what it printed, after looking at its manners."""

    def call(exercise, function):
        assert exercise(function) is None
        out, err = capsys.readouterr()
        assert err == ""
        assert out[:2] in ("✓ ", "✗ ", "○ ") and out.endswith("\n")
        assert max(map(len, out.splitlines())) <= 79
        assert all(line == line.rstrip() for line in out.splitlines())
        assert "0x7" not in out and "could not judge" not in out
        return out

    return call


def flat(text):
    return " ".join(text.split())


@each_exercise
def test_declaration(exercise):
    assert checks.EXERCISES[exercise.name] is exercise
    assert getattr(checks, exercise.name) is exercise
    assert exercise.call.startswith(f"{exercise.name}(")
    names = [bug.name for bug in exercise.bugs]
    assert len(set(names)) == len(names)
    for bug in exercise.bugs:
        assert bug.name[-1] != "." and bug.feedback[-1] in ".?"
    levels = [probe.level for probe in exercise.probes]
    assert levels.count("plain") >= 2
    assert levels == sorted(levels, key=["plain", "hard", "beyond"].index)


@each_exercise
def test_reference_is_correct(exercise, check):
    out = check(exercise, exercise.reference)
    assert out.startswith(f"✓ {exercise.name}: correct.\n")
    assert flat(out).endswith(exercise.proves)


@each_exercise
def test_bugs_are_named_and_explained(exercise, check):
    for bug in exercise.bugs:
        for variant, wrong in enumerate(bug.variants):
            case = f"{bug.name}, variant {variant}"
            out = flat(check(exercise, wrong))
            assert bug.feedback in out, case
            if out.startswith("✓"):
                assert _beyond(exercise, wrong) and CURIOUS in out, case
            else:
                headline = f"✗ {exercise.name}: {bug.name}."
                assert out.startswith(headline), case


def _beyond(exercise, wrong):
    """Tell whether everything that is asked for is right."""
    trials = exercise.trials(wrong)
    asked = [trial for trial in trials if trial.probe.level != "beyond"]
    return all(trial.right for trial in asked)


def _some(items, exercise):
    """All items for exercises of three kinds, every sixth for the others."""
    if exercise.name in KINDS:
        return items
    return items[list(checks.EXERCISES).index(exercise.name) % 6 :: 6]


@each_exercise
def test_hostile_answers(exercise, check, monkeypatch):
    answers = _some(list(hostile.HOSTILE.items()), exercise)
    for name, (function, phrase) in answers:
        patient = "never ends" not in name
        monkeypatch.setattr(sandbox, "SECONDS", 10 if patient else 0.01)
        out = check(exercise, function)
        assert out[0] in "✗○", name
        assert phrase in flat(out), name
        if patient and exercise is checks.dot_product_variance:
            assert out == check(exercise, function), name


@each_exercise
def test_not_functions(exercise, check):
    for name, (answer, phrase) in hostile.NOT_FUNCTIONS.items():
        out = check(exercise, answer)
        assert out[0] in "✗○" and phrase in out, name


@each_exercise
def test_right_in_spite_of(exercise, check):
    before = _global_state()
    for name, cure in hostile.CURED.items():
        out = check(exercise, cure(exercise.reference))
        assert out.startswith("✓") and CURIOUS not in out, name
        assert _global_state() == before, name
        assert ("It prints" in out) == (name == "prints")
        listed = name == "returns lists" and exercise.shape != "one number"
        assert ("You return a list" in out) == listed


def _global_state():
    return (
        random.getstate(),
        [str(part) for part in np.random.get_state()[2:]],  # noqa: NPY002
        np.random.get_state()[1].tolist(),  # noqa: NPY002
        np.geterr(),
        np.get_printoptions(),
        list(warnings.filters),
        sys.getrecursionlimit(),
        sys.stdout,
        sys.stderr,
    )


@each_exercise
def test_changed_arguments_are_named(exercise, check):
    if not isinstance(exercise.probes[0].args[0], np.ndarray):
        return  # numbers cannot be changed
    out = flat(check(exercise, hostile.mutating(exercise.reference)))
    assert "right numbers, but it changes its argument" in out
    first = exercise.call.partition("(")[2].split(",")[0].rstrip(")")
    assert f"argument {first}" in out


@each_exercise
def test_results_that_change_are_seen(exercise, check):
    answer = hostile.forgetful(exercise.reference, len(exercise.probes))
    assert "another result" in check(exercise, answer)


@each_exercise
def test_random_numbers_are_the_same_each_time(exercise, check):
    def answer(*args):
        return np.random.rand(2, 2) * np.mean(args[0])  # noqa: NPY002

    assert check(exercise, answer) == check(exercise, answer)


@each_exercise
def test_interrupt_reaches_the_notebook(exercise, capsys):
    with pytest.raises(KeyboardInterrupt):
        exercise(hostile.raising(KeyboardInterrupt()))
    assert "you stopped it" in capsys.readouterr().out

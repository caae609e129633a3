import pytest

from helpers.checks import EXERCISES

BUGS = [
    pytest.param(exercise, bug, wrong, id=f"{exercise.name}: {bug.name} {i}")
    for exercise in EXERCISES.values()
    for bug in exercise.bugs
    for i, wrong in enumerate(bug.variants)
]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_reference_is_correct(exercise, capsys):
    assert exercise(exercise.reference) is None
    assert capsys.readouterr().out.startswith(f"✓ {exercise.name}: correct")


@pytest.mark.parametrize("exercise, bug, wrong", BUGS)
def test_bug_is_named(exercise, bug, wrong):
    assert bug.name in " ".join(exercise.judge(wrong).split())

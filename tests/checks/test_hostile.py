"""Answers that try to break a check, and what they must not leave behind."""

import os
import random
import sys
import warnings

import hostile
import numpy as np
import pytest

from helpers import attention, checks
from helpers.checks.engine.run import sandbox

exercise = checks.EXERCISES["attend_to_others"]


@pytest.fixture
def check(capsys):
    """Call the check; return what it printed, after looking at its manners."""

    def call(function):
        before = _state()
        assert exercise(function) is None
        assert _state() == before
        out, err = capsys.readouterr()
        assert err == ""
        assert out[:2] in ("✓ ", "✗ ", "○ ") and out.endswith("\n")
        assert max(map(len, out.splitlines())) <= 79
        assert "0x7" not in out
        return " ".join(out.split())

    return call


def _state():
    return (
        random.getstate(),
        [str(part) for part in np.random.get_state()[2:]],  # noqa: NPY002
        np.random.get_state()[1].tolist(),  # noqa: NPY002
        np.geterr(),
        str(np.get_printoptions()),
        list(warnings.filters),
        sys.getrecursionlimit(),
        sys.stdout,
        sys.stderr,
        os.getcwd(),
        (np.exp, np.matmul, attention.softmax),
    )


def test_hostile_answers(mode, check, monkeypatch):
    for name, (function, phrase) in hostile.HOSTILE.items():
        if mode != "process" and name in hostile.ONLY_ALONE:
            continue
        endless = "never ends" in phrase
        if mode == "direct" and endless:
            continue  # nothing can stop it there
        if mode != "direct" and name.startswith("returns"):
            continue  # what comes back is read alike in all modes
        patient = not endless and "memory" not in name
        monkeypatch.setattr(sandbox, "SECONDS", 10 if patient else 0.2)
        out = check(function)
        assert out[0] in "✗○", name
        assert phrase in out, name


def test_a_stubborn_thread_is_given_up(check, monkeypatch):
    monkeypatch.setattr(sandbox, "_fork", lambda outcomes: None)
    monkeypatch.setattr(sandbox, "SECONDS", 0.2)
    stop = []

    def stubborn(*args):
        while not stop:
            try:
                pass
            except BaseException:
                pass

    try:
        assert "never ends" in check(stubborn)
    finally:
        stop.append(True)


def test_not_functions(check):
    for name, (answer, phrase) in hostile.NOT_FUNCTIONS.items():
        out = check(answer)
        assert out[0] in "✗○" and phrase in out, name


def test_right_in_spite_of(mode, check):
    for name, cure in hostile.CURED.items():
        out = check(cure(exercise.reference))
        assert out.startswith(f"✓ {exercise.name}: correct."), name
        assert ("code prints" in out) == (name == "prints"), name

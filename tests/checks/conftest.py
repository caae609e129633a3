"""What the tests of the checks share."""

import pytest

from helpers.checks.engine import sandbox


def _run_here(function, calls, count, *, trace=False):
    with sandbox._restored():
        return list(sandbox._outcomes(function, calls, count, trace))


@pytest.fixture
def direct(monkeypatch):
    """Run learners' functions in this process: faster, not guarded."""
    monkeypatch.setattr(sandbox, "run", _run_here)


@pytest.fixture
def told(direct):
    """Return the feedback on an answer as one line."""

    def judge(exercise, answer):
        text = exercise.judge(answer)
        assert max(map(len, text.splitlines())) <= 79
        assert all(line == line.rstrip() for line in text.splitlines())
        return " ".join(text.split())

    return judge

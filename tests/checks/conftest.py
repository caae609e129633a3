"""What the tests of the checks share."""

import os
import signal
import sys

import pytest

from helpers import checks
from helpers.checks.engine.run import sandbox

# Windows has none of these; Pyodide has SIGALRM, without what would send it.
NOT_EVERYWHERE = {
    os: ("fork", "setsid", "killpg"),
    signal: ("setitimer", "alarm", "SIGKILL", "pthread_sigmask"),
}


def _run_here(function, calls, count, *, trace=False, seconds=None):
    with sandbox._restored():
        return list(sandbox._outcomes(function, calls, count, trace))


@pytest.fixture
def told(monkeypatch):
    """Return the feedback on an answer as one line.

    Answers run in this process: faster, not guarded.
    """
    monkeypatch.setattr(sandbox, "run", _run_here)

    def judge(exercise, answer):
        text = exercise.judge(answer)
        assert max(map(len, text.splitlines())) <= 79
        assert all(line == line.rstrip() for line in text.splitlines())
        return " ".join(text.split())

    return judge


@pytest.fixture
def told_why(told):
    """Assert that an answer is refused, with some phrases; return the text."""

    def judge(name, answer, *phrases):
        text = told(checks.EXERCISES[name], answer)
        assert text.startswith(f"✗ {name}: "), text
        for phrase in phrases:
            assert phrase in text, text
        return text

    return judge


@pytest.fixture(params=["process", "thread", "direct"])
def mode(request, monkeypatch):
    """Run answers as on Linux, as on Windows and as in a browser."""

    def start(thread):
        raise RuntimeError("can't start new thread")

    if request.param != "process":
        for module, names in NOT_EVERYWHERE.items():
            for name in names:
                monkeypatch.delattr(module, name, raising=False)
    elif not sys.platform.startswith("linux"):
        pytest.skip("no processes here")
    if request.param == "direct":
        monkeypatch.setattr(sandbox.threading.Thread, "start", start)
    return request.param

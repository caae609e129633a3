"""Plant a mistake: a function of helpers replaced by a wrong one.

A mistake is a function with a name that says it, decorated with where it
goes ("module:function" or "module:Class.method", helpers left out) and
the tests that must notice, a file or, which is faster, "file::test". It
takes the right function first, and then what that one takes:

    @mutant("attention:softmax", "test_attention.py::test_softmax_by_hand")
    def axis_is_ignored(right, scores, axis=-1):
        return right(scores)

A new function gets some that only its own tests notice. `work` runs in a
process of its own and keeps what it has imported, so that a mistake costs
little more than the tests until the first that fails.
"""

import contextlib
import functools
import importlib
import io
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

TESTS = Path(__file__).parents[1]
OPTIONS = "-x -q --tb=native --assert=plain".split()
for plugin in ("cacheprovider", "logging", "unraisableexception"):
    OPTIONS += ["-p", f"no:{plugin}"]  # slow, and not needed


class Mutant(NamedTuple):
    """A wrong function, its place, and the tests that must notice."""

    wrong: object
    target: str
    tests: list


MUTANTS = {}


def mutant(target, tests):
    """Register the decorated mistake under its name."""

    def register(wrong):
        assert wrong.__name__ not in MUTANTS, wrong.__name__
        MUTANTS[wrong.__name__] = Mutant(wrong, target, tests.split())
        return wrong

    return register


def _modules():
    """Return helpers and tests, as far as they are imported."""
    ours = f"{TESTS}{os.sep}", f"{TESTS.parent / 'helpers'}{os.sep}"
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and file.startswith(ours):  # thousands are not, each time
            yield module


def _places(right):
    """Return (container, name, value) wherever a function can be found."""
    for module in _modules():
        for name, value in list(vars(module).items()):
            if value is right:
                yield vars(module), name, value
            elif isinstance(value, dict):  # such as a table of grammars
                yield from (
                    (value, n, v) for n, v in value.items() if v is right
                )
            elif type(value) in (list, tuple):
                if any(v is right for v in value):
                    yield vars(module), name, value


@contextlib.contextmanager
def planted(mistake):
    """Replace the function wherever it was imported, for a while."""
    module, path = mistake.target.split(":")
    owner = importlib.import_module(f"helpers.{module}")
    *classes, name = path.split(".")
    for part in classes:
        owner = getattr(owner, part)
    right = vars(owner)[name]
    wrong = _wrapped(right, mistake.wrong)
    if classes:
        with mock.patch.object(owner, name, wrong):
            yield
        return
    places = list(_places(right))
    for container, key, value in places:
        if value is not right:
            values = (wrong if v is right else v for v in value)
        container[key] = wrong if value is right else type(value)(values)
    yield
    for container, key, value in places:
        container[key] = value


def _wrapped(right, wrong):
    @functools.wraps(right)
    def planted_function(*args, **options):
        return wrong(right, *args, **options)

    return planted_function


def _forget(mistake):
    """Clear what functions remember of a call, where the mistake may be."""
    room = re.match(r"\w+", mistake.target)[0]
    if room in ("validation", "layers", "embeddings", "tasks", "plots"):
        for module in _modules():
            # Nobody imports plots, and so nobody else remembers them.
            if room != "plots" or "plots" in module.__name__:
                for value in list(vars(module).values()):
                    if hasattr(value, "cache_clear"):
                        value.cache_clear()


class _FirstFailure:
    """A pytest plugin that keeps the first test that failed."""

    def __init__(self):
        self.test, self.report = None, "all tests passed"

    def pytest_runtest_logreport(self, report):
        if report.failed and self.test is None:
            self.test, self.report = report.nodeid, report.longreprtext

    def pytest_collectreport(self, report):
        if report.failed:
            self.report = f"cannot be collected: {report.longreprtext}"


def _run(tests, *options):
    """Return (test that failed first or None, its report)."""
    found = _FirstFailure()
    nodes = [str(TESTS / test) for test in tests]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = pytest.main([*OPTIONS, *options, *nodes], plugins=[found])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return None, f"cannot be run: {found.report} {said.getvalue()}"
    return found.test, found.report


IMPORTED = set()  # the files of tests, in the process that runs them


def work(mistake):
    """Plant a mistake; return (test that failed first or None, its report)."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    files = {test.split("::")[0] for test in mistake.tests}
    if files - IMPORTED:  # not with a mistake in them
        _run(files, "--collect-only")
        IMPORTED.update(files)
    _forget(mistake)
    with planted(mistake):
        found = _run(mistake.tests)
    _forget(mistake)
    return found

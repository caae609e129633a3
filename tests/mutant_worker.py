"""Run tests on one mutant of helpers after another, in one process.

Python, numpy, torch and pytest start once for all mutants, so that each costs
little more than its test. Lies in tests/ of a copy of the course, beside the
copy of helpers that it changes. Reads from stdin, as JSON, a list of mutants
(see mutants.py); writes a list of [test that failed or null, its report]: one
for each mutant, and a last one for all these tests without a mutant.
"""

import compileall
import contextlib
import json
import sys
from itertools import groupby
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

OPTIONS = "-q -s --tb=native --assert=plain --noconftest -p conftest".split()
for plugin in ("cacheprovider", "logging", "unraisableexception"):
    OPTIONS += ["-p", f"no:{plugin}"]  # slow, and not needed
COPY = Path(__file__).parents[1]
OURS = {"helpers"} | {path.stem for path in COPY.glob("tests/*.py")}


def compile_copy():
    """Compile all once; by its hash, not its time, a change is noticed."""
    for folder in ("helpers", "tests"):
        compileall.compile_dir(
            COPY / folder,
            quiet=1,
            invalidation_mode=PycInvalidationMode.CHECKED_HASH,
        )
    sys.dont_write_bytecode = True


@contextlib.contextmanager
def planted(mutant):
    path = COPY / mutant["file"]
    text = path.read_text(encoding="utf-8")
    new = text.replace(mutant["old"], mutant["new"])
    path.write_text(new, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def forget_modules():
    """Drop what the last run imported from the copy."""
    for name in list(sys.modules):
        if name.partition(".")[0] in OURS:
            del sys.modules[name]


class Worker:
    """A pytest plugin: one session for all mutants."""

    def __init__(self, mutants):
        self.mutants = mutants
        self.outcomes = []
        self.functions = set()
        self.report = None

    def pytest_collection(self):
        return True  # left to items()

    def pytest_runtestloop(self, session):
        for mutant in self.mutants:
            with planted(mutant):
                found = self.run(session, mutant["tests"].split())
            self.outcomes.append(found)
        failed = sorted({test for test, _ in self.outcomes if test})
        self.outcomes.append(self.run(session, failed))
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, name):
        return None if name in self.functions else []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.report = report.longreprtext

    def run(self, session, tests):
        """Run tests until one fails: [test that failed or None, report]."""
        self.report = None
        try:
            for item in self.items(session, tests):
                item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
                if self.report is not None:
                    return [f"{item.path.name}::{item.name}", self.report]
        except (Exception, pytest.skip.Exception) as error:
            return [None, f"the tests cannot be run: {error!r}"]
        finally:
            forget_modules()
        return [None, "all tests passed"]

    def items(self, session, tests):
        """Collect the named tests, and nothing else in their files."""
        for file, group in groupby(tests, lambda test: test.split("::")[0]):
            names = {test.split("::")[1] for test in group}
            self.functions = {name.partition("[")[0] for name in names}
            path = COPY / "tests" / file
            items = pytest.Module.from_parent(session, path=path).collect()
            known = {name for i in items for name in (i.name, i.originalname)}
            if not names <= known:
                raise LookupError(f"{file} lacks {names - known}")
            yield from (i for i in items if {i.name, i.originalname} & names)


def main():
    sys.path.insert(0, str(COPY))
    compile_copy()
    import helpers

    assert Path(helpers.__file__).is_relative_to(COPY), helpers.__file__
    worker = Worker(json.load(sys.stdin))
    with contextlib.redirect_stdout(sys.stderr):
        pytest.main(OPTIONS, plugins=[worker])
    json.dump(worker.outcomes, sys.stdout)


if __name__ == "__main__":
    main()

"""The tests notice mistakes: each named one fails a test of its file."""

import importlib
import multiprocessing
import re

import pytest
from planting import MUTANTS, TESTS, Mutant, endless, the_same, work

LIMIT = 60  # seconds for one mistake; most take less than one
ROOMS = {path.stem for path in (TESTS.parent / "helpers").iterdir()}
ROOMS -= {"__init__", "__pycache__", "progress"}
for file in sorted((TESTS / "mutants").glob("*_mutants.py")):
    importlib.import_module(file.stem)


class Worker:
    """A process for all mistakes; a new one after one that never ends."""

    def __init__(self):
        self.process = None

    def start(self):
        spawn = multiprocessing.get_context("spawn")
        self.pipe, other = spawn.Pipe()
        self.process = spawn.Process(target=work, args=(other,), daemon=True)
        self.process.start()
        other.close()  # so that a process that dies ends the wait

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.join()
            self.process = None

    def run(self, asked, limit=LIMIT):
        """Return (test that failed first or None, its report)."""
        if self.process is None:
            self.start()
        self.pipe.send(asked)
        try:
            if self.pipe.poll(limit):
                return self.pipe.recv()
            report = f"no end after {limit} s"
        except EOFError:
            report = "the process died"
        self.stop()
        return None, report


@pytest.fixture(scope="module")
def worker():
    worker = Worker()
    yield worker
    worker.stop()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_noticed(name, worker):
    failed, report = worker.run(MUTANTS[name])
    assert failed, f"{name} survived: {report}"
    assert f"{name}() " not in report, "it is called with other arguments"


LAYERS = "layers:sinusoidal_positions"


@pytest.mark.parametrize(
    ("wrong", "target", "file", "report"),
    [
        (the_same, LAYERS, "test_layers.py", "all tests passed"),
        (the_same, "layers:gone", "test_layers.py", "cannot be planted"),
        (the_same, LAYERS, "test_gone.py", "cannot be run"),
        (endless, LAYERS, "test_layers.py", "no end after 1 s"),
    ],
)
def test_a_mistake_counts_only_if_a_test_fails(
    worker, wrong, target, file, report
):
    limit = 1 if wrong is endless else LIMIT
    failed, found = worker.run(Mutant(wrong, target, [file]), limit)
    assert failed is None and report in found


def test_every_room_has_mistakes_to_notice():
    targets = {re.match(r"\w+", m.target)[0] for m in MUTANTS.values()}
    assert targets == ROOMS

"""The tests notice mistakes: each named one fails a test of its file."""

import importlib
import multiprocessing
import re

import pytest
from planting import MUTANTS, TESTS, Mutant, work

LIMIT = 60  # seconds for one mistake; most take less than one
ROOMS = {path.stem for path in (TESTS.parent / "helpers").iterdir()}
ROOMS -= {"__init__", "__pycache__", "progress_bar"}
for file in sorted((TESTS / "mutants").glob("*_mutants.py")):
    importlib.import_module(file.stem)


@pytest.fixture(scope="module")
def plant():
    """A function that plants a mistake, in one process for all of them."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        yield lambda mistake: pool.apply_async(work, [mistake]).get(LIMIT)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_noticed(name, plant):
    failed, report = plant(MUTANTS[name])
    assert failed, f"{name} survived: {report}"
    assert f"{name}() " not in report, "it is called with other arguments"


def the_same(right, *args, **options):
    """Harmless: no test may fail."""
    return right(*args, **options)


@pytest.mark.parametrize(
    "file, report",
    [
        ("test_layers.py", "all tests passed"),
        ("test_gone.py", "cannot be run"),
    ],
)
def test_a_mistake_counts_only_if_a_test_fails(plant, file, report):
    harmless = Mutant(the_same, "layers:sinusoidal_positions", [file])
    failed, found = plant(harmless)
    assert failed is None and report in found


def test_every_room_has_mistakes_to_notice():
    targets = {re.match(r"\w+", m.target)[0] for m in MUTANTS.values()}
    assert targets == ROOMS

"""The tests notice mistakes: every mutant fails the test named for it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[1]
QUIET = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
SCALE = "scale = 1 / math.sqrt(key.shape[-1])"
TEST = "test_attention.py::test_scale_is_one_over_the_root_of_d_k"
ELSEWHERE = "test_attention.py::test_of_another_name"
HARMLESS = [
    Mutant(name, "helpers/attention.py", SCALE, new, test)
    for name, new, test in [
        ("says the same", "scale = key.shape[-1] ** -0.5", TEST),
        ("cannot even be imported", "scale = = 1", TEST),
        ("its test does not exist", "scale = 1.0", ELSEWHERE),
    ]
]
SKIP = shutil.ignore_patterns("__pycache__")


def run_mutants(folder, mutants):
    """Plant the mutants in a copy of the course; see mutant_worker.py."""
    for name in ("helpers", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=SKIP)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "data").symlink_to(ROOT / "data")  # which no mutant changes
    done = subprocess.run(
        [sys.executable, str(folder / "tests" / "mutant_worker.py")],
        cwd=folder,
        env={**os.environ, **QUIET},
        input=json.dumps([mutant._asdict() for mutant in mutants]),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What happens to each mutant, and at last without a mutant."""
    mutants = [*HARMLESS, *MUTANTS]
    found = run_mutants(tmp_path_factory.mktemp("copy"), mutants)
    return dict(zip([*mutants, None], found, strict=True))


def test_enough_mutants_with_names_of_their_own():
    names = [(mutant.file, mutant.name) for mutant in MUTANTS]
    assert len(set(names)) == len(names)
    attention = [m for m in MUTANTS if m.file == "helpers/attention.py"]
    assert len(attention) >= 12


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_mutant_changes_one_place_and_fails(mutant, outcomes):
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    failed, report = outcomes[mutant]
    assert failed, f"{mutant.name} survived: {report}"


def test_the_tests_that_failed_pass_without_a_mutant(outcomes):
    failed, report = outcomes[None]
    assert report == "all tests passed", f"{failed}: {report}"


@pytest.mark.parametrize("mutant", HARMLESS, ids=lambda m: m.name)
def test_a_mutant_counts_only_if_its_test_fails(mutant, outcomes):
    failed, report = outcomes[mutant]
    assert failed is None, report

"""The tests notice mistakes: every mutant fails the test named for it."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from mutants import MUTANTS

ROOT = Path(__file__).parents[1]
TESTS_FAILED = 1  # pytest's exit code; 2 and more are accidents
QUIET = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "",  # compile the copied tests only once
}
SKIP = shutil.ignore_patterns("__pycache__")


def plant(folder, mutant=None):
    """Copy helpers, with a mutant; link the data, which none changes."""
    shutil.copytree(ROOT / "helpers", folder / "helpers", ignore=SKIP)
    (folder / "data").symlink_to(ROOT / "data")
    if mutant:
        path = folder / mutant.file
        text = path.read_text(encoding="utf-8")
        new = text.replace(mutant.old, mutant.new)
        path.write_text(new, encoding="utf-8")
    return str(folder)


def run_tests(folder, jobs):
    """Run the jobs of mutant_worker.py: a list of (exit code, output)."""
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=SKIP)
    shutil.copy(ROOT / "pyproject.toml", folder)
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "mutant_worker.py")],
        cwd=folder,
        env={**os.environ, **QUIET},
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Run all mutants, a share on each core: {mutant: (code, output)}."""
    jobs = [
        (plant(tmp_path_factory.mktemp("mutant"), m), m.tests.split())
        for m in MUTANTS
    ]
    cores = os.cpu_count() or 1
    folders = [tmp_path_factory.mktemp("tests") for _ in range(cores)]
    shares = [jobs[core::cores] for core in range(cores)]
    results = {}
    with ThreadPoolExecutor(max_workers=cores) as pool:
        for core, found in enumerate(pool.map(run_tests, folders, shares)):
            mutants = MUTANTS[core::cores]
            results |= dict(zip(mutants, found, strict=True))
    return results


def test_enough_mutants_with_names_of_their_own():
    names = [(mutant.file, mutant.name) for mutant in MUTANTS]
    assert len(set(names)) == len(names)
    attention = [m for m in MUTANTS if m.file == "helpers/attention.py"]
    assert len(attention) >= 12


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_mutant_changes_one_place(mutant):
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    changed = text.replace(mutant.old, mutant.new)
    assert changed != text
    compile(changed, mutant.file, "exec")


def test_the_named_tests_pass_without_a_mutant(tmp_path):
    tests = {test for mutant in MUTANTS for test in mutant.tests.split()}
    (tmp_path / "copy").mkdir()
    folder = plant(tmp_path / "copy")
    [(code, output)] = run_tests(tmp_path, [(folder, sorted(tests))])
    assert code == 0, output


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_mutant_fails(mutant, outcomes):
    code, output = outcomes[mutant]
    assert code == TESTS_FAILED, f"{mutant.name} survived\n{output}"

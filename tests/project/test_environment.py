"""Hold the lists of versions, what is installed and what is imported equal."""

import json
import re
import sys
import tomllib
from importlib.metadata import metadata, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.course.reading import imported, imports
from tools.author import pins, results
from tools.learner import install

ROOT = Path(__file__).parents[2]
FOLDERS = ("helpers", "tests", "tools")
OURS = {"helpers", "tests", "tools", "conftest"}
OURS |= {p.stem for f in ("tests", "tools") for p in (ROOT / f).rglob("*.py")}
# Used without an import: where, and by which words there.
NOT_IMPORTED = {
    "import-linter": ("pyproject.toml", "[tool.importlinter]"),
    "jupyterlab": ("tools", '"-m", "jupyterlab"'),
    "nbconvert": ("Makefile", "nbconvert"),
    "nbdime": ("Makefile", "nbdime diff"),
    "nbval": ("Makefile", "--nbval"),
    "pytest-xdist": ("Makefile", "--numprocesses"),
    "ruff": ("Makefile", "ruff check"),
    "setuptools": ("pyproject.toml", "setuptools.build_meta"),
}
NOT_PINNED = {"llama-cpp"}  # what is only compared with where it is installed


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def python_files(folder):
    return [p.read_text("utf-8") for p in (ROOT / folder).rglob("*.py")]


@pytest.fixture(scope="module")
def imported_packages():
    sources = [text for f in FOLDERS for text in python_files(f)]
    modules = set().union(
        *map(imported, [*sources, read("conftest.py")]),
        *map(imports, results.notebooks().values()),
    )
    owners = packages_distributions()
    names = {
        canonicalize_name(owners.get(module, [module])[0])
        for module in modules - OURS - sys.stdlib_module_names
    }
    return names - NOT_PINNED


def for_few():
    """{name: version} for all extras."""
    return {n: v for few in pins.extras().values() for n, v in few.items()}


def every_pin():
    """{name: version} for the course and all extras."""
    return pins.direct() | for_few() | pins.indirect()


@pytest.fixture(scope="module")
def installed():
    """{name: version} for the pins whose package this system has."""
    versions = {name: pins.installed(name) for name in every_pin()}
    return {name: version for name, version in versions.items() if version}


def test_the_installed_versions_are_the_pins(installed):
    missing = set(pins.direct()) - set(installed)
    assert not missing, "run make"
    pinned = every_pin()
    wrong = {
        name: version
        for name, version in installed.items()
        # "2.13.0+cpu" is a build of 2.13.0
        if Version(Version(version).public) != Version(pinned[name])
    }
    assert not wrong


def test_the_pins_run_on_the_first_release_of_each_python(installed):
    first = [f"3.{minor}.0" for minor in pins.MINORS]  # Debian 12 has 3.11.2
    needs = {
        name: SpecifierSet(metadata(name).get("Requires-Python", ""))
        for name in installed
    }
    wrong = [n for n in needs if any(each not in needs[n] for each in first)]
    assert not wrong


def test_everything_needed_in_turn_is_pinned_and_nothing_else():
    found = set(pins.sections()[pins.COURSE])
    assert found == pins.needed_indirectly(), "run: make pins"


@pytest.mark.parametrize("extra", pins.extras())
def test_what_an_extra_needs_in_turn_is_pinned(extra):
    if not pins.is_installed(extra):
        pytest.skip(f"the extra {extra} is not installed")
    found = set(pins.sections()[extra])
    assert found == pins.needed_indirectly(extra), "run: make pins"


def test_no_package_is_pinned_twice():
    assert not set(pins.direct()) & set(pins.indirect())
    assert set(pins.sections()) == {pins.COURSE, *pins.extras()}
    for listed in pins.extras().values():
        assert listed and not set(listed) & set(pins.direct())
    for pinned in pins.sections().values():
        assert pinned.items() <= pins.indirect().items()


def test_every_import_is_a_direct_dependency(imported_packages):
    assert imported_packages <= set(pins.direct()) | set(for_few())


def test_every_direct_dependency_is_imported(imported_packages):
    assert set(pins.direct()) <= imported_packages | set(NOT_IMPORTED)


def test_what_is_not_imported_is_used():
    assert set(NOT_IMPORTED) <= set(pins.direct())
    for place, words in NOT_IMPORTED.values():
        texts = python_files(place) or [read(place)]
        assert any(words in text for text in texts), words


def test_pip_brings_what_helpers_import():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    asked = list(map(Requirement, project["dependencies"]))
    pinned = pins.direct()
    assert all(pinned[each.name] in each.specifier for each in asked)
    found = set().union(*map(imported, python_files("helpers")))
    names = {"IPython": "ipython", "PIL": "pillow"}
    foreign = found - sys.stdlib_module_names - {"helpers"}
    assert {names.get(each, each) for each in foreign} == {
        each.name for each in asked
    }


def test_the_range_of_pythons_is_the_same_everywhere():
    low, high = pins.MINORS[0], pins.MINORS[-1]
    conda = f"  - python>=3.{low},<3.{high + 1}\n"
    assert conda in read("environment.yml")
    assert f"Python 3.{low} to 3.{high}," in read("README.md")
    assert f'requires-python = ">=3.{low}"' in read("pyproject.toml")
    assert install.PYTHONS == ((3, low), (3, high))
    assert f"sys.version_info[:2] < (3, {low})" in read(".ci/run")
    matrix = re.search(
        r"python: (\[.*\])", read(".github/workflows/tests.yml")
    )
    assert json.loads(matrix[1]) == [f"3.{minor}" for minor in pins.MINORS]

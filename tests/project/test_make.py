"""Test how make builds the environment, with a Python that only pretends."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pins
import pytest

ROOT = Path(__file__).parents[1]
# What it is asked goes to calls.txt; the file `fail` names what must go wrong.
# In shell, which starts in a tenth of the time that Python takes.
FAKE = f"""\
#!/bin/sh
if [ "$1" = -c ]; then
    exec "{sys.executable}" -IS "$FAKE_ROOT/check.py" "$2"
fi
echo "$PWD\\$ $*" >> "$FAKE_ROOT/calls.txt"
if [ "$1 $2" = "-m venv" ]; then
    mkdir -p .venv/bin
    cp "$FAKE_ROOT/bin/python3" .venv/bin/python
fi
read -r fail < "$FAKE_ROOT/fail"
case "$*" in *"$fail"*)
    echo "pip: no luck" >&2
    exit 1
esac
"""
CHECK = """\
import sys
sys.version_info = {version}
if {no_venv}:
    sys.modules["ensurepip"] = None
exec(sys.argv[1])
"""
WITHOUT_MAKE = shutil.which("make") is None
pytestmark = pytest.mark.skipif(WITHOUT_MAKE, reason="make is not installed")


class Course:
    """A copy of what make reads, and a fake python3 that comes first."""

    def __init__(self, folder):
        self.folder = folder
        self.python()
        self.fail("nothing")
        for name in ("Makefile", "environment.yml", "constraints.txt"):
            shutil.copy(ROOT / name, folder)
        (folder / "pyproject.toml").touch()
        (folder / "notebooks").mkdir()

    def python(self, version=(3, 12, 1), no_venv=False):
        (self.folder / "check.py").write_text(
            CHECK.format(version=version, no_venv=no_venv)
        )
        path = self.folder / "bin" / "python3"
        path.parent.mkdir(exist_ok=True)
        path.write_text(FAKE)
        path.chmod(0o755)

    def fail(self, words):
        (self.folder / "fail").write_text(f"{words}\n")

    def make(self, *arguments):
        """Run make; return its exit status, what it said and who it called."""
        calls = self.folder / "calls.txt"
        calls.write_text("")
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        # A make above this one must not hand its own settings down.
        environ = {k: v for k, v in os.environ.items() if "MAKE" not in k}
        done = subprocess.run(
            ["make", *arguments],
            cwd=self.folder,
            env=environ | {"PATH": path, "FAKE_ROOT": str(self.folder)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            stdout=subprocess.PIPE,
            text=True,
            timeout=60,
        )
        said = [
            line for line in done.stdout.splitlines() if line[:6] == "make: "
        ]
        said = [line for line in said if "***" not in line]
        return done.returncode, said, calls.read_text().splitlines()


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    return Course(folder)


def test_help_is_the_default_and_builds_nothing(course):
    status, said, calls = course.make()
    assert (status, said, calls) == (0, [], [])


def test_the_first_use_installs_exactly_the_pip_list(course):
    status, said, calls = course.make("lint")
    folder = str(course.folder)
    torch = f"torch=={pins.direct()['torch']}"
    pip_list = [f"{name}=={v}" for name, v in pins.direct().items()]
    installs = [call for call in calls if " pip install " in call]
    assert (status, said) == (0, [])
    assert calls[0] == f"{folder}$ -m venv --clear .venv"
    if sys.platform == "linux":
        assert installs[0].endswith(
            f"https://download.pytorch.org/whl/cpu {torch}"
        )
    words = " ".join(["-c constraints.txt", *pip_list])
    assert installs[-2] == f"{folder}$ -m pip install {words}"
    assert installs[-1].endswith("--no-deps --no-build-isolation -e .")


def test_nothing_is_built_again(course):
    course.make("lint")
    _, _, calls = course.make("lint")
    assert not [call for call in calls if "pip" in call or "venv" in call]


@pytest.mark.parametrize(
    "name", ["environment.yml", "constraints.txt", "pyproject.toml"]
)
def test_a_changed_list_is_installed_without_a_new_start(course, name):
    course.make("lint")
    stamp = course.folder / ".venv" / "installed"
    os.utime(stamp, (1, 1))
    for other in ("environment.yml", "constraints.txt", "pyproject.toml"):
        os.utime(course.folder / other, (0, 0))
    for made in stamp.parent.glob("made-*"):
        os.utime(made, (0, 0))
    assert not any("pip" in call for call in course.make("lint")[2])
    os.utime(course.folder / name, (2, 2))
    _, _, calls = course.make("lint")
    assert any("pip install" in call for call in calls)
    assert not any("-m venv" in call for call in calls)


def test_a_moved_folder_gets_a_new_environment(course):
    course.make("lint")
    moved = course.folder.rename(course.folder.with_name("moved here"))
    course.folder = moved
    assert any("-m venv --clear" in call for call in course.make("lint")[2])


@pytest.mark.parametrize("step", ["-c constraints.txt", "-e ."])
def test_a_failed_installation_says_so_and_is_tried_again(course, step):
    course.fail(step)
    for _ in range(2):
        status, said, calls = course.make("lab")
        assert status != 0
        assert said == [
            "make: the packages could not be installed;"
            " check the network and run make again."
        ]
        assert " -m pip install " in calls[-1]
    course.fail("nothing")
    status, _, calls = course.make("lab")
    assert status == 0 and calls[-1].endswith("notebooks$ -m jupyterlab")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch is small")
def test_without_the_cpu_index_the_pin_comes_from_pip(course):
    course.fail("--index-url")
    status, said, calls = course.make("lint")
    assert status == 0
    assert len(said) == 1 and "taking pip's own" in said[0]
    assert any("pip install -c constraints.txt" in call for call in calls)


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 9), (3, 14, 0)])
def test_an_unsuitable_python_is_named_with_the_way_out(course, version):
    course.python(version=version)
    status, said, calls = course.make("test")
    assert status != 0 and calls == []
    (line,) = said
    assert f"python3 is Python {version[0]}.{version[1]}" in line
    assert "make lab PYTHON=python3.12" in line


def test_a_missing_venv_names_the_package_to_install(course):
    course.python(no_venv=True)
    status, said, calls = course.make("lab")
    assert status != 0 and calls == []
    (line,) = said
    assert "sudo apt install python3-venv" in line


def test_a_python_that_is_not_there_is_named(course):
    status, said, calls = course.make("lab", "PYTHON=python3.99")
    assert status != 0 and calls == []
    (line,) = said
    assert "there is no python3.99" in line


def test_lab_starts_in_the_notebooks_and_hands_arguments_on(course):
    _, _, calls = course.make("lab", "ARGS=--no-browser --port=8899")
    notebooks = course.folder / "notebooks"
    assert calls[-1] == f"{notebooks}$ -m jupyterlab --no-browser --port=8899"


@pytest.mark.parametrize("part", ["ruff check", "ruff format", "--nbval"])
def test_one_failing_part_fails_the_test_command(course, part):
    assert course.make("test")[0] == 0
    course.fail(part)
    assert course.make("test")[0] != 0

"""What make builds and starts; nothing is installed here."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.author import pins
from tools.learner import install

ROOT = Path(__file__).parents[2]
LISTS = "environment.yml", "constraints.txt", "pyproject.toml"
STAMP = Path(".venv") / "made"
needs_make = pytest.mark.skipif(
    shutil.which("make") is None or sys.platform == "win32",
    reason="make is not installed, or would look for .venv/bin",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of what make reads, in a folder that is hard to quote."""
    folder = tmp_path / "a folder with späces"
    (folder / "tools" / "learner").mkdir(parents=True)
    (folder / "notebooks").mkdir()
    for name in ("Makefile", "tools/learner/install.py", *LISTS):
        shutil.copy(ROOT / name, folder / name)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def calls(folder, monkeypatch):
    """Commands that install would run; those with `calls.fail` fail."""
    calls = SimpleNamespace(made=[], fail=None, words="ERROR: No luck")
    calls.seconds = 0  # that each command takes

    def run(*command, env=None, **_):
        command = " ".join(map(str, command))
        calls.made.append(command)
        calls.env = env
        time.sleep(calls.seconds)
        if " -m venv " in command:
            STAMP.parent.mkdir(exist_ok=True)
        failed = calls.fail is not None and calls.fail in command
        return SimpleNamespace(
            returncode=int(failed), stderr=f"hm\n{calls.words}\nhint: none"
        )

    monkeypatch.setattr(install, "run", run)
    monkeypatch.delenv("MODEL", raising=False)
    return calls


def test_the_first_use_installs_exactly_the_pip_list(calls):
    install.main([STAMP])
    pip_list = [f"{name}=={v}" for name, v in pins.direct().items()]
    assert STAMP.exists()
    assert calls.made[0].endswith("-m venv --clear .venv")
    [file] = STAMP.parent.glob("share/jupyter/lab/settings/overrides.json")
    assert json.loads(file.read_text()) == install.SETTINGS
    pip = "-m pip install --quiet --no-compile -c constraints.txt"
    assert calls.made[-3].endswith(" ".join([pip, *pip_list]))
    assert calls.made[-2].endswith("--no-deps --no-build-isolation -e .")
    assert calls.made[-1].endswith("-m helpers.chat_model.fetch")
    if sys.platform == "linux":
        torch = f"torch=={pins.direct()['torch']}"
        assert calls.made[1].endswith(f"{install.CPU_INDEX} {torch}")


@pytest.mark.parametrize("name", LISTS)
def test_only_a_changed_list_is_installed_without_a_new_start(calls, name):
    install.main([STAMP])
    calls.made.clear()
    install.main([STAMP])
    assert calls.made == []
    later = STAMP.stat().st_mtime + 1
    os.utime(name, (later, later))
    install.main([STAMP])
    assert calls.made and not any("-m venv" in call for call in calls.made)


@pytest.mark.parametrize("step", ["-c constraints.txt", "-e ."])
def test_a_failure_says_what_pip_said_and_starts_anew(calls, step):
    for _ in range(2):
        calls.fail = step
        calls.made.clear()
        with pytest.raises(SystemExit, match="No luck\n.* MB free"):
            install.main([STAMP])
        assert "-m venv --clear" in calls.made[0]
    calls.fail = None
    install.main([STAMP])
    assert STAMP.exists()


def test_without_the_chat_model_all_is_installed(calls, monkeypatch):
    calls.fail = "chat_model"
    install.main([STAMP])
    assert install.is_newer(STAMP)
    monkeypatch.setenv("MODEL", "off")
    calls.made.clear()
    STAMP.unlink()
    install.main([STAMP])
    assert calls.made and not any("chat_model" in c for c in calls.made)


def test_who_stops_the_chat_model_keeps_the_environment(calls, monkeypatch):
    def stop(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(install, "bring_model", stop)
        with pytest.raises(SystemExit, match="run make again"):
            install.main([STAMP])
    calls.made.clear()
    install.main([STAMP])
    assert not any("-m venv" in call for call in calls.made)
    assert "chat_model" in calls.made[-1] and install.is_newer(STAMP)


def test_a_stick_brings_the_chat_model_without_a_network(calls):
    install.main(["--model"])
    assert "PIP_NO_INDEX" not in calls.env
    install.WHEELS.mkdir()
    install.main(["--model"])
    assert calls.env["PIP_FIND_LINKS"] == "wheels"
    assert [*map(str.split, calls.made)] == [
        [sys.executable, "-m", "helpers.chat_model.fetch"]
    ] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch is small")
def test_without_the_cpu_index_the_pin_comes_from_pip(calls, capsys):
    calls.fail = "--index-url"
    install.main([STAMP])
    said = capsys.readouterr()
    assert "taking pip's own, which is several GB." in said.out
    assert said.err == ""
    assert STAMP.exists()


@pytest.mark.parametrize(
    "windows, way_out", [(False, "PYTHON=python3"), (True, "py -3")]
)
def test_a_python_that_is_too_old_is_named_with_the_way_out(
    calls, monkeypatch, windows, way_out
):
    monkeypatch.setattr(sys, "version_info", (3, 10, 9))
    monkeypatch.setattr(install, "WINDOWS", windows)
    with pytest.raises(SystemExit, match=rf"3\.10 .*{way_out}"):
        install.main([STAMP])
    assert calls.made == []


def test_a_newer_python_is_tried(calls, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    install.main([STAMP])
    assert "trying it with Python 3.15" in capsys.readouterr().out
    assert STAMP.exists()
    calls.fail = "-c constraints.txt"
    calls.words = "ERROR: No matching distribution found for torch==2.13.0"
    STAMP.unlink()
    with pytest.raises(SystemExit, match=r"torch==2\.13\.0 cannot .* 3\.15"):
        install.main([STAMP])


@pytest.mark.parametrize("user, command", [(0, "apt"), (1000, "sudo apt")])
def test_a_missing_venv_names_the_package_to_install(
    calls, monkeypatch, user, command
):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    with pytest.raises(SystemExit, match=f"run: {command} install python3-v"):
        install.main([STAMP])
    assert calls.made == []


@pytest.mark.parametrize(
    "broken, way_out", [("home", "HOME="), (".venv", "of your own")]
)
def test_where_nothing_can_be_written_nothing_is_installed(
    calls, folder, monkeypatch, broken, way_out
):
    (folder / broken).write_text("a file where a folder should be")
    monkeypatch.setenv("HOME", str(folder / "home"))
    with pytest.raises(SystemExit, match=f"written to .*{broken}.*{way_out}"):
        install.main([STAMP])
    assert calls.made == []


def test_who_stops_the_installation_learns_how_to_go_on(calls, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(install, "pip", stop)
    with pytest.raises(SystemExit, match="make: stopped; run make again"):
        install.main([STAMP])
    assert not STAMP.exists()


def test_a_word_that_install_does_not_know_installs_nothing(calls):
    with pytest.raises(SystemExit, match="--here"):
        install.main(["--help"])
    assert calls.made == []


def test_of_two_at_once_one_builds(calls):
    calls.seconds = 0.1
    pair = [
        threading.Thread(target=install.main, args=[[STAMP]]) for _ in "ab"
    ]
    for each in pair:
        each.start()
    for each in pair:
        each.join()
    assert len([call for call in calls.made if "-m venv" in call]) == 1
    assert len([call for call in calls.made if call.endswith("-e .")]) == 1


# The Makefile


def make(*arguments):
    """What make says, and what it would run."""
    # A make above this one must not hand its own settings down.
    environ = {k: v for k, v in os.environ.items() if "MAKE" not in k}
    return subprocess.run(
        ["make", *arguments],
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
    )


@needs_make
def test_arguments_are_handed_on(folder):
    said = make("-n", "lab", "ARGS=--no-browser --port=8899").stdout
    assert "-m tools.learner.lab --no-browser --port=8899\n" in said
    said = make("-n", "lab", "COPIES=student", "PROGRESS=off").stdout
    assert "COURSE_COPIES=student COURSE_PROGRESS=off " in said
    said = make("-n", "fresh", "NOTEBOOK=03 05", "ARGS=--all-newer").stdout
    assert "\t03 05 --all-newer\n" in said
    said = make("-n", "class", "ARGS=handed in").stdout
    assert "tools.learner.progress handed in\n" in said


@needs_make
def test_a_python_that_is_not_there_is_named(folder):
    done = make("lab", "PYTHON=python3.99")
    assert done.returncode != 0
    assert "there is no python3.99 here" in done.stderr


@needs_make
def test_one_failing_part_fails_the_test_command(folder):
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch(0o755)
    stamp = make("-n", "lab").stdout.split("install.py ")[1].split()[0]
    (folder / stamp).touch()
    for part in ("ruff check", "ruff format", "pytest", "nothing"):
        fails = f'case "$*" in *"{part}"*) exit 1; esac'
        python.write_text(f"#!/bin/sh\n{fails}\n")
        assert (make("test").returncode == 0) == (part == "nothing")

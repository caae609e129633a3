"""What Binder, a dev container and those who cite read."""

import json
import re
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.author import pins

ROOT = Path(__file__).parents[2]


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
    for name in (
        ".binder/runtime.txt",
        ".devcontainer/Dockerfile",
        "teaching/hub/Dockerfile",
    ):
        [minor] = re.findall(r"(?m)^(?:FROM )?python[-:]3\.(\d+)$", read(name))
        assert int(minor) in pins.MINORS


def test_binder_installs_the_pins_makes_copies_and_takes_one_thread():
    commands = re.findall(r"(?m)^python (.*)$", read(".binder/postBuild"))
    install, copies = "tools/learner/install.py", "tools.learner.copies"
    assert commands == [f"{install} --here", f"-m {copies}"]
    assert (ROOT / install).exists() and find_spec(copies)
    start = read(".binder/start").splitlines()
    assert start[-2:] == ["export OMP_NUM_THREADS=1", 'exec "$@"']


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


def test_the_image_has_what_the_trial_hub_has():
    """Its steps are those of Binder and the hub; its hooks are in it."""
    image = read("teaching/hub/Dockerfile")
    hub = read("teaching/hub/jupyterhub_config.py")
    assert "python tools/learner/install.py --here" in image
    assert '".[hub]"' in image and pins.extras()["hub"]
    hooks = re.search(
        r"GIT_CONFIG_VALUE_0=/opt/attention-measured/(\S+)", image
    )
    assert (ROOT / hooks[1] / "post-index-change").exists()
    for name in ("GIT_CONFIG_KEY_0", "OMP_NUM_THREADS", "COURSE_COPIES"):
        assert name in image and name in hub


def test_limits_on_kubernetes_are_those_that_were_measured():
    values = read("teaching/hub/kubernetes.yaml")
    [limit] = re.findall(r"limit: (\d)G", values)
    assert f"A limit of {limit} GB" in read("teaching/hub.md")


def test_who_cites_finds_what_is_true():
    citation = dict(re.findall(r"(?m)^([a-z-]+): (.+)$", read("CITATION.cff")))
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert citation["version"] == project["version"]
    assert read("LICENSE").startswith(f"{citation['license']} License\n")
    [author] = re.findall(r"(?m)^  - name: (.+)$", read("CITATION.cff"))
    assert f" {author}\n" in read("LICENSE")
    title = citation["title"].strip('"')
    assert read("README.md").startswith(f"# {title}\n")

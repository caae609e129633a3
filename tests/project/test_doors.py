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
TRIAL = "jupyterhub_config.py"


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


def test_the_image_installs_what_the_trial_hub_has():
    image = read("teaching/hub/Dockerfile")
    assert "python tools/learner/install.py --here" in image
    assert '".[hub]"' in image and pins.extras()["hub"]


@pytest.mark.parametrize("name", ["Dockerfile", "tljh.py"])
def test_a_real_hub_sets_for_learners_what_the_trial_sets(name):
    """The environment of their servers, and nothing for the whole system."""
    text, trial = read(f"teaching/hub/{name}"), read(f"teaching/hub/{TRIAL}")
    pattern = r"\b(GIT_CONFIG_\w+|COURSE_\w+|OMP_\w+)\b"
    assert set(re.findall(pattern, text)) == set(re.findall(pattern, trial))
    [hooks] = re.findall(r"/opt/attention-measured/(teaching[^\s\"]+)", text)
    assert (ROOT / hooks / "post-index-change").exists()
    assert "--system" not in text + read("teaching/many_learners.md")


def test_docker_leaves_out_what_git_ignores_and_the_history():
    """Git looks for a name in all folders, Docker only where it is told to."""
    wanted = [".git"]
    for line in read(".gitignore").split():
        anchored = "/" in line.rstrip("/")
        wanted.append("**/" * (not anchored) + line.strip("/"))
    assert read(".dockerignore").split() == wanted
    assert not set("!#") & set("".join(wanted))  # these would need more rules


def test_kubernetes_waits_for_a_login_and_has_the_measured_limit():
    values = read("teaching/hub/kubernetes.yaml")
    [login] = re.findall(r"authenticator_class: (\S+)", values)
    assert login.isupper()
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

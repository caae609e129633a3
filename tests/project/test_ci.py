"""CI runs the README's test command, with nothing that it need not have."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github/workflows"
WORKFLOWS = {p.stem: p.read_text("utf-8") for p in FOLDER.glob("*.yml")}
RUN = (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_both_run_the_test_command_of_the_readme():
    assert "\nmake test " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\n      - run: make test\n" in WORKFLOWS["tests"]
    assert re.search(r"(?m)^exec make test PYTHON=\S+$", RUN)


def test_windows_does_without_make():
    """What the README says to do there, then tests and every cell."""
    windows = WORKFLOWS["tests"].split("\n  windows:\n")[1]
    runs = re.findall(r"(?m)^ +- run: (.*)$", windows)
    assert runs[0] == "python tools/learner/install.py"
    assert all(
        line.startswith(r".venv\Scripts\python -m ") for line in runs[1:]
    )
    assert "runs-on: windows-latest\n" in windows and "make" not in windows


def test_the_browser_test_keeps_its_screenshots():
    assert "\n      - run: make browser\n" in WORKFLOWS["browser"]
    assert "path: tests/browser/screenshots\n" in WORKFLOWS["browser"]


def test_the_web_page_is_built_always_and_published_from_main():
    build, publish = WORKFLOWS["site"].split("\n  publish:\n")
    assert "\n      - run: make site\n" in build and "path: site\n" in build
    assert "    if: github.ref == 'refs/heads/main'\n" in publish
    assert "pages: write" in publish and "write" not in build


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned_and_hold_no_credentials(name):
    text = WORKFLOWS[name]
    used = re.findall(r"(?m)^ *(?:- )?uses: (.*)$", text)
    pinned = r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert used and all(re.fullmatch(pinned, line) for line in used)
    assert text.count("actions/checkout@") == text.count(
        "persist-credentials: false"
    )
    assert "permissions:\n  contents: read\n" in text
    assert "\nconcurrency:\n" in text

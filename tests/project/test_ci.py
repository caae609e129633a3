"""CI runs the README's test command, with nothing that it need not have."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORKFLOW = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
RUN = (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_both_run_the_test_command_of_the_readme():
    assert "\nmake test " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert WORKFLOW.rstrip().endswith("- run: make test")
    assert re.search(r"(?m)^exec make test PYTHON=\S+$", RUN)


def test_actions_are_pinned_and_hold_no_credentials():
    used = re.findall(r"(?m)^ *- uses: (.*)$", WORKFLOW)
    pinned = r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert used and all(re.fullmatch(pinned, line) for line in used)
    assert "persist-credentials: false" in WORKFLOW
    assert "permissions:\n  contents: read\n" in WORKFLOW
    assert "\nconcurrency:\n" in WORKFLOW

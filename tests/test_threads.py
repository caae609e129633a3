"""Every process that imports helpers computes with one thread."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
for name in sys.argv[1].split():
    __import__(name)
from threadpoolctl import threadpool_info
found = {pool["num_threads"] for pool in threadpool_info()}
if "torch" in sys.modules:
    found.add(sys.modules["torch"].get_num_threads())
print(*found)
"""


@pytest.mark.parametrize(
    "order, asked",
    [
        ("numpy torch helpers", None),
        ("numpy helpers", "2"),
        ("numpy helpers", ""),
    ],
)
def test_one_thread_unless_asked_otherwise(order, asked):
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith("_NUM_THREADS")
    }
    if asked is not None:
        environment["OMP_NUM_THREADS"] = asked
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, order],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == [asked or "1"]

"""What all tests share: repeatable random numbers, no deadlines."""

import gc
import sys
from pathlib import Path

import numpy as np
import pytest

try:
    from hypothesis import settings
except ImportError:  # the mutants run without plugins, and need none
    pass
else:
    settings.register_profile(
        "course",
        derandomize=True,
        deadline=None,
        database=None,
        max_examples=60,
    )
    settings.load_profile("course")


sys.path.append(str(Path(__file__).parents[1] / "tools"))

# Left alone, the search for garbage takes a tenth of the time or more.
gc.set_threshold(100_000)


@pytest.fixture
def rng():
    return np.random.default_rng(7)

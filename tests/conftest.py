"""What all tests share: repeatable random numbers, no deadlines."""

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


@pytest.fixture
def rng():
    return np.random.default_rng(7)

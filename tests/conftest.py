"""What all tests share: repeatable random numbers, no deadlines."""

import gc
import os

import numpy as np
import pytest

try:
    from hypothesis import Phase, settings
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
    # Of a planted mistake any example will do, and need not be made smaller.
    settings.register_profile(
        "mutants",
        settings.get_profile("course"),
        phases=[Phase.explicit, Phase.generate],
    )
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "course"))


# Left alone, the search for garbage takes a tenth of the time or more.
gc.set_threshold(100_000)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def fill_disk(monkeypatch):
    """A function; after its call nothing more can be written."""

    def full(_):
        raise OSError(28, "No space left on device")

    return lambda: monkeypatch.setattr(os, "fsync", full)


@pytest.fixture
def check_slopes():
    """Compare the gradients of a model with differences of its loss."""

    def check(model, *batch, step=1e-6):
        _, gradients = model.loss_and_gradients(*batch)
        assert gradients.keys() == model.parameters.keys()
        rng = np.random.default_rng(8)
        for name, array in model.parameters.items():
            toward, kept, losses = rng.normal(size=array.shape), +array, []
            for sign in (1, -1):
                array[...] = kept + sign * step * toward
                losses.append(model.loss_and_gradients(*batch)[0])
            array[...] = kept
            slope = (losses[0] - losses[1]) / (2 * step)
            found = (gradients[name] * toward).sum()
            assert found == pytest.approx(slope, abs=1e-7), name

    return check

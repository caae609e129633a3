"""What slope_by_hand.txt takes from Python."""

import functools

import numpy as np

from helpers.checks.steps.tools import table

LEAST, MOST, SCALE = 4e-4, 1.5e-3, 1000.0
NO_SLOPES = "the model of this check returns no slopes"


class _NoSlopes(dict):
    """Slopes that nobody can read: they are to be measured."""

    def __missing__(self, name):
        raise KeyError(NO_SLOPES)


class FlatModel:
    """A model whose loss is a straight line, from a small step to a larger.

    Steps of less than `LEAST` count three times, and beyond `MOST` it bends.
    """

    def __init__(self, w, b):
        self.parameters = {"w": np.array(w), "b": np.array(b)}
        self._start = {"w": np.array(w), "b": np.array(b)}

    def __repr__(self):
        return "a tiny model"

    def copy(self):
        """Return a model of its own, with the same numbers."""
        return FlatModel(**self.parameters)

    def loss_and_gradients(self, x, y, scale):
        """Return the mean distance times `scale`, and no slopes.

        x (B, d), y (B, k). With a large scale, a rise can be told from 0.
        """
        seen, bent = {}, 0.0
        for name, start in self._start.items():
            moved = self.parameters[name] - start
            seen[name] = start + moved * np.where(np.abs(moved) < LEAST, 3, 1)
            bent += np.maximum(np.abs(moved) - MOST, 0).sum()
        off = x @ seen["w"] + seen["b"] - y  # (B, k)
        return scale * (np.abs(off).mean() + 3 * bent), _NoSlopes()


class Batch(tuple):
    """A batch with a short name."""

    def __repr__(self):
        return "a batch"


def task(seed, d, k):
    """Return a model with d times k numbers, and a batch far from it."""
    x, y = table(seed + 2, 4, d), 50 + table(seed + 3, 4, k)
    batch = Batch((x, y, SCALE))
    return FlatModel(table(seed, d, k), table(seed + 1, k)), batch


def with_arrays(function):
    """Return a function that also returns the arrays of the model."""

    @functools.wraps(function)
    def answer(model, *others):
        slope = function(model, *others)
        if slope is None or slope is ... or isinstance(slope, tuple):
            return slope
        return slope, model.parameters["w"], model.parameters["b"]

    return answer

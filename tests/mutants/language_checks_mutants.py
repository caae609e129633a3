"""Mistakes in the checks of notebook 06."""

import numpy as np
from planting import mutant


@mutant("checks.steps.tools:Part.__call__", "checks/test_answers_06.py")
def parts_give_back_what_they_take(right, self, x):
    return np.asarray(x, float)

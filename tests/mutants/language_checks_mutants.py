"""Mistakes in the checks of notebook 06."""

import numpy as np
from planting import mutant


@mutant("checks.exercises.depends_on:Layer.__call__",
        "checks/test_answers_06.py")  # fmt: skip
def every_layer_takes_words_alone(right, self, x):
    return np.asarray(x, float)


@mutant("checks.exercises.block:Part.__call__", "checks/test_answers_06.py")
def the_parts_of_a_block_do_nothing(right, self, x):
    return np.asarray(x, float)

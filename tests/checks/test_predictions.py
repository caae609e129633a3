"""A guess stands beside what was measured, whatever the guess is."""

import numpy as np
import pytest

from helpers import checks

CASES = [
    (..., 0.5, "○ no prediction yet. Measured: 0.50"),
    (None, "b", "○ no prediction yet. Measured: b"),
    (0.25, 0.5, "your prediction 0.25, measured 0.50: off by 0.25"),
    (1, np.float64(0.926), "your prediction 1, measured 0.93: off by 0.07"),
    (0, 0, "✓ your prediction 0, measured 0"),
    (0.5, 0.4996, "✓ your prediction 0.5, measured 0.50"),
    (3, 5, "your prediction 3, measured 5: off by 2.00"),
    (" Fox", "fox", "✓ your prediction:  Fox. Measured: fox"),
    (
        "Fox–jumps",
        "fox jumps",
        "✓ your prediction: Fox–jumps. Measured: fox jumps",
    ),
    ("dog", "fox", "→ your prediction: dog. Measured: fox"),
    ("half", 0.5, "→ your prediction: half. Measured: 0.50"),
    ([1, 2], 0.5, "→ your prediction: [1, 2]. Measured: 0.50"),
]


@pytest.mark.parametrize("guess, measured, said", CASES)
def test_a_guess_beside_the_measured(guess, measured, said, capsys):
    checks.prediction(guess, measured)
    assert capsys.readouterr().out == said + "\n"


def test_decimals(capsys):
    checks.prediction(0.5, 0.1234, decimals=3)
    assert capsys.readouterr().out.endswith("measured 0.123: off by 0.377\n")

"""A guess stands beside what was measured, whatever the guess is."""

from fractions import Fraction

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
    (3, 5, "your prediction 3, measured 5: off by 2"),
    (
        90,
        0.914,
        "your prediction 90, measured 0.91: off by 89.09. In percent? 90 % is"
        " 0.9",
    ),
    (3, 0.5, "your prediction 3, measured 0.50: off by 2.50"),
    (50, 2.3, "your prediction 50, measured 2.30: off by 47.70"),
    (5, 1, "your prediction 5, measured 1: off by 4"),
    (" Fox", "fox", "✓ your prediction: Fox. Measured: fox"),
    (
        "Fox–jumps",
        "fox jumps",
        "✓ your prediction: Fox–jumps. Measured: fox jumps",
    ),
    ("dog", "fox", "→ your prediction: dog. Measured: fox"),
    (
        np.array(0.25),
        0.5,
        "your prediction 0.25, measured 0.50: off by 0.25",
    ),
    (Fraction(1, 2), 0.5, "✓ your prediction 0.5, measured 0.50"),
    *[  # names of the notebook, typed without quotes
        (
            guess,
            "fox",
            "→ a word in quotes, please, not something of type"
            f" {type(guess).__name__}. Measured: fox",
        )
        for guess in ([1, 2], 3, np.ones(2), np, np.dot)
    ],
    ("half", 0.5, "→ a number, please, not 'half'. Measured: 0.50"),
    ("0.5", 0.5, "→ a number, please, not '0.5'. Measured: 0.50"),
    ([1, 2], 0.5, "→ a number, please, not [1, 2]. Measured: 0.50"),
    (float("nan"), 0.5, "→ a number, please, not nan. Measured: 0.50"),
    (10**400, 3, f"→ a number, please, not 1{'0' * 38}…. Measured: 3"),
]


@pytest.mark.parametrize("guess, measured, said", CASES)
def test_a_guess_beside_the_measured(guess, measured, said, capsys):
    checks.prediction(guess, measured)
    assert capsys.readouterr().out == said + "\n"


def test_decimals(capsys):
    checks.prediction(0.5, 0.1234, decimals=3)
    assert capsys.readouterr().out.endswith("measured 0.123: off by 0.377\n")


@pytest.mark.parametrize(
    "measured, said",
    [
        (0.5, "a number, please, not"),
        ("fox", "a word in quotes, please, not something of type"),
    ],
)
def test_a_guess_that_cannot_even_be_shown(measured, said, capsys):
    class Broken:
        def __repr__(self):
            raise RuntimeError

    checks.prediction(Broken(), measured)
    assert capsys.readouterr().out.startswith(f"→ {said} Broken. Measured: ")
    checks.prediction("\ud800\x1b[2J\u2028\u202e", measured)
    assert capsys.readouterr().out.removesuffix("\n").isprintable()

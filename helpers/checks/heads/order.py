"""Exercise: tell a word where it stands."""

import numpy as np

from helpers import positions
from helpers.checks.heads import waves
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import table


def _add(x):
    return x + positions.sinusoidal_positions(*x.shape[-2:])


def _adding(wave):
    return lambda x: x + wave(*x.shape[-2:])


_ALONE = "Added to the words, position 0 adds 0, 1, 0, 1 and so on."

add_positions = Exercise(
    name="add_positions",
    call="add_positions(x)",
    reference=_add,
    results=("x with positions",),
    shape="one row per word, d_model columns, as x",
    probes=(
        Probe("4 words of width 4", (table(481, 4, 4),)),
        Probe("3 words of width 6", (table(482, 3, 6),)),
        Probe("6 words of width 8", (table(483, 6, 8),)),
        Probe("20 words of width 10, all zeros", (np.zeros((20, 10)),)),
        Probe("one word", (table(484, 1, 4),), "hard"),
        Probe("width 2", (table(485, 5, 2),), "hard"),
        Probe("2 sentences at once", (table(486, 2, 3, 4),), "beyond"),
    ),
    bugs=(
        Bug(
            "all sines come first, then all cosines",
            _adding(waves.halves),
            "Some libraries do it so, and it works as well; but the paper,"
            " and this exercise, take sine and cosine in turn: columns 2i"
            " and 2i + 1 are a pair with one frequency.",
        ),
        Bug(
            "sine and cosine have changed places",
            _adding(waves.cosine_first),
            "Even columns are sines. " + _ALONE,
        ),
        Bug(
            "sine and cosine of a pair have different frequencies",
            _adding(waves.each_column),
            "Both columns of a pair share one angle. Only then is a step of k"
            " positions a rotation, the same from everywhere.",
        ),
        Bug(
            "there are no cosines",
            _adding(waves.one_wave(np.sin)),
            "A sine alone does not say where on the wave you are: it passes"
            " each height twice.",
        ),
        Bug(
            "there are no sines",
            _adding(waves.one_wave(np.cos)),
            "A cosine alone does not say where on the wave you are.",
        ),
        Bug(
            "the base is 100, or the exponent is half of what it should be",
            _adding(waves.with_exponent(0.5)),
            "Both give the same numbers. The base is 10000 (the course's own"
            " sentences take 100, this exercise does not). The pair in columns"
            " 2i and 2i + 1 has the exponent 2i / d_model, and i counts pairs."
            " np.arange(0, d_model, 2) is 2i already.",
        ),
        Bug(
            "the base is not 10000",
            tuple(
                _adding(waves.with_base(base))
                for base in (10, 1000, 100_000, 1_000_000, 2, np.e)
            ),
            "The frequencies fall from 1 toward 1 / 10000.",
        ),
        Bug(
            "the angles are in degrees",
            (
                _adding(waves.scaled(180 / np.pi)),
                _adding(waves.scaled(np.pi / 180)),
            ),
            "np.sin and np.cos take radians, and t / 10000 ** (2i / d_model)"
            " is in radians already.",
        ),
        Bug(
            "one column of each pair stays empty",
            (
                _adding(waves.one_column_of_two(1)),
                _adding(waves.one_column_of_two(0)),
            ),
            "Even columns (0::2) get sines, odd columns (1::2) cosines of the"
            " same angles.",
        ),
        Bug(
            "the positions are subtracted",
            lambda x: 2 * x - _add(x),
            "The result is x + positions.",
        ),
        Bug(
            "the exponent is twice what it should be",
            _adding(waves.with_exponent(2)),
            "np.arange(0, d_model, 2) is 2i already.",
        ),
        Bug(
            "the waves get faster from left to right",
            _adding(waves.with_exponent(-1)),
            "Divide by 10000 ** (2i / d_model), do not multiply: the first"
            " pair is the fastest.",
        ),
        Bug(
            "the positions start at 1",
            _adding(
                lambda t, d: waves.interleaved(waves.angles_of(t, d, start=1))
            ),
            "The first word stands at position 0. " + _ALONE,
        ),
        Bug(
            "these are the angles",
            _adding(lambda t, d: np.repeat(waves.angles_of(t, d), 2, axis=1)),
            "Take the sine of the angle for even columns, its cosine for odd"
            " ones.",
        ),
        Bug(
            "every word gets the same position",
            lambda x: x + positions.sinusoidal_positions(*x.shape[-2:])[:1],
            "The angle must grow from row to row.",
        ),
        Bug(
            "these are the positions alone",
            lambda x: _add(np.zeros_like(x)),
            "The word must stay in its vector: return x + positions.",
        ),
        Bug(
            "the words are multiplied by their positions",
            lambda x: x * _add(np.zeros_like(x)),
            "Positions are added. A product would wipe out every number"
            " whose wave passes through 0.",
        ),
        Bug(
            "the positions stand behind the words",
            lambda x: np.concatenate([x, _add(np.zeros_like(x))], axis=-1),
            "Side by side would work, too, but the width would double. Here"
            " they are added.",
        ),
        Bug(
            "x comes back unchanged",
            lambda x: x.copy(),
            "Add a wave to every row.",
        ),
    ),
    proves=(
        "Every row now says what the word is and where it stands, in one"
        " vector. The step from a place to the next is the same everywhere."
    ),
)

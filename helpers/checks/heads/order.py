"""Exercise: tell a word where it stands."""

import numpy as np

from helpers import positions
from helpers.checks.machinery import Bug, Exercise, Probe
from helpers.checks.probes import table


def _waves(angles):
    """(T, d_model/2) -> (T, d_model): sine and cosine in turn."""
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return both.reshape(len(angles), -1)


def _angles(length, d_model, exponent=None, start=0):
    if exponent is None:
        exponent = np.arange(0, d_model, 2) / d_model
    where = np.arange(start, start + length)[:, None]
    return where / 10_000**exponent


def _halves(length, d_model):
    angles = _angles(length, d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def _cosine_first(length, d_model):
    angles = _angles(length, d_model)
    both = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return both.reshape(length, -1)


def _each_column(length, d_model):
    angles = _angles(length, d_model, np.arange(d_model) / d_model)
    even = np.arange(d_model) % 2 == 0
    return np.where(even, np.sin(angles), np.cos(angles))


def _one_wave(wave):
    def waves(length, d_model):
        return wave(np.repeat(_angles(length, d_model), 2, axis=1))

    return waves


def _with_exponent(factor):
    def waves(length, d_model):
        exponent = factor * np.arange(0, d_model, 2) / d_model
        return _waves(_angles(length, d_model, exponent))

    return waves


def _with_base(base):
    def waves(length, d_model):
        exponent = np.arange(0, d_model, 2) / d_model
        return _waves(np.arange(length)[:, None] / base**exponent)

    return waves


def _scaled(factor):
    return lambda t, d: _waves(_angles(t, d) * factor)


def _one_column_of_two(first):
    def waves(length, d_model):
        both = _waves(_angles(length, d_model))
        both[:, first::2] = 0
        return both

    return waves


def _add(x):
    return x + positions.sinusoidal_positions(*x.shape[-2:])


def _adding(waves):
    return lambda x: x + waves(*x.shape[-2:])


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
            _adding(_halves),
            "Some libraries do it so, and it works as well; but the paper,"
            " and this exercise, take sine and cosine in turn: columns 2i"
            " and 2i + 1 are a pair with one frequency.",
        ),
        Bug(
            "sine and cosine have changed places",
            _adding(_cosine_first),
            "Even columns are sines. " + _ALONE,
        ),
        Bug(
            "sine and cosine of a pair have different frequencies",
            _adding(_each_column),
            "Both columns of a pair share one angle. Only then is a step of k"
            " positions a rotation, the same from everywhere.",
        ),
        Bug(
            "there are no cosines",
            _adding(_one_wave(np.sin)),
            "A sine alone does not say where on the wave you are: it passes"
            " each height twice.",
        ),
        Bug(
            "there are no sines",
            _adding(_one_wave(np.cos)),
            "A cosine alone does not say where on the wave you are.",
        ),
        Bug(
            "the base is 100, or the exponent is half of what it should be",
            _adding(_with_exponent(0.5)),
            "Both give the same numbers. The base is 10000 (the course's own"
            " sentences take 100, this exercise does not). The pair in columns"
            " 2i and 2i + 1 has the exponent 2i / d_model, and i counts pairs."
            " np.arange(0, d_model, 2) is 2i already.",
        ),
        Bug(
            "the base is not 10000",
            tuple(
                _adding(_with_base(base))
                for base in (10, 1000, 100_000, 1_000_000, 2, np.e)
            ),
            "The frequencies fall from 1 toward 1 / 10000.",
        ),
        Bug(
            "the angles are in degrees",
            (_adding(_scaled(180 / np.pi)), _adding(_scaled(np.pi / 180))),
            "np.sin and np.cos take radians, and t / 10000 ** (2i / d_model)"
            " is in radians already.",
        ),
        Bug(
            "one column of each pair stays empty",
            (_adding(_one_column_of_two(1)), _adding(_one_column_of_two(0))),
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
            _adding(_with_exponent(2)),
            "np.arange(0, d_model, 2) is 2i already.",
        ),
        Bug(
            "the waves get faster from left to right",
            _adding(_with_exponent(-1)),
            "Divide by 10000 ** (2i / d_model), do not multiply: the first"
            " pair is the fastest.",
        ),
        Bug(
            "the positions start at 1",
            _adding(lambda t, d: _waves(_angles(t, d, start=1))),
            "The first word stands at position 0. " + _ALONE,
        ),
        Bug(
            "these are the angles",
            _adding(lambda t, d: np.repeat(_angles(t, d), 2, axis=1)),
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

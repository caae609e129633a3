"""Notebook 04: tell each word where it stands."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import softmax, t, table

_ALONE = "Added to the words, position 0 adds 0, 1, 0, 1 and so on."


def _interleaved(even, odd):
    """Two tables (T, d/2) -> (T, d), columns in turn."""
    both = np.stack(np.broadcast_arrays(even, odd), axis=-1)
    return both.reshape(len(both), -1)


def _in_turn(even, odd):
    return lambda c: _interleaved(even(c.angles), odd(c.angles))


def _zero(angles):
    return 0 * angles


def _side_by_side(*parts):
    return lambda c: np.concatenate([f(c.angles) for f in parts], axis=1)


def _own_frequencies(c):
    """Give each column, not each pair, a frequency of its own."""
    angles = c.places / c.base ** (np.arange(c.x.shape[1]) / c.x.shape[1])
    even = np.arange(c.x.shape[1]) % 2 == 0
    return np.where(even, np.sin(angles), np.cos(angles))


_places = Step(
    "places",
    lambda c: np.arange(len(c.x))[:, None],
    Mistake(
        "the positions start at 1",
        "The first word stands at position 0. " + _ALONE,
        lambda c: np.arange(1, len(c.x) + 1)[:, None],
    ),
    Mistake(
        "every word gets the same position",
        "The angle must grow from row to row.",
        lambda c: np.zeros((len(c.x), 1)),
        lambda c: np.ones((len(c.x), 1)),
        lambda c: np.full((len(c.x), 1), len(c.x)),
    ),
    Mistake(
        "the positions run backward",
        "The first word stands at position 0, the last one at T - 1.",
        lambda c: np.arange(len(c.x))[::-1, None],
    ),
    Mistake(
        "the positions are divided by the length",
        "t counts words: 0, 1, 2 and so on, however long the sentence is.",
        lambda c: np.arange(len(c.x))[:, None] / len(c.x),
        lambda c: np.linspace(0, 1, len(c.x))[:, None],
    ),
)
_base = Step(
    "base",
    lambda c: 10_000.0,
    Mistake(
        "the base is not 10000",
        "The frequencies fall from 1 toward 1 / 10000. (The course's own"
        " sentences take 100, this exercise does not.)",
        *(
            lambda c, n=n: float(n)
            for n in (1000, 100_000, 1_000_000, 10, 2, np.e)
        ),
    ),
)
_exponents = Step(
    "exponents",
    lambda c: np.arange(0, c.x.shape[1], 2) / c.x.shape[1],
    Mistake(
        "the exponent is half of what it should be, or the base is 100",
        "Both give the same numbers. The base is 10000, and the pair in"
        " columns 2i and 2i + 1 has the exponent 2i / d_model, where i counts"
        " pairs. np.arange(0, d_model, 2) is 2i already.",
        lambda c: np.arange(c.x.shape[1] // 2) / c.x.shape[1],
    ),
    Mistake(
        "the exponent is twice what it should be",
        "np.arange(0, d_model, 2) is 2i already.",
        lambda c: 2 * np.arange(0, c.x.shape[1], 2) / c.x.shape[1],
    ),
    Mistake(
        "the exponents start one pair, or one column, too late",
        "The first pair has i = 0, so its exponent is 0.",
        lambda c: np.arange(2, c.x.shape[1] + 2, 2) / c.x.shape[1],
        lambda c: np.arange(1, c.x.shape[1], 2) / c.x.shape[1],
    ),
    Mistake(
        "the exponent is not divided by d_model",
        "The exponent 2i / d_model runs from 0 to nearly 1.",
        lambda c: np.arange(0, c.x.shape[1], 2),
        lambda c: np.arange(c.x.shape[1] // 2),
    ),
    Mistake(
        "the exponents reach 1",
        "The last exponent is (d_model - 2) / d_model, a little below 1.",
        lambda c: np.linspace(0, 1, c.x.shape[1] // 2),
        lambda c: np.arange(0, c.x.shape[1], 2) / (c.x.shape[1] - 1),
    ),
    Mistake(
        "the exponent is divided by the number of words",
        "It is divided by the width, d_model.",
        lambda c: np.arange(0, c.x.shape[1], 2) / len(c.x),
    ),
    Mistake(
        "all pairs have the same frequency",
        "The exponent 2i / d_model grows from pair to pair.",
        lambda c: np.zeros(c.x.shape[1] // 2),
        lambda c: np.ones(c.x.shape[1] // 2),
    ),
    Mistake(
        "the frequencies stand in reverse order",
        "The first pair is the fastest.",
        lambda c: np.arange(0, c.x.shape[1], 2)[::-1] / c.x.shape[1],
    ),
)
_angles = Step(
    "angles",
    lambda c: c.places / c.base**c.exponents,
    Mistake(
        "the waves get faster from left to right",
        "Divide by 10000 ** (2i / d_model), do not multiply: the first pair is"
        " the fastest.",
        lambda c: c.places * c.base**c.exponents,
    ),
    Mistake(
        "the power is taken at the wrong place",
        "Only 10000 is raised to 2i / d_model; then t is divided by that.",
        lambda c: (c.places / c.base) ** c.exponents,
        lambda c: c.places / (c.base * c.exponents),
        lambda c: c.places / c.base * c.exponents,
        lambda c: c.places / c.base,
        lambda c: c.places * c.exponents,
        lambda c: (
            c.places / (c.base ** (c.exponents * c.x.shape[1]) / c.x.shape[1])
        ),
        lambda c: c.places / (c.base**2 * c.exponents / 2),
    ),
    Mistake(
        "the angles are in degrees, or turns",
        "np.sin and np.cos take radians, and t / 10000 ** (2i / d_model) is in"
        " radians already.",
        *(
            lambda c, f=f: c.places / c.base**c.exponents * f
            for f in (180 / np.pi, np.pi / 180, 2 * np.pi, np.pi)
        ),
    ),
)
_waves = Step(
    "waves",
    _in_turn(np.sin, np.cos),
    Mistake(
        "all sines come first, then all cosines",
        "Some libraries do it so, and it works as well; but the paper, and"
        " this exercise, take sine and cosine in turn: columns 2i and 2i + 1"
        " are a pair with one frequency.",
        _side_by_side(np.sin, np.cos),
    ),
    Mistake(
        "all cosines come first, then all sines",
        "The paper, and this exercise, take sine and cosine in turn.",
        _side_by_side(np.cos, np.sin),
    ),
    Mistake(
        "sine and cosine have changed places",
        "Even columns are sines. " + _ALONE,
        _in_turn(np.cos, np.sin),
    ),
    Mistake(
        "sine and cosine of a pair have different frequencies",
        "Both columns of a pair share one angle. Only then is a step of k"
        " positions a rotation, the same from everywhere.",
        _own_frequencies,
        lambda c: _interleaved(
            np.sin(c.angles), np.cos(np.roll(c.angles, -1, axis=1))
        ),
    ),
    Mistake(
        "there are no cosines",
        "A sine alone does not say where on the wave you are: it passes each"
        " height twice.",
        _in_turn(np.sin, np.sin),
        _side_by_side(np.sin, np.sin),
    ),
    Mistake(
        "there are no sines",
        "A cosine alone does not say where on the wave you are.",
        _in_turn(np.cos, np.cos),
        _side_by_side(np.cos, np.cos),
    ),
    Mistake(
        "one column of each pair stays empty",
        "Even columns (0::2) get sines, odd columns (1::2) cosines of the same"
        " angles.",
        _in_turn(np.sin, _zero),
        _in_turn(_zero, np.cos),
        _in_turn(np.cos, _zero),
        _in_turn(_zero, np.sin),
    ),
    Mistake(
        "half of the columns stay empty",
        "Every column gets a wave: even ones sines, odd ones cosines.",
        _side_by_side(np.sin, _zero),
        _side_by_side(_zero, np.cos),
    ),
    Mistake(
        "sine and cosine are added up",
        "They stand in columns of their own: even ones and odd ones.",
        lambda c: np.repeat(np.sin(c.angles) + np.cos(c.angles), 2, axis=1),
    ),
    Mistake(
        "these are the angles",
        "Take the sine of the angle in even columns, the cosine in odd ones.",
        _in_turn(np.array, np.array),
        _side_by_side(np.array, np.array),
    ),
    Mistake(
        "the position itself is added, not its waves",
        "Even columns get the sine of an angle, odd ones its cosine.",
        lambda c: c.places + np.zeros(c.x.shape[1]),
        lambda c: c.places / len(c.x) + np.zeros(c.x.shape[1]),
        lambda c: (c.places + 1) / len(c.x) + np.zeros(c.x.shape[1]),
        lambda c: c.places / max(1, len(c.x) - 1) + np.zeros(c.x.shape[1]),
    ),
    Mistake(
        "a tangent takes the place of a wave",
        "Even columns get sines, odd columns cosines.",
        _in_turn(np.sin, np.tan),
        _in_turn(np.tan, np.cos),
    ),
    Mistake(
        "sine and cosine change from row to row, not from column to column",
        "Each row has both: sines in even columns, cosines in odd ones.",
        lambda c: np.where(
            np.arange(len(c.x))[:, None] % 2 == 0,
            np.sin(np.repeat(c.angles, 2, axis=1)),
            np.cos(np.repeat(c.angles, 2, axis=1)),
        ),
    ),
    Mistake(
        "the sign of a wave is turned around",
        "The waves are + sin and + cos.",
        _in_turn(lambda a: -np.sin(a), np.cos),
        _in_turn(np.sin, lambda a: -np.cos(a)),
    ),
)
_sum = Step(
    "sum",
    lambda c: c.x + c.waves,
    Mistake(
        "these are the positions alone",
        "The word must stay in its vector: return x + positions.",
        lambda c: c.waves,
    ),
    Mistake(
        "x comes back unchanged",
        "Add a wave to every row.",
        lambda c: c.x + 0.0,
    ),
    Mistake(
        "the positions are subtracted",
        "The result is x + positions.",
        lambda c: c.x - c.waves,
        lambda c: c.waves - c.x,
    ),
    Mistake(
        "the words are multiplied by their positions",
        "Positions are added. A product would wipe out every number whose wave"
        " passes through 0.",
        lambda c: c.x * c.waves,
        lambda c: c.x * (1 + c.waves),
    ),
    Mistake(
        "the positions stand behind the words",
        "Side by side would work, too, but the width would double. Here they"
        " are added.",
        lambda c: np.concatenate([c.x, c.waves], axis=-1),
        lambda c: np.concatenate([c.waves, c.x], axis=-1),
        lambda c: np.concatenate([c.x, c.waves], axis=0),
    ),
    Mistake(
        "the words or the positions are scaled before the sum",
        "The paper multiplies its embeddings by sqrt(d_model); here x and the"
        " positions are added as they are.",
        lambda c: c.x * np.sqrt(c.x.shape[1]) + c.waves,
        lambda c: c.x / np.sqrt(c.x.shape[1]) + c.waves,
        lambda c: c.x + c.waves / np.sqrt(c.x.shape[1]),
        lambda c: c.x + c.waves / c.x.shape[1],
        lambda c: (c.x + c.waves) / 2,
        *(lambda c, f=f: c.x + f * c.waves for f in (0.1, 0.01, 0.5)),
    ),
    Mistake(
        "the positions are added twice",
        "Once is enough.",
        lambda c: c.x + 2 * c.waves,
    ),
    Mistake(
        "only some rows get their position",
        "Every word gets its own wave.",
        lambda c: c.x + c.waves * (np.arange(len(c.x)) == 0)[:, None],
        lambda c: (
            c.x + c.waves * (np.arange(len(c.x)) < len(c.x) - 1)[:, None]
        ),
        lambda c: c.x + c.waves[-1:],
    ),
    Mistake(
        "the sum is normalized",
        "Nothing follows the sum.",
        lambda c: softmax(c.x + c.waves),
        lambda c: (
            (c.x + c.waves)
            / np.sqrt(((c.x + c.waves) ** 2).sum(axis=1, keepdims=True))
        ),
    ),
    Mistake(
        "rows and columns of the positions are exchanged",
        "t counts rows, i counts pairs of columns.",
        lambda c: c.x + t(c.waves),
    ),
)

add_positions = Exercise(
    name="add_positions",
    call="add_positions(x)",
    results=("x with positions",),
    shape="one row per word, d_model columns, as x",
    steps=(_places, _base, _exponents, _angles, _waves, _sum),
    probes=(
        Probe("4 words of width 4", (table(481, 4, 4),)),
        Probe("3 words of width 6", (table(482, 3, 6),)),
        Probe("6 words of width 8", (table(483, 6, 8),)),
        Probe("20 words of width 10", (table(487, 20, 10),)),
        Probe("one word", (table(484, 1, 4),), "edge"),
        Probe("width 2", (table(485, 5, 2),), "edge"),
    ),
    praise="Each row says what the word is and where it stands.",
)

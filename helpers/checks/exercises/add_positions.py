"""Notebook 04: tell each word where it stands."""

import re

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_FIRST = "Position 0 adds 0, 1, 0, 1 and so on."
_PAIR = "Even columns get sines, odd columns cosines of the same angles."


def _pairs(even, odd):
    """Two tables (T, d/2) -> (T, d), columns in turn."""
    both = np.stack(np.broadcast_arrays(even, odd), axis=-1)
    return both.reshape(len(both), -1)


def _in_turn(*pairs):
    for even, odd in pairs:
        yield lambda c, f=even, g=odd: _pairs(f(c.even), g(c.odd))


def _side_by_side(f, g):
    return lambda c: np.concatenate([f(c.even), g(c.odd)], axis=1)


def _zero(angles):
    return 0 * angles


def _own(c):
    """An angle for each column, not for each pair: (T, d)."""
    return c.places / c.base ** (np.arange(c.x.shape[1]) / c.x.shape[1])


def _twice(c):
    return np.arange(0, c.x.shape[1], 2)


def _rows(c):
    return np.arange(len(c.x))[:, None]


_places = Step(
    "places",
    _rows,
    Mistake(
        "the positions start at 1",
        f"The first word stands at position 0. {_FIRST}",
        lambda c: _rows(c) + 1,
    ),
    Mistake(
        "every word gets the same position",
        "The angle must grow from row to row.",
        lambda c: np.zeros((len(c.x), 1)),
        lambda c: np.full((len(c.x), 1), len(c.x)),
    ),
    Mistake(
        "every word gets the position of the last one",
        "In a loop, p[:, i] writes to all rows, and p[t, i] to one.",
        lambda c: 0 * _rows(c) + len(c.x) - 1,
    ),
    Mistake(
        "the positions run backward",
        "The first word stands at position 0, the last one at T - 1.",
        lambda c: _rows(c)[::-1],
    ),
)
_base = Step(
    "base",
    lambda c: 10_000.0,
    Mistake(
        "the base is not 10000",
        "The frequencies fall from 1 toward 1 / 10000. (The course's own"
        " sentences take 100, this exercise does not.)",
        *(lambda c, n=n: float(n) for n in (1000, 100_000, 10, 2)),
    ),
)
_exponents = Step(
    "exponents",
    lambda c: _twice(c) / c.x.shape[1],
    Mistake(
        "the exponent is half of what it should be, or the base is 100",
        "Half the exponent and base 100 give the same numbers. The base is"
        " 10000, and the exponent is 2i / d_model, where i counts pairs.",
        lambda c: _twice(c) / 2 / c.x.shape[1],
    ),
    Mistake(
        "the exponent is twice what it should be",
        "np.arange(0, d_model, 2) is 2i already. Or is it divided by half the"
        " width?",
        lambda c: 2 * _twice(c) / c.x.shape[1],
    ),
    Mistake(
        "i counts columns, not pairs",
        "Columns 2i and 2i + 1 are pair i: column 4 belongs to i = 2, and its"
        " exponent is 4 / d_model.",
        {
            "exponents": lambda c: 2 * _twice(c) / c.x.shape[1],
            "odd": lambda c: (
                c.places / c.base ** (2 * (_twice(c) + 1) / c.x.shape[1])
            ),
        },
    ),
    Mistake(
        "the exponents start one pair, or one column, too late",
        "The first pair has the exponent 0: its wave is the fastest.",
        lambda c: (_twice(c) + 2) / c.x.shape[1],
        lambda c: (_twice(c) + 1) / c.x.shape[1],
    ),
    Mistake(
        "the exponent is divided by the number of words",
        "It is divided by the width, d_model.",
        lambda c: _twice(c) / len(c.x),
    ),
    Mistake(
        "all pairs have the same frequency",
        "The exponent 2i / d_model grows from pair to pair. Is there a // in"
        " it?",
        lambda c: np.zeros(c.x.shape[1] // 2),
    ),
)
_even = Step(
    "even",
    lambda c: c.places / c.base**c.exponents,
    Mistake(
        "the waves get faster from left to right",
        "Divide by 10000 ** (2i / d_model), do not multiply.",
        lambda c: c.places * c.base**c.exponents,
    ),
    Mistake(
        "the division by d_model stands outside the exponent",
        "** comes before /: put 2i / d_model in parentheses.",
        lambda c: c.places / c.base ** _twice(c) / c.x.shape[1],
        lambda c: c.places / (c.base ** _twice(c) / c.x.shape[1]),
    ),
    Mistake(
        "the power is taken at the wrong place",
        "10000 is raised to 2i / d_model; then t is divided by that.",
        lambda c: (c.places / c.base) ** c.exponents,
        lambda c: c.places / (c.base * c.exponents),
        lambda c: c.places / c.base * c.exponents,
        lambda c: c.places * c.exponents,
    ),
    Mistake(
        "the angles are in degrees, or turns",
        "np.sin and np.cos take radians, and t / 10000 ** (2i / d_model) is in"
        " radians already.",
        *(
            lambda c, f=f: c.places / c.base**c.exponents * f
            for f in (180 / np.pi, np.pi / 180, 2 * np.pi)
        ),
    ),
)
_odd = Step(
    "odd",
    lambda c: c.even,
    Mistake(
        "sine and cosine of a pair have different frequencies",
        "Both columns of a pair have the same angle. Only then is a step of k"
        " positions a rotation, the same from everywhere.",
        lambda c: _own(c)[:, 1::2],
        lambda c: np.roll(c.even, -1, axis=1),
    ),
)
_waves = Step(
    "waves",
    *_in_turn((np.sin, np.cos)),
    Mistake(
        "all sines come first, then all cosines",
        "That works as well; but the paper, and this exercise, take sine and"
        " cosine in turn: columns 2i and 2i + 1 are a pair.",
        _side_by_side(np.sin, np.cos),
    ),
    Mistake(
        "all cosines come first, then all sines",
        "The paper, and this exercise, take sine and cosine in turn.",
        _side_by_side(np.cos, np.sin),
    ),
    Mistake(
        "sine and cosine have changed places",
        f"Even columns are sines. {_FIRST}",
        *_in_turn((np.cos, np.sin)),
    ),
    Mistake(
        "there are no cosines",
        _PAIR,
        *_in_turn((np.sin, np.sin)),
        _side_by_side(np.sin, np.sin),
    ),
    Mistake(
        "one column of each pair stays empty",
        _PAIR,
        *_in_turn((np.sin, _zero), (_zero, np.cos), (np.cos, _zero)),
    ),
    Mistake(
        "the last pair of columns stays empty",
        "Does a loop over the pairs end one too early?",
        lambda c: _pairs(
            *(
                f(a) * (np.arange(a.shape[1]) < a.shape[1] - 1)
                for f, a in ((np.sin, c.even), (np.cos, c.odd))
            )
        ),
    ),
    Mistake(
        "these are the angles",
        "Take the sine of the angle in even columns, the cosine in odd ones.",
        *_in_turn((np.array, np.array)),
    ),
    Mistake(
        "the position itself is added, not its waves",
        "Even columns get the sine of an angle, odd ones its cosine.",
        lambda c: c.places + np.zeros(c.x.shape[1]),
        lambda c: c.places / len(c.x) + np.zeros(c.x.shape[1]),
    ),
    Mistake(
        "sine and cosine change from row to row, not from column to column",
        "Each row has both: sines in even columns, cosines in odd ones.",
        lambda c: np.where(
            _rows(c) % 2 == 0,
            np.sin(_pairs(c.even, c.even)),
            np.cos(_pairs(c.odd, c.odd)),
        ),
    ),
)
_sum = Step(
    "sum",
    lambda c: c.x + c.waves,
    Mistake(
        "these are the positions alone",
        "The word must stay in its vector.",
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
    ),
    Mistake(
        "the words are multiplied by their positions",
        "Positions are added. A product would wipe out every number whose wave"
        " passes through 0.",
        lambda c: c.x * c.waves,
    ),
    Mistake(
        "the positions stand behind the words",
        "Side by side would work, too, but the width would double. Here they"
        " are added.",
        lambda c: np.concatenate([c.x, c.waves], axis=-1),
    ),
    Mistake(
        "the words or the positions are scaled before the sum",
        "The paper multiplies its embeddings by sqrt(d_model); here x and the"
        " positions are added as they are.",
        lambda c: c.x * np.sqrt(c.x.shape[1]) + c.waves,
        lambda c: c.x + c.waves / np.sqrt(c.x.shape[1]),
        *(lambda c, f=f: c.x + f * c.waves for f in (0.1, 0.5, 2)),
    ),
    Mistake(
        "only some rows get their position",
        "Every word gets its own wave.",
        lambda c: c.x + c.waves * (_rows(c) == 0),
        lambda c: c.x + c.waves * (_rows(c) < len(c.x) - 1),
    ),
)


def _row_of_positions(exercise, trials):
    """Recognize T positions that are a row: they do not meet d/2 powers."""
    for trial in trials:
        length, width = trial.probe.args[0].shape
        error = trial.got.error
        if "broadcast" in error and re.search(
            rf"\({length},\) \({width // 2},\)", error
        ):
            return (
                "the positions are a row, not a column.",
                "Every position meets every frequency, in a table (T, d/2):"
                " np.arange(T)[:, None] is a column of T positions.",
            )
    return None


add_positions = Exercise(
    name="add_positions",
    call="add_positions(x)",
    results=("x with positions",),
    shape="one row per word, d_model columns, as x",
    steps=(_places, _base, _exponents, _even, _odd, _waves, _sum),
    probes=(
        Probe("4 words of width 4", (table(481, 4, 4),)),
        Probe("3 words of width 6", (table(482, 3, 6),)),
        Probe("6 words of width 8", (table(483, 6, 8),)),
        Probe("20 words of width 10", (table(487, 20, 10),)),
        Probe("one word", (table(484, 1, 4),), "edge"),
        Probe("width 2", (table(485, 5, 2),), "edge"),
    ),
    recognize=_row_of_positions,
    praise="Each row says what the word is and where it stands.",
)

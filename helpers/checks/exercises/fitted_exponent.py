"""Notebook 05: the exponent of a law, from measured times."""

import itertools

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_LOGS = (
    "If seconds = c · lengths**p, then log(seconds) = log(c) + p ·"
    " log(lengths): a straight line in the logarithms, with slope p."
)
_ALL = (
    "One disturbed measurement then decides. Fit a line through all of them."
)
_BASES = (
    "Any base will do, but the same for both: another base stretches one axis,"
    " and the slope with it."
)
_POLYFIT = (
    "np.polyfit gives the highest power first: of a line the slope, then the"
    " height at log(lengths) = 0, which is log(c)."
)


def _timed(words, power, unit, wobble, *lengths):
    lengths = np.array(lengths, dtype=float)
    factors = 1 + np.array(wobble) / 10
    return Probe(words, (lengths, unit * lengths**power * factors))


def _line(x, y):
    """Return slope and height of the line through all points."""
    dx, dy = x - x.mean(), y - y.mean()
    slope = dx @ dy / (dx @ dx)
    return np.array([slope, y.mean() - slope * x.mean()])


def _poly(x, y, degree, w=1.0):
    """Do what np.polyfit does, without a warning."""
    if not np.isfinite([x, y]).all():
        raise ValueError("not finite")
    columns = np.vander(x, degree + 1) * np.reshape(w, (-1, 1))
    sizes = np.sqrt((columns**2).sum(axis=0))
    fit = np.linalg.lstsq(columns / sizes, y * w, len(x) * 2.0**-52)
    return fit[0] / sizes


def _slopes(x, y):
    return np.diff(y) / np.diff(x)


def _mixed(one, other):
    return {
        "x": lambda c: one(c.lengths),
        "y": lambda c: other(c.seconds),
    }


def _all_slopes(x, y):
    """Return the slope between any two points."""
    i, j = np.triu_indices(len(x), 1)
    return (y[j] - y[i]) / (x[j] - x[i])


_x = Step(
    "x",
    lambda c: np.log(c.lengths),
    Mistake(
        "the slope is taken without logarithms",
        _LOGS,
        {"x": lambda c: c.lengths, "y": lambda c: c.seconds},
    ),
    Mistake(
        "only the seconds are logarithms",
        f"That is the law seconds = c · exp(p · lengths). {_LOGS}",
        lambda c: c.lengths,
    ),
    Mistake(
        "the two logarithms have different bases",
        _BASES,
        *(
            _mixed(*two)
            for two in itertools.permutations((np.log, np.log2, np.log10), 2)
        ),
    ),
    Mistake(
        "something is added before the logarithm",
        f"log(x + 1) is a line no more, above all for short times. {_LOGS}",
        _mixed(np.log1p, np.log1p),
        lambda c: np.log1p(c.lengths),
    ),
    Mistake(
        "another function takes the place of the logarithm",
        _LOGS,
        _mixed(np.sqrt, np.sqrt),
        _mixed(np.exp, np.exp),
        _mixed(np.square, np.square),
        lambda c: np.sqrt(c.lengths),
        lambda c: c.lengths**2,
        lambda c: 1 / c.lengths,
        lambda c: np.arange(len(c.lengths)),
        lambda c: np.log(np.arange(len(c.lengths)) + 1),
        {
            "x": lambda c: np.arange(len(c.lengths)),
            "y": lambda c: c.seconds,
        },
    ),
    Mistake(
        "the numbers are centered or normalized first",
        "Dividing all of one axis by one number moves the logarithms by the"
        " same amount: the slope stays. Subtracting a mean or dividing by a"
        f" spread changes it. {_LOGS}",
        {
            "x": lambda c: np.log(c.lengths) / np.log(c.lengths).max(),
            "y": lambda c: np.log(c.seconds) / np.log(c.seconds).max(),
        },
    ),
)
_y = Step(
    "y",
    lambda c: np.log(c.seconds),
    Mistake("only the lengths are logarithms", _LOGS, lambda c: c.seconds),
    Mistake(
        "the seconds are changed before the logarithm, or by something else",
        _LOGS,
        lambda c: np.log1p(c.seconds),
        lambda c: np.sqrt(c.seconds),
        lambda c: c.seconds**2,
        lambda c: np.exp(c.seconds),
        lambda c: np.log(c.seconds / c.lengths),
        lambda c: c.seconds / c.lengths,
        lambda c: np.log(np.log(c.seconds)),
        lambda c: np.cumsum(np.log(c.seconds)),
        lambda c: np.log(np.cumsum(c.seconds)),
    ),
)
_axes = Step(
    "axes",
    lambda c: (c.x, c.y),
    Mistake(
        "lengths and seconds have changed places",
        "The cost depends on the length: the lengths are the x of the line.",
        lambda c: (c.y, c.x),
    ),
)
_fit = Step(
    "line",
    lambda c: _line(*c.axes),
    Mistake(
        "the line is forced through the origin",
        "Then milliseconds would give another exponent than seconds. The line"
        " needs its height as well: log(c).",
        lambda c: np.array([c.axes[0] @ c.axes[1] / (c.axes[0] @ c.axes[0])]),
        lambda c: np.array([c.axes[1].sum() / c.axes[0].sum()]),
    ),
    Mistake(
        "the logarithms are divided by each other",
        f"That forgets the factor c. {_LOGS}",
        lambda c: np.array([(c.axes[1] / c.axes[0]).mean()]),
        lambda c: np.array([np.median(c.axes[1] / c.axes[0])]),
        lambda c: np.array([c.axes[1][-1] / c.axes[0][-1]]),
        lambda c: np.array([c.axes[1][0] / c.axes[0][0]]),
        lambda c: np.array([c.axes[1].max() / c.axes[0].max()]),
    ),
    Mistake(
        "only the first and the last are used",
        _ALL,
        lambda c: _slopes(c.axes[0][[0, -1]], c.axes[1][[0, -1]]),
    ),
    Mistake(
        "only two neighbors are used",
        _ALL,
        lambda c: _slopes(*c.axes)[-1:],
        lambda c: _slopes(*c.axes)[:1],
    ),
    Mistake(
        "a measurement is left out",
        "All of them belong to the law. Does a slice cut one off?",
        lambda c: _line(c.axes[0][1:], c.axes[1][1:]),
        lambda c: _line(c.axes[0][:-1], c.axes[1][:-1]),
    ),
    Mistake(
        "the slopes between two points each are averaged",
        "Where two lengths are near each other, a small error makes a large"
        " slope, and it counts as much as the others. Fit one line through all"
        " points.",
        lambda c: _slopes(*c.axes).mean(keepdims=True),
        lambda c: np.array([np.median(_slopes(*c.axes))]),
        lambda c: np.array([np.median(_all_slopes(*c.axes))]),
        lambda c: np.array([np.mean(_all_slopes(*c.axes))]),
        lambda c: np.array([_slopes(*c.axes).max()]),
        lambda c: np.array([np.gradient(c.axes[1], c.axes[0]).mean()]),
        lambda c: np.array([np.median(np.gradient(c.axes[1], c.axes[0]))]),
        lambda c: np.diff(c.axes[1]).mean(keepdims=True),
        lambda c: np.array([np.gradient(c.axes[1]).mean()]),
    ),
    Mistake(
        "a parabola is fitted, not a line",
        f"The degree of the line is 1. {_LOGS}",
        lambda c: _poly(*c.axes, 2),
        lambda c: _poly(*c.axes, 2)[1:],
        lambda c: _poly(*c.axes, 3),
    ),
    Mistake(
        "a constant is fitted, not a line",
        f"A line has degree 1. {_LOGS}",
        lambda c: c.axes[1].mean(keepdims=True),
    ),
    Mistake(
        "the fit is weighted",
        "All measurements count alike.",
        lambda c: _poly(*c.axes, 1, w=c.seconds),
        lambda c: _poly(*c.axes, 1, w=c.lengths),
        lambda c: _poly(*c.axes, 1, w=1 / c.seconds),
        lambda c: _poly(*c.axes, 1, w=1 / c.lengths),
        lambda c: _poly(*c.axes, 1, w=np.sqrt(c.seconds)),
        lambda c: _poly(*c.axes, 1, w=np.sqrt(c.lengths)),
    ),
    Mistake(
        "this is a correlation or a covariance, not a slope",
        "A correlation says how well a line fits. The slope is the covariance"
        " divided by the variance of x, both counted in the same way.",
        lambda c: np.corrcoef(*c.axes)[:1, 1],
        lambda c: np.corrcoef(*c.axes)[0, 1:] ** 2,
        lambda c: np.cov(*c.axes)[:1, 1],
        lambda c: np.cov(*c.axes, ddof=0)[:1, 1],
        lambda c: np.cov(*c.axes)[:1, 1] / np.var(c.axes[0]),
        lambda c: np.cov(*c.axes, ddof=0)[:1, 1] / np.var(c.axes[0], ddof=1),
        lambda c: np.cov(*c.axes)[:1, 1] / np.std(c.axes[0]),
        lambda c: np.array([np.std(c.axes[1]) / np.std(c.axes[0])]),
        lambda c: np.array([np.var(c.axes[1]) / np.var(c.axes[0])]),
    ),
)
_exponent = Step(
    "exponent",
    lambda c: c.line[0],
    Mistake(
        "this is the height of the line, not its slope",
        _POLYFIT,
        lambda c: c.line[1],
        lambda c: c.line[-1],
        lambda c: np.exp(c.line[1]),
        lambda c: -c.line[1],
        lambda c: 10 ** c.line[1],
    ),
    Mistake(
        "these are slope and height of the line",
        f"Asked for is one number. {_POLYFIT}",
        lambda c: c.line,
        lambda c: c.line[::-1],
        lambda c: c.line.sum(),
        lambda c: c.line.mean(),
    ),
    Mistake(
        "these are the slopes between neighbors",
        "Asked for is one number: the slope of one line through all points.",
        lambda c: _slopes(*c.axes),
        lambda c: np.gradient(c.axes[1], c.axes[0]),
        lambda c: c.axes[1] / c.axes[0],
    ),
    Mistake(
        "this is the factor for a longer input, not the exponent",
        "For twice the length it is 2**p; asked for is p.",
        lambda c: 2 ** c.line[0],
        lambda c: 10 ** c.line[0],
        lambda c: np.exp(c.line[0]),
    ),
    Mistake(
        "a logarithm is taken of the slope",
        "The slope of the line in the logarithms is the exponent itself.",
        lambda c: np.log(np.abs(c.line[0])),
        lambda c: np.log2(np.abs(c.line[0])),
        lambda c: np.log10(np.abs(c.line[0])),
    ),
    Mistake(
        "one over the exponent",
        "seconds = c · lengths**p: p is rise by run, log(seconds) by"
        " log(lengths).",
        lambda c: 1 / c.line[0],
    ),
    Mistake(
        "a number is added to the slope, or put in front",
        f"The slope is p as it is. {_LOGS}",
        *(lambda c, n=n: c.line[0] + n for n in (1, -1)),
        *(lambda c, n=n: c.line[0] * n for n in (2, 0.5)),
        lambda c: np.sqrt(np.abs(c.line[0])),
        lambda c: c.line[0] ** 2,
    ),
    Mistake(
        "this is a ratio of times, not an exponent",
        _LOGS,
        lambda c: c.seconds[-1] / c.seconds[0],
        lambda c: c.seconds[-1] / c.seconds[0] * c.lengths[0] / c.lengths[-1],
        lambda c: np.log(c.seconds[-1] / c.seconds[0]),
        lambda c: np.log2(c.seconds[-1] / c.seconds[0]),
        lambda c: np.log2(c.seconds[-1] / c.seconds[-2]),
        lambda c: np.log2(c.seconds[1] / c.seconds[0]),
        lambda c: (c.seconds[1:] / c.seconds[:-1]).mean(),
        lambda c: np.log2((c.seconds[1:] / c.seconds[:-1]).mean()),
        lambda c: np.log2(c.seconds[1:] / c.seconds[:-1]).mean(),
        lambda c: (c.seconds / c.lengths).mean(),
    ),
    Mistake(
        "it is right for one law only",
        "Costs grow with different exponents: it must come from the times.",
        *(lambda c, n=n: n for n in (2.0, 1.0, 3.0, 1.5)),
    ),
)

fitted_exponent = Exercise(
    name="fitted_exponent",
    call="fitted_exponent(lengths, seconds)",
    results=("exponent",),
    shape="no list, no array",
    steps=(_x, _y, _axes, _fit, _exponent),
    probes=(
        _timed(
            "seconds near 1e-7 · T**2",
            *(2, 1e-7, (1, -2, 0, 2, -1)),
            *(64, 128, 256, 512, 2048),
        ),
        _timed(
            "seconds near 3e-6 · T",
            *(1, 3e-6, (-1, 2, 0, -2)),
            *(100, 200, 500, 1000),
        ),
        _timed(
            "seconds near 2 · T**3",
            *(3, 2, (2, -1, -2, 1)),
            *(2, 3, 5, 9),
        ),
        _timed(
            "seconds near 0.01 · T**1.5",
            *(1.5, 0.01, (0, 2, -3, 1, 1, -1)),
            *(8, 10, 30, 45, 60, 300),
        ),
        _timed(
            "seconds near 5 / T**0.5",
            *(-0.5, 5, (1, 0, -2, 2, 1)),
            *(3, 6, 12, 24, 48),
        ),
        Probe(
            "two lengths only",
            (np.array([64.0, 512.0]), np.array([0.0045, 0.26])),
            "edge",
        ),
    ),
    praise="It does not depend on the unit or on the machine.",
)

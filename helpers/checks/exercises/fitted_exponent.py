"""Notebook 05: the exponent of a law, from measured times."""

import itertools

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_LOGS = (
    "If seconds = c · lengths**p, then log(seconds) = log(c) + p ·"
    " log(lengths): a straight line in the logarithms, with slope p."
)
_ALL = "One disturbed measurement then decides. Fit a line through all points."
_POLYFIT = (
    "np.polyfit gives the highest power first: of a line the slope, then the"
    " height at log(lengths) = 0, which is log(c)."
)
_ITSELF = "The slope of the line in the logarithms is the exponent itself."


def _timed(words, power, unit, wobble, *lengths):
    lengths = np.array(lengths, dtype=float)
    factors = 1 + np.array(wobble) / 10
    return Probe(words, (lengths, unit * lengths**power * factors))


def _line(x, y):
    """Return slope and height of the line through all points."""
    dx, dy = x - x.mean(), y - y.mean()
    slope = dx @ dy / (dx @ dx)
    return np.array([slope, y.mean() - slope * x.mean()])


def _poly(x, y, degree):
    """Do what np.polyfit does, without a warning."""
    if not np.isfinite([x, y]).all():
        raise ValueError("not finite")
    columns = np.vander(x, degree + 1)
    sizes = np.sqrt((columns**2).sum(axis=0))
    return np.linalg.lstsq(columns / sizes, y, 2.0**-50)[0] / sizes


def _slopes(x, y):
    return np.diff(y) / np.diff(x)


def _all_slopes(x, y):
    """Return the slope between any two points."""
    i, j = np.triu_indices(len(x), 1)
    return (y[j] - y[i]) / (x[j] - x[i])


def _mixed(one, other):
    """Take functions of lengths and seconds for the two logarithms."""
    return {"x": lambda c: one(c.lengths), "y": lambda c: other(c.seconds)}


def _fits(*functions):
    """Turn functions of the two axes into wrong steps."""
    return [
        lambda c, f=f: np.atleast_1d(f(*map(np.asarray, c.axes)))
        for f in functions
    ]


def _same(values):
    return np.asarray(values)


_x = Step(
    "x",
    lambda c: np.log(c.lengths),
    Mistake(
        "the slope is taken without logarithms", _LOGS, _mixed(_same, _same)
    ),
    Mistake(
        "a logarithm is taken of the slope, not of the data",
        f"It belongs on lengths and seconds, before the fit. {_LOGS}",
        *(
            _mixed(_same, _same) | {"exponent": lambda c, f=f: f(c.line[0])}
            for f in (np.log, np.log2, np.log10)
        ),
    ),
    Mistake(
        "only the seconds are logarithms",
        f"That is the law seconds = c · exp(p · lengths). {_LOGS}",
        lambda c: c.lengths,
    ),
    Mistake(
        "the two logarithms have different bases",
        "Any base will do, but the same for both: another base stretches one"
        " axis, and the slope with it.",
        *(
            _mixed(*two)
            for two in itertools.permutations((np.log, np.log2, np.log10), 2)
        ),
    ),
    Mistake(
        "something is added before the logarithm",
        "log(x + e) is no longer a line, above all for short times.",
        _mixed(np.log1p, np.log1p),
        lambda c: np.log1p(c.lengths),
        *(
            _mixed(*[lambda v, e=e: np.log(v + e)] * 2)
            for e in (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-9)
        ),
    ),
    Mistake(
        "another function takes the place of the logarithm",
        _LOGS,
        *(_mixed(f, f) for f in (np.sqrt, np.square, np.exp)),
        lambda c: np.sqrt(c.lengths),
    ),
)
_y = Step(
    "y",
    lambda c: np.log(c.seconds),
    Mistake("only the lengths are logarithms", _LOGS, lambda c: c.seconds),
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
        *_fits(lambda x, y: x @ y / (x @ x)),
    ),
    Mistake(
        "the logarithms are divided by each other",
        f"That forgets the factor c. {_LOGS}",
        *_fits(
            lambda x, y: (y / x).mean(),
            lambda x, y: np.median(y / x),
            lambda x, y: y.sum() / x.sum(),
            lambda x, y: y[-1] / x[-1],
            lambda x, y: y.max() / x.max(),
        ),
    ),
    Mistake(
        "only two of the points are used",
        _ALL,
        *_fits(
            lambda x, y: (y[-1] - y[0]) / (x[-1] - x[0]),
            lambda x, y: _slopes(x, y)[-1],
            lambda x, y: _slopes(x, y)[0],
        ),
    ),
    Mistake(
        "a measurement is left out",
        "All of them belong to the law. Does a slice cut one off?",
        *_fits(lambda x, y: _line(x[1:], y[1:])),
        *_fits(lambda x, y: _line(x[:-1], y[:-1])),
    ),
    Mistake(
        "the slopes between two points each are averaged",
        "That can be defended. Asked for is one line of least squares through"
        " all points: where two lengths are near each other, a small error"
        " makes a large slope.",
        *_fits(
            lambda x, y: _slopes(x, y).mean(),
            lambda x, y: np.median(_slopes(x, y)),
            lambda x, y: np.median(_all_slopes(x, y)),
            lambda x, y: _all_slopes(x, y).mean(),
            lambda x, y: np.gradient(y, x).mean(),
        ),
    ),
    Mistake(
        "a parabola or a constant is fitted, not a line",
        "A line has degree 1.",
        *_fits(lambda x, y: _poly(x, y, 2), lambda x, y: _poly(x, y, 2)[1:]),
        *_fits(lambda x, y: y.mean()),
    ),
    Mistake(
        "this is a correlation or a covariance, not a slope",
        "A correlation says how well a line fits. The slope is the covariance"
        " divided by the variance of x.",
        *_fits(
            lambda x, y: np.corrcoef(x, y)[0, 1],
            lambda x, y: np.corrcoef(x, y)[0, 1] ** 2,
            lambda x, y: np.cov(x, y)[0, 1],
        ),
    ),
    Mistake(
        "covariance and variance are counted differently",
        "np.cov divides by n - 1, np.var and np.std by n.",
        *_fits(
            lambda x, y: np.cov(x, y)[0, 1] / np.var(x),
            lambda x, y: np.cov(x, y, ddof=0)[0, 1] / np.var(x, ddof=1),
        ),
    ),
)
_exponent = Step(
    "exponent",
    lambda c: c.line[0],
    Mistake(
        "this is the height of the line, not its slope",
        _POLYFIT,
        lambda c: c.line[-1],
    ),
    Mistake(
        "this is c, exp of the height of the line, not the slope",
        "Asked for is the slope alone, and without exp.",
        lambda c: np.exp(c.line[-1]),
    ),
    Mistake(
        "these are slope and height of the line",
        f"Asked for is one number. {_POLYFIT}",
        lambda c: c.line,
    ),
    Mistake(
        "a ratio of two times is taken, not the slope of a line",
        "Twice the length need not come next, and one disturbed time would"
        f" decide. {_LOGS}",
        *(
            lambda c, f=f, i=i: f(c.seconds[i] / c.seconds[i - 1])
            for f in (_same, np.log, np.log2)
            for i in (1, -1)
        ),
        lambda c: c.seconds[1] / c.seconds[0] / (c.lengths[1] / c.lengths[0]),
    ),
    Mistake(
        "these are the slopes between neighbors",
        "Asked for is one number: the slope of one line through all points.",
        lambda c: _slopes(*c.axes),
        lambda c: np.gradient(c.axes[1], c.axes[0]),
    ),
    Mistake(
        "the slope stands in an exponent",
        f"e**p, 2**p or 10**p is a factor of the times. {_ITSELF}",
        lambda c: np.exp(c.line[0]),
        lambda c: 2 ** c.line[0],
        lambda c: 10 ** c.line[0],
    ),
    Mistake(
        "one over the slope is returned",
        "p is rise by run, log(seconds) by log(lengths).",
        lambda c: 1 / c.line[0],
    ),
    Mistake(
        "a number is added to the slope, or put in front",
        _ITSELF,
        *(lambda c, n=n: c.line[0] + n for n in (1, -1)),
        *(lambda c, n=n: c.line[0] * n for n in (2, 0.5)),
    ),
    Mistake(
        "the exponent is a fixed number",
        "Costs grow with different exponents: it must come from the times.",
        *(lambda c, n=n: n for n in (2.0, 1.0)),
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
        _timed("seconds near 2 · T**3", 3, 2, (2, -1, -2, 1), 2, 3, 5, 9),
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

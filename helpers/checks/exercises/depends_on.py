"""Notebook 06: change one word after the other, and see what moves."""

import numpy as np

from helpers.attention import scaled_dot_product_attention
from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import Part, table

_ALONE = (
    "Only word j differs from x. Each turn of the loop needs a copy of x of"
    " its own: x.copy()."
)
_TWICE = (
    "Compare two outputs of the layer: one for x, one for the changed words."
)
_ANY = "An output has moved if any of its numbers has, up or down."


def _attend(x, is_causal=True):
    return scaled_dot_product_attention(x, x, x, is_causal=is_causal)[0]


def _half_of_the_previous(x):
    out = np.ones_like(x)
    out[1:, 0] = x[:-1, 0] + 2 * x[:-1, 1]
    return out


def _from_the_next(column):
    """Make a layer that reads one column, of the next word only."""

    def layer(x):
        out = np.tanh(x)
        out[:-1, 0] += x[1:, column]
        return out

    return layer


def _leaky(x):
    out = _attend(x)
    out[0, -1] += 0.001 * x[-1] @ np.arange(1, x.shape[1] + 1)
    return out


def _mean_0(x):
    out = np.tanh(_attend(x))
    return out - out.mean(axis=1, keepdims=True)


def _centered(x):
    return np.exp(_attend(x - x.mean(axis=1, keepdims=True)))


def _noisy(x):
    return x + x.sum() * np.pi - x.sum() * np.pi


def _with(new, rows=lambda j: j):
    """Make the step that puts new rows in place of word j, or of others."""

    def change(c, j):
        x = np.array(c.x, float)
        x[rows(j)] = new(x[rows(j)])
        return x

    return lambda c: lambda j: change(c, j)


def _other(row):
    return row + 1.7 * np.sin(np.arange(1, len(row) + 1))


def _one_number(column):
    return lambda row: row + 1.3 * (np.arange(len(row)) == column % len(row))


def _moved(size, other=lambda c, x: c.before):
    """Make the step that measures how far each output moves."""

    def measure(c):
        words = [c.change(j) for j in range(len(c.x))]
        return np.stack(
            [size(c.layer(x) - other(c, x)) for x in words], axis=1
        )

    return measure


def _largest(gap):
    return np.abs(gap).max(axis=1)


_change = Step(
    "change",
    _with(_other),
    Mistake(
        "the changes pile up: word 0 stays changed when word 1 is",
        _ALONE,
        _with(lambda rows: rows + 1.5, lambda j: slice(0, j + 1)),
    ),
    Mistake(
        "the word is set to 0, or multiplied",
        "A word of zeros stays as it is. Put other numbers in its place.",
        _with(lambda row: 0 * row),
        _with(lambda row: 2 * row),
    ),
    Mistake(
        "only one number of the word is changed",
        "A layer may read any of them. Put a whole new row: x[j] = ….",
        *(_with(_one_number(column)) for column in (0, -1, 1)),
    ),
    Mistake(
        "a column of x is changed, not a word",
        "Words are rows: x[j] is word j, x[:, j] is a number of every word.",
        lambda c: lambda j: c.x + 1.5 * np.eye(c.x.shape[1])[j],
    ),
)
_before = Step("before", lambda c: c.layer(np.array(c.x, float)))
_sizes = Step(
    "moved",
    _moved(_largest),
    Mistake(
        "an output is compared with the words, not with another output",
        _TWICE,
        _moved(_largest, lambda c, x: np.asarray(c.x, float)),
        _moved(_largest, lambda c, x: x),
    ),
    Mistake(
        "all numbers of an output have to move",
        _ANY,
        _moved(lambda gap: np.abs(gap).min(axis=1)),
    ),
    Mistake(
        "the sign of the move decides",
        _ANY,
        _moved(lambda gap: gap.max(axis=1)),
        _moved(lambda gap: gap.min(axis=1)),
    ),
    Mistake(
        "the moves of an output are added up",
        f"Up and down cancel in a sum. {_ANY}",
        _moved(lambda gap: np.abs(gap.sum(axis=1))),
    ),
    Mistake(
        "only one number of each output is looked at",
        _ANY,
        _moved(lambda gap: np.abs(gap[:, 0])),
        _moved(lambda gap: np.abs(gap[:, -1])),
    ),
)
_table = Step(
    "table",
    lambda c: c.moved > 1e-9,
    Mistake(
        "True stands where nothing moves",
        "True: output i moves.",
        lambda c: c.moved <= 1e-9,
    ),
    Mistake(
        "small moves are overlooked",
        "A leak may be small. Above rounding, say 1e-9, everything counts.",
        *(lambda c, n=n: c.moved > n for n in (0.01, 0.1, 1, 0.05, 0.5)),
    ),
    Mistake(
        "the triangle is returned, whatever the layer does",
        "`layer` may be any function. Ask it: run it on changed words.",
        lambda c: np.tri(len(c.x), dtype=bool),
        lambda c: np.tri(len(c.x), k=-1, dtype=bool),
    ),
    Mistake(
        "only earlier words are tried",
        "Later words are the ones that must not matter: try them all.",
        lambda c: np.tril(c.moved > 1e-9),
        lambda c: np.tril(c.moved > 1e-9, -1),
    ),
    Mistake(
        "how far the outputs move is returned",
        "Asked for are True and False: compare with a small number.",
        lambda c: c.moved,
    ),
)


def _probe(name, function, x, level="basic", hint=""):
    return Probe(name, (Part(name, function), x), level, hint)


def _one_sided(exercise, trials):
    """Say that moves are overlooked, or seen where there are none."""
    found = [t for t in trials if t.got.arrays and not t.right]
    shapes = [(t.got.arrays[0].shape, t.want.arrays[0].shape) for t in found]
    if not found or any(got != want for got, want in shapes):
        return None
    gaps = [t.got.arrays[0] - t.want.arrays[0] for t in found]
    i, j = np.argwhere(gaps[0])[0]
    where = f"For {found[0].probe.words}, output {i} and changed word {j}:"
    if all((gap <= 0).all() for gap in gaps):
        return (
            "a move is overlooked.",
            f"{where} the output moves, and the table says False. {_ANY}"
            " Above rounding, say 1e-9, everything counts.",
        )
    if all((gap >= 0).all() for gap in gaps):
        return (
            "a move is seen where there is none.",
            f"{where} the output stays, and the table says True. Each entry"
            f" is about one output alone. {_ALONE}",
        )
    return None


_ZERO = table(607, 4, 3) * np.array([[1], [1], [0], [1]])

depends_on = Exercise(
    name="depends_on",
    call="depends_on(layer, x)",
    results=("table",),
    shape="a row for each output, a column for each changed word",
    steps=(_change, _before, _sizes, _table),
    probes=(
        _probe("attention without a mask", lambda x: _attend(x, False),
               table(601, 3, 4)),
        _probe("causal attention", _attend, table(602, 4, 3)),
        _probe("a layer that looks one word back", _half_of_the_previous,
               table(603, 4, 2)),
        _probe("a layer that reads the first number of the next word",
               _from_the_next(0), table(611, 4, 3)),
        _probe("a layer that reads the last number of the next word",
               _from_the_next(-1), table(612, 4, 3)),
        _probe("each word for itself", np.tanh, table(604, 3, 3)),
        _probe("a layer with a small leak", _leaky, table(605, 5, 3)),
        _probe("a layer whose outputs have mean 0", _mean_0, table(606, 4, 3)),
        _probe("a word of zeros", _attend, _ZERO, "edge"),
        _probe("one word", _attend, table(608, 1, 3), "edge"),
        _probe("a layer that subtracts means", _centered, table(609, 3, 4),
               "extra",
               "One remark: some layers do not see a constant that is added"
               " to a whole word. Random numbers are safer."),
        _probe("rounding", _noisy, table(610, 3, 4) + 0.3, "extra",
               "One remark: it takes rounding for a move. Allow 1e-9."),
    ),
    recognize=_one_sided,
    praise="It finds leaks.",
)  # fmt: skip

"""Learned projections, and the scale by the root of d_k.

The projections lead from c.x to c.query, c.key and, if asked for, c.value.
"""

import numpy as np

from helpers.checks.engine import Mistake, Step

_OWN = "Queries, keys and values each have a matrix of their own."
_MATRIX = {"query": "w_q", "key": "w_k", "value": "w_v"}


def projections(*names, cut=lambda c, table: table):
    """Return one step for each of `names`; `cut` may split into heads."""

    def by(matrix):
        return lambda c: cut(c, c.x @ getattr(c, matrix))

    def turned(matrix):
        return lambda c: cut(c, c.x @ getattr(c, matrix).T)

    def plain(c):
        return cut(c, c.x)

    together = (
        Mistake(
            "x is not projected at all",
            f"That is the baseline of notebook 01. {_OWN}",
            dict.fromkeys(names, plain),
        ),
        Mistake(
            "the matrices are transposed",
            "x has d_model columns, and each matrix has d_model rows, as it"
            " is.",
            {name: turned(_MATRIX[name]) for name in names},
        ),
        *(
            Mistake(
                f"{matrix} is used for all projections",
                _OWN,
                dict.fromkeys(names, by(matrix)),
            )
            for matrix in map(_MATRIX.get, names)
            if len(names) > 2
        ),
    )
    steps = []
    for name in names:
        matrix = _MATRIX[name]
        others = [_MATRIX[other] for other in names if other != name]
        steps.append(
            Step(
                name,
                by(matrix),
                *(
                    Mistake(
                        f"the {name} is projected by {other}, not {matrix}",
                        _OWN,
                        by(other),
                    )
                    for other in others
                ),
                Mistake(
                    f"the {name} is not projected",
                    f"{_OWN} Here x itself stands for x @ {matrix}.",
                    plain,
                ),
                Mistake(
                    f"{matrix} is transposed",
                    f"x has d_model columns, and {matrix} has d_model rows.",
                    turned(matrix),
                ),
                *(together if name == names[0] else ()),
            )
        )
    return tuple(steps)


def _d_k(c):
    return c.query.shape[-1]


def _times(factor):
    return lambda c: c.scores * factor(c)


root_scale = Step(
    "scaled",
    _times(lambda c: 1 / np.sqrt(_d_k(c))),
    Mistake(
        "the scale is missing",
        "The scores are divided by the square root of d_k, the width of a"
        " query; notebook 03 measures what that is for.",
        _times(lambda c: 1.0),
    ),
    Mistake(
        "the scores are divided by d_k instead of its root",
        "The spread of a sum of d_k products grows with the root of d_k, so"
        " the root is what it is divided by.",
        _times(lambda c: 1 / _d_k(c)),
    ),
    Mistake(
        "the scores are divided by half of d_k",
        "d_k ** 1/2 is (d_k ** 1) / 2: Python takes the power first.",
        _times(lambda c: 2 / _d_k(c)),
    ),
    Mistake(
        "the scores are divided by the root of another width",
        "A score is a sum of d_k products, so it is d_k whose root counts: not"
        " the width of x, not the number of words or of heads.",
        _times(lambda c: 1 / np.sqrt(c.x.shape[-1])),
        _times(lambda c: 1 / np.sqrt(c.x.shape[-2])),
        _times(lambda c: 1 / np.sqrt(c.num_heads)),
    ),
    Mistake(
        "the scores are multiplied by the root, not divided",
        "Large scores are to become smaller.",
        _times(lambda c: np.sqrt(_d_k(c))),
    ),
    Mistake(
        "the root of d_k is rounded to a whole number",
        "// and int() cut off the decimals. Divide by the root as it is.",
        _times(lambda c: 1 / int(np.sqrt(_d_k(c)))),
    ),
    Mistake(
        "the scores are divided by a fixed number",
        "d_k differs from input to input: it is the width of a query.",
        *(_times(lambda c, n=n: 1 / np.sqrt(n)) for n in (4, 8, 16, 64)),
    ),
)

scaled_weights = Mistake(
    "the scale comes after the softmax",
    "Divided *before* the softmax, the scores give weights that are less"
    " sharp.",
    {
        "scaled": lambda c: c.scores,
        "weights": lambda c: c.exponents / c.totals / np.sqrt(_d_k(c)),
    },
    {
        "scaled": lambda c: c.scores,
        "context": lambda c: c.mixed / np.sqrt(_d_k(c)),
    },
)

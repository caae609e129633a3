"""Notebook 00: subtract from each row its own mean."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import on, table

_AXIS = (
    "axis=1 runs along a row, from column to column, and so leaves one number"
    " for each row."
)
_KEPT = (
    "Without keepdims the means are a row of T numbers, and line up with the"
    " columns of x. With keepdims=True they are a column, (T, 1)."
)
_NOT_THE_MEAN = {
    "median": np.median,
    "largest number": np.max,
    "smallest number": np.min,
}


def _zero_mean(args, centered):
    """Say which row has another mean than 0."""
    for row, mean in enumerate(np.atleast_2d(centered).mean(axis=-1)):
        if not abs(mean) < 1e-5:
            return f"row {row} has the mean {mean:.2f}, where 0 is asked for."
    return ""


_mean = Step(
    "mean",
    lambda c: c.x.mean(axis=1, keepdims=True),
    Mistake(
        "the mean of each column is subtracted",
        _AXIS,
        lambda c: c.x.mean(axis=0),
    ),
    Mistake(
        "one mean of all numbers is subtracted",
        f"Without axis, mean() takes the whole table. {_AXIS}",
        lambda c: c.x.mean(),
    ),
    Mistake(
        "the sum of each row is subtracted, not its mean",
        "The mean is the sum divided by the number of columns.",
        lambda c: c.x.sum(axis=1, keepdims=True),
    ),
    *(
        Mistake(
            f"the {name} of each row is subtracted",
            "Rows are to have mean 0: subtract the mean.",
            lambda c, of=of: of(c.x, axis=1, keepdims=True),
        )
        for name, of in _NOT_THE_MEAN.items()
    ),
)
_centered = Step(
    "centered",
    lambda c: c.x - c.mean,
    Mistake(
        "the mean is added",
        "Subtract it: a row of 5, 7, 9 becomes -2, 0, 2.",
        lambda c: c.x + c.mean,
    ),
    Mistake(
        "each row is divided by its mean",
        "Division changes how far apart the numbers are. Subtract.",
        lambda c: c.x / c.mean,
    ),
    Mistake(
        "each row is divided by its standard deviation as well",
        "The mean is enough here.",
        *on("x", lambda x: (x - x.mean(1, keepdims=True)) / x.std(1)[:, None]),
    ),
    Mistake(
        "x comes back unchanged",
        "In a loop over rows, r = r - ... gives r a new value, and not x.",
        lambda c: c.x + 0.0,
    ),
    Mistake(
        "the means themselves are returned",
        "They are still to be subtracted from x.",
        lambda c: c.mean,
    ),
)


def _from_errors(exercise, trials):
    """Recognize means that have lost their axis."""
    for trial in trials:
        rows = len(trial.probe.args[0])
        if any(s in trial.got.error for s in (f" ({rows},)", f" (1,{rows})")):
            return (
                "the means do not line up with the rows.",
                f"{_KEPT} It stops for {trial.probe.words}: {trial.got.error}",
            )
    return None


center_rows = Exercise(
    name="center_rows",
    call="center_rows(x)",
    results=("centered",),
    shape="as large as x",
    steps=(_mean, _centered),
    probes=(
        Probe("2 rows of 3 numbers", (table(1, 2, 3),)),
        Probe("4 rows of 2 numbers", (table(2, 4, 2),)),
        Probe("3 rows of 5 numbers", (table(3, 3, 5) + 1,)),
        Probe("3 rows of 3 numbers", (table(4, 3, 3),)),
        Probe("one row", (table(5, 1, 4),), "edge"),
    ),
    properties=(_zero_mean,),
    recognize=_from_errors,
    praise="Every row has mean 0 now.",
)

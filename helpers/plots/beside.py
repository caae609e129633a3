"""Ours beside another's: the same stages, with their differences."""

import numpy as np

from . import canvas, inputs, text, theme
from .output import page

ROWS, COLUMNS = 2, 3  # of each array that are drawn
CELL, ROW, FALL, TOP = 0.56, 0.27, 0.34, 0.3  # inches


def show_beside(stages, *, names=("ours", "torch"), **figure):
    """Show the same stages computed twice, with the largest differences.

    `stages` is a list of (name, ours, theirs, difference): a string, two
    arrays of one shape, and the largest difference in words, such as
    ``error_bound(gap)``, at most eight. Of each array the first numbers are
    written (of its first sentence and head, if it has more axes). `names`
    are the names of the two sides. `figure` is title, words or ax. Prints
    name, shape and difference. Returns the Axes. Raises TypeError or
    ValueError, naming the argument and its shape.
    """
    stages = [check_stage(*pair) for pair in enumerate(stages)]
    if not 1 <= len(stages) <= 8:
        raise ValueError(f"stages: expected 1 to 8, got {len(stages)}")
    names = inputs.check_tokens("names", names, 2)
    height = TOP + (2 * ROW + FALL) * len(stages) - FALL + 0.05
    alt = (
        f"{names[0]} beside {names[1]}, stage by stage from above: "
        f"{'; '.join(name for name, *_ in stages)}. Between the two sides "
        "stands the largest difference."
    )
    said = beside_words(stages)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        lefts = sides(stages)
        for left, name in zip(lefts, names, strict=True):
            middle = left + COLUMNS * CELL / 2
            canvas.write(ax, middle, 0.12, name, weight="bold")
        for place, stage in enumerate(stages):
            top = TOP + (2 * ROW + FALL) * place
            draw_stage(ax, stage, lefts, top + ROW)
            for left in lefts if place else ():
                x = left + COLUMNS * CELL / 2
                canvas.arrow(ax, (x, top - FALL + 0.05), (x, top - 0.05))
    return ax


def check_stage(place, stage):
    """Return name, two arrays of one shape, and their difference in words."""
    if not isinstance(stage, tuple | list) or len(stage) != 4:
        raise TypeError(
            f"stages[{place}]: expected (name, ours, theirs, difference)"
        )
    name, ours, theirs, difference = stage
    label = f"stages[{place}]"
    name, difference = inputs.check_tokens(label, [name, difference], 2)
    ours = inputs.check_array(label, ours, np.ndim(ours))
    theirs = inputs.check_array(label, theirs, ours.ndim, shape=ours.shape)
    return name, ours, theirs, difference


def corner(array):
    """Return the first rows and columns of an array, as two axes."""
    while array.ndim > 2:
        array = array[0]
    return np.atleast_2d(array)[:ROWS, :COLUMNS]


def beside_words(stages):
    """Say name, shape and largest difference of each stage."""
    columns = zip(
        *((n, str(a.shape), d) for n, a, _, d in stages), strict=True
    )
    heads = "stage", "shape", "largest difference"
    return text.align_table(
        [[head, *c] for head, c in zip(heads, columns, strict=True)]
    )


def sides(stages):
    """Return the left edges of both sides, in inches."""
    labels = [
        words for name, a, *_ in stages for words in (name, str(a.shape))
    ]
    left = max(map(theme.text_width, labels)) + 0.1
    return left, theme.WIDTH - COLUMNS * CELL - 0.25


def draw_stage(ax, stage, lefts, middle):
    """Draw the numbers of one stage, its name and the difference."""
    name, *arrays, difference = stage
    canvas.write(ax, 0, middle - 0.11, name, ha="left", weight="bold")
    canvas.write(ax, 0, middle + 0.11, str(arrays[0].shape), ha="left")
    limit = max(abs(corner(array)).max() for array in arrays) or 1.0
    for left, array in zip(lefts, arrays, strict=True):
        part = corner(array)
        tall, wide = part.shape * np.array([ROW, CELL])
        box = left + (COLUMNS * CELL - wide) / 2, middle - tall / 2, wide, tall
        texts = text.results(part, form=".2f" if limit < 9.995 else ".1f")
        canvas.draw_cells(ax, part, box, texts=texts, limit=limit)
        if array.ndim and array.shape[-1] > COLUMNS:
            canvas.write(ax, left + wide + 0.12, middle, "…")
    ends = lefts[0] + COLUMNS * CELL + 0.27, lefts[1] - 0.08
    center = sum(ends) / 2
    for end in ends:
        canvas.arrow(ax, (center, middle), (end, middle), canvas.FOUND)
    look = {"color": canvas.FOUND_INK, "weight": "bold"}
    canvas.write(ax, center, middle - 0.16, difference, **look)

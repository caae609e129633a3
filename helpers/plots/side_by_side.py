"""The same stages twice: ours beside another's, or forward and back."""

import numpy as np

from . import canvas, in_words, inputs, theme
from .output import page

ROWS, COLUMNS = 2, 3  # of each array that are drawn
CELL, ROW, FALL, TOP = 0.56, 0.27, 0.34, 0.3  # inches
WIDE, TALL = COLUMNS * CELL, 2 * ROW + FALL


def show_beside(stages, *, names=("ours", "torch"), **figure):
    """Show the same stages computed twice, with the largest differences.

    `stages` is a list of (name, ours, theirs, difference): a string, two
    arrays of one shape, and the largest difference in words, such as
    ``error_bound(gap)``, at most eight. Of each array the first numbers are
    written (of its first sentence and head, if it has more axes). A stage
    called "weights" is blue from 0 to 1; others are signed. `names` are the
    names of the two sides. `figure` is title, words or ax. Prints name, shape
    and difference. Returns the Axes. Raises TypeError or ValueError, naming
    the argument and its shape.
    """
    stages = check_stages(stages, "ours, theirs, difference")
    names = inputs.check_tokens("names", names, 2)
    alt = (
        f"{names[0]} beside {names[1]}, stage by stage from above: "
        f"{'; '.join(name for name, *_ in stages)}. Between the two sides "
        "is the largest difference."
    )
    said = stage_words(stages, "largest difference")
    with page(stage_size(stages), alt, said, **figure) as ax:
        lefts = draw_stages(ax, stages, names, blue=(0, 1))
        for place, stage in enumerate(stages):
            top = TOP + TALL * place
            draw_difference(ax, lefts, top + ROW, stage[-1])
            for left in lefts if place else ():
                x = left + WIDE / 2
                canvas.arrow(ax, (x, top - FALL + 0.05), (x, top - 0.05))
    return ax


def show_backward(stages, **figure):
    """Show a forward pass, downward, beside its gradients, upward.

    `stages` is a list of (name, array, gradient, step): the gradient of the
    loss with respect to the array has its shape, and `step` names what leads
    from the stage before to this one, there and back. Gradients are signed.
    The rest is as in `show_beside`.
    """
    stages = check_stages(stages, "array, gradient, step")
    alt = (
        f"Left, downward, the forward pass: "
        f"{'; '.join(name for name, *_ in stages)}. Right, upward, the "
        "gradient of the loss with respect to each, of the same shape."
    )
    said = stage_words(stages, "step")
    with page(stage_size(stages), alt, said, **figure) as ax:
        names = "forward", "gradient"
        lefts = draw_stages(ax, stages, names, blue=(0,))
        down, up = (left + WIDE / 2 for left in lefts)
        for place, (*_, step) in enumerate(stages[1:], 1):
            low = TOP + TALL * place - 0.05
            high = low - FALL + 0.1
            canvas.arrow(ax, (down, high), (down, low), canvas.BLUE, 2.5)
            canvas.arrow(ax, (up, low), (up, high), canvas.LIT, 2.5)
            canvas.write(ax, (down + up) / 2, (low + high) / 2, step)
    return ax


def check_stages(stages, parts):
    """Return the checked stages: a name, two arrays of one shape, words."""
    checked = []
    for place, stage in enumerate(stages):
        label = f"stages[{place}]"
        if not isinstance(stage, tuple | list) or len(stage) != 4:
            raise TypeError(f"{label}: expected (name, {parts})")
        name, one, other, words = stage
        name, words = inputs.check_tokens(label, [name, words], 2)
        one = inputs.check_array(label, one, np.ndim(one))
        other = inputs.check_array(label, other, one.ndim, shape=one.shape)
        checked.append((name, one, other, words))
    if not 1 <= len(checked) <= 8:
        raise ValueError(f"stages: expected 1 to 8, got {len(checked)}")
    return checked


def stage_words(stages, head):
    """Say name, shape and what is said of each stage."""
    rows = [(name, str(one.shape), words) for name, one, _, words in stages]
    columns = zip(("stage", "shape", head), *rows, strict=True)
    return in_words.align_table([[*column] for column in columns])


def stage_size(stages):
    """Return width and height in inches."""
    return theme.WIDTH, TOP + TALL * len(stages) - FALL + 0.05


def draw_stages(ax, stages, names, *, blue):
    """Draw the numbers of all stages; return the left edges of both sides.

    A stage called "weights" has the colors of weights on the sides `blue`.
    """
    canvas.blank(ax, *stage_size(stages))
    labels = [words for n, a, *_ in stages for words in (n, str(a.shape))]
    left = max(map(theme.text_width, labels)) + 0.1
    lefts = left, theme.WIDTH - WIDE - 0.25
    for left, name in zip(lefts, names, strict=True):
        canvas.write(ax, left + WIDE / 2, 0.12, name, weight="bold")
    for place, (name, *arrays, _) in enumerate(stages):
        middle = TOP + TALL * place + ROW
        canvas.write(ax, 0, middle - 0.11, name, ha="left", weight="bold")
        shape = str(arrays[0].shape)
        canvas.write(ax, 0, middle + 0.11, shape, ha="left")
        for side, array in enumerate(arrays):
            signed = name != "weights" or side not in blue
            draw_corner(ax, array, lefts[side], middle, signed=signed)
    return lefts


def draw_corner(ax, array, left, middle, *, signed):
    """Draw the first numbers of an array, centered in its column."""
    part, more = corner(array), np.shape(array)[-1:] > (COLUMNS,)
    tall, wide = part.shape * np.array([ROW, CELL])
    box = left + (WIDE - wide) / 2, middle - tall / 2, wide, tall
    form = ".2f" if abs(part).max() < 9.995 else ".1f"
    texts = in_words.results(part, form=form)
    canvas.draw_cells(ax, part, box, signed=signed, texts=texts)
    if more:
        canvas.write(ax, left + wide + 0.12, middle, "…")


def corner(array):
    """Return the first rows and columns of an array, as two axes."""
    while array.ndim > 2:
        array = array[0]
    return np.atleast_2d(array)[:ROWS, :COLUMNS]


def draw_difference(ax, lefts, middle, difference):
    """Draw an arrow between the two sides, with their difference."""
    ends = lefts[0] + WIDE + 0.27, lefts[1] - 0.08
    center = sum(ends) / 2
    for end in ends:
        canvas.arrow(ax, (center, middle), (end, middle), canvas.FOUND)
    look = {"color": canvas.FOUND_INK, "weight": "bold"}
    canvas.write(ax, center, middle - 0.16, difference, **look)

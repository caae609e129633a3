"""Tables of results, drawn as a map with its numbers."""

import numpy as np

from .cells import CELL, ROW, draw_map, label_height, write_numbers
from .inputs import MAX_NUMBERS, check_array, check_finite, check_tokens
from .theme import (
    MAX_WIDTH,
    TYPE,
    new_axes,
    sequential,
    set_title,
    style,
    text_width,
)
from .words import align_table


@style()
def plot_table(
    values,
    rows,
    columns,
    sd=None,
    ax=None,
    title=None,
    *,
    xlabel="",
    ylabel="",
    limits=(0, 1),
):
    """Draw a table of results as a map with its numbers: light is low.

    ``values`` is (R, C) and may come with ``sd`` of the same shape, written
    below each number; ``rows`` and ``columns`` name them; the colors reach
    from ``limits[0]`` to ``limits[1]``. At most 12 by 12. Returns the Axes;
    raises TypeError or ValueError, naming the argument and its shape.
    """
    values, sd = check_table(values, sd)
    rows = check_tokens("rows", rows, len(values))
    columns = check_tokens("columns", columns, values.shape[1])
    ax = new_axes(ax, table_size(rows, columns, sd is not None, title))
    draw_map(ax, values, (rows, columns), sequential(), limits)
    texts = np.vectorize("{:.2f}".format)(values)
    if sd is not None:
        texts = np.char.add(texts, np.vectorize("\n±{:.2f}".format)(sd))
    write_numbers(ax, values, np.zeros(values.shape, bool), texts)
    ax.set_xlabel(xlabel, labelpad=7, size=TYPE)
    ax.set_ylabel(ylabel, size=TYPE)
    set_title(ax, title, ax.figure.get_figwidth() - 0.8)
    return ax


def describe_table(values, rows, columns, sd=None, *, decimals=2):
    """Return the table as text of fixed width; arguments of ``plot_table``."""
    values, sd = check_table(values, sd)
    rows = check_tokens("rows", rows, len(values))
    columns = check_tokens("columns", columns, values.shape[1])
    cells = [[f"{v:.{decimals}f}" for v in row] for row in values]
    if sd is not None:
        cells = [
            [
                f"{text} ± {s:.{decimals}f}"
                for text, s in zip(*pair, strict=True)
            ]
            for pair in zip(cells, sd, strict=True)
        ]
    return align_table(
        [["", *columns]]
        + [[name, *row] for name, row in zip(rows, cells, strict=True)]
    )


def table_size(rows, columns, has_sd, title):
    """Return width and height in inches of a table's figure."""
    left = 0.45 + max(map(text_width, rows))
    cell = 0.62 if has_sd else CELL + 0.1
    width = float(np.clip(left + cell * len(columns), 3.2, MAX_WIDTH))
    top = label_height(columns, (width - left) / len(columns))
    row = 0.46 if has_sd else ROW
    return width, 0.6 + top + row * len(rows) + (0.3 if title else 0)


def check_table(values, sd):
    """Return values (R, C) and sd (R, C) or None, both checked."""
    values = check_array("values", values, 2)
    check_finite("values", values)
    if max(values.shape) > MAX_NUMBERS:
        raise ValueError(
            f"values of shape {values.shape} is too large to read: at most "
            f"{MAX_NUMBERS} a side; slice it"
        )
    if sd is None:
        return values, None
    sd = check_array("sd", sd, 2)
    check_finite("sd", sd)
    if sd.shape != values.shape:
        raise ValueError(
            f"sd has shape {sd.shape}, but values has {values.shape}"
        )
    return values, sd

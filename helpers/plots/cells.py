"""The parts of a map: colored cells, hatching, numbers and labels."""

import numpy as np

from .inputs import MAX_LABELS, MAX_NUMBERS
from .theme import (
    DARK_GREY,
    GREY,
    MAX_WIDTH,
    TYPE,
    ink,
    pyplot,
    text_width,
)

CELL = 0.43
NARROW = 0.21
ROW = 0.31


def draw_map(ax, values, labels, colors, limits, hidden=None):
    """Color the cells of ``ax``; hatch the hidden ones; label the ticks."""
    ax.imshow(
        values,
        cmap=colors,
        vmin=limits[0],
        vmax=limits[1],
        aspect="auto",
        interpolation="nearest",
    )
    rows, columns = values.shape
    if columns <= MAX_LABELS:
        look = {"colors": GREY, "linewidth": 0.6}
        ax.vlines(np.arange(0.5, columns - 1), -0.5, rows - 0.5, **look)
        ax.hlines(np.arange(0.5, rows - 1), -0.5, columns - 0.5, **look)
    ax.spines[:].set(visible=True, color=DARK_GREY, linewidth=0.6)
    if hidden is not None:
        hatch_cells(ax, hidden)
    ax.set_yticks(range(rows), labels[0], parse_math=False)
    if labels[1] is not None:
        label_columns(ax, labels[1])
    ax.tick_params(length=0, labelsize=TYPE)


def hatch_cells(ax, hidden):
    """Cover the cells where ``hidden`` is True with grey and a hatch."""
    for row, column in np.argwhere(hidden):
        cell = pyplot().Rectangle(
            (column - 0.5, row - 0.5),
            1,
            1,
            facecolor=GREY,
            edgecolor="#8c8c8c",
            hatch="////",
            linewidth=0,
        )
        cell.set_hatch_linewidth(0.8)
        ax.add_patch(cell)


def label_columns(ax, labels):
    """Write the column labels above the map, slanted if they are wide."""
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    turn = slant(labels, axes_inches(ax)[0] / len(labels))
    look = {"rotation": turn, "parse_math": False}
    if turn == 45:
        look |= {"ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(range(len(labels)), labels, **look)


def slant(labels, cell):
    """Return the angle of column labels over cells of ``cell`` inches."""
    widest = max(map(text_width, labels))
    if widest < 0.92 * cell:
        return 0
    return 45 if cell > 0.3 else 90


def write_numbers(ax, values, hidden, texts, bold=False):
    """Write every cell that is not hidden, in the ink that reads best."""
    image = ax.images[0]
    for row, column in np.argwhere(~hidden):
        value = values[row, column]
        top = bold and value > 0 and value > values[row].max() - 1e-6
        ax.text(
            column,
            row,
            texts[row][column],
            ha="center",
            va="center",
            size=TYPE,
            color=ink(image.cmap(image.norm(value))),
            weight="bold" if top else "normal",
        )


def name_axes(ax):
    """Name the rows and columns of a map of queries and keys."""
    ax.set_xlabel("key →", size=TYPE)
    ax.set_ylabel("query →", rotation=270, labelpad=16, size=TYPE)


def add_colorbar(ax, label, axes=None, **look):
    """Draw a slim color bar beside the map, or beside all ``axes``."""
    height = axes_inches(ax)[1]
    look = {"aspect": max(5, height / 0.13), "pad": 0.02, **look}
    bar = ax.figure.colorbar(
        ax.images[0], ax=ax if axes is None else axes, **look
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=TYPE, length=2)
    bar.set_label(label, size=TYPE)
    bar.locator = pyplot().MaxNLocator(4 if height > 1.5 else 2)
    bar.update_ticks()


def color_limit(values, limit=None):
    """Return the symmetric limit of a signed map."""
    if limit is None:
        return float(abs(values).max()) or 1.0
    if not np.isscalar(limit) or not np.isfinite(limit) or limit <= 0:
        raise ValueError(f"limit must be a positive number, got {limit!r}")
    return float(limit)


def fits_numbers(ax, shape):
    """Say whether the cells are few and large enough to write into."""
    return few_cells(shape) and axes_inches(ax)[0] / shape[1] > 0.34


def few_cells(shape):
    """Say whether a map has few enough cells to read their numbers.

    A single row or two may be a little longer than a square map.
    """
    return max(shape) <= MAX_NUMBERS or (shape[0] <= 2 and shape[1] <= 14)


def axes_inches(ax):
    """Return about how wide and high ``ax`` is, in inches."""
    box = ax.get_position()
    width, height = ax.figure.get_size_inches()
    return box.width * width, box.height * height


def map_size(rows, columns, title=None, cell=CELL):
    """Return width and height in inches of a figure for one map.

    ``cell`` is how wide a cell with a number is, if there is room.
    """
    numbered = few_cells((len(rows), len(columns)))
    left = 0.45 + max(map(text_width, rows))
    cell = cell if numbered else NARROW
    width = left + cell * len(columns) + (0.3 if numbered else 0.9)
    width = float(np.clip(width, 3.2, MAX_WIDTH))
    top = label_height(columns, (width - left) / len(columns))
    height = 0.45 + top + (ROW if numbered else NARROW) * len(rows)
    return width, height + (0.3 if title else 0)


def label_height(labels, cell):
    """Return how many inches the column labels take above the map."""
    widest = max(map(text_width, labels))
    turned = {0: 0.2, 45: 0.2 + 0.7 * widest, 90: widest + 0.1}
    return turned[slant(labels, cell)]

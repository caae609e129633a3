"""Grids: small arrays drawn with their numbers, to watch a reshape."""

import numpy as np

from .inputs import MAX_NUMBERS, check_array, check_finite, check_tokens
from .theme import (
    MAX_WIDTH,
    TYPE,
    new_axes,
    new_figure,
    pyplot,
    set_title,
    style,
    text_width,
)
from .words import signed

TINTS = ("#cfe5f5", "#f9d9bf", "#c6ebdd", "#e2e2e2")
EDGES = ("#0072B2", "#B84F00", "#007A58", "#333333")
SIDE = 0.4


@style()
def plot_grid(
    array, title=None, ax=None, *, groups=None, rows=None, columns=None
):
    """Draw a small array as a table of its numbers, colored by group.

    ``array`` is (R, C), at most 12 by 12. ``groups`` holds whole numbers
    0…3 and broadcasts to the array's shape: cells of one group (a head, for
    instance) share a tint, and a thick line runs where the group changes.
    ``rows`` and ``columns`` label the cells. Returns the Axes; raises
    TypeError or ValueError, naming the argument and its shape.
    """
    array, groups = check_grid("array", array, groups)
    rows, columns = check_sides(array.shape, rows, columns)
    ax = new_axes(ax, grid_size(array.shape, rows, title))
    texts = grid_texts(array)
    for (row, column), group in np.ndenumerate(groups):
        corner = (column - 0.5, row - 0.5)
        look = {"facecolor": TINTS[group], "edgecolor": "white"}
        ax.add_patch(pyplot().Rectangle(corner, 1, 1, linewidth=1, **look))
        place = {"ha": "center", "va": "center", "size": TYPE}
        ax.text(column, row, texts[row][column], **place)
    outline_groups(ax, groups)
    frame_grid(ax, array.shape, rows, columns)
    set_title(ax, title, max(1.2, SIDE * array.shape[1] + 0.3))
    return ax


@style()
def plot_grids(arrays, titles, *, groups=None, rows=None, columns=None):
    """Draw several small arrays side by side, as ``plot_grid`` draws one.

    ``arrays`` is a list of n arrays (R_i, C_i), ``titles`` are n strings;
    ``groups``, ``rows`` and ``columns`` are lists of n, each entry as in
    ``plot_grid``. At most 16 columns in all. Returns the n Axes.
    """
    arrays = [
        check_grid(f"arrays[{i}]", a, None)[0] for i, a in enumerate(arrays)
    ]
    titles = check_tokens("titles", titles, len(arrays))
    sides = [a.shape[1] for a in arrays]
    if sum(sides) > 16:
        raise ValueError(
            f"arrays have {sum(sides)} columns in all, at most 16"
        )
    height = max(grid_size(a.shape, None, "x")[1] for a in arrays)
    width = min(MAX_WIDTH + 0.7, SIDE * sum(sides) + 0.9 * len(arrays))
    figure, axes = new_figure(
        (width, height + (0.3 if columns else 0)),
        ncols=len(arrays),
        width_ratios=sides,
        squeeze=False,
    )
    figure.get_layout_engine().set(w_pad=0.12)
    options = {"groups": groups, "rows": rows, "columns": columns}
    for i, (ax, array) in enumerate(zip(axes[0], arrays, strict=True)):
        own = {name: value[i] for name, value in options.items() if value}
        plot_grid(array, titles[i], ax, **own)
    return axes[0]


def outline_groups(ax, groups):
    """Draw a line along every border between two groups and outside."""
    padded = np.pad(groups, 1, constant_values=-1)
    for row, column in np.argwhere(padded[:, 1:] != padded[:, :-1]):
        owner = max(padded[row, column], padded[row, column + 1])
        segment = [column - 0.5] * 2, [row - 1.5, row - 0.5]
        ax.plot(*segment, color=EDGES[owner], linewidth=2, clip_on=False)
    for row, column in np.argwhere(padded[1:] != padded[:-1]):
        owner = max(padded[row, column], padded[row + 1, column])
        segment = [column - 1.5, column - 0.5], [row - 0.5] * 2
        ax.plot(*segment, color=EDGES[owner], linewidth=2, clip_on=False)


def frame_grid(ax, shape, rows, columns):
    """Set limits and labels of a grid: rows downward, labels on top."""
    ax.set_xlim(-0.55, shape[1] - 0.45)
    ax.set_ylim(shape[0] - 0.45, -0.55)
    ax.set_aspect("equal")
    ax.spines[:].set_visible(False)
    ax.xaxis.set_ticks_position("top")
    ax.set_xticks(range(len(columns)), columns, parse_math=False)
    ax.set_yticks(range(len(rows)), rows, parse_math=False)
    ax.tick_params(length=0, labelsize=TYPE)


def describe_grid(array, groups=None, rows=None):
    """Return the numbers of ``plot_grid``: ``|`` stands between groups."""
    array, groups = check_grid("array", array, groups)
    rows, _ = check_sides(array.shape, rows, None)
    texts = grid_texts(array)
    wide = max(len(text) for line in texts for text in line)
    name = max(map(len, rows), default=0)
    lines = []
    for row, line in enumerate(texts):
        text = f"{rows[row]:>{name}}  " if rows else ""
        for column, cell in enumerate(line):
            new = column and groups[row, column] != groups[row, column - 1]
            text += ("| " if new else "") + f"{cell:>{wide}} "
        lines.append(text.rstrip())
    return "\n".join(lines)


def grid_texts(array):
    """Return the numbers as text: whole ones bare, others one decimal."""
    decimals = 0 if (array == np.round(array)).all() else 1
    return [[signed(value, decimals) for value in row] for row in array]


def grid_size(shape, rows, title):
    """Return width and height in inches of a figure for one grid."""
    left = 0.2 + max(map(text_width, rows or [""]))
    lines = 0.5 if title else 0.2
    return max(2.2, SIDE * shape[1] + left), SIDE * shape[0] + lines


def check_sides(shape, rows, columns):
    """Return row and column labels, empty lists where there are none."""
    rows = [] if rows is None else check_tokens("rows", rows, shape[0])
    if columns is not None:
        return rows, check_tokens("columns", columns, shape[1])
    return rows, []


def check_grid(name, array, groups):
    """Return the array (R, C) and its groups, checked."""
    array = check_array(name, array, 2)
    check_finite(name, array)
    if max(array.shape) > MAX_NUMBERS:
        raise ValueError(
            f"{name} of shape {array.shape} is too large to read: at most "
            f"{MAX_NUMBERS} a side; slice it"
        )
    if groups is None:
        return array, np.full(array.shape, 3)
    groups = np.asarray(groups)
    if groups.dtype.kind not in "iu":
        raise TypeError(f"groups must be whole numbers, got {groups.dtype}")
    if groups.size and (groups.min() < 0 or groups.max() > 3):
        raise ValueError(f"groups must be 0 to 3, got up to {groups.max()}")
    try:
        return array, np.broadcast_to(groups, array.shape)
    except ValueError:
        raise ValueError(
            f"groups of shape {groups.shape} do not fit {name} {array.shape}"
        ) from None

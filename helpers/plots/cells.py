"""The parts of a map: one colored cell for each row and column.

Weights are drawn from white (0) to dark blue (1), signed numbers in purple,
white (0) and green. The ink of each number is black or white, whichever
contrasts more with its cell.
"""

import numpy as np

from . import canvas, in_words, inputs, theme

CELL, NARROW, ROW = 0.43, 0.21, 0.31  # inches
WHITE_BLUE = "white is 0, dark blue is 1"
QUERY_KEY = " (queries)", " (keys)"
SIGNED = "purple is below 0, white is 0, green is above"


def draw_weights(ax, weights, labels, hidden, frame=None, ylabel="query →"):
    """Draw a map of weights with its numbers, or with a color bar."""
    colors, texts, bar = theme.weights(), None, "weight"
    if fits_numbers(ax, weights):
        texts = np.char.replace(
            in_words.results(weights, form=".2f"), "0.00", "·"
        )
        bar = ""
    numbers = draw_map(ax, weights, labels, colors, texts, hidden, frame)
    largest = weights > weights.max(axis=1, keepdims=True) - 1e-6
    strong = (largest & (weights > 0))[~hidden]
    for number, bold in zip(numbers, strong, strict=False):
        number.set_weight("bold" if bold else "normal")
    name_axes(ax, ylabel, "key →", bar)


def draw_map(ax, values, labels, colors, texts=None, hidden=None, frame=None):
    """Color the cells, write `texts` (R, C), hatch the hidden ones.

    `colors` is a color map and its two limits; `hidden` is (R, C). Returns
    the numbers written, row by row.
    """
    rows, columns = values.shape
    if frame is not None and frame not in range(rows):
        raise ValueError(f"frame: expected 0 to {rows - 1}, got {frame!r}")
    hidden = np.zeros(values.shape, bool) if hidden is None else hidden
    look = {"linewidth": 0.6 if columns <= inputs.MAX_LABELS else 0}
    look |= {"hidden": hidden, "va": "center"}
    edges = np.arange(columns + 1), np.arange(rows + 1)
    numbers = canvas.paint(ax, edges, values, colors, texts, **look)
    ax.set(xlim=(0, columns), ylim=(rows, 0), xticks=[], yticks=[])
    box = theme.pyplot().Rectangle
    look = {"facecolor": theme.GREY, "edgecolor": "#8c8c8c", "hatch": "////"}
    for row, column in np.argwhere(hidden):
        ax.add_patch(box((column, row), 1, 1, linewidth=0, **look))
    if frame is not None:
        canvas.frame(ax, (0, frame, columns, 1), clip_on=False)
    label_cells(ax, *labels)
    return numbers


def label_cells(ax, rows, columns):
    """Label the rows, and the columns above the map, slanted if wide."""
    ax.spines[:].set(visible=True, color=theme.DARK_GREY, linewidth=0.6)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows, parse_math=False)
    ax.tick_params(length=0, labelrotation=0)
    if columns is not None:
        ax.xaxis.set(ticks_position="top", label_position="top")
        turn, _ = slant(columns, theme.axes_inches(ax)[0] / len(columns))
        look = {"rotation": turn, "parse_math": False}
        if turn == 45:
            look |= {"ha": "left", "rotation_mode": "anchor"}
        ax.set_xticks(np.arange(len(columns)) + 0.5, columns, **look)


def name_axes(ax, ylabel, xlabel, bar=""):
    """Name rows and columns, with a color bar beside them."""
    ax.set_xlabel(xlabel, labelpad=7)
    ax.set_ylabel(ylabel, rotation=270, labelpad=16)
    if not bar:
        return
    height = theme.axes_inches(ax)[1]
    ticks = theme.pyplot().MaxNLocator(4 if height > 1.5 else 2)
    look = {"aspect": max(5, height / 0.13), "pad": 0.02, "ticks": ticks}
    bar = ax.figure.colorbar(ax.collections[-1], ax=ax, label=bar, **look)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=2)


def score_texts(scores):
    """Return signed numbers as they are written into cells, short enough."""
    wide = scores.shape[1] > 10
    steps = (9.95, 0) if wide else (99.95, 9.995)  # what needs fewer digits
    digits = 2 - sum(abs(scores).max() >= step for step in steps)
    return in_words.results(scores, form=f".{digits}f")


def fits_numbers(ax, values):
    """Say whether the cells are few and large enough to write into."""
    cell = theme.axes_inches(ax)[0] / values.shape[1]
    return few_cells(*values.shape) and cell > 0.34


def few_cells(rows, columns):
    """Say whether the numbers are few enough; two rows may be longer."""
    most = 14 if rows <= 2 else inputs.MAX_NUMBERS
    return rows <= inputs.MAX_NUMBERS and columns <= most


def map_size(labels, cell=CELL, row=ROW):
    """Return width and height in inches of a figure for one map.

    `cell` and `row` are the size of a cell with a number, if there is room.
    """
    rows, columns = labels
    few = few_cells(len(rows), len(columns))
    left = 0.45 + max(map(theme.text_width, rows))
    wanted = (cell if few else NARROW) * len(columns) + (0.3 if few else 0.9)
    width = float(np.clip(left + wanted, 3.2, theme.WIDTH))
    top = slant(columns, (width - left) / len(columns))[1]
    return width, 0.45 + top + (row if few else NARROW) * len(rows)


def slant(labels, cell):
    """Return angle and height in inches of labels over cells so wide."""
    widest = max(map(theme.text_width, labels))
    if widest < 0.92 * cell:
        return 0, 0.2
    return (45, 0.2 + 0.7 * widest) if cell > 0.3 else (90, widest + 0.1)


def map_alt(what, labels, scale=WHITE_BLUE, mask=None, sides=QUERY_KEY):
    """Return the alt text of a map: its kind, its colors and its axes."""
    rows, columns = map(listed, labels)
    sides = f"Rows{sides[0]}: {rows}. Columns{sides[1]}: {columns}."
    if labels[0] == labels[1]:
        sides = f"Rows (queries) and columns (keys): {rows}."
    hidden = "" if mask is None else ", hatched cells are masked"
    return f"Heat map of {what}: {scale}{hidden}. {sides}"


def listed(labels, most=120):
    """Return labels for an alt text: all, or the first and the last."""
    whole = "; ".join(labels)
    if len(whole) <= most:
        return whole
    return f"{'; '.join(labels[:3])} … {labels[-1]} ({len(labels)} in all)"

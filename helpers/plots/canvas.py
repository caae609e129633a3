"""A canvas measured in inches: the parts that schemas are drawn from."""

import numpy as np

from . import theme

BLUE, LIT, FOUND = theme.HUES
_, LIT_INK, FOUND_INK = theme.INKS
HEAD = "-|>,head_width=0.25,head_length=0.45"


def blank(ax, width, height):
    """Make `ax` a canvas in inches: x to the right, y downward."""
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal", anchor="SW")
    ax.set_axis_off()
    if hasattr(ax.figure, "alt_text"):  # no layout: inches stay inches
        ax.figure.set_layout_engine("none")
        ax.set_position([0, 0, 1, height / ax.figure.get_figheight()])


def write(ax, x, y, words, *, ha="center", va="center_baseline", **look):
    """Write words at a place; a dollar sign is a dollar sign."""
    look = {"parse_math": False, "size": theme.TYPE} | look
    return ax.text(x, y, words, ha=ha, va=va, **look)


def draw_cells(ax, values, box, *, signed=True, texts=None, limit=None):
    """Color the cells of `values` (R, C) in `box` (left, top, wide, tall).

    Signed values are blue, white at 0 and red, up to `limit`; others are
    weights. `texts` (R, C) are written into the cells.
    """
    rows, columns = values.shape
    left, top, wide, tall = box
    x = np.linspace(left, left + wide, columns + 1)
    y = np.linspace(top, top + tall, rows + 1)
    cmap, low, high = theme.sequential(), 0, 1
    if signed:
        high = limit or abs(values).max() or 1.0
        cmap, low = theme.diverging(), -high
    look = {"cmap": cmap, "vmin": low, "vmax": high}
    look |= {"edgecolors": theme.GREY, "linewidth": 0.4}
    ax.pcolormesh(x, y, values, **look)
    frame(ax, box, theme.DARK_GREY, 0.6)
    for (row, column), words in np.ndenumerate([] if texts is None else texts):
        place = x[column : column + 2].mean(), y[row : row + 2].mean()
        color = cmap((values[row, column] - low) / (high - low))
        write(ax, *place, words, color=theme.ink(color))


def frame(ax, box, color=LIT, linewidth=2.5, **look):
    """Draw a frame around `box` (left, top, wide, tall)."""
    left, top, wide, tall = box
    look = {"fill": False, "edgecolor": color, "linewidth": linewidth} | look
    patch = theme.pyplot().Rectangle((left, top), wide, tall, **look)
    return ax.add_patch(patch)


def arrow(ax, start, end, color=theme.DARK_GREY, linewidth=1.8, **look):
    """Draw an arrow from `start` to `end`, both (x, y)."""
    look = {"arrowstyle": HEAD, "color": color, "linewidth": linewidth} | look
    look = {"shrinkA": 0, "shrinkB": 0} | look
    ax.annotate("", end, start, arrowprops=look, annotation_clip=False)

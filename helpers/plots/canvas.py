"""A canvas measured in inches: the parts that schemas are drawn from."""

import numpy as np

from . import in_words, theme

BLUE, LIT, FOUND = theme.HUES
_, LIT_INK, FOUND_INK = theme.INKS


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


def write_words(ax, words, right, top, row, lit=None, color=LIT_INK):
    """Write words as labels of rows, the one at `lit` bold, in a color."""
    for place, word in enumerate(words):
        look = {"color": color, "weight": "bold"} if place == lit else {}
        write(
            ax,
            right - 0.07,
            top + row * (place + 0.5),
            word,
            ha="right",
            **look,
        )


def title(ax, x, top, name, shape, **look):
    """Write the name and the shape of an array above it."""
    write(ax, x, top - 0.38, name, **{"weight": "bold"} | look)
    write(ax, x, top - 0.16, str(shape))


def draw_cells(
    ax, values, box, *, signed=True, texts=None, limit=None, digits=None
):
    """Color the cells of `values` (R, C) in `box` (left, top, wide, tall).

    Signed values are purple, white at 0 and green, up to `limit`; others are
    weights. `texts` (R, C) are written into the cells; `digits` writes the
    values themselves, if there is room for them.
    """
    rows, columns = values.shape
    left, top, wide, tall = box
    x = np.linspace(left, left + wide, columns + 1)
    y = np.linspace(top, top + tall, rows + 1)
    if digits is not None and wide / columns > 0.2 + 0.1 * (digits + signed):
        texts = in_words.results(values, form=f".{digits}f")
    colors = theme.signed(values, limit) if signed else theme.weights()
    thin = 0 if wide / columns < 0.08 else 0.4
    paint(ax, (x, y), values, colors, texts, linewidth=thin)
    frame(ax, box, theme.DARK_GREY, 0.6)


def paint(
    ax, edges, values, colors, texts=None, *, hidden=None, linewidth=0, **look
):
    """Color the cells of `values` (R, C), and write `texts` (R, C) there.

    `edges` are those of the columns and of the rows, `colors` a color map
    and its two limits; `hidden` cells (R, C) stay as they are. `look` is how
    the texts look, in black or white. Returns them, row by row.
    """
    x, y = edges
    cmap, low, high = colors
    hidden = np.zeros(values.shape, bool) if hidden is None else hidden
    grid = {"edgecolors": theme.GREY, "linewidth": linewidth}
    grid |= {"cmap": cmap, "vmin": low, "vmax": high}
    ax.pcolormesh(x, y, np.ma.array(values, mask=hidden), **grid)
    written = []
    for row, column in np.argwhere(~hidden) if texts is not None else ():
        place = x[column : column + 2].mean(), y[row : row + 2].mean()
        ink = theme.ink(cmap((values[row, column] - low) / (high - low)))
        look |= {"color": ink}
        written.append(write(ax, *place, texts[row, column], **look))
    return written


def frame(ax, box, color=LIT, linewidth=2.5, **look):
    """Draw a frame around `box` (left, top, wide, tall)."""
    left, top, wide, tall = box
    look = {"fill": False, "edgecolor": color, "linewidth": linewidth} | look
    patch = theme.pyplot().Rectangle((left, top), wide, tall, **look)
    return ax.add_patch(patch)


def arrow(ax, start, end, color=theme.DARK_GREY, thick=1.8, **look):
    """Draw an arrow from `start` to `end`, `thick` points wide."""
    head = f"head_width={thick + 6},head_length={min(8, thick + 6)}"
    look = {"arrowstyle": f"simple,tail_width={thick},{head}"} | look
    look = {"linewidth": 0, "shrinkA": 0, "shrinkB": 0} | look
    look |= {"color": color, "mutation_scale": 1}
    ax.annotate("", end, start, arrowprops=look, annotation_clip=False)


def elbow(ax, start, end, fall, color):
    """Draw an arrow that falls, goes to the side, and falls again."""
    y = start[1] + fall
    look = {"color": color, "linewidth": 2, "solid_joinstyle": "miter"}
    stop = end[0], end[1] - 0.1
    ax.plot([start[0]] * 2 + [end[0]] * 2, [start[1], y, y, stop[1]], **look)
    arrow(ax, (stop[0], stop[1] - 0.02), end, color, 2)

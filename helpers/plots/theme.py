"""Type, colors and ink that every figure of the course shares."""

import textwrap
from contextlib import contextmanager
from functools import cache

import numpy as np

HUES = ("#0072B2", "#D55E00", "#009E73")
INKS = ("#0072B2", "#B84F00", "#007A58")  # the hues, readable as type
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)))
MARKS = ((0, (1, 1)), (0, (4, 1, 1, 1)), (0, (6, 2)))  # vertical lines
GREY = "#d9d9d9"
DARK_GREY = "#555555"
TYPE = 11  # points, the smallest type of any figure
TITLE = 12
WIDTH = 6.5  # inches, at 100 dots an inch on the screen

SETTINGS = {
    "font.size": TYPE,
    "axes.titlesize": TITLE,
    "legend.frameon": False,
    "legend.handlelength": 3.0,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#e5e5e5",
    "hatch.linewidth": 0.8,
    "figure.constrained_layout.use": True,
    "figure.figsize": (5.5, 3.4),
    "lines.linewidth": 2.0,
}


@cache
def pyplot():
    """Return matplotlib.pyplot, imported when the first figure is drawn.

    The backend is loaded here: inside `style`, a notebook's backend would
    lose the settings that it makes for the session.
    """
    import matplotlib.pyplot as plt

    plt.draw_if_interactive()
    return plt


@contextmanager
def style():
    """Draw with the type and colors of the course, then put all back.

    Use it as ``with plots.style(): ...``; the settings of the session are
    the same before and after. Every `show_x` applies it itself.
    """
    with pyplot().style.context(["default", SETTINGS]):
        yield


@cache
def sequential():
    """Return the color map of weights: white is 0, dark blue is 1."""
    from matplotlib.colors import LinearSegmentedColormap as ColorMap

    blues = pyplot().get_cmap("Blues")(np.linspace(0.15, 1.0, 8))
    return ColorMap.from_list("attention", [(1, 1, 1, 1), *blues])


@cache
def diverging():
    """Return the color map of signed values: purple, white at 0, green."""
    from matplotlib.colors import LinearSegmentedColormap as ColorMap

    half = np.linspace(0.04, 0.44, 8)
    colors = pyplot().get_cmap("PRGn")(np.r_[half, 0.5, 1 - half[::-1]])
    colors[8] = 1.0  # pure white
    return ColorMap.from_list("signed", colors)


def weights():
    """Return the color map of weights and its limits."""
    return sequential(), 0, 1


def signed(values, limit=None):
    """Return the color map of signed values and its limits, to `limit`."""
    limit = limit or abs(values).max() or 1.0
    return diverging(), -limit, limit


def rgb(color):
    """Return a color as three numbers from 0 to 1."""
    from matplotlib.colors import to_rgb

    return np.array(to_rgb(color))


def luminance(color):
    """Return the relative luminance of an RGB(A) color (WCAG 2.1)."""
    rgb = np.asarray(color, dtype=float)[:3]
    low, high = rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4
    linear = np.where(rgb <= 0.04045, low, high)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def ink(background):
    """Return "black" or "white", whichever contrasts more with a color."""
    return "black" if (luminance(background) + 0.05) ** 2 > 0.0525 else "white"


def text_width(text):
    """Return about how many inches a line of text takes."""
    return 0.62 * TYPE / 72 * len(text)


def axes_inches(ax):
    """Return about how wide and high `ax` is, in inches."""
    return ax.get_position().size * ax.figure.get_size_inches()


def set_title(ax, title):
    """Write a title, wrapped to the width of the figure's column."""
    width = axes_inches(ax)[0] + 0.4
    columns = max(12, int(width / text_width("x")))
    ax.set_title(textwrap.fill(title, columns), loc="left", pad=8, size=TITLE)


def name_lines(figure):
    """Name the lines of a figure below its axes, in rows that fit."""
    named = {}
    for ax in figure.axes:
        handles, labels = ax.get_legend_handles_labels()
        named |= dict(zip(labels, handles, strict=True))
    if not hasattr(figure, "alt_text"):  # the learner's own figure
        figure.axes[-1].legend()
    elif named:
        wide = [text_width(label) + 0.9 for label in named]
        columns = len(named)
        while (
            columns > 1
            and column_widths(wide, columns) > figure.get_figwidth()
        ):
            columns -= 1
        place = {"loc": "outside lower left", "ncols": columns}
        figure.legend(named.values(), named.keys(), **place)


def column_widths(wide, columns):
    """Return how wide a legend of entries so wide is, filled by columns."""
    parts = np.array_split(np.array(wide), columns)
    return sum(part.max() for part in parts)

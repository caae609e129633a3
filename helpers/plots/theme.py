"""Type, colors and ink that every figure of the course shares."""

from contextlib import contextmanager
from functools import cache, partial

import numpy as np

from .png import print_small_png

HUES = ("#0072B2", "#D55E00", "#009E73")
MARKERS = ("o", "s", "^")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)))
INKS = ("#0072B2", "#B84F00", "#007A58")
THEORY = (("#000000", "--"), ("#666666", ":"), ("#666666", "-."))
GREY = "#d9d9d9"
DARK_GREY = "#555555"
TYPE = 11
TITLE = 12
MAX_WIDTH = 6.5

SETTINGS = {
    "font.family": "DejaVu Sans",
    "font.size": TYPE,
    "axes.titlesize": TITLE,
    "axes.labelsize": TYPE,
    "xtick.labelsize": TYPE,
    "ytick.labelsize": TYPE,
    "legend.fontsize": TYPE,
    "figure.titlesize": TITLE,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "figure.figsize": (5.5, 3.4),
    "lines.linewidth": 2.0,
    "lines.markersize": 6.0,
}


@cache
def pyplot():
    """Return matplotlib.pyplot, imported when the first figure is drawn.

    The backend is loaded here too: loaded inside ``style``, a notebook's
    backend would lose the settings that it makes for the session.
    """
    import matplotlib.pyplot as plt

    plt.draw_if_interactive()
    return plt


@contextmanager
def style():
    """Draw with the type and colors of the course, then put all back.

    Use it as ``with plots.style(): ...``; the settings of the session are
    the same before and after. Every ``plot_*`` function applies it itself.
    """
    with pyplot().style.context(["default", SETTINGS]):
        yield


def new_axes(ax, size):
    """Return ``ax``, or the axes of a new figure of ``size`` inches."""
    if ax is None:
        return new_figure(size)[1]
    if not hasattr(ax, "get_xlim"):
        raise TypeError(
            f"ax must be one matplotlib Axes or None, got {type(ax).__name__}"
        )
    return ax


def new_figure(size, **grid):
    """Return figure and axes of ``plt.subplots`` that save as a small PNG."""
    size = [round(inches, 1) for inches in size]
    figure, axes = pyplot().subplots(figsize=size, **grid)
    if hasattr(figure.canvas, "print_png"):
        figure.canvas.print_png = partial(print_small_png, figure.canvas)
    return figure, axes


@cache
def sequential():
    """Return the color map of weights: white is 0, dark blue is 1."""
    from matplotlib.colors import LinearSegmentedColormap as ColorMap

    blues = pyplot().get_cmap("Blues")(np.linspace(0.15, 1.0, 8))
    return ColorMap.from_list("attention", [(1, 1, 1, 1), *blues])


@cache
def diverging():
    """Return the color map of signed values: blue, white at 0, red."""
    from matplotlib.colors import LinearSegmentedColormap as ColorMap

    half = np.linspace(0.04, 0.44, 8)
    ends = pyplot().get_cmap("RdBu_r")(np.r_[half, 0.5, 1 - half[::-1]])
    ends[8] = 1.0
    return ColorMap.from_list("signed", ends)


def luminance(color):
    """Return the relative luminance of an RGB(A) color (WCAG 2.1)."""
    rgb = np.asarray(color, dtype=float)[:3]
    linear = np.where(
        rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4
    )
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(a, b):
    """Return the contrast ratio of two RGB(A) colors, from 1 to 21."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def ink(background):
    """Return "black" or "white", whichever reads better on a color."""
    on_black = contrast(background, (0.0, 0.0, 0.0))
    return "black" if on_black >= contrast(background, (1, 1, 1)) else "white"


def text_width(text, size=TYPE):
    """Return about how many inches a line of text takes."""
    return 0.62 * size / 72 * len(text)


def set_title(ax, title, width):
    """Write a left-aligned title, wrapped to ``width`` inches."""
    if title is None:
        return
    import textwrap

    columns = max(12, int(width / text_width("x", TITLE)))
    ax.set_title(textwrap.fill(title, columns), loc="left", pad=8)

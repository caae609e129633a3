"""One stream with two side paths: what a Transformer block does."""

from . import canvas, theme
from .output import page

PARTS = (
    ("attention", "words look", "at each other"),
    ("feed-forward", "each word", "by itself"),
)


def show_stream(**figure):
    """Show a block: the stream, and two parts that read it and add to it.

    `figure` is title, words or ax. Prints the two sums in words. Returns
    the Axes.
    """
    alt = (
        "A Transformer block. A thick line, the residual stream, runs from"
        " left to right. Twice, an arrow leaves it downward, goes through a"
        " norm and a part (first attention, then the feed-forward layer), and"
        " comes back up to a plus sign on the line."
    )
    said = (
        "the stream, read by norm and attention, plus what they give;\n"
        "that sum, read by norm and feed-forward, plus what they give"
    )
    with page((theme.WIDTH, 2.35), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, 2.35)
        draw_line(ax)
        for left, hue, part in zip(
            (0.7, 3.45), theme.HUES, PARTS, strict=False
        ):
            draw_path(ax, left, hue, *part)
    return ax


def draw_line(ax):
    """Draw the stream, and say what it is."""
    look = {"color": theme.DARK_GREY, "linewidth": 7, "solid_capstyle": "butt"}
    ax.plot([0.25, 6.05], [0.55, 0.55], **look, zorder=1)
    canvas.arrow(ax, (6.0, 0.55), (6.3, 0.55), theme.DARK_GREY, 7)
    canvas.write(ax, 0.25, 0.2, "x (T, d): the stream", ha="left")
    canvas.write(ax, 6.3, 0.2, "x (T, d) again", ha="right")


def draw_path(ax, left, hue, name, *says):
    """Draw one side path: down, through norm and part, up to a sum."""
    ink = theme.INKS[theme.HUES.index(hue)]
    wide = 0.35 + theme.text_width(name)
    down, mid, up = left, 1.55, left + wide + 1.07
    look = {"color": hue, "linewidth": 2, "solid_joinstyle": "miter"}
    ax.plot([down, down, down + 0.1], [0.6, mid, mid], **look, zorder=2)
    canvas.arrow(ax, (down + 0.08, mid), (down + 0.25, mid), hue, 2)
    box(ax, (down + 0.25, mid - 0.18, 0.5, 0.36), hue)
    canvas.write(ax, down + 0.5, mid, "norm")
    canvas.arrow(ax, (down + 0.75, mid), (down + 0.92, mid), hue, 2)
    box(ax, (down + 0.92, mid - 0.18, wide, 0.36), hue)
    canvas.write(
        ax, down + 0.92 + wide / 2, mid, name, weight="bold", color=ink
    )
    ax.plot([up - 0.15, up, up], [mid, mid, 0.8], **look, zorder=2)
    canvas.arrow(ax, (up, 0.85), (up, 0.7), hue, 2)
    ring = theme.pyplot().Circle((up, 0.55), 0.15, zorder=3)
    ring.set(facecolor="white", edgecolor=hue, linewidth=2)
    ax.add_patch(ring)
    canvas.write(ax, up, 0.55, "+", weight="bold", size=14, zorder=4)
    canvas.write(ax, down + 0.25, 2.0, " ".join(says), ha="left", color=ink)


def box(ax, place, hue):
    """Draw a white box with a colored edge."""
    canvas.frame(ax, place, hue, 1.8, fill=True, facecolor="white", zorder=3)

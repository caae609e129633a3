"""Before and after: where each value started and where it went."""

import numpy as np

from .inputs import check_array, check_finite, check_tokens
from .theme import DARK_GREY, HUES, TYPE, new_axes, set_title, style
from .words import signed


def plot_moves(labels, before, after, xlabel, ax=None, title=None):
    """Draw a line per label from `before` (open) to `after` (full).

    ``labels`` is a list of n strings, ``before`` and ``after`` are (n,).
    Rises are blue circles, falls orange squares. Returns the Axes; raises
    TypeError or ValueError, naming the argument and its shape.
    """
    labels, before, after = check_moves(labels, before, after)
    with style():
        ax = new_axes(ax, (5.5, 1.3 + 0.38 * len(labels)))
        for row, (start, end) in enumerate(zip(before, after, strict=True)):
            falls = int(end < start)
            look = {"color": HUES[falls], "marker": "os"[falls]}
            ax.plot([start, end], [row, row], color=HUES[falls], zorder=1)
            ax.plot(start, row, **look, markerfacecolor="white")
            ax.plot(end, row, **look)
        ax.set_yticks(range(len(labels)), labels)
        ax.margins(y=0.12)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.tick_params(labelsize=TYPE)
        ax.grid(axis="x", color="#e5e5e5")
        ax.set_axisbelow(True)
        ax.set_xlabel(f"{xlabel}   (open: before, full: after)", size=TYPE)
        set_title(ax, title, ax.figure.get_figwidth() - 1)
        ax.spines["left"].set_color(DARK_GREY)
    return ax


def describe_moves(labels, before, after):
    """Say where each label started and went: ``river 0.255 -> 0.446``."""
    labels, before, after = check_moves(labels, before, after)
    width = max(map(len, labels))
    return "\n".join(
        f"{label:>{width}}  {signed(start, 3)} -> {signed(end, 3)}"
        for label, start, end in zip(labels, before, after, strict=True)
    )


def check_moves(labels, before, after):
    """Return labels and both arrays, checked to be of one length."""
    before = check_array("before", before, 1)
    after = check_array("after", after, 1)
    for name, values in (("before", before), ("after", after)):
        check_finite(name, values)
        if len(values) != len(before):
            raise ValueError(
                f"before and after differ: shapes {before.shape} and"
                f" {np.shape(after)}"
            )
    return check_tokens("labels", labels, len(before)), before, after

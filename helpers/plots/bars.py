"""Bars for a few results, and moves from before to after."""

import numpy as np

from ..validation import real_number
from . import inputs, text, theme
from .output import page


def show_bars(labels, values, chance=None, *, xlabel="accuracy", **figure):
    """Show a bar per label: the mean of its seeds, which are points.

    `labels` are n strings; `values` are n lists with a result for each seed.
    Mean and sd are written beside the bar; `chance` is a dashed line;
    `figure` is title, words or ax. Prints the numbers. Returns the Axes.
    Raises TypeError or ValueError, naming argument and shape.
    """
    labels = inputs.check_tokens("labels", labels, len(values))
    seeds = [
        inputs.check_array(f"values[{i}]", value, 1)
        for i, value in enumerate(values)
    ]
    mean, sd = ([*map(measure, seeds)] for measure in (np.mean, np.std))
    texts = text.results(mean, sd)
    lines = dict(zip(labels, texts, strict=True))
    if chance is not None:
        lines["chance"] = f"{real_number('chance', chance):.3f}"
    width = max(map(len, lines))
    said = "\n".join(f"{name:<{width}}  {t}" for name, t in lines.items())
    alt = f"Horizontal bars of {xlabel}: {'; '.join(lines)}. Points are seeds."
    size = (theme.WIDTH, 1.3 + 0.4 * len(labels))
    with page(size, alt, said, **figure) as ax:
        draw_bars(ax, mean, seeds, texts)
        if chance is not None:
            look = {"color": "black", "linestyle": "--", "linewidth": 1.2}
            ax.axvline(chance, label=f"chance {chance:.2f}", **look)
            theme.name_lines(ax.figure)
        name_rows(ax, labels, f"{xlabel} (bar: mean, points: seeds)")
    return ax


def draw_bars(ax, mean, seeds, texts):
    """Draw the bars, their seeds, and their numbers beyond both."""
    ax.barh(range(len(mean)), mean, 0.62, color=theme.HUES[0])
    ax.axvline(0, color=theme.DARK_GREY, linewidth=0.8)
    look = {"color": "white", "markeredgecolor": "black", "markersize": 4.5}
    for row, found in enumerate(seeds):
        ax.plot(found, [row] * len(found), "o", **look)
    ends = [max(found, key=abs) for found in seeds]
    bare = ax.barh(range(len(ends)), ends, 0)  # no height, for the numbers
    ax.bar_label(bare, texts, padding=7)
    if 0 <= min(mean) and max(mean) <= 1:
        ax.set_xlim(0, 1)


def show_moves(
    labels, before, after, xlabel, *, third=None, limits=None, **figure
):
    """Show a line per label from `before` (open) to `after` (full).

    `labels` are n strings, `before` and `after` are (n,), `limits` those of
    the x axis. Rises are blue circles, falls orange squares. `third` maps a
    name to (n,) numbers, shown as black diamonds. The rest is as in
    `show_bars`.
    """
    before = inputs.check_array("before", before, 1)
    after = inputs.check_array("after", after, 1, shape=before.shape)
    labels = inputs.check_tokens("labels", labels, len(before))
    width, pairs = max(map(len, labels)), [*zip(before, after, strict=True)]
    lines = [
        f"{label:>{width}}  {' -> '.join(text.results(pair))}"
        for label, pair in zip(labels, pairs, strict=True)
    ]
    name, others = next(iter((third or {}).items()), ("", None))
    if others is not None:
        others = inputs.check_array("third", others, 1, shape=before.shape)
        added = zip(lines, text.results(others), strict=True)
        lines = [f"{line}, {name} {other}" for line, other in added]
    alt = (
        f"Moves of {xlabel} from before (open) to after (full) for "
        f"{', '.join(labels)}; rises are blue circles, falls orange squares."
    )
    alt += f" Black diamonds: {name}." if name else ""
    size, said = (5.5, 1.3 + 0.38 * len(labels)), "\n".join(lines)
    with page(size, alt, said, **figure) as ax:
        for row, (start, end) in enumerate(pairs):
            falls = int(end < start)
            look = {"color": theme.HUES[falls], "marker": "os"[falls]}
            ax.plot([start, end], [row, row], color=look["color"], zorder=1)
            ax.plot(start, row, **look, markerfacecolor="white")
            ax.plot(end, row, **look)
        marks = "open: before, full: after"
        if name:
            ax.plot(others, range(len(others)), "D", color="black", ms=5)
            marks += f", black: {name}"
        ax.margins(y=0.12)
        ax.set_xlim(limits)
        ax.grid(axis="x")
        name_rows(ax, labels, f"{xlabel}   ({marks})")
    return ax


def name_rows(ax, labels, xlabel):
    """Name the rows, which run downward, and the x axis."""
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(xlabel)

"""Bars for a few results, and moves from before to after."""

import numpy as np

from ..validation import real_number
from .inputs import check_array, check_tokens
from .output import page
from .text import results
from .theme import DARK_GREY, HUES, WIDTH, name_lines


def show_bars(
    labels,
    values,
    sd=None,
    chance=None,
    *,
    xlabel="accuracy",
    limits=None,
    **figure,
):
    """Show one horizontal bar per label, its number written at the end.

    `labels` are n strings; `values` are n numbers, or n lists with a result
    for each seed: their mean is the bar, the seeds are points. `sd` (n,) is
    drawn as an error bar, `chance` as a dashed line, `limits` are those of
    the x axis, `figure` is title, words or ax. Prints the numbers. Returns
    the Axes. Raises TypeError or ValueError, naming argument and shape.
    """
    seeds, mean, sd = check_bars(values, sd)
    labels = check_tokens("labels", labels, len(mean))
    texts = results(mean, sd)
    lines = dict(zip(labels, texts, strict=True))
    if chance is not None:
        lines["chance"] = f"{real_number('chance', chance):.3f}"
    width = max(map(len, lines))
    said = "\n".join(f"{name:<{width}}  {t}" for name, t in lines.items())
    alt = f"Horizontal bars of {xlabel}: {'; '.join(lines)}."
    alt += " Points are seeds." if seeds else ""
    size = (WIDTH, 1.3 + 0.4 * len(labels))
    with page(size, alt, said, **figure) as ax:
        draw_bars(ax, mean, sd, seeds, texts)
        unit = mean.min() >= 0 and mean.max() <= 1
        ax.set_xlim(limits or ((0, 1) if unit else None))
        if chance is not None:
            look = {"color": "black", "linestyle": "--", "linewidth": 1.2}
            ax.axvline(chance, label=f"chance {chance:.2f}", **look)
            name_lines(ax.figure)
        spread = "" if sd is None else " (mean ± sd)"
        spread = " (bar: mean, points: seeds)" if seeds else spread
        name_rows(ax, labels, xlabel + spread)
    return ax


def draw_bars(ax, mean, sd, seeds, texts):
    """Draw the bars with error bars or seeds, their numbers at the end."""
    rows, caps = range(len(mean)), {"elinewidth": 1.2, "capsize": 3}
    error = None if seeds else sd
    ax.barh(rows, mean, 0.62, xerr=error, color=HUES[0], error_kw=caps)
    ax.axvline(0, color=DARK_GREY, linewidth=0.8)
    look = {"color": "white", "markeredgecolor": "black", "markersize": 4.5}
    for row, found in enumerate(seeds):
        ax.plot(found, [row] * len(found), "o", **look)
    reach = mean if error is None else mean + np.where(mean < 0, -sd, sd)
    ends = [max(found, key=abs) for found in seeds] or reach
    bare = ax.barh(rows, ends, 0)  # without height, to carry the numbers
    ax.bar_label(bare, texts, padding=7)


def show_moves(labels, before, after, xlabel, *, limits=None, **figure):
    """Show a line per label from `before` (open) to `after` (full).

    `labels` are n strings, `before` and `after` are (n,), `limits` those of
    the x axis. Rises are blue circles, falls orange squares. The rest is as
    in `show_bars`.
    """
    before = check_array("before", before, 1)
    after = check_array("after", after, 1)
    if len(before) != len(after):
        raise ValueError(
            f"before and after differ: shapes {before.shape}, {after.shape}"
        )
    labels = check_tokens("labels", labels, len(before))
    width, pairs = max(map(len, labels)), [*zip(before, after, strict=True)]
    said = "\n".join(
        f"{label:>{width}}  {' -> '.join(results(pair))}"
        for label, pair in zip(labels, pairs, strict=True)
    )
    alt = (
        f"Moves of {xlabel} from before (open) to after (full) for "
        f"{', '.join(labels)}; rises are blue circles, falls orange squares."
    )
    with page((5.5, 1.3 + 0.38 * len(labels)), alt, said, **figure) as ax:
        for row, (start, end) in enumerate(pairs):
            falls = int(end < start)
            look = {"color": HUES[falls], "marker": "os"[falls]}
            ax.plot([start, end], [row, row], color=HUES[falls], zorder=1)
            ax.plot(start, row, **look, markerfacecolor="white")
            ax.plot(end, row, **look)
        ax.margins(y=0.12)
        ax.set_xlim(limits)
        ax.grid(axis="x")
        name_rows(ax, labels, f"{xlabel}   (open: before, full: after)")
    return ax


def name_rows(ax, labels, xlabel):
    """Name the rows, which run downward, and the x axis."""
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(xlabel)


def check_bars(values, sd):
    """Return the seeds of each bar (or none), means, and sd or None."""
    if not hasattr(values, "__len__"):
        raise TypeError(f"values: expected numbers, got {type(values)}")
    if any(map(np.ndim, values)):
        samples = [
            check_array(f"values[{i}]", np.atleast_1d(value), 1)
            for i, value in enumerate(values)
        ]
        mean, sd = (np.array([*map(f, samples)]) for f in (np.mean, np.std))
        return samples, mean, sd
    mean = check_array("values", values, 1)
    if sd is None:
        return [], mean, None
    sd = check_array("sd", sd, 1)
    if sd.shape != mean.shape or sd.min() < 0:
        raise ValueError(
            f"sd must be {mean.shape} numbers of at least 0, got shape "
            f"{sd.shape}, smallest {sd.min():.3g}"
        )
    return [], mean, sd

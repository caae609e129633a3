"""The parts of a curve plot: checked arguments, names at line ends."""

import textwrap

import numpy as np

from .cells import axes_inches
from .inputs import check_array, check_finite
from .theme import TYPE

LINE = 1.25 * TYPE / 72


def check_curves(x, series, theory):
    """Return x, series as (mean, sd) and theory, checked and broadcast."""
    x = check_array("x", x, 1)
    check_finite("x", x)
    for name, lines in (("series", series), ("theory", theory or {})):
        if not isinstance(lines, dict):
            raise TypeError(f"{name} must be a dict, label to numbers")
        if len(lines) > 3:
            raise ValueError(
                f"{name} has {len(lines)} lines, at most 3: use two figures"
            )
    if not series:
        raise ValueError("series is empty")
    pairs = {}
    for label, lines in series.items():
        pair = lines if isinstance(lines, tuple) else (lines, None)
        if len(pair) != 2:
            raise ValueError(f"series[{label!r}] must be (mean, sd)")
        pairs[label] = tuple(
            check_line(f"series[{label!r}]", line, x) for line in pair
        )
    lines = {
        label: check_line(f"theory[{label!r}]", line, x)
        for label, line in (theory or {}).items()
    }
    return x, pairs, lines


def check_line(name, line, x):
    """Return one line as long as x; None stays None, a number is repeated."""
    if line is None:
        return None
    if np.ndim(line) == 0:
        line = np.full(len(x), line)
    line = check_array(name, line, 1)
    check_finite(name, line)
    if len(line) != len(x):
        raise ValueError(f"{name} has shape {line.shape}, but x has {x.shape}")
    return line


def name_ends(ax, x_end, ends):
    """Write each name beside the end of its line, none over another."""
    texts = [textwrap.fill(label, 18) for label, _, _ in ends]
    heights = [LINE * (1 + text.count("\n")) for text in texts]
    scale = axes_inches(ax)[1]
    to_axes = ax.transData + ax.transAxes.inverted()
    wanted = [to_axes.transform((x_end, end))[1] for _, end, _ in ends]
    places = spread_out(wanted, np.array(heights) / scale)
    rows = zip(texts, ends, wanted, places, strict=True)
    for text, (_, end, ink), want, place in rows:
        moved = abs(want - place) * scale > 0.4 * LINE
        leader = {"arrowstyle": "-", "color": ink, "linewidth": 0.7}
        ax.annotate(
            text,
            (x_end, end),
            (1.05, place),
            textcoords="axes fraction",
            va="center",
            color=ink,
            size=TYPE,
            annotation_clip=False,
            arrowprops=leader if moved else None,
        )


def spread_out(wanted, heights):
    """Return positions near ``wanted`` (n,) at least ``heights`` apart."""
    order = np.argsort(wanted, kind="stable")
    gaps = (heights[order][1:] + heights[order][:-1]) / 2
    up = np.array(wanted)[order]
    down = up.copy()
    for i, gap in enumerate(gaps):
        up[i + 1] = max(up[i + 1], up[i] + gap)
    for i, gap in reversed([*enumerate(gaps)]):
        down[i] = min(down[i], down[i + 1] - gap)
    places = np.empty(len(order))
    places[order] = (up + down) / 2
    return places

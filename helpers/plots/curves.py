"""Curves: a few lines with their spread, named where they end."""

import numpy as np

from .cells import axes_inches
from .curve_parts import check_curves, name_ends
from .theme import (
    DASHES,
    HUES,
    INKS,
    MARKERS,
    MAX_WIDTH,
    THEORY,
    TYPE,
    new_axes,
    new_figure,
    set_title,
    style,
)
from .words import align_table


@style()
def plot_curves(
    x,
    series,
    xlabel="",
    ylabel="",
    *,
    xlog=False,
    ylog=False,
    theory=None,
    ylim=None,
    ax=None,
    title=None,
    names=True,
):
    """Draw up to three curves, each with its own hue, marker and dashes.

    ``x`` is (n,); ``series`` maps a label to its means (n,), or to a tuple
    (means, sd) drawn with a band of one sd. ``theory`` maps a label to (n,)
    numbers or one number, drawn thin, black or grey, without markers; a
    theory with the label of a series is not named twice. ``names=False``
    leaves out the names at the line ends. Returns the Axes; raises TypeError
    or ValueError, naming the argument and its shape.
    """
    x, series, theory = check_curves(x, series, theory)
    ax = new_axes(ax, (MAX_WIDTH, 3.5))
    ax.set_xscale("log" if xlog else "linear")
    ax.set_yscale("log" if ylog else "linear")
    draw_series(ax, x, series)
    ends = [
        (label, mean[-1], ink)
        for (label, (mean, _)), ink in zip(series.items(), INKS, strict=False)
    ]
    ends += draw_theory(ax, x, series, theory)
    ax.set_ylim(ylim)
    tick_x(ax, x, xlog)
    if names:
        name_ends(ax, x[-1], ends)
    spread = any(sd is not None for _, sd in series.values())
    ax.set_xlabel(xlabel, size=TYPE)
    ax.set_ylabel(f"{ylabel} (mean ± sd)" if spread else ylabel, size=TYPE)
    ax.grid(axis="y", color="#e5e5e5")
    set_title(ax, title, axes_inches(ax)[0])
    return ax


@style()
def plot_curve_panels(x, panels, xlabel="", *, theory=None, **options):
    """Draw several curve plots side by side that share one legend.

    ``panels`` maps a title to the ``series`` of ``plot_curves``, all with
    the same labels; ``theory`` maps the same titles to their theory lines;
    ``options`` go to ``plot_curves``. At most 3 panels. Returns their Axes.
    """
    if not 1 <= len(panels) <= 3:
        raise ValueError(f"panels must hold 1 to 3, got {len(panels)}")
    figure, axes = new_figure((MAX_WIDTH + 0.7, 3.1), ncols=len(panels))
    axes = np.atleast_1d(axes)
    for ax, (title, series) in zip(axes, panels.items(), strict=True):
        lines = (theory or {}).get(title)
        options |= {"ax": ax, "title": title, "names": False}
        plot_curves(x, series, xlabel, theory=lines, **options)
        ax.set_ylabel("")
    found = [ax.get_legend_handles_labels() for ax in axes]
    legend = {
        label: handle
        for handles, labels in found
        for handle, label in zip(handles, labels, strict=True)
    }
    figure.legend(
        legend.values(),
        legend.keys(),
        loc="outside upper left",
        frameon=False,
        handlelength=3,
        ncols=4,
    )
    return axes


def draw_series(ax, x, series):
    """Draw lines, markers and bands of sd."""
    looks = zip(series.items(), HUES, MARKERS, DASHES, strict=False)
    for (label, (mean, sd)), hue, marker, dashes in looks:
        ax.plot(
            x,
            mean,
            color=hue,
            marker=marker,
            linestyle=dashes,
            markevery=max(1, len(x) // 10),
            label=label,
        )
        if sd is not None:
            band = {"color": hue, "alpha": 0.15, "linewidth": 0}
            ax.fill_between(x, mean - sd, mean + sd, **band)


def draw_theory(ax, x, series, theory):
    """Draw the theory lines; return (name, end, color) of those to name."""
    looks = iter(THEORY)
    ends = {}
    for label, line in theory.items():
        own = label not in series
        color, dashes = next(looks) if own else THEORY[0]
        name = label if own else "theory"
        ends[name] = (name, line[-1], color)
        look = {"color": color, "linestyle": dashes, "linewidth": 1.3}
        ax.plot(x, line, label=name, **look)
    return [*ends.values()]


def tick_x(ax, x, log):
    """Put the ticks of a logarithmic axis at the measured values."""
    if log and len(x) <= 10:
        ax.set_xticks(x, [f"{value:g}" for value in x])
        ax.set_xticks([], minor=True)
    ax.tick_params(labelsize=TYPE)


def describe_curves(x, series, xlabel="x", *, theory=None, form=".3f"):
    """Return the numbers of ``plot_curves`` as a table of fixed width.

    One line per x; ``form`` is the format of a number.
    """
    x, series, theory = check_curves(x, series, theory)
    columns = [[xlabel, *(f"{value:g}" for value in x)]]
    for label, (mean, sd) in series.items():
        cells = [f"{value:{form}}" for value in mean]
        if sd is not None:
            pairs = zip(cells, sd, strict=True)
            cells = [f"{cell} ± {value:{form}}" for cell, value in pairs]
        columns.append([label, *cells])
    for label, line in theory.items():
        name = f"{label} (theory)" if label in series else label
        columns.append([name, *(f"{value:{form}}" for value in line)])
    return align_table([*zip(*columns, strict=True)])

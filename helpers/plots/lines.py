"""Curves: up to three lines, with their seeds or their spread."""

import numpy as np

from . import theme
from .in_words import describe_curves
from .inputs import check_curves, check_marks, check_spans
from .output import page

MARKERS = ("o", "s", "^")
SHORT_SCALE = 300  # the highest number of a log axis by the lowest
THEORY = (("#000000", "--"), ("#666666", ":"), ("#666666", "-."))


def show_curves(
    x, series, xlabel="x", ylabel="", *, theory=None, form=".3f", **options
):
    """Show up to three curves, each with its own hue, marker and dashes.

    `x` is (n,); `series` maps a label to numbers (n,), to a tuple (mean, sd)
    drawn with a band, or to the results of S seeds (S, n), drawn below
    their mean as thin lines, or as ``seeds="points"``. `theory` maps a label
    to (n,) numbers or one number, drawn thin, black or grey, without
    markers; `marks` maps a label to the x of a vertical line, `spans` to
    (low, high), a part of x to shade. Prints the numbers of `series` as a
    table in the format `form`. `options` are seeds, marks and spans, xlog,
    ylog and ylim of the axes, and title, words or ax. Returns the Axes.
    Raises TypeError or ValueError, naming the argument and its shape.
    """
    x, *lines = check_curves(x, series, theory)
    said = describe_curves(x, series, xlabel, form=form)
    names = {"xlog", "ylog", "ylim", "seeds", "marks", "spans"} & set(options)
    look = {name: options.pop(name) for name in names}
    alt = f"Line plot of {ylabel or 'numbers'} against {xlabel}. "
    alt += curve_alt(*lines, *check_look(look))
    with page((theme.WIDTH, 3.7), alt, said, **options) as ax:
        draw_curves(ax, x, *lines, look.pop("seeds"))
        set_axes(ax, x, xlabel, ylabel, **look)
        theme.name_lines(ax.figure)
    return ax


def show_curve_panels(
    x, panels, xlabel="x", *, theory=None, form=".3f", every=1, **look
):
    """Show several plots of curves that share one legend and the x axis.

    `panels` maps a title to the `series` of `show_curves`, all with the same
    labels; `theory` maps the same titles to their theory lines. Two stand
    side by side, three below each other. Of many x, only `every` so many-th
    is in the words. Returns the first Axes, the others are in its figure. The
    rest is as in `show_curves`.
    """
    if not 1 <= len(panels) <= 3:
        raise ValueError(f"panels must hold 1 to 3, got {len(panels)}")
    seeds, *_ = check_look(look)
    plots, said = [], []
    for name, series in panels.items():
        plots.append(check_curves(x, series, (theory or {}).get(name)))
        few = thinned(x, series, every)
        numbers = describe_curves(*few, xlabel, form=form)
        said.append(f"{name}\n{numbers}")
    alt = f"{len(panels)} line plots against {xlabel}: {'; '.join(panels)}. "
    alt += curve_alt(*plots[0][1:], *check_look(look))
    look.pop("seeds")
    grid, size = {"ncols": len(panels)}, (theme.WIDTH, 3.5)
    if len(panels) == 3:
        grid, size = {"nrows": 3, "sharex": True}, (5.0, 6.6)
    grid |= {"squeeze": False}
    with page(size, alt, "\n".join(said), **grid) as axes:
        for ax, curves, name in zip(axes.flat, plots, panels, strict=True):
            draw_curves(ax, *curves, seeds)
            last = ax in axes[-1]
            set_axes(ax, curves[0], xlabel if last else "", "", **look)
            theme.set_title(ax, name)
        theme.name_lines(ax.figure)
    return axes[0, 0]


def thinned(x, series, every):
    """Return x and series with only every so many-th x."""

    def some(values):
        return np.asarray(values)[..., every - 1 :: every]

    return some(x), {
        name: tuple(map(some, line)) if isinstance(line, tuple) else some(line)
        for name, line in series.items()
    }


def check_look(look):
    """Return how seeds are drawn, marks and spans; all are in `look`."""
    seeds = look.setdefault("seeds", "lines")
    if seeds not in ("lines", "points"):
        raise ValueError(f'seeds: expected "lines" or "points", got {seeds!r}')
    marks = check_marks(look.setdefault("marks", {}))
    return seeds, marks, check_spans(look.setdefault("spans", {}))


def draw_curves(ax, x, lines, theory, seeds="lines"):
    """Draw the lines with their seeds or bands, and the theory."""
    thin = {"linewidth": 0.8, "alpha": 0.45, "zorder": 1}
    if seeds == "points":
        thin = {"linestyle": "", "marker": ".", "alpha": 0.6, "zorder": 1}
    looks = zip(lines.items(), theme.HUES, MARKERS, theme.DASHES, strict=False)
    for (label, line), hue, marker, dashes in looks:
        every = max(1, len(x) // 10)
        look = {"color": hue, "marker": marker, "linestyle": dashes}
        ax.plot(x, line.mean, label=label, markevery=every, **look)
        for seed in line.seeds:
            ax.plot(x, seed, color=hue, **thin)
        if line.sd is not None and not len(line.seeds):
            low, high = line.mean - line.sd, line.mean + line.sd
            ax.fill_between(x, low, high, color=hue, alpha=0.15, linewidth=0)
    if any(len(line.seeds) for line in lines.values()):
        ax.plot([], [], color=theme.DARK_GREY, **thin, label="one seed")
    looks = iter(THEORY)
    for label, line in theory.items():
        own = label not in lines
        color, dashes = next(looks) if own else THEORY[0]
        look = {"color": color, "linestyle": dashes, "linewidth": 1.3}
        ax.plot(x, line, label=label if own else "theory", **look)


def set_axes(
    ax,
    x,
    xlabel,
    ylabel,
    xlog=False,
    ylog=False,
    ylim=None,
    marks=(),
    spans=(),
):
    """Set scales, limits, ticks and labels of a plot, marks and spans."""
    scales = ("linear", "log")
    ax.set(xscale=scales[xlog], yscale=scales[ylog], ylim=ylim)
    if xlog and len(x) <= 10:  # ticks at the measured values
        ax.set_xticks(x, [f"{value:g}" for value in x])
        ax.set_xticks([], minor=True)
    elif not xlog and np.all(np.mod(x, 1) == 0):
        ax.locator_params(axis="x", integer=True)  # no epoch 1.5
    if ylog:
        set_short_scale(ax)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.grid(axis="y")
    for (label, place), dashes in zip(
        dict(marks).items(), theme.MARKS, strict=False
    ):
        look = {"color": theme.DARK_GREY, "linewidth": 1.2, "zorder": 0}
        ax.axvline(place, label=label, linestyle=dashes, **look)
    for label, (low, high) in dict(spans).items():
        look = {"color": theme.GREY, "alpha": 0.6, "linewidth": 0}
        ax.axvspan(low, high, label=label, zorder=0, **look)


def set_short_scale(ax):
    """Write 1, 2, 5, 10 … beside a log scale of few powers of ten."""
    low, high = ax.get_ylim()
    if high / low < SHORT_SCALE:
        powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high))
        ticks = np.outer(powers, (1, 2, 5)).ravel()
        ticks = ticks[(low <= ticks) & (ticks <= high)]
        ax.set_yticks(ticks, [f"{value:g}" for value in ticks])
        ax.set_yticks([], minor=True)


def curve_alt(lines, theory, seeds, marks, spans):
    """Return the lines of a plot as sentences."""
    names, drawn = [], {"lines": "thin lines"}.get(seeds, seeds)
    for label, line in lines.items():
        if len(line.seeds):
            label += f" (mean, and {len(line.seeds)} seeds as {drawn})"
        elif line.sd is not None:
            label += " (mean, with a band of one sd)"
        names.append(label)
    own = [label if label not in lines else "theory" for label in theory]
    dashed = f"; dashed, without markers: {'; '.join(dict.fromkeys(own))}"
    alt = f"Lines: {'; '.join(names)}{dashed if theory else ''}."
    if marks:
        vertical = [f"{label} at {place:g}" for label, place in marks.items()]
        alt += f" Vertical lines: {'; '.join(vertical)}."
    if spans:
        shaded = [
            f"{n}, {low:g} to {high:g}" for n, (low, high) in spans.items()
        ]
        alt += f" Shaded: {'; '.join(shaded)}."
    return alt

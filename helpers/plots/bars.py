"""Bars for a few results, and moves from before to after."""

from ..validation import real_number
from . import in_words, inputs, theme
from .output import page


def show_bars(
    labels,
    values,
    chance=None,
    *,
    lit=(),
    marks=None,
    form=None,
    xlim=None,
    each="seeds",
    **figure,
):
    """Show a bar per label: the mean of its seeds, which are points.

    `labels` are n strings; `values` are n lists with a result for each seed.
    Mean and sd (that of a sample, with n - 1) are written beside the bar;
    bars of `lit`, a label or a list of them, are orange and bold. `chance`
    is a dashed line, `marks` maps labels to the x of other vertical lines;
    `form` is the format of the numbers, `xlim` the limits of the x axis,
    `each` what the points are; `figure` is xlabel, title, words or ax. Prints
    the numbers. Returns the Axes. Raises TypeError or ValueError, naming
    argument and shape.
    """
    seeds, lit, marks = check_bars(labels, values, chance, lit, marks)
    texts = [_bar_text(found, form) for found in seeds]
    xlabel = figure.pop("xlabel", "accuracy")
    points = any(len(found) > 1 for found in seeds)
    said = bar_words(dict(zip(labels, texts, strict=True)), seeds, marks)
    alt = f"Horizontal bars of {xlabel}: {'; '.join(labels)}."
    alt += f" Points are {each}." if points else ""
    alt += f" In another color: {'; '.join(lit)}." if lit else ""
    alt += f" Vertical lines: {'; '.join(marks)}." if marks else ""
    size = (theme.WIDTH, 1.3 + 0.4 * len(labels))
    with page(size, alt, said, **figure) as ax:
        draw_bars(ax, seeds, texts, [label in lit for label in labels])
        if xlim is not None:
            ax.set_xlim(xlim)
        draw_marks(ax, marks)
        explained = f" (bar: mean, points: {each})" if points else ""
        name_rows(ax, labels, xlabel + explained)
        for label, tick in zip(labels, ax.get_yticklabels(), strict=True):
            tick.set_weight("bold" if label in lit else "normal")
    return ax


def check_bars(labels, values, chance, lit, marks):
    """Return the seeds of each bar, the lit labels, and all marks."""
    labels = inputs.check_tokens("labels", labels, len(values))
    lit = inputs.check_tokens("lit", [lit] if isinstance(lit, str) else lit)
    if not {*lit} <= {*labels}:
        raise ValueError(f"lit: expected some of {labels}, got {lit}")
    marks = inputs.check_marks(marks or {})
    if chance is not None:
        marks = {"chance": real_number("chance", chance)} | marks
    seeds = [
        inputs.check_array(f"values[{i}]", value, 1)
        for i, value in enumerate(values)
    ]
    return seeds, lit, marks


def _bar_text(values, form):
    """Return the mean and the sd of a sample (n - 1) as text."""
    if len(values) == 1:
        return in_words.signed(values[0], form or ".3f")
    form = form or (".3f" if len(values) > 4 else ".2f")
    return str(in_words.results(values.mean(), values.std(ddof=1), form))


def bar_words(lines, seeds, marks):
    """Return a line for each bar, with its number of seeds, and each mark."""
    counts = [f"  n {len(found)}" for found in seeds] + [""] * len(marks)
    if {"  n 1", ""} >= {*counts}:  # no seeds, just numbers
        counts = [""] * len(counts)
    lines |= {name: in_words.signed(x, ".3f") for name, x in marks.items()}
    names, numbers = (in_words.pad(part) for part in (lines, lines.values()))
    rows = zip(names, numbers, counts, strict=True)
    return "\n".join(f"{a}  {b}{c}".rstrip() for a, b, c in rows)


def draw_bars(ax, seeds, texts, lit):
    """Draw the bars, their seeds, and their numbers beyond both."""
    mean = [found.mean() for found in seeds]
    hues = [theme.HUES[int(shown)] for shown in lit]
    ax.barh(range(len(mean)), mean, 0.62, color=hues)
    ax.axvline(0, color=theme.DARK_GREY, linewidth=0.8)
    look = {"color": "white", "markeredgecolor": "black", "markersize": 4.5}
    for row, found in enumerate(seeds):
        if len(found) > 1:
            ax.plot(found, [row] * len(found), "o", clip_on=False, **look)
    ends = [max(found, key=abs) for found in seeds]
    bare = ax.barh(range(len(ends)), ends, 0)  # no height, for the numbers
    numbers = ax.bar_label(bare, texts, padding=7)
    for number, shown in zip(numbers, lit, strict=True):
        number.set_weight("bold" if shown else "normal")
        number.set_bbox({"facecolor": "white", "linewidth": 0, "pad": 1})
    if 0 <= min(mean) and max(mean) <= 1:
        ax.set_xlim(0, 1)


def draw_marks(ax, marks):
    """Draw a vertical line at each mark, named below the axes."""
    looks = zip(marks.items(), ("--", *theme.MARKS), strict=False)
    for (name, x), dashes in looks:
        look = {"color": "black", "linestyle": dashes, "linewidth": 1.2}
        ax.axvline(x, label=f"{name} {in_words.signed(x)}", **look)
    if marks:
        theme.name_lines(ax.figure)


def show_moves(labels, before, after, xlabel, *, third=None, **figure):
    """Show a line per label from `before` (open) to `after` (full).

    `labels` are n strings, `before` and `after` are (n,). Rises are blue
    circles, falls orange squares. `third` maps a name to (n,) numbers, shown
    as black diamonds. The rest is as in `show_bars`.
    """
    before = inputs.check_array("before", before, 1)
    after = inputs.check_array("after", after, 1, shape=before.shape)
    labels = inputs.check_tokens("labels", labels, len(before))
    width, pairs = max(map(len, labels)), [*zip(before, after, strict=True)]
    lines = [
        f"{label:>{width}}  {' -> '.join(in_words.results(pair))}"
        for label, pair in zip(labels, pairs, strict=True)
    ]
    name, others = next(iter((third or {}).items()), ("", None))
    if others is not None:
        others = inputs.check_array("third", others, 1, shape=before.shape)
        added = zip(lines, in_words.results(others), strict=True)
        lines = [f"{line}, {name} {other}" for line, other in added]
    alt = (
        f"Moves of {xlabel} from before (open) to after (full) for "
        f"{', '.join(labels)}; rises are blue circles, falls orange squares."
    )
    alt += f" Black diamonds: {name}." if name else ""
    size, said = (6.0, 1.6 + 0.38 * len(labels)), "\n".join(lines)
    with page(size, alt, said, **figure) as ax:
        draw_moves(ax, before, after)
        if name:
            rows = range(len(others))
            ax.plot(others, rows, "D", color="black", ms=5, label=name)
        ax.margins(y=0.12)
        ax.grid(axis="x")
        name_rows(ax, labels, xlabel)
        theme.name_lines(ax.figure)
    return ax


def draw_moves(ax, before, after):
    """Draw each move, and name the three marks once."""
    look = {"color": theme.DARK_GREY, "markerfacecolor": "white"}
    ax.plot([], [], "o", label="before", **look)
    names = ["after: higher", "after: lower"]
    for row, (start, end) in enumerate(zip(before, after, strict=True)):
        falls = int(end < start)
        look = {"color": theme.HUES[falls], "marker": "os"[falls]}
        ax.plot([start, end], [row, row], color=look["color"], zorder=1)
        ax.plot(start, row, **look, markerfacecolor="white")
        ax.plot(end, row, **look, linestyle="", label=names[falls])
        names[falls] = None


def name_rows(ax, labels, xlabel):
    """Name the rows, which run downward, and the x axis."""
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(xlabel)

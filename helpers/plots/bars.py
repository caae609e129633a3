"""Bars for a few results, and arrows for vectors of two dimensions."""

import numpy as np

from .inputs import check_array, check_finite, check_tokens
from .theme import (
    DARK_GREY,
    HUES,
    MAX_WIDTH,
    TYPE,
    new_axes,
    set_title,
    style,
)
from .words import signed

PALE = "#9fc3dd"


@style()
def plot_bars(
    labels,
    mean,
    sd=None,
    chance=None,
    *,
    xlabel="accuracy",
    highlight=None,
    limits=None,
    ax=None,
    title=None,
):
    """Draw one horizontal bar per label, its number written at the right.

    ``labels`` is a list of n strings, ``mean`` and ``sd`` are (n,);
    ``chance`` is a number, drawn as a dashed line; ``highlight`` is the label
    of the bar to darken; ``limits`` are those of the x axis. Returns the
    Axes; raises TypeError or ValueError, naming the argument and its shape.
    """
    labels, mean, sd = check_bars(labels, mean, sd, chance)
    if highlight is not None and highlight not in labels:
        raise ValueError(f"highlight {highlight!r} is not one of {labels}")
    ax = new_axes(ax, (MAX_WIDTH, 1.2 + 0.36 * len(labels)))
    dark = [highlight in (None, label) for label in labels]
    ax.barh(
        range(len(labels)),
        mean,
        xerr=sd,
        height=0.62,
        color=[HUES[0] if strong else PALE for strong in dark],
        error_kw={"ecolor": "black", "elinewidth": 1.2, "capsize": 3},
    )
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.tick_params(labelsize=TYPE)
    ax.set_xlim(limits or ((0, 1) if unit_range(mean) else None))
    ax.invert_yaxis()
    ax.axvline(0, color=DARK_GREY, linewidth=0.8)
    write_results(ax, mean, sd, dark)
    if chance is not None:
        mark_chance(ax, chance)
    ax.set_xlabel(xlabel if sd is None else f"{xlabel} (mean ± sd)", size=TYPE)
    set_title(ax, title, MAX_WIDTH - 2)
    if chance is not None and title:
        ax.set_title(ax.get_title(loc="left"), loc="left", pad=24)
    return ax


def write_results(ax, mean, sd, dark):
    """Write the numbers of the bars in a column beside the axes."""
    for row, text in enumerate(result_texts(mean, sd)):
        ax.annotate(
            text,
            (1.04, row),
            xycoords=ax.get_yaxis_transform(),
            va="center",
            size=TYPE,
            weight="bold" if dark[row] and not all(dark) else "normal",
            annotation_clip=False,
        )


def mark_chance(ax, chance):
    """Draw the dashed line of chance and name it above the axes."""
    ax.axvline(chance, color="black", linestyle="--", linewidth=1.2)
    ax.annotate(
        f"chance {chance:.2f}",
        (chance, 1.02),
        xycoords=ax.get_xaxis_transform(),
        ha="center",
        va="bottom",
        size=TYPE,
        annotation_clip=False,
    )


def describe_bars(labels, mean, sd=None, chance=None, *, decimals=3):
    """Return the numbers of ``plot_bars``, one line per label."""
    labels, mean, sd = check_bars(labels, mean, sd, chance)
    lines = [*zip(labels, result_texts(mean, sd, decimals), strict=True)]
    if chance is not None:
        lines.append(("chance", f"{chance:.{decimals}f}"))
    width = max(len(label) for label, _ in lines)
    return "\n".join(f"{label:<{width}}  {text}" for label, text in lines)


def result_texts(mean, sd, decimals=3):
    """Return ``0.991 ± 0.004`` for each bar, without sd just the mean."""
    texts = [signed(value, decimals) for value in mean]
    if sd is None:
        return texts
    pairs = zip(texts, sd, strict=True)
    return [f"{text} ± {spread:.{decimals}f}" for text, spread in pairs]


def unit_range(mean):
    """Say whether the numbers may be shares, from 0 to 1."""
    return mean.min() >= 0 and mean.max() <= 1


def check_bars(labels, mean, sd, chance):
    """Return labels, mean and sd or None, checked to be of one length."""
    mean = check_array("mean", mean, 1)
    check_finite("mean", mean)
    if sd is not None:
        sd = check_array("sd", sd, 1)
        check_finite("sd", sd)
        if sd.shape != mean.shape or sd.min() < 0:
            raise ValueError(
                f"sd must be {mean.shape} numbers of at least 0, got shape "
                f"{sd.shape}, smallest {sd.min():.3g}"
            )
    if chance is not None and not np.isfinite(chance):
        raise ValueError(f"chance must be a finite number, got {chance!r}")
    return check_tokens("labels", labels, len(mean)), mean, sd

"""Arrows: vectors of two dimensions, drawn from the origin."""

import numpy as np

from .inputs import check_array, check_finite, check_tokens
from .theme import (
    DASHES,
    HUES,
    INKS,
    TYPE,
    new_axes,
    set_title,
    style,
    text_width,
)
from .words import align_table, signed

SIDE = 4.0
LINE = 1.25 * TYPE / 72


@style()
def plot_arrows(vectors, labels, ax=None, title=None, *, groups=None):
    """Draw vectors of two dimensions as arrows from the origin.

    ``vectors`` is (n, 2), ``labels`` are n strings, ``groups`` n names of at
    most 3 kinds, told apart by hue and dashes; unless you give them, the
    first vector is one kind and the others a second. Both axes have one
    scale, so that angles and lengths are true. Returns the Axes; raises
    TypeError or ValueError, naming the argument and its shape.
    """
    vectors, labels, groups = check_arrows(vectors, labels, groups)
    low, high = arrow_limits(vectors, labels)
    wide, tall = SIDE * (high - low) / max(high - low)
    ax = new_axes(ax, (max(wide, 2) + 0.8, max(tall, 1.4) + 0.9))
    kinds = [*dict.fromkeys(groups)]
    ax.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    ax.axvline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    ax.set_aspect("equal")
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    for vector, group in zip(vectors, groups, strict=True):
        draw_arrow(ax, vector, kinds.index(group))
    places = label_places(vectors, labels, max(high - low) / SIDE)
    for label, place, group in zip(labels, places, groups, strict=True):
        color = INKS[kinds.index(group)]
        ax.text(*place, label, color=color, ha="center", va="center")
    ax.tick_params(labelsize=TYPE)
    ax.set_xlabel("dimension 0", size=TYPE)
    ax.set_ylabel("dimension 1", size=TYPE)
    set_title(ax, title, max(wide, 2))
    return ax


def draw_arrow(ax, vector, kind):
    """Draw one arrow from the origin."""
    look = {
        "arrowstyle": "-|>,head_width=0.3,head_length=0.6",
        "linestyle": DASHES[kind],
        "color": HUES[kind],
        "linewidth": 2,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    ax.annotate("", vector, (0, 0), arrowprops=look)


def label_places(vectors, labels, inch):
    """Return the centers of the labels (n, 2), each beyond its tip.

    ``inch`` is an inch in units of the axes. A label that would lie on one
    before it moves up, line by line.
    """
    places = []
    for vector, label in zip(vectors, labels, strict=True):
        half = np.array([text_width(label) / 2, LINE / 2]) * inch
        away = vector / max(np.linalg.norm(vector), 1e-12)
        place = vector + away * (half + 0.08 * inch)
        while any(
            (abs(place - other) < half + size).all() for other, size in places
        ):
            place = place + (0, 0.05 * inch)
        places.append((place, half))
    return [place for place, _ in places]


def arrow_limits(vectors, labels):
    """Return the lowest and highest corner that hold arrows and labels."""
    points = np.vstack([vectors, [[0, 0]]])
    span = max(np.ptp(points, axis=0)) or 1.0
    inch = span / (SIDE - 1)
    reach = max(map(text_width, labels)) + 0.2, 2 * LINE
    room = np.sign(points) * np.array(reach) * inch
    points = np.vstack([points, points + room])
    margin = 0.06 * span
    return points.min(axis=0) - margin, points.max(axis=0) + margin


def describe_arrows(vectors, labels):
    """Say each vector's length, and how it meets the first one.

    ``vectors`` is (n, 2). Returns a table of fixed width with the dot
    product and the cosine of the first vector and each; ``–`` where a vector
    of length 0 has no cosine.
    """
    vectors, labels, _ = check_arrows(vectors, labels, None)
    first = labels[0]
    lines = [("", "vector", "length", f"· {first}", f"cosine with {first}")]
    lengths = np.linalg.norm(vectors, axis=1)
    dots = vectors @ vectors[0]
    for label, (x, y), length, dot in zip(
        labels, vectors, lengths, dots, strict=True
    ):
        both = length * lengths[0]
        cosine = signed(dot / both) if both else "–"
        pair = f"({signed(x)}, {signed(y)})"
        lines.append((label, pair, signed(length), signed(dot), cosine))
    return align_table(lines)


def check_arrows(vectors, labels, groups):
    """Return vectors (n, 2), labels and groups, checked."""
    vectors = check_array("vectors", vectors, 2)
    check_finite("vectors", vectors)
    if vectors.shape[1] != 2:
        raise ValueError(f"vectors must be (n, 2), got {vectors.shape}")
    labels = check_tokens("labels", labels, len(vectors))
    if groups is None:
        groups = ["first", *["other"] * (len(labels) - 1)]
    groups = check_tokens("groups", groups, len(vectors))
    if len(set(groups)) > len(HUES):
        raise ValueError(
            f"groups has {len(set(groups))} kinds, at most {len(HUES)}"
        )
    return vectors, labels, groups

"""Vectors of two dimensions as arrows: angles, lengths, shadows."""

import numpy as np

from . import in_words, inputs, theme
from .output import page

ARROW = "-|>,head_width=0.3,head_length=0.6"
DIMENSIONS = "dimension 0", "dimension 1"


def show_arrows(
    vectors, labels, *, shadow=False, dimensions=DIMENSIONS, **figure
):
    """Show vectors of two dimensions as arrows from the origin.

    `vectors` is (n, 2), `labels` are n strings; the first arrow is blue and
    thick, the others are orange and thin. Both axes have one scale, so that
    angles and lengths are true; `dimensions` are the names of the axes. With
    `shadow` each of the others drops its shadow on the line of the first:
    the dot product is the length of the shadow times the length of the
    first. Prints each length, and the dot product and the cosine with the
    first vector. `figure` is title, words or ax. Returns the Axes. Raises
    TypeError or ValueError, naming the argument and its shape.
    """
    vectors = inputs.check_array("vectors", vectors, 2)
    vectors = inputs.check_array(
        "vectors", vectors, 2, shape=(len(vectors), 2)
    )
    labels = inputs.check_tokens("labels", labels, len(vectors))
    across, upward = inputs.check_tokens("dimensions", dimensions, 2)
    shadows = find_shadows(vectors) if shadow else []
    points = np.vstack([vectors, [[0, 0]], *shadows])
    margin = 0.1 * (max(np.ptp(points, axis=0)) or 1.0)
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    wide, tall = 4 * (high - low) / max(high - low)  # 4 inches the longer side
    size = (max(wide, 2) + 1.2, max(tall, 1.4) + 0.9)
    alt = (
        "Arrows from the origin in two dimensions, angles and lengths true: "
        f"{', '.join(labels)}."
    )
    said = arrow_table(vectors, labels)
    if shadow:
        alt += f" Green: the shadows of the others on {labels[0]}."
        said += shadow_words(vectors, labels)
    with page(size, alt, said, **figure) as ax:
        ax.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
        ax.axvline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        ax.set(xlabel=across, ylabel=upward)
        for place, vector in enumerate(vectors):
            draw_arrow(ax, vector, labels[place], min(place, 1))
        for vector, ends in zip(vectors[1:], shadows, strict=False):
            draw_shadow(ax, vectors[0], vector, *ends)
    return ax


def find_shadows(vectors):
    """Return both ends (2, 2) of each shadow on the line of vectors[0].

    They lie beside that line, on the side where their vector is not.
    """
    unit = vectors[0] / (np.linalg.norm(vectors[0]) or 1.0)
    normal = np.array([-unit[1], unit[0]])
    step = 0.065 * np.ptp(np.vstack([vectors, [[0, 0]]]), axis=0).max()
    count, ends = {1: 0, -1: 0}, []
    for vector in vectors[1:]:
        side = -1 if vector @ normal > 0 else 1
        count[side] += 1
        away = side * count[side] * step * normal
        ends.append(np.array([away, away + (vector @ unit) * unit]))
    return ends


def draw_shadow(ax, line, vector, start, end):
    """Draw a shadow, how it falls, and its length beyond its end."""
    x, y = np.transpose([vector, end])
    ax.plot(x, y, ":", color=theme.DARK_GREY, linewidth=1.4)
    length = np.linalg.norm(end - start)
    if length > 1e-9:
        sign = np.sign((end - start) @ line)
        look = {"color": theme.HUES[2], "linewidth": 5}
        ax.plot(*np.transpose([start, end]), solid_capstyle="butt", **look)
        look = {"textcoords": "offset points", "color": theme.INKS[2]}
        look |= {"ha": "center", "va": "center", "weight": "bold"}
        along = (end - start) / length
        away = 21 * along * (1, 0.6)
        away += 7 * abs(along[1]) * start / (np.linalg.norm(start) or 1.0)
        look["annotation_clip"] = False
        ax.annotate(in_words.signed(sign * length), end, away, **look)


def shadow_words(vectors, labels):
    """Say each dot product as the length of the first times a shadow."""
    length = np.linalg.norm(vectors[0])
    dots = vectors[1:] @ vectors[0]
    numbers = in_words.results([dots / (length or 1.0), dots], form=".2f").T
    lines = [
        f"{label}: {in_words.signed(length)} × shadow {shadow} = {dot}"
        for label, (shadow, dot) in zip(labels[1:], numbers, strict=True)
    ]
    return "\n".join(["", *lines])


def draw_arrow(ax, vector, label, kind):
    """Draw one arrow from the origin, its name beyond its tip."""
    look = {"arrowstyle": ARROW, "shrinkA": 0, "shrinkB": 0}
    look |= {"linewidth": (3, 1.8)[kind], "color": theme.HUES[kind]}
    ax.annotate("", vector, (0, 0), arrowprops=look)
    away = 6 * vector / max(np.linalg.norm(vector), 1e-12)
    place = {"ha": "left", "va": "center"}
    if abs(away[1]) > 3 or vector[0] < 0:  # steep, or beside the y axis
        place["va"] = "bottom" if away[1] >= 0 else "top"
    place |= {"size": theme.TYPE, "annotation_clip": False}
    ax.annotate(label, vector, away, textcoords="offset points", **place)


def arrow_table(vectors, labels):
    """Say each vector's length, and how it meets the first one.

    ``–`` stands where a vector of length 0 has no cosine.
    """
    lengths = np.linalg.norm(vectors, axis=1)
    both, dots = lengths * lengths[0], vectors @ vectors[0]
    cosines = in_words.results(dots / np.where(both, both, 1), form=".2f")
    x, y = in_words.results(vectors.T, form=".2f")
    columns = {
        "": labels,
        "vector": [f"({a}, {b})" for a, b in zip(x, y, strict=True)],
        "length": in_words.results(lengths, form=".2f"),
        f"· {labels[0]}": in_words.results(dots, form=".2f"),
        f"cosine with {labels[0]}": np.where(both, cosines, "–"),
    }
    return in_words.align_table([[head, *c] for head, c in columns.items()])

"""Arrows: vectors of two dimensions, drawn from the origin."""

import numpy as np

from .inputs import check_array, check_tokens
from .output import page
from .text import align_table, results
from .theme import DASHES, HUES, TYPE

SIDE = 4.0  # inches, the longer side of the axes


def show_arrows(vectors, labels, **figure):
    """Show vectors of two dimensions as arrows from the origin.

    `vectors` is (n, 2), `labels` are n strings; the first arrow is blue, the
    others orange and dashed. Both axes have one scale, so that angles and
    lengths are true. Prints each length, and the dot product and the cosine
    with the first vector. `figure` is title, words or ax. Returns the Axes.
    Raises TypeError or ValueError, naming the argument and its shape.
    """
    vectors = check_array("vectors", vectors, 2)
    if vectors.shape[1] != 2:
        raise ValueError(f"vectors: expected (n, 2), got {vectors.shape}")
    labels = check_tokens("labels", labels, len(vectors))
    points = np.vstack([vectors, [[0, 0]]])
    margin = 0.1 * (max(np.ptp(points, axis=0)) or 1.0)
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    wide, tall = SIDE * (high - low) / max(high - low)
    size = (max(wide, 2) + 1.2, max(tall, 1.4) + 0.9)
    alt = (
        "Arrows from the origin in two dimensions, angles and lengths true: "
        f"{', '.join(labels)}."
    )
    with page(size, alt, arrow_table(vectors, labels), **figure) as ax:
        ax.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
        ax.axvline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        ax.set(xlabel="dimension 0", ylabel="dimension 1")
        for place, vector in enumerate(vectors):
            draw_arrow(ax, vector, labels[place], min(place, 1))
    return ax


def draw_arrow(ax, vector, label, kind):
    """Draw one arrow from the origin, its name beyond its tip."""
    look = {
        "arrowstyle": "-|>,head_width=0.3,head_length=0.6",
        "linestyle": DASHES[kind],
        "color": HUES[kind],
        "linewidth": 2,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    ax.annotate("", vector, (0, 0), arrowprops=look)
    away = 6 * vector / max(np.linalg.norm(vector), 1e-12)
    place = {"ha": "left" if vector[0] >= 0 else "right", "va": "center"}
    if abs(away[1]) > 3:  # steep
        place["va"] = "bottom" if away[1] > 0 else "top"
    place |= {"size": TYPE, "annotation_clip": False}
    ax.annotate(label, vector, away, textcoords="offset points", **place)


def arrow_table(vectors, labels):
    """Say each vector's length, and how it meets the first one.

    ``–`` stands where a vector of length 0 has no cosine.
    """
    lengths = np.linalg.norm(vectors, axis=1)
    both, dots = lengths * lengths[0], vectors @ vectors[0]
    cosines = results(dots / np.where(both, both, 1), form=".2f")
    x, y = results(vectors.T, form=".2f")
    columns = {
        "": labels,
        "vector": [f"({a}, {b})" for a, b in zip(x, y, strict=True)],
        "length": results(lengths, form=".2f"),
        f"· {labels[0]}": results(dots, form=".2f"),
        f"cosine with {labels[0]}": np.where(both, cosines, "–"),
    }
    return align_table([[head, *cells] for head, cells in columns.items()])

"""Positions: a map of their numbers beside the clocks that they are."""

import numpy as np

from . import canvas, in_words, inputs, theme
from .output import page

LEFT, MAP, TOP, ROW, CLOCK = 0.45, 2.9, 0.62, 0.32, 0.58  # inches


def show_positions(p, **figure):
    """Show positions (T, d) as a map, and some of their pairs as clocks.

    Columns 2i and 2i + 1 of `p` are the sine and the cosine of one angle:
    the hand of a clock, 0 at noon. Five of them are drawn, from the fastest
    to the slowest; hands have the length of the pair in `p`. `figure` is
    title, words or ax. Prints the angles. Returns the Axes. Raises TypeError
    or ValueError, naming the argument and its shape.
    """
    p, pairs = check_positions(p)
    height = TOP + ROW * len(p) + 0.3
    alt = (
        f"Positions 0 to {len(p) - 1} in {p.shape[1]} dimensions as a heat "
        "map: purple is below 0, white is 0, green is above. Beside each row "
        "clocks, whose hands are pairs of columns: "
        f"{'; '.join(f'{2 * pair} and {2 * pair + 1}' for pair in pairs)}."
    )
    angles = np.degrees(np.arctan2(p[:, 0::2], p[:, 1::2]))[:, pairs] % 360
    said = angle_words(angles, pairs)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        draw_map(ax, p, pairs)
        longest = np.hypot(p[:, 0::2], p[:, 1::2]).max() or 1.0
        for place, pair in enumerate(pairs):
            x = LEFT + MAP + 0.3 + CLOCK * (place + 0.5)
            canvas.write(ax, x, TOP - 0.15, str(2 * pair))
            for row, (sine, cosine) in enumerate(
                p[:, 2 * pair : 2 * pair + 2]
            ):
                hand = np.array([sine, -cosine]) / longest
                draw_clock(ax, x, TOP + ROW * (row + 0.5), hand)
    return ax


def check_positions(p):
    """Return positions (T, d), d even, and at most five pairs to draw."""
    p = inputs.check_array("p", p, 2)
    inputs.check_small("p", p.shape[:1], inputs.MAX_LABELS)
    if p.shape[1] % 2:
        raise ValueError(f"p: expected an even number of columns: {p.shape}")
    count = p.shape[1] // 2
    return p, np.linspace(0, count - 1, min(count, 5)).astype(int).tolist()


def angle_words(angles, pairs):
    """Say the angle of each hand in whole degrees."""
    heads = [f"{2 * pair}, {2 * pair + 1}" for pair in pairs]
    columns = np.char.add(np.round(angles).astype(int).astype(str), "°").T
    columns = np.where(columns == "360°", "0°", columns)
    rows = [str(row) for row in range(len(angles))]
    table = [["columns", *rows]]
    table += [[h, *c] for h, c in zip(heads, columns, strict=True)]
    return in_words.align_table(table)


def draw_map(ax, p, pairs):
    """Draw the heat map with its axes, the drawn pairs marked above."""
    box = LEFT, TOP, MAP, ROW * len(p)
    canvas.draw_cells(ax, p, box)
    for row in range(len(p)):
        y = TOP + ROW * (row + 0.5)
        canvas.write(ax, LEFT - 0.08, y, str(row), ha="right")
    wide = MAP / p.shape[1]
    for pair in pairs:
        x = LEFT + wide * 2 * pair
        ax.plot([x, x + 2 * wide], [TOP - 0.06] * 2, color=canvas.LIT, lw=3)
    canvas.write(ax, 0, TOP - 0.45, "position ↓", ha="left")
    canvas.write(ax, LEFT + MAP, TOP - 0.45, "dimension →", ha="right")
    bottom = TOP + ROW * len(p) + 0.15
    canvas.write(ax, LEFT, bottom, "0", ha="left")
    canvas.write(ax, LEFT + MAP, bottom, str(p.shape[1] - 1), ha="right")
    x = LEFT + MAP + 0.35
    canvas.write(ax, x, TOP - 0.45, "clock of two columns, from", ha="left")


def draw_clock(ax, x, y, hand):
    """Draw a clock with a hand (right, down), 1 long at most."""
    radius, patch = 0.44 * ROW, theme.pyplot().Circle
    look = {"facecolor": "white", "edgecolor": "#8c8c8c", "linewidth": 0.8}
    ax.add_patch(patch((x, y), radius, **look))
    tip = np.array([x, y]) + 0.92 * radius * hand
    look = {"color": canvas.LIT, "linewidth": 2, "solid_capstyle": "round"}
    ax.plot([x, tip[0]], [y, tip[1]], **look)

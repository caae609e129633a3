"""Inside a layer: projections, and heads that split, attend and join."""

import numpy as np

from . import canvas, cells, in_words, inputs, theme
from .output import page

ROLES = "query", "key", "value"
ROW, GAP, CELL = 0.27, 0.3, 0.44  # inches; a cell with a number
HUES = dict(zip(ROLES, theme.HUES, strict=True))
INKS = dict(zip(ROLES, theme.INKS, strict=True))
KEY = 0.9  # inches, the width of the key of colors
SHOWN = 12  # dimensions of a vector that are drawn


def show_projections(tokens, x, query, key, value, *, lit=None, **figure):
    """Show the words' vectors, and the queries, keys and values made of them.

    `tokens` are T strings, `x` is (T, d_model), `query` and `key` are (T,
    d_k), `value` is (T, d_v). Rows are words; the row at position `lit` is
    framed in black. Numbers are written into the cells if there is room, and
    a key of the colors beside them; of each vector the first 12 dimensions
    are drawn. `figure` is title, words or ax.
    Prints the shapes, and the vectors of the framed row. Returns the Axes.
    Raises TypeError or ValueError, naming the argument and its shape.
    """
    tokens = inputs.number_repeats(inputs.check_tokens("tokens", tokens))
    inputs.check_small("tokens", (len(tokens),), inputs.MAX_LABELS)
    named = {"x": x, "query": query, "key": key, "value": value}
    arrays = {n: check_rows(n, a, len(tokens)) for n, a in named.items()}
    inputs.check_array("key", key, 2, shape=arrays["query"].shape)
    if lit is not None:
        lit = inputs.check_place("lit", lit, len(tokens))
    height = 1.15 + ROW * len(tokens)
    alt = (
        f"The vectors of {cells.listed(tokens)} as rows of a heat map, and "
        "arrows from it to three others: queries, keys and values, one row "
        "for each word. Purple is below 0, white is 0, green is above."
    )
    said = projection_words(tokens, arrays, lit)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        draw_projections(ax, tokens, arrays, lit)
    return ax


def check_rows(name, array, count):
    """Return an array (T, d) with a row for each of `count` tokens."""
    array = inputs.check_array(name, array, 2)
    if len(array) != count:
        raise ValueError(
            f"{name} has shape {array.shape}, but there are {count} tokens"
        )
    return array


def projection_words(tokens, arrays, lit):
    """Say the shapes, and the first numbers of the row at `lit`."""
    d_model, lines = arrays["x"].shape[1], []
    for role in ROLES:
        shape = arrays[role].shape
        matrix = f"W_{role[0].upper()} {(d_model, shape[1])}"
        lines.append(f"{role:5} {shape} = x {arrays['x'].shape} @ {matrix}")
    for name in ROLES if lit is not None else ():
        numbers = in_words.results(arrays[name][lit][:5], form=".2f")
        more = ", …" if arrays[name].shape[1] > 5 else ""
        lines.append(f"{tokens[lit]}, {name}: {', '.join(numbers)}{more}")
    return "\n".join(lines)


def draw_projections(ax, tokens, arrays, lit):
    """Draw the four arrays side by side, the last three made of the first."""
    left, top = max(map(theme.text_width, tokens)) + 0.08, 1.1
    canvas.write_words(ax, tokens, left, top, ROW, lit, "black")
    wide = panel_widths([*arrays.values()], theme.WIDTH - left - 0.05)
    for place, (name, array) in enumerate(arrays.items()):
        box = left, top, wide[place], ROW * len(array)
        middle = left + wide[place] / 2
        canvas.draw_cells(ax, array[:, :SHOWN], box, digits=1)
        canvas.title(ax, middle, top, name, array.shape)
        if name == "x":
            start = middle
        else:
            draw_branch(ax, name, start, middle, top - 0.55)
            canvas.frame(ax, box, HUES[name], 2)
        if lit is not None:
            row = left, top + ROW * lit, wide[place], ROW
            canvas.frame(ax, row, "black")
        left += wide[place] + GAP
    if theme.WIDTH - left + GAP / 2 > KEY:
        draw_key(ax, left - GAP / 2, top)


def draw_key(ax, left, top):
    """Say what the two colors of the numbers mean."""
    for place, (sign, words) in enumerate([(-1, "below 0"), (1, "above 0")]):
        box = left, top + ROW * place, 0.18, 0.18
        canvas.draw_cells(ax, np.array([[sign]]), box)
        canvas.write(ax, left + 0.24, box[1] + 0.09, words, ha="left")


def panel_widths(arrays, room):
    """Return the widths of panels: at least a title, at most a number."""
    columns = [min(array.shape[1], SHOWN) for array in arrays]
    room -= GAP * (len(arrays) - 1)
    cell = min(CELL, room / sum(columns))
    wide = [max(0.75, cell * count) for count in columns]
    wide[0] -= max(0, sum(wide) - room)
    return wide


def draw_branch(ax, name, start, end, bottom):
    """Draw the way from x up, to the right, and down to one role."""
    look = {"color": HUES[name], "linewidth": 2}
    order = ROLES.index(name)
    y, start = 0.2 - 0.06 * order, start + 0.06 * (1 - order)
    ax.plot([start, start, end, end], [bottom, y, y, bottom - 0.1], **look)
    ends = (end, bottom - 0.12), (end, bottom)
    canvas.arrow(ax, *ends, HUES[name], 2)
    matrix = f"W_{name[0].upper()}"
    look = {"color": INKS[name], "ha": "left", "weight": "bold"}
    canvas.write(ax, end + 0.08, bottom - 0.15, matrix, **look)

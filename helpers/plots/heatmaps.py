"""Maps: one colored cell for each row and column, its number written in.

Weights are drawn from white (0) to dark blue (1), signed numbers in blue,
white (0) and red. The cells are those of `seaborn.heatmap`; the ink of each
number is black or white, whichever contrasts more with its cell.
"""

import numpy as np

from .inputs import (
    MAX_LABELS,
    MAX_NUMBERS,
    check_array,
    check_labels,
    check_limit,
    check_scores,
    check_small,
    check_tokens,
    check_weights,
    number_repeats,
)
from .output import page
from .text import (
    check_table,
    describe_table,
    head_names,
    results,
    score_lines,
    vector_lines,
    weight_lines,
)
from .theme import (
    DARK_GREY,
    GREY,
    HUES,
    TYPE,
    WIDTH,
    axes_inches,
    diverging,
    ink,
    pyplot,
    sequential,
    text_width,
)

CELL, NARROW, ROW = 0.43, 0.21, 0.31  # inches


def show_attention(
    weights,
    query_tokens,
    key_tokens=None,
    *,
    mask=None,
    frame=None,
    top=3,
    strict=True,
    **figure,
):
    """Show attention weights as a map, and each query's `top` keys in words.

    `weights` is (T_q, T_k), a row for each query, each row summing to 1 (or
    all zero); `mask` broadcasts to it, True where a query may attend: the
    other cells are grey and hatched. Up to 12 tokens the numbers are written
    into the cells, ``·`` for less than 0.005, a row's largest in bold; up to
    24 tokens the labels. `frame` is the row to draw a frame around;
    ``strict=False`` also draws rows that do not sum to 1. `figure` is title,
    words or ax. Returns the Axes. Raises TypeError or ValueError, naming the
    argument and its shape.
    """
    weights, allowed = check_weights("weights", weights, mask, strict)
    labels = check_labels(query_tokens, key_tokens, weights.shape)
    said = weight_lines(np.where(allowed, weights, 0.0), labels, top)
    alt = map_alt("attention weights", labels)
    with page(map_size(labels), alt, said, **figure) as ax:
        draw_weights(ax, weights, labels, ~allowed, frame)
    return ax


def show_scores(
    scores,
    query_tokens,
    key_tokens=None,
    *,
    mask=None,
    limit=None,
    frame=None,
    top=3,
    **figure,
):
    """Show signed scores as a map: blue below 0, white at 0, red above.

    `scores` is (T_q, T_k), scores before the softmax or any difference of
    two maps. The colors reach from ``-limit`` to `limit`, the largest
    absolute score unless you give it. `mask` (True = may attend) and minus
    infinity make a cell grey and hatched. The rest is as in `show_attention`.
    """
    scores, allowed = check_scores(scores, mask)
    labels = check_labels(query_tokens, key_tokens, scores.shape)
    limit = check_limit(scores, limit)
    said = score_lines(scores, allowed, labels, top)
    alt = map_alt("scores", labels, "blue is below 0, white 0, red above")
    with page(map_size(labels, CELL + 0.09), alt, said, **figure) as ax:
        texts = score_texts(scores) if fits_numbers(ax, scores) else None
        colors = (diverging(), -limit, limit)
        draw_map(ax, scores, labels, colors, texts, ~allowed, frame)
        name_axes(ax, "query →", "key →", bar="score" if texts is None else "")
    return ax


def show_vectors(x, tokens, *, limit=None, **figure):
    """Show vectors as rows of colors: blue below 0, white at 0, red above.

    `x` is (T, d), a row for each token and a column for each dimension (any
    d). Prints each row's length and largest entries. The rest is as in
    `show_scores`.
    """
    x = check_array("x", x, 2)
    tokens = number_repeats(check_tokens("tokens", tokens, len(x)))
    check_small("x", x.shape[:1], MAX_LABELS)
    limit = check_limit(x, limit)
    alt = (
        f"Heat map of vectors, rows: {listed(tokens)}; {x.shape[1]} "
        "dimensions as columns; blue is below 0, white 0, red above."
    )
    size = (WIDTH, 1.0 + 0.27 * len(x))
    with page(size, alt, vector_lines(x, tokens), **figure) as ax:
        draw_map(ax, x, (tokens, None), (diverging(), -limit, limit))
        step = 2 ** np.ceil(np.log2(x.shape[1] / 9))  # at most 9 ticks
        ticks = np.arange(0, x.shape[1], int(max(step, 1)))
        ax.set_xticks(ticks + 0.5, ticks)
        name_axes(ax, "", "dimension →", bar="value")
    return ax


def show_heads(weights, key_tokens, titles=None, *, top=3, **figure):
    """Show where every head looks from one query: a row for each head.

    `weights` is (H, T_k), for instance ``A[:, query]``, each row summing to
    1; `titles` name the rows, "head 1" and so on unless you give them. The
    rest is as in `show_attention`.
    """
    weights, allowed = check_weights("weights", weights)
    titles = head_names(titles, len(weights))
    labels = check_labels(titles, key_tokens, weights.shape)
    alt = map_alt("attention weights", labels, rows="heads")
    said = weight_lines(weights, labels, top)
    with page(map_size(labels), alt, said, **figure) as ax:
        draw_weights(ax, weights, labels, ~allowed, ylabel="")
    return ax


def show_table(values, rows, columns, sd=None, *, limits=(0, 1), **figure):
    """Show a table of results as a map with its numbers: light is low.

    `values` is (R, C) and may come with `sd` of the same shape, written
    below each number; `rows` and `columns` name them, at most 12 by 12; the
    colors reach from ``limits[0]`` to ``limits[1]``. Prints the same table.
    The rest is as in `show_attention`.
    """
    said = describe_table(values, rows, columns, sd)
    values, sd = check_table(values, sd)
    check_small("values", values.shape)
    labels, cells = ([*rows], [*columns]), results(values, form=".2f")
    if sd is not None:
        cells = np.char.add(cells, np.char.add("\n±", results(sd, form=".2f")))
    scale = f"light is {limits[0]:g}, dark blue {limits[1]:g}"
    alt = map_alt("a table of numbers", labels, scale, "results")
    size = map_size(labels, CELL + 0.19, ROW if sd is None else 0.46)
    with page(size, alt, said, **figure) as ax:
        draw_map(ax, values, labels, (sequential(), *limits), cells)
    return ax


def draw_weights(
    ax, weights, labels, hidden, frame=None, ylabel="query →", bar="weight"
):
    """Draw a map of weights with its numbers, or with a color bar."""
    texts = None
    if fits_numbers(ax, weights):
        texts = np.char.replace(results(weights, form=".2f"), "0.00", "·")
    draw_map(ax, weights, labels, (sequential(), 0, 1), texts, hidden, frame)
    largest = weights > weights.max(axis=1, keepdims=True) - 1e-6
    bold = (largest & (weights > 0))[~hidden]
    for text, strong in zip(ax.texts, bold, strict=False):
        text.set_weight("bold" if strong else "normal")
    name_axes(ax, ylabel, "key →", bar=bar if texts is None else "")


def draw_map(ax, values, labels, colors, texts=None, hidden=None, frame=None):
    """Color the cells, write `texts` (R, C), hatch the hidden ones.

    `colors` is a color map and its two limits; `hidden` is (R, C).
    """
    import seaborn

    rows, columns = values.shape
    if frame is not None and frame not in range(rows):
        raise ValueError(f"frame: expected 0 to {rows - 1}, got {frame!r}")
    hidden = np.zeros(values.shape, bool) if hidden is None else hidden
    seaborn.heatmap(
        values,
        **dict(zip(("cmap", "vmin", "vmax"), colors, strict=True)),
        annot=texts,
        fmt="",
        annot_kws={"size": TYPE},
        mask=hidden,
        linewidths=0.6 if columns <= MAX_LABELS else 0,
        linecolor=GREY,
        cbar=False,
        xticklabels=False,
        yticklabels=False,
        ax=ax,
    )
    shown = ax.collections[0].get_facecolors()[~hidden.ravel()]
    for text, color in zip(ax.texts, shown, strict=False):
        text.set_color(ink(color))
    box = pyplot().Rectangle
    look = {"facecolor": GREY, "edgecolor": "#8c8c8c", "hatch": "////"}
    for row, column in np.argwhere(hidden):
        ax.add_patch(box((column, row), 1, 1, linewidth=0, **look))
    if frame is not None:
        look = {"fill": False, "edgecolor": HUES[1], "linewidth": 2.5}
        ax.add_patch(box((0, frame), columns, 1, clip_on=False, **look))
    label_cells(ax, *labels)


def label_cells(ax, rows, columns):
    """Label the rows, and the columns above the map, slanted if wide."""
    ax.spines[:].set(visible=True, color=DARK_GREY, linewidth=0.6)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows, parse_math=False)
    ax.tick_params(length=0, labelsize=TYPE, labelrotation=0)
    if columns is None:
        return
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    turn = slant(columns, axes_inches(ax)[0] / len(columns))
    look = {"rotation": turn, "parse_math": False}
    if turn == 45:
        look |= {"ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns, **look)


def name_axes(ax, ylabel, xlabel, bar="", axes=None):
    """Name rows and columns, with a color bar beside `ax` or all `axes`."""
    ax.set_xlabel(xlabel, size=TYPE, labelpad=7)
    ax.set_ylabel(ylabel, size=TYPE, rotation=270, labelpad=16)
    if not bar:
        return
    height = axes_inches(ax)[1]
    bar = ax.figure.colorbar(
        ax.collections[0],
        ax=ax if axes is None else axes,
        label=bar,
        aspect=max(5, height / 0.13),
        pad=0.02,
        ticks=pyplot().MaxNLocator(4 if height > 1.5 else 2),
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=TYPE, length=2)


def score_texts(scores):
    """Return signed numbers as they are written into cells, short enough."""
    largest, wide = abs(scores).max(), scores.shape[1] > 10
    decimals = 1 if wide or largest >= 9.995 else 2
    if largest >= (9.95 if wide else 99.95):
        decimals = 0
    return results(scores, form=f".{decimals}f")


def fits_numbers(ax, values):
    """Say whether the cells are few and large enough to write into."""
    cell = axes_inches(ax)[0] / values.shape[1]
    return few_cells(values.shape) and cell > 0.34


def few_cells(shape):
    """Say whether the numbers are few enough; two rows may be longer."""
    return max(shape) <= MAX_NUMBERS or (shape[0] <= 2 and shape[1] <= 14)


def map_size(labels, cell=CELL, row=ROW):
    """Return width and height in inches of a figure for one map.

    `cell` and `row` are the size of a cell with a number, if there is room.
    """
    rows, columns = labels
    few = few_cells((len(rows), len(columns)))
    left = 0.45 + max(map(text_width, rows))
    wanted = (cell if few else NARROW) * len(columns) + (0.3 if few else 0.9)
    width = float(np.clip(left + wanted, 3.2, WIDTH))
    top = label_height(columns, (width - left) / len(columns))
    return width, 0.45 + top + (row if few else NARROW) * len(rows)


def slant(labels, cell):
    """Return the angle of column labels over cells of `cell` inches."""
    if max(map(text_width, labels)) < 0.92 * cell:
        return 0
    return 45 if cell > 0.3 else 90


def label_height(labels, cell):
    """Return how many inches the column labels take above the map."""
    widest = max(map(text_width, labels))
    turned = {0: 0.2, 45: 0.2 + 0.7 * widest, 90: widest + 0.1}
    return turned[slant(labels, cell)]


def map_alt(what, labels, scale="white is 0, dark blue is 1", rows="queries"):
    """Return the alt text of a map: its kind, its axes and its colors."""
    sides = f"Rows ({rows}): {listed(labels[0])}; columns: {listed(labels[1])}"
    if labels[0] == labels[1]:
        sides = f"Rows ({rows}) and columns: {listed(labels[0])}"
    return f"Heat map of {what}. {sides}; {scale}."


def listed(labels, most=12):
    """Return labels for an alt text: all, or the first and the last."""
    if len(labels) <= most:
        return ", ".join(labels)
    return f"{', '.join(labels[:3])} … {labels[-1]} ({len(labels)} in all)"

"""Maps: one colored cell per pair of a row and a column."""

import numpy as np

from .inputs import (
    MAX_LABELS,
    MAX_NUMBERS,
    check_array,
    check_finite,
    check_labels,
    check_mask,
    check_tokens,
    check_weights,
    number_repeats,
)
from .theme import (
    DARK_GREY,
    GREY,
    MAX_WIDTH,
    diverging,
    ink,
    new_axes,
    pyplot,
    sequential,
    set_title,
    style,
    text_width,
)
from .words import rank, weight_text

CELL = 0.43
NARROW = 0.21
ROW = 0.31


@style()
def plot_attention(
    weights,
    query_tokens,
    key_tokens=None,
    ax=None,
    mask=None,
    title=None,
    *,
    strict=True,
):
    """Draw attention weights as a map: light is 0, dark is 1.

    ``weights`` is (T_q, T_k), a row per query, each row summing to 1 (or all
    zero); ``mask`` broadcasts to it, True where a query may attend: the other
    cells are grey and hatched. Up to 12 tokens the numbers are written into
    the cells, ``·`` for less than 0.005, a row's largest in bold; up to 24
    the labels. ``strict=False`` also draws rows that do not sum to 1.
    Returns the Axes: end the cell with ``;`` to keep it out of the output.
    Raises TypeError or ValueError, naming the argument and its shape.
    """
    weights, allowed = check_weights("weights", weights, mask, strict)
    labels = check_labels(query_tokens, key_tokens, weights.shape)
    ax = new_axes(ax, map_size(*labels, title=title))
    draw_map(ax, weights, labels, sequential(), (0, 1), ~allowed)
    if fits_numbers(ax, weights.shape):
        write_numbers(ax, weights, ~allowed, weight_text, bold=True)
    else:
        add_colorbar(ax, "weight")
    name_axes(ax)
    set_title(ax, title, ax.figure.get_figwidth() - 0.8)
    return ax


@style()
def plot_scores(
    scores,
    query_tokens,
    key_tokens=None,
    ax=None,
    mask=None,
    title=None,
    *,
    limit=None,
):
    """Draw signed scores as a map: blue below 0, white at 0, red above.

    ``scores`` is (T_q, T_k), scores before the softmax or any difference of
    two maps. The colors reach from ``-limit`` to ``limit``, which is the
    largest absolute score unless you say otherwise. ``mask`` (True = may
    attend) and minus infinity make a cell grey and hatched. Returns the Axes;
    raises TypeError or ValueError, naming the argument and its shape.
    """
    scores = check_array("scores", scores, 2)
    allowed = check_mask(mask, scores.shape) & (scores != -np.inf)
    scores = np.where(allowed, scores, 0.0)
    check_finite("scores", scores)
    labels = check_labels(query_tokens, key_tokens, scores.shape)
    limit = color_limit(scores, limit)
    ax = new_axes(ax, map_size(*labels, title=title))
    draw_map(ax, scores, labels, diverging(), (-limit, limit), ~allowed)
    if fits_numbers(ax, scores.shape):
        text = number_text(scores, scores.shape[1])
        write_numbers(ax, scores, ~allowed, text)
    else:
        add_colorbar(ax, "score")
    name_axes(ax)
    set_title(ax, title, ax.figure.get_figwidth() - 0.8)
    return ax


@style()
def plot_vectors(x, tokens, ax=None, title=None, *, limit=None):
    """Draw vectors as rows of colors: blue below 0, white at 0, red above.

    ``x`` is (T, d), one row per token, one column per dimension (any d);
    ``limit`` as in ``plot_scores``. Returns the Axes; raises TypeError or
    ValueError, naming the argument and its shape.
    """
    x = check_array("x", x, 2)
    check_finite("x", x)
    tokens = number_repeats(check_tokens("tokens", tokens, len(x)))
    if len(x) > MAX_LABELS:
        raise ValueError(f"x has {len(x)} rows, at most {MAX_LABELS}: slice")
    limit = color_limit(x, limit)
    height = 1.0 + 0.27 * len(x) + (0.3 if title else 0)
    ax = new_axes(ax, (MAX_WIDTH, height))
    step = (
        max(1, int(np.ceil(x.shape[1] / 8 / 4)) * 4)
        if (x.shape[1] > MAX_NUMBERS)
        else 1
    )
    draw_map(ax, x, (tokens, None), diverging(), (-limit, limit))
    ax.set_xticks(range(0, x.shape[1], step))
    add_colorbar(ax, "value")
    ax.set_xlabel("dimension →")
    ax.set_ylabel("token")
    set_title(ax, title, MAX_WIDTH - 1.2)
    return ax


def draw_map(ax, values, labels, colors, limits, hidden=None):
    """Color the cells of ``ax``; hatch the hidden ones; label the ticks."""
    ax.imshow(
        values,
        cmap=colors,
        vmin=limits[0],
        vmax=limits[1],
        aspect="auto",
        interpolation="nearest",
    )
    rows, columns = values.shape
    if columns <= MAX_LABELS:
        ax.set_xticks(np.arange(0.5, columns - 1), minor=True)
        ax.set_yticks(np.arange(0.5, rows - 1), minor=True)
        ax.grid(which="minor", color=GREY, linewidth=0.6)
    ax.tick_params(which="both", length=0, labelsize=11)
    ax.spines[:].set(visible=True, color=DARK_GREY, linewidth=0.6)
    if hidden is not None:
        hatch_cells(ax, hidden)
    ax.set_yticks(range(rows), labels[0], parse_math=False)
    if labels[1] is not None:
        label_columns(ax, labels[1])


def hatch_cells(ax, hidden):
    """Cover the cells where ``hidden`` is True with grey and a hatch."""
    for row, column in np.argwhere(hidden):
        cell = pyplot().Rectangle(
            (column - 0.5, row - 0.5),
            1,
            1,
            facecolor=GREY,
            edgecolor="#8c8c8c",
            hatch="////",
            linewidth=0,
        )
        cell.set_hatch_linewidth(0.8)
        ax.add_patch(cell)


def label_columns(ax, labels):
    """Write the column labels above the map, slanted if they are wide."""
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    turn = slant(labels, axes_inches(ax)[0] / len(labels))
    look = {"rotation": turn, "parse_math": False}
    if turn == 45:
        look |= {"ha": "left", "rotation_mode": "anchor"}
    ax.set_xticks(range(len(labels)), labels, **look)
    ax.tick_params(which="both", length=0, labelsize=11)


def slant(labels, cell):
    """Return the angle of column labels over cells of ``cell`` inches."""
    widest = max(map(text_width, labels))
    if widest < 0.92 * cell:
        return 0
    return 45 if cell > 0.3 else 90


def write_numbers(ax, values, hidden, text, bold=False):
    """Write every cell that is not hidden, in the ink that reads best."""
    image = ax.images[0]
    for row, column in np.argwhere(~hidden):
        value = values[row, column]
        top = bold and value > 0 and rank(values[row], 2)[0] == column
        ax.text(
            column,
            row,
            text(value),
            ha="center",
            va="center",
            size=11,
            color=ink(image.cmap(image.norm(value))),
            weight="bold" if top else "normal",
        )


def number_text(values, columns):
    """Return a function that writes a signed number short enough to fit."""
    largest = abs(values).max()
    decimals = 2 if largest < 9.995 and columns <= 8 else 1
    if largest >= 99.5 or (largest >= 9.95 and columns > 8):
        decimals = 0

    def text(value):
        return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")

    return text


def name_axes(ax):
    """Name the rows and columns of a map of queries and keys."""
    ax.set_xlabel("key →")
    ax.set_ylabel("query →", rotation=270, labelpad=16)


def add_colorbar(ax, label, axes=None, **look):
    """Draw a slim color bar beside the map."""
    look = {"aspect": 25, "pad": 0.02, **look}
    bar = ax.figure.colorbar(ax.images[0], ax=axes or ax, **look)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=11, length=2)
    bar.set_label(label, size=11)
    bar.locator = pyplot().MaxNLocator(4)
    bar.update_ticks()


def color_limit(values, limit=None):
    """Return the symmetric limit of a signed map."""
    if limit is None:
        return float(abs(values).max()) or 1.0
    if not np.isscalar(limit) or not np.isfinite(limit) or limit <= 0:
        raise ValueError(f"limit must be a positive number, got {limit!r}")
    return float(limit)


def fits_numbers(ax, shape):
    """Say whether the cells are few and large enough to write into."""
    return max(shape) <= MAX_NUMBERS and (axes_inches(ax)[0] / shape[1] > 0.34)


def axes_inches(ax):
    """Return about how wide and high ``ax`` is, in inches."""
    box = ax.get_position()
    width, height = ax.figure.get_size_inches()
    return box.width * width, box.height * height


def map_size(rows, columns, title=None):
    """Return width and height in inches of a figure for one map."""
    numbered = max(len(rows), len(columns)) <= MAX_NUMBERS
    left = 0.45 + max(map(text_width, rows))
    cell = CELL if numbered else NARROW
    width = left + cell * len(columns) + (0.3 if numbered else 0.9)
    width = float(np.clip(width, 3.2, MAX_WIDTH))
    widest = max(map(text_width, columns))
    angle = slant(columns, (width - left) / len(columns))
    top = {0: 0.2, 45: 0.2 + 0.7 * widest, 90: widest + 0.1}[angle]
    height = 0.45 + top + (ROW if numbered else NARROW) * len(rows)
    return width, height + (0.3 if title else 0)

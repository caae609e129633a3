"""Maps: one colored cell per pair of a row and a column."""

import numpy as np

from .cells import (
    CELL,
    ROW,
    add_colorbar,
    color_limit,
    draw_map,
    fits_numbers,
    label_height,
    map_size,
    name_axes,
    write_numbers,
)
from .inputs import (
    MAX_LABELS,
    MAX_NUMBERS,
    check_array,
    check_finite,
    check_labels,
    check_tokens,
    check_weights,
    number_repeats,
)
from .theme import (
    MAX_WIDTH,
    TYPE,
    diverging,
    new_axes,
    sequential,
    set_title,
    style,
    text_width,
)
from .words import align_table, check_scores, score_texts, weight_texts


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
        write_numbers(ax, weights, ~allowed, weight_texts(weights), True)
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
    scores, allowed = check_scores(scores, mask)
    labels = check_labels(query_tokens, key_tokens, scores.shape)
    limit = color_limit(scores, limit)
    ax = new_axes(ax, map_size(*labels, title=title))
    draw_map(ax, scores, labels, diverging(), (-limit, limit), ~allowed)
    if fits_numbers(ax, scores.shape):
        write_numbers(ax, scores, ~allowed, score_texts(scores))
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
    draw_map(ax, x, (tokens, None), diverging(), (-limit, limit))
    few = x.shape[1] <= MAX_NUMBERS
    ax.set_xticks(range(0, x.shape[1], 1 if few else tick_step(x.shape[1])))
    add_colorbar(ax, "value")
    ax.set_xlabel("dimension →", size=TYPE)
    ax.set_ylabel("token", size=TYPE)
    set_title(ax, title, MAX_WIDTH - 1.2)
    return ax


@style()
def plot_table(
    values,
    rows,
    columns,
    sd=None,
    ax=None,
    title=None,
    *,
    xlabel="",
    ylabel="",
    limits=(0, 1),
):
    """Draw a table of results as a map with its numbers: light is low.

    ``values`` is (R, C) and may come with ``sd`` of the same shape, written
    below each number; ``rows`` and ``columns`` name them; the colors reach
    from ``limits[0]`` to ``limits[1]``. At most 12 by 12. Returns the Axes;
    raises TypeError or ValueError, naming the argument and its shape.
    """
    values, sd = check_table(values, sd)
    rows = check_tokens("rows", rows, len(values))
    columns = check_tokens("columns", columns, values.shape[1])
    ax = new_axes(ax, table_size(rows, columns, sd is not None, title))
    draw_map(ax, values, (rows, columns), sequential(), limits)
    texts = np.vectorize("{:.2f}".format)(values)
    if sd is not None:
        texts = np.char.add(texts, np.vectorize("\n±{:.2f}".format)(sd))
    write_numbers(ax, values, np.zeros(values.shape, bool), texts)
    ax.set_xlabel(xlabel, labelpad=7, size=TYPE)
    ax.set_ylabel(ylabel, size=TYPE)
    set_title(ax, title, ax.figure.get_figwidth() - 0.8)
    return ax


def describe_table(values, rows, columns, sd=None, *, decimals=2):
    """Return the table as text of fixed width; arguments of ``plot_table``."""
    values, sd = check_table(values, sd)
    rows = check_tokens("rows", rows, len(values))
    columns = check_tokens("columns", columns, values.shape[1])
    cells = [[f"{v:.{decimals}f}" for v in row] for row in values]
    if sd is not None:
        cells = [
            [
                f"{text} ± {s:.{decimals}f}"
                for text, s in zip(*pair, strict=True)
            ]
            for pair in zip(cells, sd, strict=True)
        ]
    return align_table(
        [["", *columns]]
        + [[name, *row] for name, row in zip(rows, cells, strict=True)]
    )


def tick_step(count):
    """Return a step of 4, 8, 16 … that leaves at most 9 ticks."""
    step = 4
    while count > 9 * step:
        step *= 2
    return step


def table_size(rows, columns, has_sd, title):
    """Return width and height in inches of a table's figure."""
    left = 0.45 + max(map(text_width, rows))
    cell = 0.62 if has_sd else CELL + 0.1
    width = float(np.clip(left + cell * len(columns), 3.2, MAX_WIDTH))
    top = label_height(columns, (width - left) / len(columns))
    row = 0.46 if has_sd else ROW
    return width, 0.6 + top + row * len(rows) + (0.3 if title else 0)


def check_table(values, sd):
    """Return values (R, C) and sd (R, C) or None, both checked."""
    values = check_array("values", values, 2)
    check_finite("values", values)
    if max(values.shape) > MAX_NUMBERS:
        raise ValueError(
            f"values of shape {values.shape} is too large to read: at most "
            f"{MAX_NUMBERS} a side; slice it"
        )
    if sd is None:
        return values, None
    sd = check_array("sd", sd, 2)
    check_finite("sd", sd)
    if sd.shape != values.shape:
        raise ValueError(
            f"sd has shape {sd.shape}, but values has {values.shape}"
        )
    return values, sd

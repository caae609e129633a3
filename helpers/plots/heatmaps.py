"""Maps of weights and results, each shown in one call."""

from . import cells, in_words, inputs, theme
from .output import page


def show_attention(
    weights,
    query_tokens,
    key_tokens=None,
    *,
    mask=None,
    frame=None,
    top=3,
    ylabel="query →",
    **figure,
):
    """Show attention weights as a map, and each query's `top` keys in words.

    `weights` is (T_q, T_k), a row for each query, each row summing to 1 (or
    all zero); `mask` broadcasts to it, True where a query may attend: the
    other cells are grey and hatched. Up to 12 tokens the numbers are written
    into the cells, ``·`` for less than 0.005, a row's largest in bold; up to
    24 tokens the labels. `frame` is the row to draw a frame around, `ylabel`
    names the rows, `figure` is title, words or ax. Returns the Axes. Raises
    TypeError or ValueError, naming the argument and its shape.
    """
    weights, allowed = inputs.check_weights("weights", weights, mask)
    labels = inputs.check_labels(query_tokens, key_tokens, weights.shape)
    said = in_words.weight_lines(weights, labels, top)
    sides = cells.QUERY_KEY if ylabel else ("", " (keys)")
    alt = cells.map_alt("attention weights", labels, mask=mask, sides=sides)
    with page(cells.map_size(labels), alt, said, **figure) as ax:
        cells.draw_weights(ax, weights, labels, ~allowed, frame, ylabel)
    return ax


def show_heads(weights, key_tokens, titles=None, **options):
    """Show where every head looks from one query: a row for each head.

    `weights` is (H, T_k), for instance ``A[:, query]``, each row summing to
    1; `titles` name the rows, "head 1" and so on unless you give them. The
    rest is as in `show_attention`.
    """
    weights = inputs.check_array("weights", weights, 2)
    titles = in_words.head_names(titles, len(weights))
    return show_attention(weights, titles, key_tokens, ylabel="", **options)


def show_table(values, rows, columns, *, limits=(0, 1), **figure):
    """Show a table of results as a map with its numbers: light is low.

    `values` is (R, C); `rows` and `columns` name them, at most 12 by 12; the
    blues reach from ``limits[0]`` to ``limits[1]``. If ``limits[0]`` is below
    0, the values are signed: purple, white at 0, green. More than ten columns
    leave room for one decimal. Prints the same table, with all decimals.
    The rest is as in `show_attention`.
    """
    said = in_words.describe_table(values, rows, columns)
    values = inputs.check_array("values", values, 2)
    inputs.check_small("values", values.shape)
    labels = [*rows], [*columns]
    form = ".2f" if values.shape[1] <= 10 else ".1f"
    texts = in_words.results(values, form=form)
    scale = f"light is {limits[0]:g}, dark blue {limits[1]:g}"
    colors = theme.sequential(), *limits
    if limits[0] < 0:
        scale, colors = cells.SIGNED, theme.signed(values, limits[1])
    alt = cells.map_alt("a table of numbers", labels, scale, sides=("", ""))
    size = cells.map_size(labels, cells.CELL + 0.19, cells.ROW)
    with page(size, alt, said, **figure) as ax:
        cells.draw_map(ax, values, labels, colors, texts)
    return ax

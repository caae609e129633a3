"""Maps of weights, scores, vectors and results, each shown in one call."""

import numpy as np

from . import inputs, text, theme
from .cells import (
    CELL,
    QUERY_KEY,
    SIGNED,
    draw_map,
    draw_weights,
    fits_numbers,
    listed,
    map_alt,
    map_size,
    name_axes,
    score_texts,
)
from .output import page


def show_attention(
    weights,
    query_tokens,
    key_tokens=None,
    *,
    mask=None,
    frame=None,
    top=3,
    strict=True,
    ylabel="query →",
    **figure,
):
    """Show attention weights as a map, and each query's `top` keys in words.

    `weights` is (T_q, T_k), a row for each query, each row summing to 1 (or
    all zero); `mask` broadcasts to it, True where a query may attend: the
    other cells are grey and hatched. Up to 12 tokens the numbers are written
    into the cells, ``·`` for less than 0.005, a row's largest in bold; up to
    24 tokens the labels. `frame` is the row to draw a frame around;
    ``strict=False`` also draws rows that do not sum to 1; `ylabel` names the
    rows. `figure` is title, words or ax. Returns the Axes. Raises TypeError
    or ValueError, naming the argument and its shape.
    """
    weights, allowed = inputs.check_weights("weights", weights, mask, strict)
    labels = inputs.check_labels(query_tokens, key_tokens, weights.shape)
    said = text.weight_lines(np.where(allowed, weights, 0.0), labels, top)
    sides = QUERY_KEY if ylabel else ("", " (keys)")
    alt = map_alt("attention weights", labels, mask=mask, sides=sides)
    with page(map_size(labels), alt, said, **figure) as ax:
        draw_weights(ax, weights, labels, ~allowed, frame, ylabel)
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
    scores, allowed = inputs.check_scores(scores, mask)
    labels = inputs.check_labels(query_tokens, key_tokens, scores.shape)
    limit = inputs.check_limit(scores, limit)
    said = text.score_lines(scores, allowed, labels, top)
    alt = map_alt("scores", labels, SIGNED, mask)
    with page(map_size(labels, CELL + 0.09), alt, said, **figure) as ax:
        texts = score_texts(scores) if fits_numbers(ax, scores) else None
        colors = (theme.diverging(), -limit, limit)
        draw_map(ax, scores, labels, colors, texts, ~allowed, frame)
        name_axes(ax, "query →", "key →", bar="score" if texts is None else "")
    return ax


def show_vectors(x, tokens, *, limit=None, **figure):
    """Show vectors as rows of colors: blue below 0, white at 0, red above.

    `x` is (T, d), a row for each token and a column for each dimension (any
    d). Prints each row's length and largest entries. The rest is as in
    `show_scores`.
    """
    x = inputs.check_array("x", x, 2)
    tokens = inputs.number_repeats(
        inputs.check_tokens("tokens", tokens, len(x))
    )
    inputs.check_small("x", x.shape[:1], inputs.MAX_LABELS)
    limit = inputs.check_limit(x, limit)
    alt = (
        f"Heat map of vectors: {SIGNED}. Rows: {listed(tokens)}. Columns: "
        f"{x.shape[1]} dimensions."
    )
    size = (theme.WIDTH, 1.0 + 0.27 * len(x))
    with page(size, alt, text.vector_lines(x, tokens), **figure) as ax:
        draw_map(ax, x, (tokens, None), (theme.diverging(), -limit, limit))
        step = 2 ** np.ceil(np.log2(x.shape[1] / 9))  # at most 9 ticks
        ticks = np.arange(0, x.shape[1], int(max(step, 1)))
        ax.set_xticks(ticks + 0.5, ticks)
        name_axes(ax, "", "dimension →", bar="value")
    return ax


def show_heads(weights, key_tokens, titles=None, **options):
    """Show where every head looks from one query: a row for each head.

    `weights` is (H, T_k), for instance ``A[:, query]``, each row summing to
    1; `titles` name the rows, "head 1" and so on unless you give them. The
    rest is as in `show_attention`.
    """
    weights = inputs.check_array("weights", weights, 2)
    titles = text.head_names(titles, len(weights))
    return show_attention(weights, titles, key_tokens, ylabel="", **options)


def show_table(values, rows, columns, sd=None, *, limits=(0, 1), **figure):
    """Show a table of results as a map with its numbers: light is low.

    `values` is (R, C) and may come with `sd` of the same shape, written
    below each number; `rows` and `columns` name them, at most 12 by 12; the
    colors reach from ``limits[0]`` to ``limits[1]``. Prints the same table.
    The rest is as in `show_attention`.
    """
    said = text.describe_table(values, rows, columns, sd)
    values, sd = text.check_table(values, sd)
    inputs.check_small("values", values.shape)
    labels, cells = ([*rows], [*columns]), text.results(values, form=".2f")
    if sd is not None:
        cells = np.char.add(
            cells, np.char.add("\n±", text.results(sd, form=".2f"))
        )
    scale = f"light is {limits[0]:g}, dark blue {limits[1]:g}"
    alt = map_alt("a table of numbers", labels, scale, sides=("", ""))
    size = map_size(labels, CELL + 0.19, 0.31 if sd is None else 0.46)
    with page(size, alt, said, **figure) as ax:
        draw_map(ax, values, labels, (theme.sequential(), *limits), cells)
    return ax

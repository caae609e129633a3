"""Maps: one colored cell per pair of a row and a column."""

from .cells import (
    add_colorbar,
    color_limit,
    draw_map,
    fits_numbers,
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
)
from .words import check_scores, score_texts, weight_texts

WIDE = 0.52


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
    ax = new_axes(ax, map_size(*labels, title=title, cell=WIDE))
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


def tick_step(count):
    """Return a step of 4, 8, 16 … that leaves at most 9 ticks."""
    step = 4
    while count > 9 * step:
        step *= 2
    return step

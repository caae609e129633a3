"""One query, every head: a row of weights per head."""

import numpy as np

from .cells import (
    add_colorbar,
    draw_map,
    fits_numbers,
    map_size,
    write_numbers,
)
from .inputs import (
    check_array,
    check_labels,
    check_tokens,
    check_weights,
)
from .theme import (
    TYPE,
    new_axes,
    sequential,
    set_title,
    style,
)
from .words import describe_attention, weight_texts


@style()
def plot_heads(
    weights, key_tokens, titles=None, ax=None, title=None, *, ylabel=None
):
    """Draw where every head looks from one query: one row per head.

    ``weights`` is (H, T_k), for instance ``A[:, query]``, each row summing
    to 1; ``titles`` name the rows ("head 1" and so on unless you give them)
    and ``ylabel`` says what they are. Returns the Axes; raises TypeError or
    ValueError, naming the argument and its shape.
    """
    weights, _ = check_weights("weights", weights)
    titles = head_names(titles, len(weights))
    labels = check_labels(titles, key_tokens, weights.shape)
    ax = new_axes(ax, map_size(*labels, title=title))
    draw_map(ax, weights, labels, sequential(), (0, 1))
    if fits_numbers(ax, weights.shape):
        hidden = np.zeros(weights.shape, bool)
        write_numbers(ax, weights, hidden, weight_texts(weights), bold=True)
    else:
        add_colorbar(ax, "weight")
    ax.set_xlabel("key →", size=TYPE)
    ax.set_ylabel(ylabel, size=TYPE)
    set_title(ax, title, ax.figure.get_figwidth() - 0.8)
    return ax


def describe_heads(weights, key_tokens, titles=None, top=3):
    """Say where every head looks: ``head 1 -> boots 0.93, by 0.04``."""
    titles = head_names(titles, len(check_array("weights", weights, 2)))
    return describe_attention(weights, titles, key_tokens, top)


def head_names(titles, count):
    """Return the titles, or "head 1", "head 2" and so on."""
    if titles is None:
        return [f"head {head + 1}" for head in range(count)]
    return check_tokens("titles", titles, count)

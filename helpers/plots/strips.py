"""Several maps of weights side by side: one per head, or before and after."""

import numpy as np

from .cells import (
    CELL,
    NARROW,
    ROW,
    add_colorbar,
    axes_inches,
    draw_map,
    fits_numbers,
    label_height,
    name_axes,
    write_numbers,
)
from .heads import head_names
from .inputs import (
    check_array,
    check_labels,
    check_mask,
    check_weights,
)
from .theme import (
    MAX_WIDTH,
    new_figure,
    sequential,
    set_title,
    style,
    text_width,
)
from .words import describe_attention, weight_texts

PITCH = 0.15
WIDTH = MAX_WIDTH + 0.7
TALL = 8.5


@style()
def plot_strip(
    weights, query_tokens, key_tokens=None, titles=None, *, mask=None
):
    """Draw one map of weights per head, side by side, with one scale.

    ``weights`` is (H, T_q, T_k), or a list of H maps; ``titles`` are H
    strings ("head 1" and so on unless you give them); ``mask`` (True = may
    attend) holds for all. Returns the array of H Axes. Raises ValueError if
    H times T_k columns are too many to label: slice, or use ``plot_heads``.
    """
    maps, titles, allowed, labels = check_strip(
        weights, query_tokens, key_tokens, titles, mask
    )
    lines, columns, size = strip_layout(len(maps), labels)
    figure, axes = new_figure(
        size, nrows=lines, ncols=columns, sharey=True, squeeze=False
    )
    figure.get_layout_engine().set(h_pad=0.1)
    left, axes = axes[:, 0], axes.ravel()
    for ax in axes[len(maps) :]:
        ax.set_axis_off()
    axes = axes[: len(maps)]
    numbers = fits_numbers(axes[0], maps[0].shape)
    for ax, values, title in zip(axes, maps, titles, strict=True):
        draw_map(ax, values, labels, sequential(), (0, 1), ~allowed)
        if numbers:
            write_numbers(ax, values, ~allowed, weight_texts(values), True)
        name_axes(ax)
        set_title(ax, title, axes_inches(ax)[0] + 0.2)
    for ax in set(axes) - set(left):
        ax.tick_params(labelleft=False)
        ax.set_ylabel("")
    if not numbers:
        add_colorbar(axes[-1], "weight", axes)
    return axes


def plot_pair(
    before,
    after,
    query_tokens,
    key_tokens=None,
    titles=("before", "after"),
    *,
    mask=None,
):
    """Draw two maps of weights (T_q, T_k) side by side, with one scale.

    The other arguments are those of ``plot_strip``. Returns the two Axes.
    """
    pair = (check_array("before", before, 2), check_array("after", after, 2))
    return plot_strip(pair, query_tokens, key_tokens, titles, mask=mask)


def describe_strip(
    weights, query_tokens, key_tokens=None, titles=None, top=3, *, mask=None
):
    """Say each map of ``plot_strip`` in words, under its title."""
    maps, titles, allowed, labels = check_strip(
        weights, query_tokens, key_tokens, titles, mask
    )
    parts = [
        f"{title}\n{describe_attention(values, *labels, top, mask=allowed)}"
        for title, values in zip(titles, maps, strict=True)
    ]
    return "\n".join(parts)


def describe_pair(
    before,
    after,
    query_tokens,
    key_tokens=None,
    titles=("before", "after"),
    top=3,
    *,
    mask=None,
):
    """Say both maps of ``plot_pair`` in words, under their titles."""
    pair = (check_array("before", before, 2), check_array("after", after, 2))
    return describe_strip(
        pair, query_tokens, key_tokens, titles, top, mask=mask
    )


def check_strip(weights, query_tokens, key_tokens, titles, mask):
    """Return the maps, titles, mask and labels of a strip, checked."""
    if not hasattr(weights, "__len__"):
        raise TypeError(
            f"weights must be a list of maps, got {type(weights).__name__}"
        )
    shapes = {np.shape(values) for values in weights}
    if len(shapes) != 1:
        raise ValueError(f"weights must be maps of one shape, got {shapes}")
    weights = check_array("weights", np.stack([*weights]), 3)
    allowed = check_mask(mask, weights.shape[1:])
    maps = [
        check_weights(f"weights[{head}]", values, allowed)[0]
        for head, values in enumerate(weights)
    ]
    labels = check_labels(query_tokens, key_tokens, maps[0].shape)
    return maps, head_names(titles, len(maps)), allowed, labels


def strip_layout(count, labels):
    """Return lines, columns and size in inches of a strip of maps.

    One line if the labels fit, else two or four; ValueError if none fits.
    """
    rows, keys = map(len, labels)
    left = 0.5 + max(map(text_width, labels[0]))
    for lines in (1, 2, 4):
        columns = -(-count // lines)
        room = WIDTH - left - 0.1 * columns
        width = min(WIDTH, left + 0.9 + columns * keys * CELL)
        cell = (width - left) / columns / keys
        height = (ROW if cell > 0.34 else NARROW + 0.02) * rows
        height = lines * (height + 0.75 + label_height(labels[1], cell))
        if columns * keys * PITCH <= room and height <= TALL:
            return lines, columns, (width, height)
    raise ValueError(
        f"{count} maps of {rows} queries and {keys} keys are too large to "
        "read: show fewer heads, slice the rows, or use plot_heads"
    )

"""Several maps of weights side by side: one per head, or before and after."""

from . import cells, inputs, text, theme
from .output import page

TALL = 8.5  # inches, the highest figure
PITCH = 0.15  # inches, the narrowest column with a label


def show_strip(
    weights,
    query_tokens,
    key_tokens=None,
    *,
    titles=None,
    mask=None,
    frame=None,
    words=None,
):
    """Show one map of weights per head, side by side, with one scale.

    `weights` is (H, T_q, T_k), or a list of H maps; `titles` are H strings,
    "head 1" and so on unless you give them; `mask` (True = may attend) and
    the row `frame` hold for all. Prints each map in words, or `words`.
    Returns the first Axes, the others are in its figure. Raises ValueError
    if the maps are too many to label: slice, or use `show_heads`.
    """
    weights = inputs.check_array("weights", weights, 3)
    titles = text.head_names(titles, len(weights))
    labels = inputs.check_labels(query_tokens, key_tokens, weights.shape[1:])
    maps, said = [], []
    for head, title in enumerate(titles):
        name = f"weights[{head}]"
        values, allowed = inputs.check_weights(name, weights[head], mask)
        maps.append(values)
        said += [title, text.weight_lines(values, labels, 3)]
    lines, columns, size = strip_layout(len(maps), labels)
    what = f"attention weights, {len(maps)} maps ({'; '.join(titles)})"
    grid = {"nrows": lines, "ncols": columns, "squeeze": False}
    alt, said = cells.map_alt(what, labels), "\n".join(said)
    with page(size, alt, said, words=words, **grid) as axes:
        for ax in axes.flat[len(maps) :]:
            ax.set_axis_off()
        for place, values in enumerate(maps):
            ax, inner = axes.flat[place], place % columns > 0
            sides = ([""] * len(labels[0]), labels[1]) if inner else labels
            name = "" if inner else "query →"
            cells.draw_weights(
                ax, values, sides, ~allowed, frame, name, bar=""
            )
            theme.set_title(ax, titles[place])
        if not cells.fits_numbers(axes[0, 0], maps[0]):
            cells.name_axes(axes[0, 0], "query →", "key →", "weight", axes)
    return axes[0, 0]


def strip_layout(count, labels):
    """Return lines, columns and size in inches of a strip of maps.

    One line if the labels fit, else two or four; ValueError if none fits.
    """
    rows, keys = map(len, labels)
    left = 0.5 + max(map(theme.text_width, labels[0]))
    for lines in (1, 2, 4):
        columns = -(-count // lines)
        width = min(theme.WIDTH, left + 0.9 + columns * keys * cells.CELL)
        cell = (width - left) / columns / keys
        height = (cells.ROW if cell > 0.34 else cells.NARROW + 0.02) * rows
        height = lines * (height + 0.75 + cells.slant(labels[1], cell)[1])
        if cell >= PITCH + 0.1 / keys and height <= TALL:
            return lines, columns, (width, height)
    raise ValueError(
        f"{count} maps of {rows} queries and {keys} keys are too large to "
        "read: show fewer heads, slice the rows, or use show_heads"
    )

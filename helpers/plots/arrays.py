"""Small arrays with their numbers."""

import numpy as np

from . import in_words, inputs, theme
from .output import page

TINTS = ("#cfe5f5", "#f9d9bf", "#c6ebdd", "#e2e2e2")
EDGES = ("#0072B2", "#B84F00", "#007A58", "#333333")
SIDE = 0.4  # inches, one cell
MAX_COLUMNS = 16


def show_grids(
    arrays, titles, *, groups=None, rows="", columns="", words=None
):
    """Show small arrays side by side as tables of their numbers.

    `arrays` is a list of n arrays (R_i, C_i), at most 16 columns in all;
    `titles` are n strings. `groups` is a list of n arrays of whole numbers
    0 to 3, each broadcasting to its array: cells of one group (a head, for
    instance) share a tint and an outline. `rows` and `columns` say what they
    are, beside and below each array. A NaN is an empty cell. Prints the
    numbers, or `words`.
    Returns the first Axes, the others are in its figure. Raises TypeError or
    ValueError, naming the argument and its shape.
    """
    titles = inputs.check_tokens("titles", titles, len(arrays))
    alt = f"Arrays of numbers side by side: {', '.join(titles)}"
    alt += "." if groups is None else "; tints and outlines mark the groups."
    alt += f" Rows: {rows}; columns: {columns}." if rows else ""
    groups = [3] * len(arrays) if groups is None else groups
    pairs = enumerate(zip(arrays, groups, strict=True))
    pairs = [check_grid(place, *pair) for place, pair in pairs]
    arrays, groups = zip(*pairs, strict=True)
    sides = [array.shape[1] for array in arrays]
    inputs.check_small("arrays", (sum(sides),), MAX_COLUMNS)
    texts = [*map(grid_texts, arrays)]
    said = "\n".join(map(grid_words, titles, texts))
    width = max(2.2, min(theme.WIDTH, SIDE * sum(sides) + 0.9 * len(arrays)))
    size = width, SIDE * max(map(len, arrays)) + 0.5 + 0.3 * bool(columns)
    grid = {"ncols": len(arrays), "width_ratios": sides, "squeeze": False}
    with page(size, alt, said, words=words, **grid) as axes:
        axes[0, 0].figure.get_layout_engine().set(w_pad=0.12)
        for ax, *drawn in zip(axes[0], texts, groups, titles, strict=True):
            draw_grid(ax, *drawn)
            ax.set(xlabel=columns, ylabel=rows)
    return axes[0, 0]


def draw_grid(ax, texts, groups, title):
    """Draw the cells of one array, rows downward."""
    for (row, column), group in np.ndenumerate(groups):
        look = {"facecolor": TINTS[group], "edgecolor": "white"}
        ax.add_patch(theme.pyplot().Rectangle((column, row), 1, 1, **look))
        place = {"ha": "center", "va": "center"}
        ax.text(column + 0.5, row + 0.5, texts[row][column], **place)
    padded = np.pad(groups, 1, constant_values=-1)
    look = {"linewidth": 2, "clip_on": False}
    for row, column in np.argwhere(padded[:, 1:] != padded[:, :-1]):
        color = EDGES[padded[row, column : column + 2].max()]
        ax.plot([column] * 2, [row - 1, row], color=color, **look)
    for row, column in np.argwhere(padded[1:] != padded[:-1]):
        color = EDGES[padded[row : row + 2, column].max()]
        ax.plot([column - 1, column], [row] * 2, color=color, **look)
    rows, columns = groups.shape
    ax.set(xlim=(0, columns), ylim=(rows, 0), aspect="equal")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    theme.set_title(ax, title)


def grid_texts(array):
    """Return the numbers as text: whole ones bare, others one decimal."""
    given = ~np.isnan(array)
    whole = (array[given] % 1 == 0).all()
    texts = in_words.results(array, form=".0f" if whole else ".1f")
    return np.where(given, texts, "")


def grid_words(title, texts):
    """Return an array as text under its title."""
    texts = np.char.rjust(texts, np.char.str_len(texts).max())
    return "\n".join([title, *map(" ".join, texts)])


def check_grid(place, array, groups):
    """Return an array and its groups, both checked, of one shape."""
    array = inputs.check_array(f"arrays[{place}]", array, 2, finite=False)
    if np.isinf(array).any():
        raise ValueError(f"arrays[{place}]: infinity has no place in a table")
    inputs.check_small(f"arrays[{place}]", array.shape)
    groups = np.asarray(groups)
    if groups.dtype.kind not in "iu":
        raise TypeError(f"groups: expected whole numbers, got {groups.dtype}")
    if groups.min() < 0 or groups.max() > 3:
        raise ValueError(f"groups: expected 0 to 3, got up to {groups.max()}")
    try:
        return array, np.broadcast_to(groups, array.shape)
    except ValueError:
        shapes = f"{groups.shape} do not fit {array.shape}"
        raise ValueError(f"groups {shapes}") from None

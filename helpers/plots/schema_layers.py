"""Several layers: words as columns, and who gave what to whom."""

import textwrap

import numpy as np

from . import canvas, cells, in_words, inputs, theme
from .output import page

LEFT, STEP = 1.0, 1.15  # inches: names of the layers, from layer to layer
THICK, SEEN = 9, 0.03  # points of an arrow of weight 1; weights left out
NUMBER = {"weight": "bold", "color": canvas.LIT_INK, "zorder": 5}
NUMBER |= {"bbox": {"facecolor": "white", "linewidth": 0, "pad": 1}}


def show_layers(tokens, weights, *, path=None, names=None, **figure):
    """Show layers of attention: an arrow from each word to who looks at it.

    `tokens` are T strings; `weights` is (L, T, T), a map for each layer,
    rows may be all zero. Words enter below; an arrow is as wide as its
    weight, a dotted line is the residual connection: the word itself. `path`
    are L + 1 positions to follow in orange, from the last layer to the
    first: ``[dock, automobiles, green]``. `names` are L strings, "layer 1"
    and so on unless you give them. `figure` is title, words or ax. Prints
    the path, or each word's largest weight. Returns the Axes. Raises
    TypeError or ValueError, naming the argument and its shape.
    """
    tokens, weights, path, names = check_layers(tokens, weights, path, names)
    count, (turn, tall) = len(weights), slant(tokens)
    height = 0.25 + STEP * count + tall
    alt = (
        f"Words {cells.listed(tokens)} as columns, {count} layers above them; "
        "arrows as wide as the attention weights, dotted lines straight up "
        "for the residual connection."
    )
    if path:
        alt += f" Highlighted: {' → '.join(tokens[place] for place in path)}."
    said = layer_words(tokens, weights, path, names)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        x = places(tokens)
        draw_words(ax, tokens, x, 0.15 + STEP * count, turn, path)
        for layer, found in enumerate(weights):
            top = 0.15 + STEP * (count - 1 - layer)
            draw_layer(ax, x, top, found, path and path[::-1][layer:])
            name = textwrap.fill(names[layer], 11)
            place = 0, top + STEP / 2
            canvas.write(ax, *place, name, ha="left", va="center")
    return ax


def check_layers(tokens, weights, path, names):
    """Return tokens, weights (L, T, T), path and names, all checked."""
    tokens = inputs.check_tokens("tokens", tokens)
    count = len(tokens)
    inputs.check_small("tokens", (count,), 16)
    weights = inputs.check_array("weights", weights, 3)
    shape = len(weights), count, count
    inputs.check_array("weights", weights, 3, shape=shape)
    for layer, found in enumerate(weights):
        inputs.check_weights(f"weights[{layer}]", found)
    if path is not None:
        path = [inputs.check_place("path", place, count) for place in path]
        if len(path) != len(weights) + 1:
            shape = weights.shape
            raise ValueError(
                f"path has {len(path)} positions, weights {shape} need "
                f"{len(weights) + 1}"
            )
    names = names or [f"layer {i + 1}" for i in range(len(weights))]
    names = inputs.check_tokens("names", names, len(weights))
    return inputs.number_repeats(tokens), weights, path, names


def layer_words(tokens, weights, path, names):
    """Say the path layer by layer from above, or all largest weights."""
    if not path:
        labels = tokens, tokens
        maps = zip(names, weights, strict=True)
        parts = [[n, in_words.weight_lines(w, labels, 1)] for n, w in maps]
        return "\n".join(line for part in parts[::-1] for line in part)
    steps = zip(names[::-1], weights[::-1], path, path[1:], strict=False)
    labels, lines = [], []
    for name, found, query, key in steps:
        labels.append(f"{name}: {tokens[query]}")
        lines.append([f"{tokens[key]} {found[query, key]:.2f}"])
    return in_words.join_lines(labels, lines)


def places(tokens):
    """Return the x of each column, in inches."""
    wide = min(1.1, (theme.WIDTH - LEFT - 0.15) / len(tokens))
    return LEFT + wide * (np.arange(len(tokens)) + 0.5)


def slant(tokens):
    """Return angle and height in inches of the words below the columns."""
    x = places(tokens)
    wide = theme.WIDTH if len(x) == 1 else x[1] - x[0]
    return cells.slant(tokens, wide)


def draw_words(ax, tokens, x, bottom, turn, path):
    """Write the words below their columns, those of the path in orange."""
    for place, token in enumerate(tokens):
        lit = place in (path or ())
        look = {"color": canvas.LIT_INK if lit else "black", "rotation": turn}
        look |= {"weight": "bold" if lit else "normal", "va": "top"}
        if turn:
            look |= {"ha": "right", "rotation_mode": "anchor", "va": "center"}
        canvas.write(ax, x[place], bottom + 0.12, token, **look)


def draw_layer(ax, x, top, weights, path):
    """Draw one layer's arrows from its words below to those above."""
    ax.vlines(x, top, top + STEP, theme.DARK_GREY, ":", linewidth=1, zorder=1)
    blue = theme.rgb(canvas.BLUE)
    step = [path[1], path[0]] if path else None  # query above, key below
    edges = np.argwhere(weights >= SEEN).tolist()
    for query, key in sorted(edges, key=lambda edge: weights[*edge]):
        weight, lit = weights[query, key], [query, key] == step
        pale = 1 - (0.25 + 0.5 * weight) * (
            1 - blue
        )  # solid: files stay small
        look = {"color": canvas.LIT if lit else pale, "zorder": 2 + lit}
        ends = (x[key], top + STEP - 0.05), (x[query], top + 0.05)
        canvas.arrow(ax, *ends, thick=THICK * weight, **look)
        if lit:
            middle = 0.5 * (x[key] + x[query]), top + STEP / 2
            canvas.write(ax, *middle, f"{weight:.2f}", **NUMBER)
    dots = {"color": "black", "s": 22, "zorder": 3}
    ax.scatter([*x, *x], [top] * len(x) + [top + STEP] * len(x), **dots)

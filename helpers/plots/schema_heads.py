"""Multi-head attention as a block: project, split, attend, join, W_O."""

import numpy as np

from . import canvas, cells, in_words, inputs, theme
from .output import page
from .schema_projections import CELL, ROLES, check_rows

# of heads; blue comes late, because weights are blue
HUES = theme.HUES[1], theme.DARK_GREY, theme.HUES[0], theme.HUES[2]
INKS = theme.INKS[1], theme.DARK_GREY, theme.INKS[0], theme.INKS[2]
TITLE, FORK, GAP, NARROW = 0.5, 0.45, 0.12, 0.62  # inches
MATRICES = 0.62  # inches between x and query
STEP = {"ha": "left", "style": "italic", "color": theme.DARK_GREY}


def show_block(tokens, x, projected, weights, context, output, **figure):
    """Show multi-head attention: project, split, attend, join, and W_O.

    `tokens` are T strings, `x` is (T, d_model), `projected` is query and key
    (T, H·d_k) and value (T, H·d_v), not yet split. `weights` is (H, T, T) and
    `context` (H, T, d_v) for up to four heads, `output` is (T, d_model).
    Joined is the contexts of the heads side by side, (T, H·d_v). Numbers are
    written into the cells if there is room. `figure` is title, words or ax.
    Prints the shapes and where each head looks. Returns the Axes. Raises
    TypeError or ValueError, naming the argument and its shape.
    """
    arrays = check_block(tokens, x, projected, weights, context, output)
    tokens, heads = inputs.number_repeats(tokens), len(weights)
    row = 0.29 if len(tokens) <= 5 else 0.2
    height = 2 * TITLE + 2 * FORK + 3 * row * len(tokens) + 0.5
    alt = (
        f"Block of multi-head attention for {cells.listed(tokens)}. From "
        "above: W_Q, W_K and W_V make query, key and value of x; their "
        f"columns are split for {heads} heads; each has a map of weights and "
        "a context; the contexts are joined side by side; W_O makes the "
        "output."
    )
    said = block_words(tokens, arrays)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        boxes = layout(tokens, arrays, row)
        draw_arrays(ax, tokens, arrays, boxes, row)
        draw_ways(ax, boxes, heads)
    return ax


def check_block(tokens, x, projected, weights, context, output):
    """Return the arrays of a block by name, all checked."""
    count = len(inputs.check_tokens("tokens", tokens))
    inputs.check_small("tokens", (count,), 14)
    x, output = check_rows("x", x, count), check_rows("output", output, count)
    weights = inputs.check_array("weights", weights, 3)
    inputs.check_small("weights", weights.shape[:1], 4)
    heads = len(weights)
    inputs.check_array("weights", weights, 3, shape=(heads, count, count))
    for head, found in enumerate(weights):
        inputs.check_weights(f"weights[{head}]", found)
    context = inputs.check_array("context", context, 3)
    if context.shape[:2] != (heads, count):
        raise ValueError(
            f"context has shape {context.shape}, but weights {weights.shape}"
        )
    joined = np.hstack([*context])  # (T, H*d_v)
    arrays = {"x": x} | check_projected(projected, heads, joined)
    arrays |= {"joined": joined, "output": output}
    for head in range(heads):
        arrays |= {f"head {head + 1}": weights[head]}
        arrays |= {f"context {head + 1}": context[head]}
    return arrays


def check_projected(projected, heads, joined):
    """Return query, key and value by name: columns for all heads."""
    if len(projected) != len(ROLES):
        raise ValueError(
            "projected: expected query, key and value, got "
            f"{len(projected)} arrays"
        )
    named = dict(zip(ROLES, projected, strict=True))
    named = {n: check_rows(n, a, len(joined)) for n, a in named.items()}
    inputs.check_array("key", named["key"], 2, shape=named["query"].shape)
    inputs.check_array("value", named["value"], 2, shape=joined.shape)
    if named["query"].shape[1] % heads:
        raise ValueError(
            f"query has shape {named['query'].shape}, which {heads} heads "
            "cannot share"
        )
    return named


def block_words(tokens, arrays):
    """Say the shapes on the way, and where each head looks."""
    heads = [name for name in arrays if name.startswith("head")]
    way = {
        "x": f"{arrays['x'].shape}",
        "project": ", ".join(f"{n} {arrays[n].shape}" for n in ROLES),
        "split": f"{len(heads)} head{'s' * (len(heads) > 1)}",
        "attend": f"weights {(len(heads), *arrays['head 1'].shape)}, "
        f"context {(len(heads), *arrays['context 1'].shape)}",
        "join": f"{arrays['joined'].shape}",
        "W_O": f"output {arrays['output'].shape}",
    }
    lines = [in_words.join_lines([*way], [[shape] for shape in way.values()])]
    for name in heads:
        labels = tokens, tokens
        lines += [name, in_words.weight_lines(arrays[name], labels, 1)]
    return "\n".join(lines)


def layout(tokens, arrays, row):
    """Return the box (left, top, wide, tall) of each array, in inches."""
    left = max(0.72, max(map(theme.text_width, tokens)) + 0.1)
    room, tall = theme.WIDTH - left - 0.05, row * len(tokens)
    tops = [TITLE + place * (TITLE + FORK + tall) for place in range(3)]
    tops[2] -= TITLE
    wide = [fit(arrays[n], (room - 0.8) / 2) for n in ("joined", "output")]
    start = left + (room - sum(wide) - 0.8) / 2
    boxes = {
        "joined": (start, tops[2], wide[0], tall),
        "output": (start + wide[0] + 0.8, tops[2], wide[1], tall),
    }
    boxes |= lay_projections(arrays, left, tops[0], tall)
    heads = sum(name.startswith("head") for name in arrays)
    slot = room / heads
    pair = arrays["head 1"], arrays["context 1"]
    cell = min(CELL, (slot - 2 * GAP) / sum(a.shape[1] for a in pair))
    a, b = (max(NARROW, cell * array.shape[1]) for array in pair)
    b = min(b, slot - a - 2 * GAP)
    for head in range(heads):
        start = left + slot * (head + 0.5) - (a + b + GAP) / 2
        boxes[f"head {head + 1}"] = start, tops[1], a, tall
        boxes[f"context {head + 1}"] = start + a + GAP, tops[1], b, tall
    return boxes


def lay_projections(arrays, left, top, tall):
    """Return the boxes of x, and beside it of query, key and value."""
    room = theme.WIDTH - left - 0.05 - MATRICES
    wide = fit(arrays["x"], 0.36 * room)
    boxes = {"x": (left, top, wide, tall)}
    start, room = left + wide + MATRICES, (room - wide - 2 * GAP) / 3
    for place, name in enumerate(ROLES):
        width = fit(arrays[name], room)
        boxes[name] = start + place * (room + GAP), top, width, tall
    return boxes


def fit(array, room):
    """Return the width of a panel: wide enough for numbers, if they fit."""
    return max(NARROW, min(room, CELL * array.shape[1]))


def draw_arrays(ax, tokens, arrays, boxes, row):
    """Draw all arrays with their titles, those of a head in its hue."""
    for name, array in arrays.items():
        box, head = boxes[name], name.partition(" ")[2]
        look = {"color": INKS[int(head) - 1]} if head else {}
        weights = name.startswith("head")
        look |= {} if weights else {"weight": "normal" if head else "bold"}
        form = {"signed": not weights, "digits": 1 + weights}
        if name == "joined" or name.startswith("context"):  # one scale
            form["limit"] = abs(arrays["joined"]).max()
        canvas.draw_cells(ax, array, box, **form)
        if head:
            canvas.frame(ax, box, HUES[int(head) - 1], 2)
        below = name in ("joined", "output")
        top = box[1] + box[3] + 0.54 if below else box[1]
        shown = name if weights else name.partition(" ")[0]
        canvas.title(ax, box[0] + box[2] / 2, top, shown, array.shape, **look)
        if name in ("x", "head 1", "joined"):
            canvas.write_words(ax, tokens, box[0], box[1], row)
    count = sum(name.startswith("head") for name in arrays)
    for name in (*ROLES, "joined"):
        left, top, wide, tall = boxes[name]
        for head in range(count):
            part = left + wide / count * head, top, wide / count, tall
            canvas.frame(ax, part, HUES[head], 2)


def draw_ways(ax, boxes, heads):
    """Draw the ways: x to the heads, the heads to joined, W_O."""
    draw_project(ax, boxes)
    _, top, wide, tall = boxes["query"]
    join, joined_top, joined_wide, _ = boxes["joined"]
    for head in range(heads):
        weights, context = (
            boxes[f"head {head + 1}"],
            boxes[f"context {head + 1}"],
        )
        middle = (weights[0] + context[0] + context[2]) / 2
        for role in ROLES:
            left, _, wide, _ = boxes[role]
            own = left + wide / heads * (head + 0.5)
            ends = (own, top + tall), (middle, weights[1] - TITLE)
            canvas.elbow(ax, *ends, 0.1 + 0.06 * head, HUES[head])
        part = join + joined_wide / heads * (head + 0.5)
        below = context[1] + context[3]
        ends = (context[0] + context[2] / 2, below), (part, joined_top)
        canvas.elbow(ax, *ends, 0.1 + 0.06 * head, HUES[head])
    canvas.write(ax, 0, top + tall + 0.15, "split", **STEP)
    canvas.write(ax, 0, weights[1] - 0.38, "attend", **STEP)
    canvas.write(ax, 0, below + 0.15, "join", **STEP)
    left, top, wide, tall = boxes["joined"]
    ends = (
        (left + wide + 0.1, top + tall / 2),
        (boxes["output"][0] - 0.1, top + tall / 2),
    )
    canvas.arrow(ax, *ends)
    canvas.write(
        ax, left + wide + 0.4, top + tall / 2 - 0.16, "W_O", weight="bold"
    )


def draw_project(ax, boxes):
    """Draw the way from x to query, key and value."""
    left, top, wide, tall = boxes["x"]
    start, y = left + wide, top + tall / 2
    end = boxes["query"][0]
    canvas.arrow(ax, (start + 0.08, y), (end - 0.08, y))
    for place, name in enumerate(("W_V", "W_K", "W_Q")):
        height = y - 0.16 - 0.2 * place
        canvas.write(ax, (start + end) / 2, height, name, weight="bold")
    canvas.write(ax, 0, top - 0.38, "project", **STEP)

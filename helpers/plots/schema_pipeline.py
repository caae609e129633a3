"""Schemas: how attention computes, drawn from its real numbers."""

from . import canvas, cells, in_words, inputs, theme
from .output import page
from .schema_projections import SHOWN, check_rows

STAGES = "vectors", "scores", "weights", "context"
STEPS = {  # and inches of their arrows
    "look up": 0.68,
    "compare": 0.8,
    "softmax": 0.75,
    "mix": 0.5,
}
COLORS = "purple: below 0    green: above 0    blue: a weight"
ROW, ZOOM, SIDE, BOW = 0.27, 0.32, 0.65, 0.3  # inches
LIT = {"weight": "bold", "color": canvas.LIT_INK}  # the word that asks


def show_pipeline(
    tokens,
    x,
    scores,
    weights,
    context,
    *,
    query,
    **figure,
):
    """Show words → vectors → scores → weights → context, one row lit.

    `tokens` are T strings, `x` is (T, d), `scores` and `weights` are (T, T),
    `context` is (T, d_v). The row of the word at position `query` is framed
    in all of them, and its scores and weights stand below with their
    numbers. Of a vector the first 12 dimensions are drawn. `figure` is title,
    words or ax. Prints the shapes and the row. Returns the Axes. Raises
    TypeError or ValueError, naming the argument and its shape.
    """
    arrays = check_stages(tokens, x, scores, weights, context)
    tokens = inputs.number_repeats(tokens)
    query = inputs.check_place("query", query, len(tokens))
    row = arrays[1][query], arrays[2][query]
    said = pipeline_words(tokens, arrays, query, row)
    alt = (
        f"Side by side: the words {cells.listed(tokens)}; their "
        f"{', '.join(STAGES)}; a row for each word. Framed, and below with "
        f"its numbers: the row of {tokens[query]}."
    )
    height = 0.55 + ROW * len(tokens) + BOW + row_height(tokens)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        draw_stages(ax, tokens, arrays, query)
        draw_row(ax, tokens, row, query, height)
    return ax


def check_stages(tokens, x, scores, weights, context):
    """Return vectors, scores, weights and context as checked arrays."""
    count = len(inputs.check_tokens("tokens", tokens))
    inputs.check_small("tokens", (count,), 14)
    x = check_rows("x", x, count)
    square = {"shape": (count, count)}
    scores = inputs.check_array("scores", scores, 2, **square)
    weights = inputs.check_array("weights", weights, 2, **square)
    weights, _ = inputs.check_weights("weights", weights)
    return x, scores, weights, check_rows("context", context, count)


def pipeline_words(tokens, arrays, query, row):
    """Say the shapes of the stages, and the numbers of the lit row."""
    named = zip(STAGES, arrays, strict=True)
    shapes = [f"{name} {array.shape}" for name, array in named]
    columns = {
        f"{tokens[query]} asks": tokens,
        "score": in_words.results(row[0], form=".2f"),
        "weight": in_words.results(row[1], form=".2f"),
    }
    table = in_words.align_table([[name, *c] for name, c in columns.items()])
    return "\n".join([in_words.join_lines(["words"], [shapes]), table])


def draw_stages(ax, tokens, arrays, query):
    """Draw the words and the four arrays, rows aligned, with arrows.

    Vectors and context have one color scale.
    """
    boxes = {}
    drawn = [array[:, :SHOWN] for array in arrays]
    limit = max(abs(drawn[0]).max(), abs(drawn[-1]).max())  # one for both
    left = max(map(theme.text_width, tokens)) + 0.1
    wide = (theme.WIDTH - left - sum(STEPS.values()) - 0.05) / 4
    top, tall = 0.5, ROW * len(tokens)
    middle = top + ROW * (query + 0.5)
    for row, token in enumerate(tokens):
        look = LIT if row == query else {}
        place = left - 0.05, top + ROW * (row + 0.5)
        canvas.write(ax, *place, token, ha="right", **look)
    stages = zip(STAGES, STEPS.items(), arrays, drawn, strict=True)
    for name, (step, gap), array, part in stages:
        ends = (left + 0.07, middle), (left + gap - 0.07, middle)
        canvas.arrow(ax, *ends, canvas.LIT)
        canvas.write(ax, left + gap / 2, middle - 0.15, step)
        left += gap
        box, look = (left, top, wide, tall), {"signed": name != "weights"}
        if name in ("vectors", "context"):
            look["limit"] = limit
        canvas.draw_cells(ax, part, box, **look)
        canvas.frame(ax, (left, top + ROW * query, wide, ROW))
        canvas.write(ax, left + wide / 2, top - 0.38, name, weight="bold")
        canvas.write(ax, left + wide / 2, top - 0.16, str(array.shape))
        boxes[name] = box
        left += wide
    draw_bow(ax, boxes)


def draw_bow(ax, boxes):
    """Draw the way of the vectors to the mix, below the other arrays."""
    left, top, wide, tall = boxes["vectors"]
    start, end = left + wide / 2, boxes["context"][0] + wide / 2
    bottom = top + tall
    low = bottom + 0.55 * BOW
    look = {"color": theme.DARK_GREY, "linewidth": 1.8}
    ax.plot([start, start, end, end], [bottom, low, low, low], **look)
    canvas.arrow(ax, (end, low), (end, bottom + 0.02))
    words = "the vectors are what is mixed"
    look = {"backgroundcolor": "white"}
    canvas.write(ax, (start + end) / 2, low, words, **look)


def row_height(tokens):
    """Return how many inches the row with its numbers takes."""
    return 0.5 + row_slant(tokens)[1] + 2 * ZOOM


def row_slant(tokens):
    """Return angle and height of the labels above the row's cells."""
    turn, tall = cells.slant(tokens, (theme.WIDTH - SIDE) / len(tokens))
    if turn and theme.text_width(tokens[-1]) > 0.8:  # it would stick out
        return 90, max(map(theme.text_width, tokens)) + 0.1
    return turn, tall


def draw_row(ax, tokens, row, query, height):
    """Draw scores and weights of one row with their numbers, below."""
    wide = min(0.9, (theme.WIDTH - SIDE - 0.05) / len(tokens))
    turn = row_slant(tokens)[0]
    top = height - 2 * ZOOM - 0.12
    heading = f"{tokens[query]} asks"
    y = top - row_slant(tokens)[1] - 0.14
    canvas.write(ax, 0, y, heading, ha="left", **LIT)
    canvas.write(ax, theme.WIDTH - 0.05, y, COLORS, ha="right")
    for place, token in enumerate(tokens):
        look = LIT if place == query else {}
        if turn:
            look = look | {"rotation": turn, "rotation_mode": "anchor"}
            look |= {"ha": "left", "va": "center" if turn > 45 else "bottom"}
        x = SIDE + wide * (place + 0.5)
        canvas.write(ax, x, top - 0.06 - 0.08 * (not turn), token, **look)
    box = SIDE, top, wide * len(tokens), ZOOM
    texts = (
        cells.score_texts(row[0][None]),
        in_words.results(row[1], form=".2f"),
    )
    canvas.draw_cells(ax, row[0][None], box, texts=texts[0])
    box = SIDE, top + ZOOM + 0.06, *box[2:]
    look = {"signed": False, "texts": texts[1][None]}
    canvas.draw_cells(ax, row[1][None], box, **look)
    for name, y in (("score", top), ("weight", box[1])):
        canvas.write(ax, SIDE - 0.08, y + ZOOM / 2, name, ha="right")

"""One map of the course: where attention sits in a language model."""

import textwrap

from . import canvas, theme
from .output import page

LEVELS = {  # each is a part of the level above it, drawn larger
    "a language model": {
        "words": "",
        "vectors": "01",
        "+ positions": "04",
        "N blocks": "07",
        "norm ": "06",
        "next word": "06",
    },
    "a block": {
        "norm": "06",
        "attention": "01–05",
        "+": "06",
        " norm": "06",
        "feed-forward": "06",
        " +": "06",
    },
    "attention": {
        "Q K V": "02",
        "scores": "01",
        "÷ √d_k": "03",
        "mask": "06",
        "softmax": "01",
        "mix": "01",
        "join heads": "04",
    },
}
MODEL, BLOCK, ATTENTION = LEVELS
OPENED = {BLOCK: "N blocks", ATTENTION: "attention"}
_SHARES = ("scores", "softmax", "mix")
HERE = {  # by notebook: the parts that are lit, and why
    0: (["attention"], "what attention is for"),
    1: (["vectors", *_SHARES], "attention before it has learned anything"),
    2: (["Q K V"], "the matrices that are learned, and how"),
    3: (["÷ √d_k"], "what the square root is for"),
    4: (["join heads", "+ positions"], "several heads, and order"),
    5: ([*LEVELS[ATTENTION]], "the whole of attention, in PyTorch"),
    6: (
        ["mask", *set(LEVELS[BLOCK]) - {"attention"}, "norm ", "next word"],
        "all that a block needs besides attention",
    ),
    7: ([*LEVELS[MODEL]], "a whole model, trained on your text"),
    8: (
        [
            *set(LEVELS[MODEL]) - {"+ positions"},
            *LEVELS[BLOCK],
            *LEVELS[ATTENTION],
        ],
        "a chat model, whose queries and keys turn",
    ),
    9: (
        ["vectors", "+ positions", "N blocks"],
        "a model that reads: no mask, and no next word",
    ),
    10: ([*_SHARES], "what these cost when a text is long"),
}
EDGE, PAPER = 0.02, "#f4f4f4"
TALL, GAP = {False: 0.27, True: 0.46}, {False: 0.13, True: 0.3}  # inches


def show_map(notebook, *, large=False, **figure):
    """Show a language model, a block of it and its attention: you are here.

    The parts that a notebook (0 to 10) is about are lit; a `large` map also
    says in which notebook you build each part. `figure` is title, words or
    ax. Prints what is lit. Returns the Axes. Raises ValueError for a number
    that no notebook has.
    """
    if notebook not in HERE:
        raise ValueError(
            f"notebook: expected a number from 0 to {max(HERE)}, got"
            f" {notebook!r}"
        )
    lit, why = HERE[notebook]
    height = 3 * row_height(large) + 2 * GAP[large] + 0.04
    alt = (
        "Three rows of boxes, each the inside of a box above it. A language"
        " model: words, vectors, positions, blocks, norm, next word. A block:"
        " norm, attention, sum, norm, feed-forward, sum. Attention: queries,"
        " keys and values, scores, root, mask, softmax, mix, heads. Lit:"
        f" {len(lit)} boxes, {why}."
    )
    said = map_words(lit, why, large)
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        draw_levels(ax, lit, large)
    return ax


def map_words(lit, why, large):
    """Say what is lit, and on a large map what is built where."""
    said = [f"You are here: {why}."]
    for level, parts in LEVELS.items():
        if large:
            row = [f"{p.strip()} ({n})" for p, n in parts.items() if n]
            said.append(f"{level}: {', '.join(row)}")
        elif shown := [part.strip() for part in parts if part in lit]:
            said.append(f"  {level}: {', '.join(shown)}")
    return "\n".join(textwrap.fill(line, 60) for line in said)


def row_height(large):
    """Return how many inches a level takes, its frame included."""
    return TALL[large] + (0.47 if large else 0.12)


def draw_levels(ax, lit, large):
    """Draw the three levels, and where each is taken from."""
    places, top, look = {}, EDGE, {"fill": True, "facecolor": PAPER}
    for level, parts in LEVELS.items():
        tall = row_height(large)
        if level in OPENED:
            draw_zoom(ax, places[OPENED[level]], top)
        frame = EDGE, top, theme.WIDTH - 2 * EDGE, tall
        canvas.frame(ax, frame, theme.DARK_GREY, 0.8, **look)
        if large:
            canvas.write(ax, 0.12, top + 0.17, level, ha="left", weight="bold")
        y = top + tall - TALL[large] - 0.06
        bows = large and level == BLOCK
        places |= draw_row(ax, parts, y, lit, large, 0.22 * bows)
        if bows:
            draw_bows(ax, [places[part] for part in parts])
        top += tall + GAP[large]


def draw_bows(ax, boxes):
    """Draw how the stream goes around a norm and what follows it."""
    for start, end in ((0, 2), (3, 5)):
        left, top, _, tall = boxes[start]
        left, stop = left - 0.2, boxes[end][0] + boxes[end][2] / 2
        high, middle = top - 0.14, top + tall / 2
        path = [left, left, stop], [middle, high, high]
        ax.plot(*path, color=theme.DARK_GREY, linewidth=1.2)
        canvas.arrow(ax, (stop, high), (stop, top - 0.02), thick=1.2)
        if start == 0:
            ends = (left, middle), (boxes[0][0] - 0.03, middle)
            canvas.arrow(ax, *ends, thick=1.2)


def draw_zoom(ax, box, top):
    """Draw the light from a box down to the frame of its inside."""
    left, y, wide, tall = box
    x = left, left + wide, theme.WIDTH - EDGE, EDGE
    y = y + tall, y + tall, top, top
    ax.fill(x, y, color=theme.GREY, linewidth=0)


def draw_row(ax, parts, top, lit, large, indent):
    """Draw boxes from left to right, with arrows between them."""
    wide = [max(0.3, 0.92 * theme.text_width(p.strip()) + 0.16) for p in parts]
    left, tall, places = 0.12 + indent, TALL[large], {}
    gap = (theme.WIDTH - left - 0.12 - sum(wide)) / (len(wide) - 1)
    for (part, where), width in zip(parts.items(), wide, strict=True):
        box = left, top, width, tall
        if places:
            y = top + tall / 2
            ends = (left - gap + 0.03, y), (left - 0.03, y)
            canvas.arrow(ax, *ends, thick=1.2)
        places[part] = box
        draw_part(ax, part.strip(), where if large else "", box, part in lit)
        left += width + gap
    return places


def draw_part(ax, name, where, box, is_lit):
    """Draw a box with its name, and the notebook that builds it."""
    face, ink = (canvas.BLUE, "white") if is_lit else ("white", "black")
    edge = canvas.BLUE if is_lit else theme.DARK_GREY
    look = {"fill": True, "facecolor": face, "zorder": 3}
    canvas.frame(ax, box, edge, 1, **look)
    left, top, wide, tall = box
    place, look = left + wide / 2, {"color": ink, "zorder": 4}
    canvas.write(ax, place, top + tall / 2 - 0.1 * bool(where), name, **look)
    if where:
        look["style"] = "italic"
        canvas.write(ax, place, top + tall / 2 + 0.11, where, **look)

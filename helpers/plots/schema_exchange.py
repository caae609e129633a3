"""An exchange: one row of a run is put into another run."""

from . import canvas, inputs, theme
from .output import page

LEFT, STEP, RISE = 0.5, 0.4, 0.42  # inches: margin, token, layer
LEVELS, AT = 5, 2  # layers that are drawn; where the row is exchanged


def show_exchange(
    donor, tokens, position, answers, *, axis="", is_causal=True, **figure
):
    """Show two runs side by side, and one row that goes from one to other.

    `donor` and `tokens` are T strings each, the words of both runs; at
    `position` a row is taken from the first run and put into the second. Rows
    that may change above it are orange: those of this word and later ones,
    or of all words if the model is not causal. `answers` are two strings: what
    each run says. `axis` is written upward, beside the layers. `figure` is
    title, words or ax. Prints what is drawn. Returns the Axes. Raises
    TypeError or ValueError, naming the argument.
    """
    donor = inputs.check_tokens("donor", donor)
    tokens = inputs.check_tokens("tokens", tokens, len(donor))
    answers = inputs.check_tokens("answers", answers, 2)
    position = inputs.check_place("position", position, len(tokens))
    width = len(tokens) * STEP
    height = LEVELS * RISE + 1.15
    said = f"the row of {donor[position]} goes to {tokens[position]}"
    first = position if is_causal else 0  # of the words that may change
    said += f"\nrows that may change: {' '.join(tokens[first:])}"
    those = "all points from this word on" if is_causal else "all points"
    alt = (
        "Two grids of points, a column for each word and a row for each layer."
        f" An arrow leads from {donor[position]} in the first grid to"
        f" {tokens[position]} in the second; above it, {those} are orange."
    )
    with page((theme.WIDTH, height), alt, said, **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        lefts = LEFT, theme.WIDTH - LEFT - width + STEP
        top = RISE * LEVELS + 0.05
        for run, (left, words) in enumerate(
            zip(lefts, (donor, tokens), strict=True)
        ):
            _draw(ax, left, top, words, position, first if run else None)
            last = left + STEP * (len(words) - 1)
            canvas.write(
                ax, last + 0.15, 0.15, answers[run], weight="bold", ha="right",
                color=canvas.LIT_INK if run else theme.DARK_GREY,
            )  # fmt: skip
        y = top - RISE * AT
        start, end = (left + STEP * position for left in lefts)
        canvas.arrow(ax, (start + 0.14, y), (end - 0.14, y), canvas.LIT, 3)
        middle = top - RISE * (LEVELS - 1) / 2
        if axis:
            canvas.write(ax, 0.2, middle, axis, rotation=90, va="center")
    return ax


def _draw(ax, left, top, words, position, first):
    """Draw the points of one run, its words below them.

    first: of the words that change above the exchange; None if none do.
    """
    for column, word in enumerate(words):
        x = left + STEP * column
        ax.plot([x] * 2, [top, top - RISE * (LEVELS - 1)], color=theme.GREY)
        for level in range(LEVELS):
            lit = (level, column) == (AT, position)
            lit |= first is not None and level > AT and column >= first
            color = canvas.LIT if lit else canvas.BLUE
            y = top - RISE * level
            ax.plot(x, y, "s" if lit else "o", color=color, ms=9 if lit else 6)
        look = {"rotation": 90, "va": "top"}
        weight = "bold" if column == position else "normal"
        canvas.write(ax, x, top + 0.15, word, weight=weight, **look)

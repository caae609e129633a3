"""The road of the course, with what a learner has done of it."""

import textwrap

from .. import guesses, journal, records
from . import canvas, theme
from .chapters import chapters
from .output import page

ROW, BOX, NAME = 0.3, 0.24, 2.75  # inches
PREDICTIONS = 4.9  # inches from the left, where they begin
SURPRISES = 3  # that are named
EXERCISES, GUESSES = "exercises (full: solved)", "guesses (full: near)"


def progress(place=None, **figure):
    """Show the exercises solved and the predictions made in a folder.

    `place` is a folder of learner's copies, by default the one that the
    notebook lies in. Each notebook is a row: a square for each exercise,
    full where it is solved, and a point for each prediction, full where the
    first guess was within reach (`guesses.distance` at most 0.1). `figure`
    is title, words or ax. Prints the same in words, and the predictions that
    were farthest off. A journal that cannot be read is named, and nothing is
    drawn. Returns the Axes, or None.
    """
    place = place or journal.folder()
    path = place and place / journal.FILE
    if not path or not path.is_file() or not path.stat().st_size:
        print("Nothing is recorded yet. In your own copies of the notebooks,")
        print("every check and every prediction that you run is counted.")
        return None
    try:
        done = records.read(path)
    except ValueError as error:
        print(f"Your progress cannot be read. {error}")
        return None
    shown = [c for c in chapters(place) if _is_shown(c, done)]
    alt = "A row for each notebook: squares are exercises, full if solved; "
    alt += "points are predictions, full if the guess was within reach."
    height = 0.4 + ROW * len(shown)
    with page((theme.WIDTH, height), alt, _words(shown, done), **figure) as ax:
        canvas.blank(ax, theme.WIDTH, height)
        look = {"ha": "left", "weight": "bold"}
        canvas.write(ax, NAME, 0.15, EXERCISES, **look)
        canvas.write(ax, PREDICTIONS, 0.15, GUESSES, **look)
        for row, chapter in enumerate(shown):
            draw_chapter(ax, chapter, done, 0.5 + ROW * row)
    return ax


def _is_shown(chapter, done):
    """The road is always shown, a trial room once something is done in it."""
    touched = {*chapter.exercises} & done.tries.keys()
    touched |= chapter.predictions.keys() & done.predictions.keys()
    return not chapter.number.startswith("t") or bool(touched)


def draw_chapter(ax, chapter, done, y):
    """Draw the row of a notebook."""
    name = chapter.title.partition(" · ")[2] or chapter.title
    number = chapter.number.removeprefix("t")
    shown = textwrap.shorten(f"{number} {name}", 34, placeholder="…")
    canvas.write(ax, 0, y, shown, ha="left")
    for place, exercise in enumerate(chapter.exercises):
        full = exercise in done.solved
        look = {"facecolor": theme.HUES[0] if full else "white"}
        left = NAME + ROW * place, y - BOX / 2
        look |= {"edgecolor": theme.HUES[0], "linewidth": 1.2}
        ax.add_patch(theme.pyplot().Rectangle(left, BOX, BOX, **look))
    off = _distances(done)
    for place, cell in enumerate(chapter.predictions):
        near = off.get(cell, 1.0) <= guesses.NEAR
        look = {"color": theme.HUES[1] if cell in off else theme.GREY}
        look["markerfacecolor"] = look["color"] if near else "white"
        x = PREDICTIONS + 0.08 + 0.16 * place
        ax.plot([x], [y], "o", markersize=7.5, **look)


def _words(chapters, done):
    """Say how much is done, and which results were farthest from a guess."""
    lines, off = [], _distances(done)
    for chapter in chapters:
        solved = sum(name in done.solved for name in chapter.exercises)
        made = chapter.predictions.keys() & off.keys()
        near = sum(off[cell] <= guesses.NEAR for cell in made)
        parts = [f"{solved} of {len(chapter.exercises)} exercises solved"]
        parts *= bool(chapter.exercises)
        if made:
            parts.append(f"{near} of {len(made)} guesses within reach")
        if solved or made:
            lines.append(f"{chapter.title}: {', '.join(parts)}")
    headings = {k: v for c in chapters for k, v in c.predictions.items()}
    far = [c for c in off if c in headings and off[c] > guesses.NEAR]
    far = sorted(far, key=lambda cell: -off[cell])[:SURPRISES]
    lines += ["The results that surprised you most:"] * bool(far)
    for cell in far:
        guess, measured = (_shown(part) for part in done.predictions[cell])
        place = f"{headings[cell]} ({cell.split()[0]})"
        lines.append(f"  {place}: you said {guess}, measured {measured}")
    lines = lines or ["Nothing is solved or predicted yet."]
    lines += [records.not_counted(len(done.old))] * bool(done.old)
    return "\n".join(lines)


def _distances(done):
    """{cell: how far its first guess was off}."""
    pairs = done.predictions.items()
    return {cell: guesses.distance(*pair) for cell, pair in pairs}


def _shown(answer):
    return f"{answer:.3g}" if isinstance(answer, float) else str(answer)

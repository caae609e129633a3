"""A map of words: points in two dimensions, some of them named."""

import numpy as np

from . import cells, in_words, inputs, theme
from .lines import MARKERS
from .output import page

OTHERS = "other words"
SPOTS = {  # where a name may stand, and how far away in points
    (1, 0): (6, 0),
    (-1, 0): (-6, 0),
    (0, 1): (0, 4),
    (0, -1): (0, -5),
    (1, 1): (4, 1),
    (-1, 1): (-4, 1),
    (1, -1): (4, -2),
    (-1, -1): (-4, -2),
}


def show_word_map(points, labels, groups, *, name=(), **figure):
    """Show words as points of two dimensions, colored by group.

    `points` is (n, 2); `labels` are n words; `groups` are n strings, at most
    three different ones, and None for the words that are drawn grey. The
    words of `name` are written beside their points. Both axes have one
    scale, so that distances are true. `figure` is title, words or ax. Prints
    size and center of each group, and the named words. Returns the Axes.
    Raises TypeError or ValueError, naming the argument and its shape.
    """
    points, labels, members = check_map(points, labels, groups)
    named = inputs.check_tokens("name", name)
    for word in named:
        if word not in labels:
            raise ValueError(f"name: {word!r} is none of the labels")
    named = [labels.index(word) for word in named]
    wide, tall = np.ptp(points, axis=0)
    height = float(np.clip(theme.WIDTH * tall / (wide or 1), 2.5, 5.2))
    alt = (
        f"Map of {len(labels)} words as points; groups: "
        f"{cells.listed([*members])}. The labels name "
        f"{cells.listed([labels[place] for place in named]) or 'none'}."
    )
    said = map_words(points, labels, members, named)
    with page((theme.WIDTH, height + 0.4), alt, said, **figure) as ax:
        draw_points(ax, points, members, named)
        theme.name_lines(ax.figure)
        theme.set_title(ax, figure.get("title") or "")
        name_points(ax, points, labels, members, named)
    return ax


def check_map(points, labels, groups):
    """Return points, labels, and the places of each group, greys last."""
    points = inputs.check_array("points", points, 2)
    points = inputs.check_array("points", points, 2, shape=(len(points), 2))
    labels = inputs.check_tokens("labels", labels, len(points))
    groups = [OTHERS if group is None else group for group in groups]
    groups = inputs.check_tokens("groups", groups, len(points))
    names = [n for n in dict.fromkeys(groups) if n != OTHERS]
    if len(names) > 3:
        raise ValueError(f"groups has {len(names)} groups, at most 3: {names}")
    names += [OTHERS] * (OTHERS in groups)
    members = {n: np.flatnonzero(np.array(groups) == n) for n in names}
    return points, labels, members


def map_words(points, labels, members, named):
    """Say size and center of each group, and where the named words are."""
    rows = [
        (
            name,
            str(len(places)),
            *in_words.results(points[places].mean(axis=0)),
        )
        for name, places in members.items()
    ]
    rows += [
        (labels[place], "", *in_words.results(points[place]))
        for place in named
    ]
    columns = [[*column] for column in zip(*rows, strict=True)]
    heads = "center or word", "words", "right", "up"
    return in_words.align_table(
        [[head, *c] for head, c in zip(heads, columns, strict=True)]
    )


def looks(members):
    """Return hue, ink and marker of each group; the others are grey dots."""
    colored = zip(theme.HUES, theme.INKS, MARKERS, strict=True)
    grey = "#a0a0a0", theme.DARK_GREY, "."
    return {n: grey if n == OTHERS else next(colored) for n in members}


def draw_points(ax, points, members, named):
    """Draw the points of each group, the named ones with a rim."""
    rim = {"markeredgecolor": "black", "markeredgewidth": 1, "zorder": 3}
    for name, (hue, _, marker) in looks(members).items():
        x, y = points[members[name]].T
        look = {"color": hue, "marker": marker, "linestyle": ""}
        look |= {"markersize": 5, "alpha": 0.75, "markeredgewidth": 0}
        ax.plot(x, y, label=name, zorder=1 + (name != OTHERS), **look)
        x, y = points[[place for place in named if place in members[name]]].T
        look |= {"alpha": 1, "markersize": 6 if marker != "." else 9}
        ax.plot(x, y, **look | rim)
    ax.set(aspect="equal", xticks=[], yticks=[], adjustable="datalim")
    ax.margins(0.08)
    ax.spines[:].set(visible=True, color=theme.GREY)


def name_points(ax, points, labels, members, named):
    """Write the named words beside their points, clear of each other."""
    ax.figure.canvas.draw()  # the layout must be done before it is measured
    inks = {
        place: ink
        for name, (_, ink, _) in looks(members).items()
        for place in members[name]
    }
    dots = ax.transData.transform(points)
    rim = 4 * ax.figure.dpi / 72 * np.array([[-1, -1], [1, 1]])
    taken = [dot + rim for dot in dots]  # boxes, in dots of the figure
    taken += [dots[place] + rim for place in named] * 8  # worse to cover
    for place in named:
        box, spot = best_spot(ax, dots[place], labels[place], taken)
        taken += [box] * 9  # worse than to cover a point
        look = {"color": inks[place], "weight": "bold", "zorder": 4}
        look |= {"xytext": SPOTS[spot], "parse_math": False}
        sides = ("right", "center", "left"), ("top", "center", "bottom")
        look |= {"ha": sides[0][spot[0] + 1], "va": sides[1][spot[1] + 1]}
        look |= {"textcoords": "offset points", "path_effects": halo()}
        ax.annotate(labels[place], points[place], **look)


def best_spot(ax, dot, word, taken):
    """Return the box and the direction in which a name meets the least."""
    dpi, found = ax.figure.dpi, []
    size = np.array([1.1 * theme.text_width(word), 0.17]) * dpi
    window = ax.bbox.extents.reshape(2, 2)
    for spot, away in SPOTS.items():
        middle = dot + np.array(away) * dpi / 72 + np.array(spot) * size / 2
        box = np.array([middle - size / 2, middle + size / 2])
        met = [((box[0] < b[1]) & (b[0] < box[1])).all() for b in taken]
        outside = (box[0] < window[0]).any() or (box[1] > window[1]).any()
        found.append((sum(met) + 5 * outside, len(found), box, spot))
    return min(found)[2:]


def halo():
    """Return a white rim around type, so that it reads on points."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=2.5, foreground="white")]

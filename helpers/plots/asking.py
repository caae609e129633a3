"""What words offer and ask for: keys as points, queries as arrows."""

import numpy as np

from . import cells, in_words, inputs, theme, word_scatter
from .arrows import ARROW
from .lines import MARKERS
from .output import page

ALONG = np.linspace(0.15, 1, 18)[:, None]  # where an arrow may not be covered
THIN = "-|>,head_width=0.16,head_length=0.35"


def show_asking(models, nouns, verbs, kinds, *, new=(), **figure):
    """Show what nouns offer and verbs ask for, one panel for each model.

    The plane is that in which the keys of a panel differ most; there a key is
    a point, and a query an arrow from the middle of all keys. The arrows of a
    panel are as long as fits. In the last panel, the two nouns and the two
    verbs of each kind that lie farthest apart are named, if there is room.

    Parameters
    ----------
    models : dict
        {title: (keys (N, d), queries (V, d))}, two of them.
    nouns, verbs : list of str
        N and V words.
    kinds : (list of N, list of V)
        At most three different strings; None for a verb of no kind.
    new : list of str
        Verbs that are drawn black and named.
    figure
        title or words.

    Prints the mean score of each kind of verb with each kind of noun, the
    keys centered, and returns the first Axes. Raises TypeError or ValueError,
    naming the argument and its shape.
    """
    words = check_words(nouns, verbs, kinds)
    names = [*dict.fromkeys(words[0][1])]
    models = {t: check_model(*each, words) for t, each in models.items()}
    planes = {
        title: plane(*each, words[0][1], names)
        for title, each in models.items()
    }
    alt = (
        f"Keys of {len(nouns)} nouns as points and queries of {len(verbs)}"
        f" verbs as arrows, in one plane for each of {cells.listed([*models])}"
        f"; colors: {cells.listed(names)}. Black arrow: {cells.listed(new)}."
    )
    said = asking_words(models, words, names)
    look = dict(ncols=len(models), width_ratios=[2, 3.6])
    with page((theme.WIDTH, 4.0), alt, said, **look, **figure) as axes:
        for ax, (title, place) in zip(axes, planes.items(), strict=True):
            draw_panel(ax, *place, words, names, new)
            ax.set_title(title, loc="left", size=theme.TITLE)
        ax.set_xlabel("points: keys of nouns; arrows: queries of verbs")
        theme.name_lines(ax.figure)
        ax.figure.canvas.draw()  # before it is measured
        for ax, place in zip(axes, planes.values(), strict=True):
            fit(ax, *place)
        name_words(ax, *place, words, names, new)
    return axes[0]


def check_words(nouns, verbs, kinds):
    """Return (words, kinds) of the nouns and of the verbs."""
    if len(kinds) != 2:
        raise ValueError(f"kinds: expected two lists, got {len(kinds)}")
    named = zip(("nouns", "verbs"), (nouns, verbs), kinds, strict=True)
    found = []
    for name, words, of_words in named:
        words = inputs.check_tokens(name, words, len(of_words))
        found.append((words, [*of_words]))
    names = {kind for _, each in found for kind in each} - {None}
    if not 1 <= len(names) <= 3 or None in found[0][1]:
        raise ValueError(f"kinds: expected 1 to 3 of nouns, got {names}")
    return found


def check_model(keys, queries, words):
    """Return keys (N, d) and queries (V, d) as checked arrays."""
    (nouns, _), (verbs, _) = words
    keys = inputs.check_array("keys", keys, 2)
    keys = inputs.check_array(
        "keys", keys, 2, shape=(len(nouns), keys.shape[1])
    )
    shape = len(verbs), keys.shape[1]
    return keys, inputs.check_array("queries", queries, 2, shape=shape)


def plane(keys, queries, kinds, names):
    """Return points (N, 2) and arrows (V, 2), these scaled to fit.

    The first kind lies on the left, and the last one below: which way round
    two directions point is a matter of taste.
    """
    centered = keys - keys.mean(axis=0)
    _, _, directions = np.linalg.svd(centered, full_matrices=False)
    points, arrows = centered @ directions[:2].T, queries @ directions[:2].T
    of = np.array(kinds)
    middle = [points[of == name].mean(axis=0) for name in names]
    turn = np.where([middle[0][0] > 0, middle[-1][1] > 0], -1, 1)
    long = np.linalg.norm(arrows, axis=1).max()
    far = np.linalg.norm(points, axis=1).max()
    return points * turn, arrows * turn * 0.95 * far / long


def asking_words(models, words, names):
    """Say all mean scores, in a table for each model."""
    (_, of_nouns), (_, of_verbs) = words
    rows, columns = (
        [np.flatnonzero([k == name for k in each]) for name in names]
        for each in (of_verbs, of_nouns)
    )
    tables = []
    for title, (keys, queries) in models.items():
        scores = queries @ (keys - np.mean(keys, axis=0)).T
        scores = scores / np.sqrt(keys.shape[1])
        means = [[scores[np.ix_(r, c)].mean() for r in rows] for c in columns]
        table = [[f"{title}, verbs of", *names]]
        for name, each in zip(names, means, strict=True):
            table.append([name, *in_words.results(each, form=".1f")])
        tables.append(in_words.align_table(table))
    return "mean scores, by what asks and what is asked\n" + "\n".join(tables)


def draw_panel(ax, points, arrows, words, names, new):
    """Draw the points and the arrows of one model."""
    look = {"color": theme.GREY, "linewidth": 0.8, "zorder": 0}
    ax.axhline(0, **look)
    ax.axvline(0, **look)
    (_, of_nouns), (verbs, of_verbs) = words
    for name, hue, mark in zip(names, theme.HUES, MARKERS, strict=False):
        x, y = points[[kind == name for kind in of_nouns]].T
        look = {"linestyle": "", "marker": mark, "markersize": 5}
        look |= {"markeredgewidth": 0, "alpha": 0.55, "color": hue}
        ax.plot(x, y, label=name, zorder=2, **look)
        for arrow in arrows[[kind == name for kind in of_verbs]]:
            draw_arrow(ax, arrow, THIN, color=hue, linewidth=1, alpha=0.7)
    for word in new:
        arrow = arrows[verbs.index(word)]
        draw_arrow(ax, arrow, ARROW, color="black", linewidth=2.2)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=theme.GREY)


def draw_arrow(ax, end, style, **look):
    """Draw an arrow from the middle to its end."""
    look |= {"arrowstyle": style, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, (0, 0), arrowprops=look, zorder=3)


def fit(ax, points, arrows, room=1.14):
    """Show all points and tips, on one scale for both axes."""
    both = np.vstack([points, arrows])
    low, high = both.min(axis=0), both.max(axis=0)
    wide, tall = theme.axes_inches(ax)
    half = room / 2 * max((high - low) / (wide, tall))  # units an inch
    x, y = (low + high) / 2
    ax.set(xlim=(x - half * wide, x + half * wide))
    ax.set(ylim=(y - half * tall, y + half * tall))


def farthest(places, members):
    """Return the two of `members` that lie farthest apart."""
    gaps = places[members][:, None] - places[members]
    pair = np.linalg.norm(gaps, axis=-1).argmax()
    return [members[i] for i in np.unravel_index(pair, gaps.shape[:2])]


def name_words(ax, points, arrows, words, names, new):
    """Write words beside their points and tips, but not over each other."""
    (nouns, of_nouns), (verbs, of_verbs) = words
    named = [(arrows[verbs.index(w)], w, "black", "italic") for w in new]
    for name, ink in zip(names, theme.INKS, strict=False):
        for places, texts, kinds, style in (
            (points, nouns, of_nouns, "normal"),
            (arrows, verbs, of_verbs, "italic"),
        ):
            members = [i for i, kind in enumerate(kinds) if kind == name]
            for i in farthest(places, members) if len(members) > 1 else ():
                named.append((places[i], texts[i], ink, style))
    rim = 3 * ax.figure.dpi / 72 * np.array([[-1, -1], [1, 1]])
    taken = [dot + rim for dot in ax.transData.transform(points)]
    for arrow in arrows:
        taken += [d + rim for d in ax.transData.transform(ALONG * arrow)]
    written = []
    for at, word, ink, style in named:
        dot = ax.transData.transform(at)
        box, spot = word_scatter.best_spot(ax, dot, word, taken + written * 99)
        if any(((box[0] < b[1]) & (b[0] < box[1])).all() for b in written):
            continue
        written.append(box)
        look = {"color": ink, "style": style, "weight": "bold", "zorder": 6}
        sides = ("right", "center", "left"), ("top", "center", "bottom")
        look |= {"ha": sides[0][spot[0] + 1], "va": sides[1][spot[1] + 1]}
        look |= {"xytext": word_scatter.SPOTS[spot], "parse_math": False}
        look |= {"path_effects": word_scatter.halo()}
        ax.annotate(word, at, textcoords="offset points", **look)

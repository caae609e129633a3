"""The figures: readable, honest to their arrays, and without side effects."""

import io
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from helpers import plots
from helpers.plots import theme
from helpers.plots.curve_parts import spread_out

FOX = "The quick brown fox jumps over the lazy dog".split()
WHO = "the famous beetles moves the white writer above the stores".split()
BANK = "the bank of the river".split()


@pytest.fixture(autouse=True)
def close_figures():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def weights(*shape, seed=0):
    rng = np.random.default_rng(seed)
    shares = np.exp(2 * rng.normal(size=shape))
    return shares / shares.sum(axis=-1, keepdims=True)


def causal(count):
    mask = np.tril(np.ones((count, count), bool))
    shares = weights(count, count) * mask
    return shares / shares.sum(axis=1, keepdims=True), mask


def numbers(ax):
    return [text for text in ax.texts if text.get_text()]


def curve_data():
    x = np.array([16, 64, 256, 1024])
    rise = np.array([0.71, 0.85, 0.93, 0.97])
    flat = np.array([0.29, 0.3, 0.29, 0.28])
    return x, {
        "unscaled": (rise, rise * 0.05),
        "scaled by 1/√d_k": (flat, flat * 0.1),
        "divided by d_k": flat - 0.01,
    }


def draw_strip(heads, rows, tokens):
    shares = weights(heads, rows, len(tokens))
    return plots.plot_strip(shares, tokens[:rows], tokens)


def draw_causal():
    shares, mask = causal(9)
    return plots.plot_attention(shares, FOX, mask=mask, title="causal")


def draw_curves(**options):
    return plots.plot_curves(*curve_data(), "d_k", "weight", **options)


def draw_panels():
    x, series = curve_data()
    panels = {name: series for name in ("entropy", "top weight", "gradient")}
    theory = {"entropy": {"uniform": 1.0, "unscaled": series["unscaled"][0]}}
    return plots.plot_curve_panels(x, panels, "d_k", theory=theory, xlog=True)


def draw_grids():
    x = np.arange(24).reshape(3, 8)
    head = np.repeat([0, 1], 4)
    return plots.plot_grids(
        [x, x[:, :4], x[:, 4:]],
        ["x (T, H·d)", "head 1", "head 2"],
        groups=[head, [0], [1]],
    )


ARROWS = np.array([[2, 1], [1.8, 0.9], [5, -1], [-1, 2]])
NAMES = ["query", "aligned", "long", "away"]
RESULTS = ["sum of vectors", "untrained", "learned W_Q, W_K, W_V"]
FIGURES = {
    "fox": lambda: plots.plot_attention(weights(9, 9), FOX, title="fox"),
    "small": lambda: plots.plot_attention(weights(2, 2), ["a", "a"]),
    "one row": lambda: plots.plot_attention(
        weights(1, 9), ["dog"], FOX, title="what the dog looks at"
    ),
    "sentence": lambda: plots.plot_attention(
        weights(1, 13), ["children"], [*WHO, "by", "the", "children"]
    ),
    "twelve": lambda: plots.plot_attention(
        weights(12, 12), [*WHO, "extraordinary", "today"], title="12"
    ),
    "24": lambda: plots.plot_attention(weights(24, 24), [*WHO * 2, *"abcd"]),
    "causal": draw_causal,
    "scores": lambda: plots.plot_scores(
        np.random.default_rng(0).normal(size=(9, 9)) * 3, FOX, title="S"
    ),
    "large scores": lambda: plots.plot_scores(
        np.linspace(-384, 384, 144).reshape(12, 12), [*WHO, "x", "y"]
    ),
    "vectors": lambda: plots.plot_vectors(
        np.random.default_rng(0).normal(size=(9, 384)), FOX, title="X"
    ),
    "few dimensions": lambda: plots.plot_vectors(np.eye(5, 4), BANK),
    "strip 2": lambda: draw_strip(2, 5, BANK),
    "strip 3": lambda: draw_strip(3, 9, FOX),
    "strip 4": lambda: draw_strip(4, 10, WHO),
    "strip 8": lambda: draw_strip(8, 2, WHO),
    "pair": lambda: plots.plot_pair(weights(9, 9), weights(9, 9), FOX),
    "heads": lambda: plots.plot_heads(weights(8, 10), WHO, ylabel="head"),
    "table": lambda: plots.plot_table(
        weights(4, 4),
        ["Adam, unit", "Adam, small", "SGD, unit", "SGD, small"],
        ["16", "64", "256", "1024"],
        weights(4, 4) / 9,
        title="Held-out accuracy",
        xlabel="d_k",
    ),
    "curves": lambda: draw_curves(xlog=True, title="top weight"),
    "curves and theory": lambda: draw_curves(
        xlog=True, ylog=True, theory={"uniform": 1 / 12, "unscaled": 0.9}
    ),
    "panels": draw_panels,
    "bars": lambda: plots.plot_bars(
        RESULTS, [0.51, 0.49, 0.99], [0.01, 0.02, 0.0], 0.5, title="accuracy"
    ),
    "arrows": lambda: plots.plot_arrows(ARROWS, NAMES, title="alignment"),
    "grid": lambda: plots.plot_grid(weights(4, 4), "weights", rows=WHO[:4]),
    "grids": draw_grids,
    "moves": lambda: plots.plot_moves(
        ["river", "money"], [0.2, 0.4], [0.4, 0.36], "cosine", title="bank"
    ),
}


def figure_of(drawn):
    return np.ravel(np.array(drawn, dtype=object))[0].figure


def drawn_texts(figure, file):
    """Draw the figure into a file; return the texts that it drew."""
    drawn = {}
    draw = matplotlib.text.Text.draw

    def record(text, renderer):
        if text.get_visible() and text.get_text().strip():
            drawn[id(text)] = text
        return draw(text, renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matplotlib.text.Text, "draw", record)
        figure.canvas.print_png(file)
    return list(drawn.values())


def overlapping(texts, boxes):
    """The pairs of texts whose boxes (x0, y0, x1, y1) overlap."""
    low, high = np.split(np.array(boxes), 2, axis=1)
    meet = (low[:, None] <= high) & (high[:, None] >= low)
    pairs = np.argwhere(np.triu(meet.all(axis=-1), k=1))
    return [(texts[i], texts[j]) for i, j in pairs]


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_small_and_readable(name):
    before = dict(matplotlib.rcParams)
    figure = figure_of(FIGURES[name]())
    assert dict(matplotlib.rcParams) == before
    file = io.BytesIO()
    texts = drawn_texts(figure, file)
    assert len(file.getvalue()) <= 60_000
    assert Image.open(file).width <= 740
    assert figure.get_facecolor() == (1, 1, 1, 1)
    assert min(text.get_size() for text in texts) >= 11
    canvas = figure.bbox.padded(3)
    boxes = [text.get_window_extent() for text in texts]
    for text, box in zip(texts, boxes, strict=True):
        assert canvas.contains(box.x0, box.y0), (text, box)
        assert canvas.contains(box.x1, box.y1), (text, box)
    # glyphs are lower than their line by about a quarter
    flat = [
        (text, box.shrunk(0.96, 0.7).extents)
        for text, box in zip(texts, boxes, strict=True)
        if text.get_rotation() != 45
    ]
    assert not overlapping(*zip(*flat, strict=True))


def test_savefig_writes_the_same_file():
    figure = figure_of(FIGURES["fox"]())
    drawn, saved = io.BytesIO(), io.BytesIO()
    figure.canvas.print_png(drawn)
    figure.savefig(saved, format="png")
    assert saved.getvalue() == drawn.getvalue()


@pytest.mark.parametrize("name", ["fox", "causal", "scores", "large scores"])
def test_numbers_are_the_array_in_readable_ink(name):
    ax = FIGURES[name]()
    image = ax.images[0]
    colors = image.cmap(image.norm(image.get_array()))
    assert numbers(ax)
    for text in numbers(ax):
        column, row = map(int, text.get_position())
        ink = matplotlib.colors.to_rgba(text.get_color())
        assert theme.contrast(ink, colors[row, column]) >= 4.5
        value = float(image.get_array()[row, column])
        shown = text.get_text().replace("·", "0").replace("−", "-")
        step = 10.0 ** -len(shown.partition(".")[2])
        assert abs(float(shown) - value) <= 0.501 * step


def test_ink_reads_on_every_color():
    for colors in (theme.sequential(), theme.diverging()):
        for color in colors(np.linspace(0, 1, 1001)):
            ink = matplotlib.colors.to_rgb(theme.ink(color))
            assert theme.contrast(ink, color) >= 4.5


def test_names_of_curves_read_on_white():
    for ink in (*theme.INKS, *(color for color, _ in theme.THEORY)):
        assert theme.contrast(matplotlib.colors.to_rgb(ink), (1, 1, 1)) >= 4.5
    assert theme.contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)


def test_weights_are_light_at_zero_and_fixed_from_0_to_1():
    ax = plots.plot_attention(np.full((3, 3), 1 / 3), ["a", "b", "c"])
    image = ax.images[0]
    assert (image.norm.vmin, image.norm.vmax) == (0, 1)
    assert image.cmap(0.0) == (1, 1, 1, 1)
    light = [theme.luminance(c) for c in image.cmap(np.linspace(0, 1, 99))]
    assert (np.diff(light) <= 1e-9).all()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("key →", "query →")


def test_scores_are_centered_at_zero():
    ax = plots.plot_scores([[1.0, -3.0], [0.5, 2.0]], ["a", "b"])
    image = ax.images[0]
    assert (image.norm.vmin, image.norm.vmax) == (-3, 3)
    assert image.cmap(0.5) == pytest.approx((1, 1, 1, 1), abs=0.02)
    again = plots.plot_scores(np.zeros((2, 2)), ["a", "b"], limit=5)
    assert again.images[0].norm.vmax == 5


def test_masked_cells_are_grey_hatched_and_without_numbers():
    shares, mask = causal(5)
    ax = plots.plot_attention(shares, BANK, mask=mask)
    cells = {
        (int(p.get_y() + 0.5), int(p.get_x() + 0.5)): p for p in ax.patches
    }
    assert set(cells) == {tuple(c) for c in np.argwhere(~mask).tolist()}
    for cell in cells.values():
        assert "/" in cell.get_hatch()
        assert len(set(cell.get_facecolor()[:3])) == 1
    assert len(numbers(ax)) == mask.sum()


def test_minus_infinity_masks_a_score():
    scores = np.array([[1.0, -np.inf], [0.5, 2.0]])
    assert len(plots.plot_scores(scores, ["a", "b"]).patches) == 1
    assert plots.describe_scores(scores, ["a", "b"], top=1) == (
        "a -> a 1.00\nb -> b 2.00; lowest a 0.50"
    )


def test_row_maximum_is_bold_and_near_zero_a_dot():
    shares = np.array([[0.996, 0.004, 0], [0.2, 0.4, 0.4], [0, 0, 0]])
    ax = plots.plot_attention(shares, ["a", "b", "c"])
    bold = {t.get_position() for t in numbers(ax) if t.get_weight() == "bold"}
    assert bold == {(0, 0), (1, 1), (2, 1)}
    dots = {t.get_position() for t in numbers(ax) if t.get_text() == "·"}
    assert dots == {(1, 0), (2, 0), (0, 2), (1, 2), (2, 2)}


def test_labels_follow_tokens_and_slices():
    labels = plots.number_repeats(FOX)
    assert labels[0] == "The₁" and labels[6] == "the₂"
    assert labels[1:6] == FOX[1:6]
    assert plots.number_repeats(labels) == labels
    assert plots.number_repeats(["x"] * 12)[-1] == "x₁₂"
    assert plots.number_repeats([]) == []
    ax = plots.plot_attention(weights(9, 9)[6:7], labels[6:7], labels)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["the₂"]
    assert [t.get_text() for t in ax.get_xticklabels()] == labels


def test_every_glyph_is_in_the_font():
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    for face in ("DejaVu Sans", "DejaVu Sans:bold"):
        glyphs = FT2Font(findfont(face)).get_charmap()
        assert all(ord(char) in glyphs for char in "₀₁₂₃₄₅₆₇₈₉·→−±√")


def test_dollar_signs_are_words_not_formulas():
    ax = plots.plot_attention(np.eye(3), ["$5", "and", "$6"])
    ax.figure.canvas.draw()
    assert not any(t.get_parse_math() for t in ax.get_xticklabels())


def test_numbers_stop_at_12_tokens_labels_at_24():
    assert len(numbers(plots.plot_attention(np.eye(12), [*"abcdefghijkl"])))
    wide = plots.plot_attention(np.eye(13), [*"abcdefghijklm"])
    assert not numbers(wide) and len(wide.figure.axes) == 2
    row = plots.plot_attention(np.eye(13)[:1], ["a"], [*"abcdefghijklm"])
    assert len(numbers(row)) == 13
    plots.plot_attention(np.eye(24), [*"abcdefghijklmnopqrstuvwx"])
    with pytest.raises(ValueError, match=r"\(25, 25\).*24.*slice it or rank"):
        plots.plot_attention(np.eye(25), [*"abcdefghijklmnopqrstuvwxy"])


def test_words_match_the_array():
    shares = weights(9, 9)
    lines = plots.describe_attention(shares, FOX, top=2).splitlines()
    labels = plots.number_repeats(FOX)
    for row, line in enumerate(lines):
        query, found = line.strip().split(" -> ")
        assert query == labels[row]
        for place, part in enumerate(found.split(", ")):
            key, share = part.split()
            value = shares[row, labels.index(key)]
            assert f"{value:.2f}" == share
            assert value == pytest.approx(np.sort(shares[row])[-1 - place])


def test_words_break_ties_by_position():
    shares = np.array([[0.25] * 4, [0, 1, 0, 0], [0] * 4])
    shares[0] += [0, 1e-12, 0, -1e-12]
    text = plots.describe_attention(shares, ["a", "bb", "c"], [*"wxyz"])
    assert text == " a -> w 0.25, x 0.25, y 0.25\nbb -> x 1.00\n c -> nothing"


def test_words_of_the_other_figures():
    pair = np.array([[0.9, 0.1], [0.0, 1.0]])
    assert plots.describe_pair(pair, pair[::-1], [*"xy"], top=1) == (
        "before\nx -> x 0.90\ny -> y 1.00\nafter\nx -> y 1.00\ny -> x 0.90"
    )
    assert plots.describe_heads(pair, [*"xy"], top=1) == (
        "head 1 -> x 0.90\nhead 2 -> y 1.00"
    )
    assert plots.describe_strip([pair], [*"xy"], titles=["T"], top=1) == (
        "T\nx -> x 0.90\ny -> y 1.00"
    )
    assert plots.describe_scores([[1, -0.001, -2]], ["q"], [*"xyz"], 2) == (
        "q -> x 1.00, y 0.00; lowest z −2.00"
    )
    assert plots.describe_vectors([[3, 0, -4]], ["a"], 2) == (
        "a -> length 5.00; dimension 2: −4.00, 0: 3.00"
    )
    assert plots.describe_curves(
        [1, 2], {"a": ([0.5, 1], [0.1, 0])}, "d", theory={"a": 1.0}
    ) == (
        "d              a  a (theory)\n"
        "1  0.500 ± 0.100       1.000\n"
        "2  1.000 ± 0.000       1.000"
    )
    assert plots.describe_bars(["a"], [0.5], [0.1], 0.25) == (
        "a       0.500 ± 0.100\nchance  0.250"
    )
    assert plots.describe_arrows([[3, 4], [0, 0]], ["q", "k"]) == (
        "         vector  length    · q  cosine with q\n"
        "q  (3.00, 4.00)    5.00  25.00           1.00\n"
        "k  (0.00, 0.00)    0.00   0.00              –"
    )
    assert plots.describe_grid([[1, 2, 10]], [0, 0, 1], ["a"]) == (
        "a   1  2 | 10"
    )
    assert plots.describe_table([[0.5]], ["r"], ["c"], [[0.1]]) == (
        "             c\nr  0.50 ± 0.10"
    )


def test_curves_differ_by_more_than_hue():
    ax = draw_curves(xlog=True)
    lines = ax.get_lines()
    for look in ("get_color", "get_marker"):
        assert len({getattr(line, look)() for line in lines}) == 3
    dashes = {str(line._dash_pattern) for line in lines}
    assert len(dashes) == 3
    assert [line.get_color() for line in lines] == list(plots.HUES)
    assert len(ax.collections) == 2
    x, series = curve_data()
    np.testing.assert_array_equal(
        lines[2].get_ydata(), series["divided by d_k"]
    )
    named = {text.get_text().replace("\n", " ") for text in ax.texts}
    assert named == set(series)


def test_theory_is_black_or_grey_without_markers():
    ax = draw_curves(theory={"unscaled": 1.0, "uniform": 0.1})
    for line in ax.get_lines()[3:]:
        assert len(set(matplotlib.colors.to_rgb(line.get_color()))) == 1
        assert line.get_marker() == "None" and line.get_linestyle() != "-"
    assert {"theory", "uniform"} < {text.get_text() for text in ax.texts}


def test_names_at_line_ends_keep_apart():
    wanted = [0.5, 0.5, 0.5, 0.9]
    places = spread_out(wanted, np.full(4, 0.1))
    assert (np.diff(np.sort(places)) >= 0.1 - 1e-12).all()
    assert places[1] == pytest.approx(0.5) and places[3] == 0.9


def test_arrows_have_true_angles():
    ax = plots.plot_arrows(ARROWS, NAMES)
    assert ax.get_aspect() == 1
    assert [text.get_text() for text in ax.texts if text.get_text()] == NAMES


def test_axes_are_used_and_returned():
    with plots.style():
        _, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
    assert plots.plot_attention(np.eye(2), ["a", "b"], ax=left) is left
    assert plots.plot_curves([1, 2], {"a": [1, 2]}, ax=right) is right
    with pytest.raises(TypeError, match="ax"):
        plots.plot_scores(np.eye(2), ["a", "b"], ax="left")
    assert len(draw_strip(4, 10, WHO)) == 4


def test_type_is_large_enough_in_axes_of_others():
    _, ax = plt.subplots()
    plots.plot_attention(np.eye(2), ["a", "b"], ax=ax, title="T")
    texts = drawn_texts(ax.figure, io.BytesIO())
    assert min(text.get_size() for text in texts) >= 11


def test_broken_attention_is_drawn_on_request():
    columns = weights(3, 3).T
    with pytest.raises(ValueError, match="strict=False"):
        plots.plot_attention(columns, [*"abc"])
    plots.plot_attention(columns, [*"abc"], strict=False)
    assert plots.describe_attention(columns, [*"abc"], strict=False)


AB = ["a", "b"]
HALF = np.full((2, 2), 0.5)
BAD = [
    ("plot_attention", (HALF[0], AB), ValueError, r"weights.*2-D.*\(2,\)"),
    ("plot_attention", (HALF * 3, AB), ValueError, r"weights.*\[0, 1\]"),
    ("plot_attention", (-HALF, AB), ValueError, r"weights.*\(2, 2\)"),
    ("plot_attention", (HALF / 2, AB), ValueError, "weights.*row 0 sums"),
    ("plot_attention", (HALF * np.nan, AB), ValueError, "weights.*finite"),
    ("plot_attention", (HALF, ["a"]), ValueError, "query_tokens has 1"),
    ("plot_attention", (HALF, AB, ["a"]), ValueError, "key_tokens has 1"),
    ("plot_attention", (HALF[:1], ["a"]), ValueError, "key_tokens is needed"),
    ("plot_attention", (HALF, "ab"), TypeError, "query_tokens.*str"),
    ("plot_attention", (HALF, [1, 2]), TypeError, "query_tokens.*int"),
    ("plot_attention", (HALF, None), TypeError, "query_tokens.*NoneType"),
    ("plot_attention", (None, AB), TypeError, "weights.*object"),
    ("plot_attention", (np.empty((0, 0)), []), ValueError, "weights is empty"),
    ("plot_attention", ([[1], [0, 1]], AB), TypeError, "weights"),
    ("plot_attention", (HALF, AB, None, None, [[1, 1]]), TypeError, "mask"),
    (
        "plot_attention",
        (HALF, AB, None, None, np.ones((3, 2), bool)),
        ValueError,
        r"mask of shape \(3, 2\)",
    ),
    (
        "plot_attention",
        (HALF, AB, None, None, np.eye(2, dtype=bool)),
        ValueError,
        r"weights\[0, 1\] is 0.500 where the mask is False",
    ),
    ("plot_scores", (HALF * np.nan, AB), ValueError, "scores.*nan"),
    ("plot_scores", (HALF * np.inf, AB), ValueError, "scores.*inf"),
    ("plot_vectors", (HALF, ["a"]), ValueError, "tokens has 1"),
    ("plot_vectors", (np.eye(25), ["a"] * 25), ValueError, "x has 25 rows"),
    ("plot_strip", (HALF, AB), ValueError, r"weights.*3-D.*\(2, 2\)"),
    ("plot_strip", ([HALF, HALF[:1]], AB), ValueError, "weights.*one shape"),
    ("plot_strip", (5, AB), TypeError, "weights"),
    ("plot_strip", ([HALF], AB, None, []), ValueError, "titles has 0"),
    ("plot_strip", ([HALF, HALF * 3], AB), ValueError, r"weights\[1\]"),
    ("plot_pair", (HALF, HALF[0], AB), ValueError, "after.*2-D"),
    ("plot_heads", (HALF * 3, AB), ValueError, "weights"),
    ("plot_curves", ([1, 2], {}), ValueError, "series is empty"),
    ("plot_curves", ([1, 2], [1, 2]), TypeError, "series must be a dict"),
    ("plot_curves", ([1, 2], {"a": [1]}), ValueError, r"'a'.*\(1,\).*\(2,\)"),
    ("plot_curves", ([1], {"a": ([1],)}), ValueError, r"\(mean, sd\)"),
    ("plot_curves", ([1], dict.fromkeys("abcd", 1)), ValueError, "at most 3"),
    ("plot_curves", ([1], {"a": [np.nan]}), ValueError, "'a'.*finite"),
    ("plot_bars", (AB, [1, 2], [0.1]), ValueError, r"sd.*\(1,\)"),
    ("plot_bars", (AB, [1, 2], [0.1, -1]), ValueError, "sd"),
    ("plot_bars", (["a"], [1, 2]), ValueError, "labels has 1"),
    ("plot_arrows", (np.eye(3), [*"abc"]), ValueError, r"vectors.*\(3, 3\)"),
    ("plot_arrows", (HALF, ["a"]), ValueError, "labels has 1"),
    ("plot_grid", (np.eye(13),), ValueError, r"array.*\(13, 13\)"),
    ("plot_grids", ([HALF], AB), ValueError, "titles has 2"),
    ("plot_table", (HALF, AB, AB, [[1]]), ValueError, r"sd.*\(1, 1\)"),
    ("describe_attention", (HALF, AB, None, 0), ValueError, "top.*0"),
    ("describe_scores", (HALF, AB, None, 1.5), ValueError, "top.*1.5"),
    ("number_repeats", ("ab",), TypeError, "tokens"),
]


@pytest.mark.parametrize(("name", "args", "error", "match"), BAD)
def test_bad_input_names_the_argument(name, args, error, match):
    with pytest.raises(error, match=match):
        getattr(plots, name)(*args)
    assert not plt.get_fignums()


def test_options_are_checked():
    for bad in (0, -1, np.nan, [1]):
        with pytest.raises(ValueError, match="limit"):
            plots.plot_scores(np.eye(2), AB, limit=bad)
    with pytest.raises(ValueError, match="highlight"):
        plots.plot_bars(AB, [1, 2], highlight="c")
    with pytest.raises(ValueError, match="groups"):
        plots.plot_arrows(np.ones((4, 2)), AB * 2, groups=[*"wxyz"])
    with pytest.raises(ValueError, match="groups.*4"):
        plots.plot_grid(HALF, groups=[4, 0])
    with pytest.raises(TypeError, match="groups"):
        plots.plot_grid(HALF, groups=[0.5, 0])


def test_inputs_are_left_alone():
    shares, mask = causal(5)
    copies = shares.copy(), mask.copy(), list(BANK)
    plots.plot_attention(shares, BANK, mask=mask)
    plots.describe_scores(shares, BANK, mask=mask)
    np.testing.assert_array_equal(shares, copies[0])
    np.testing.assert_array_equal(mask, copies[1])
    assert copies[2] == BANK


def test_style_puts_all_back_even_after_an_error():
    before = dict(matplotlib.rcParams)
    with pytest.raises(KeyError), plots.style():
        assert matplotlib.rcParams["font.size"] >= 11
        raise KeyError
    assert dict(matplotlib.rcParams) == before


def test_import_is_cheap():
    code = (
        "import sys; from helpers import plots; "
        "plots.describe_attention([[1.0]], ['a']); "
        "print([m for m in ('matplotlib', 'seaborn', 'torch', 'PIL') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr

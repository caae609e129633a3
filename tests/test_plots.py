"""The figures: what they draw, what they say, and what they leave alone."""

import base64
import io
import re
import sys
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib import colors
from matplotlib import pyplot as plt
from PIL import Image

from helpers import plots
from helpers.plots import in_words, output, theme

FOX = "The quick brown fox jumps over the lazy dog".split()
WHO = "the famous beetles moves the white writer above the stores".split()
BANK = "the bank of the river".split()
AB = ["a", "b"]
HALF = np.full((2, 2), 0.5)


@pytest.fixture(autouse=True)
def agg():
    plt.switch_backend("Agg")
    yield
    assert not plt.get_fignums()


@pytest.fixture
def own_axes():
    yield plt.subplots(figsize=(5, 4))[1]
    plt.close("all")


def weights(*shape, seed=0):
    rng = np.random.default_rng(seed)
    found = np.exp(2 * rng.normal(size=shape))
    return found / found.sum(axis=-1, keepdims=True)


def causal(count):
    mask = np.tril(np.ones((count, count), bool))
    found = weights(count, count) * mask
    return found / found.sum(axis=1, keepdims=True), mask


SEEDS = 0.3 + np.random.default_rng(0).normal(size=(5, 4)) / 30
X = np.array([16, 64, 256, 1024])
SERIES = {
    "unscaled": (np.array([0.71, 0.85, 0.93, 0.97]), np.full(4, 0.05)),
    "scaled by 1/√d_k": SEEDS,
    "divided by d_k": np.array([0.28, 0.29, 0.28, 0.27]),
}
THEORY = {"uniform": 1 / 12, "unscaled": SERIES["unscaled"][0]}
ARROWS = np.array([[2, 1], [1, -0.9], [-1, 2]])
GRID = np.arange(24).reshape(3, 8)


def draw_causal():
    found, mask = causal(9)
    return plots.show_attention(found, FOX, mask=mask, title="T", frame=3)


def draw_curves(**options):
    options |= {"xlog": True, "theory": THEORY}
    return plots.show_curves(X, SERIES, "d_k", "weight", **options)


def draw_grids():
    arrays = [GRID, GRID[:, :4], GRID[:, 4:]]
    groups = [[0] * 4 + [1] * 4, [0], [1]]
    return plots.show_grids(arrays, ["x (T, H·d)", "1", "2"], groups=groups)


def draw_map():
    points = np.random.default_rng(0).normal(size=(99, 2)) * (2, 1)
    labels, groups = [f"word{i}" for i in range(99)], ["a", "b", None] * 33
    return plots.show_word_map(points, labels, groups, name=labels[:12])


def draw_asking(kinds=3, **options):
    rng = np.random.default_rng(3)
    names = ["fish", "birds", "stones"][:kinds]
    of_nouns, of_verbs = [n for n in names for _ in range(4)], names * 3
    middle = {name: 2 * rng.standard_normal(6) for name in names}
    keys = [middle[name] + rng.standard_normal(6) for name in of_nouns]
    queries = [middle[name] + rng.standard_normal(6) for name in of_verbs]
    verbs = [f"verb{i}" for i in range(len(of_verbs))]
    if "new" in options:
        verbs, of_verbs = [*verbs, "hum"], [*of_verbs, None]
        queries.append(rng.standard_normal(6))
    nouns = [f"noun{i}" for i in range(len(of_nouns))]
    made = {"a": (keys, queries), "b": (keys, queries)}
    words = nouns, verbs, (of_nouns, of_verbs)
    return plots.show_asking(made, *words, **options)


def draw_pipeline(count, tokens=WHO):
    scores, x = 9 * weights(count, count) - 3, weights(count, 384) - 0.002
    stages = x, scores, weights(count, count), x[:, :7]
    where = {"query": count - 1, "title": "who asks"}
    return plots.show_pipeline(tokens[:count], *stages, **where)


ANGLES = np.outer(np.arange(9), 0.1 ** np.arange(4))  # (T, d / 2)
POSITIONS = np.dstack([np.sin(ANGLES), np.cos(ANGLES)]).reshape(9, 8)


def draw_projections(count, wide):
    x = np.random.default_rng(0).normal(size=(count, 4 * wide))
    parts = np.split(x[:, wide:], 3, axis=1)
    return plots.show_projections(WHO[:count], x, *parts, lit=0)


def draw_block(heads, count):
    x = np.random.default_rng(0).normal(size=(count, 2 * heads))
    maps, context = weights(heads, count, count), weights(heads, count, 2)
    projected = x + 2, x + 3, x + 4
    return plots.show_block(WHO[:count], x, projected, maps, context, x + 1)


FIGURES = {
    "one word": lambda: draw_pipeline(1),
    "14 words": lambda: draw_pipeline(14, [*WHO, *"abc", "verylongword"]),
    "row": lambda: plots.show_attention(weights(1, 10), ["a"], WHO),
    "12": lambda: plots.show_attention(weights(12, 12), [*WHO, "extra", "b"]),
    "24": lambda: plots.show_attention(weights(24, 24), [*WHO * 2, *"abcd"]),
    "causal": draw_causal,
    "heads": lambda: plots.show_heads(weights(8, 10), WHO),
    "signed table": lambda: plots.show_table(
        9 * weights(9, 9) - 3, FOX, FOX, limits=(-6, 6)
    ),
    "curves": lambda: draw_curves(title="top weight", ylog=True),
    "word map": draw_map,
    "three panels": lambda: plots.show_curve_panels(
        X, dict.fromkeys("abc", SERIES), "d_k", theory={"a": THEORY}, xlog=True
    ),
    "bars": lambda: plots.show_bars(
        ["one head", "two"], [[0.5, 0.6], [0.9, 1]], chance=0.5, lit="two"
    ),
    "projections": lambda: draw_projections(8, 3),
    "roles of one": lambda: draw_projections(1, 2),
    "exchange both ways": lambda: plots.show_exchange(
        ["in", "France", "is"],
        ["in", "Italy", "is"],
        1,
        ("Paris", "Rome?"),
        is_causal=False,
    ),
    "exchange": lambda: plots.show_exchange(
        ["in", "France", "is"], ["in", "Italy", "is"], 1, ("Paris", "Rome?")
    ),
    "layers": lambda: plots.show_layers(
        WHO, weights(2, 10, 10), path=[8, 2, 9], names=["head 12", "layer 2"]
    ),
    "layers of one": lambda: plots.show_layers(
        ["one"], weights(2, 1, 1), path=[0, 0, 0]
    ),
    "stream": lambda: plots.show_stream(title="a block"),
    "positions": lambda: plots.show_positions(POSITIONS, title="where"),
    "a position": lambda: plots.show_positions(POSITIONS[:1, :2]),
    "four heads": lambda: draw_block(4, 10),
    "block of one": lambda: draw_block(1, 1),
    "beside": lambda: plots.show_beside(
        [("query", GRID / 9, GRID / 9, "below 1e-12"), ("loss", 1, 1, "0")]
    ),
    "backward": lambda: plots.show_backward(
        [("W_Q", GRID, GRID / 9, ""), ("loss", 1.5, 1.0, "rule 1")]
    ),
    "arrows": lambda: plots.show_arrows(
        ARROWS, WHO[:3], title="alignment", shadow=True
    ),
    "grids": draw_grids,
    "moves": lambda: plots.show_moves(AB, [0.2, 0.4], [0.4, 0.3], "cosine"),
    "asking": lambda: draw_asking(new=["hum"]),
    "large map of the course": lambda: plots.show_map(0, large=True),
} | {
    f"map of {number}": lambda number=number: plots.show_map(number)
    for number in range(11)
}


def texts_of(figure):
    """The PNG of a figure, its size on the screen, its texts with boxes."""
    drawn = {}
    draw = matplotlib.text.Text.draw

    def record(text, renderer):
        if text.get_visible() and text.get_text().strip():
            drawn[text] = text.get_window_extent(renderer)
        return draw(text, renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matplotlib.text.Text, "draw", record)
        return *output.png(figure), drawn


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_small_sharp_readable_and_told(name, capsys):
    before = dict(matplotlib.rcParams)
    figure = FIGURES[name]().figure
    assert dict(matplotlib.rcParams) == before
    data, size, texts = texts_of(figure)
    image = Image.open(io.BytesIO(data))
    assert len(data) <= 120_000 and image.mode == "P"
    assert size["width"] == image.width // 2 <= 700
    assert size["height"] == image.height // 2 <= 900
    assert min(text.get_size() for text in texts) >= 11
    boxes = [  # glyphs are lower than their line
        box.shrunk(0.96, 0.7).extents
        for text, box in texts.items()
        if text.get_rotation() != 45
    ]
    low, high = np.split(np.array(boxes), 2, axis=1)
    meet = (low[:, None] <= high) & (high[:, None] >= low)
    assert not np.triu(meet.all(axis=-1), k=1).any()
    said = capsys.readouterr().out
    assert said.strip() and max(map(len, said.splitlines())) <= 60
    alt = figure.alt_text
    assert 30 < len(alt) < 420 and alt[-1] == "." and " at 0x" not in alt
    dots = np.asarray(image.convert("L"))
    for edge in (dots[:4], dots[-4:], dots[:, :4], dots[:, -4:]):
        assert edge.min() > 250  # nothing is cut off


def test_the_notebook_gets_picture_alt_text_and_then_words():
    shell = InteractiveShell.instance()
    try:
        with capture_output() as seen:
            shell.user_ns["plots"] = plots
            shell.run_cell("plots.show_attention([[1.0]], ['a'], title='T')")
    finally:
        InteractiveShell.clear_instance()
    (shown,) = seen.outputs  # no value of the cell beside the picture
    data, metadata = shown.data, shown.metadata["image/png"]
    assert data["text/plain"].startswith("Heat map of attention weights")
    assert data["text/plain"].endswith("Title: “T”.")
    assert metadata["alt"] == data["text/plain"]
    image = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert metadata["width"] == image.width // 2
    assert metadata["height"] == image.height // 2
    assert seen.stdout.startswith("a -> a 1.00\n")
    assert "Axes" not in seen.stdout


# Maps


def cells(ax):
    """The colors of a map (R, C, 4) and its values (R, C)."""
    mesh = ax.collections[0]
    values = np.ma.getdata(mesh.get_array())
    return mesh.cmap(mesh.norm(values)), values


def numbers(ax):
    """The texts written into a map: {(row, column): text}."""
    return {
        (int(text.get_position()[1]), int(text.get_position()[0])): text
        for text in ax.texts
    }


def contrast(a, b):
    low, high = sorted((theme.luminance(a), theme.luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["12", "causal", "signed table"])
def test_numbers_are_the_array_in_readable_ink(name):
    ax = FIGURES[name]()
    color, values = cells(ax)
    assert numbers(ax)
    for place, text in numbers(ax).items():
        ink = colors.to_rgba(text.get_color())
        assert contrast(ink, color[place]) >= 4.5
        shown = text.get_text().replace("·", "0").replace("−", "-")
        step = 10.0 ** -len(shown.partition(".")[2])
        assert abs(float(shown) - values[place]) <= 0.501 * step


def test_ink_reads_on_every_color():
    for scale in (theme.sequential(), theme.diverging()):
        for color in scale(np.linspace(0, 1, 1001)):
            assert contrast(colors.to_rgb(theme.ink(color)), color) >= 4.5


def test_masked_cells_are_grey_hatched_and_without_numbers():
    shares, mask = causal(5)
    ax = plots.show_attention(shares, BANK, mask=mask)
    hidden = {(int(p.get_y()), int(p.get_x())): p for p in ax.patches}
    assert set(hidden) == {tuple(c) for c in np.argwhere(~mask).tolist()}
    for cell in hidden.values():
        assert "/" in cell.get_hatch()
        assert len(set(cell.get_facecolor()[:3])) == 1
    assert set(numbers(ax)) == {tuple(c) for c in np.argwhere(mask).tolist()}


def test_row_maximum_is_bold_and_near_zero_a_dot():
    shares = np.array([[0.996, 0.004, 0], [0.2, 0.4, 0.4], [0, 0, 0]])
    found = numbers(plots.show_attention(shares, ["a", "b", "c"]))
    bold = {p for p, text in found.items() if text.get_weight() == "bold"}
    assert bold == {(0, 0), (1, 1), (1, 2)}
    dots = {p for p, text in found.items() if text.get_text() == "·"}
    assert dots == {(0, 1), (0, 2), (2, 0), (2, 1), (2, 2)}


def test_labels_follow_tokens_and_slices():
    labels = plots.number_repeats(FOX)
    assert labels[0] == "The₁" and labels[6] == "the₂"
    assert labels[1:6] == FOX[1:6]
    assert plots.number_repeats(labels) == labels
    assert plots.number_repeats(["x"] * 12)[-1] == "x₁₂"
    assert plots.number_repeats([]) == []
    ax = plots.show_attention(weights(9, 9)[6:7], labels[6:7], labels)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["the₂"]
    assert [t.get_text() for t in ax.get_xticklabels()] == labels


def test_dollar_signs_are_words_not_formulas():
    ax = plots.show_attention(np.eye(3), ["$5", r"$\x$", "$6"])
    ax.figure.canvas.draw()
    assert not any(t.get_parse_math() for t in ax.get_xticklabels())


def test_numbers_stop_at_12_tokens_labels_at_24():
    letters = [*"abcdefghijklmnopqrstuvwxy"]
    assert len(numbers(plots.show_attention(np.eye(12), letters[:12]))) == 144
    wide = plots.show_attention(np.eye(13), letters[:13])
    assert not numbers(wide)
    assert [a.get_ylabel() for a in wide.figure.axes[1:]] == ["weight"]
    row = plots.show_attention(np.eye(13)[:1], ["a"], letters[:13])
    assert len(numbers(row)) == 13
    with pytest.raises(ValueError, match=r"\(25, 25\).*24.*slice it or rank"):
        plots.show_attention(np.eye(25), letters)


def test_wide_and_signed_table_has_one_decimal_and_white_at_zero():
    signed = [[-0.25, 0, *[0.26] * 9]]
    ax = plots.show_table(signed, ["r"], [*"abcdefghijk"], limits=(-0.5, 0.5))
    shown = [text.get_text() for text in numbers(ax).values()]
    assert shown == ["\u22120.2", "0.0", *["0.3"] * 9]
    purple, white, green = ax.collections[0].to_rgba(signed)[0, :3, :3]
    assert purple[1] < min(purple[0], purple[2])
    assert green[1] > max(green[0], green[2]) and white.min() > 0.99


# What curves, bars and schemas draw is seen in the pictures of the notebooks,
# which are compared with the stored ones.


# Words


def test_words_break_ties_by_position():
    shares = np.array([[0.25] * 4, [0, 1, 0, 0], [0] * 4])
    shares[0] += [0, 1e-12, 0, -1e-12]
    text = in_words.weight_lines(shares, (["a", "bb", "c"], "wxyz"), 3)
    assert text == " a -> w 0.25, x 0.25, y 0.25\nbb -> x 1.00\n c -> nothing"


def test_a_nan_is_an_empty_cell():
    ax = plots.show_grids([[[1, np.nan]]], ["a"])
    assert [text.get_text() for text in ax.texts] == ["1", ""]


def test_lines_and_tables_of_text_end_at_60_columns():
    series = {f"numbers of the size {i}": [1234567.123] for i in (1, 2, 3)}
    assert plots.describe_curves([1], series, "d_k") == (
        "      numbers of   numbers of   numbers of\n"
        "d_k   the size 1   the size 2   the size 3\n"
        "1    1234567.123  1234567.123  1234567.123"
    )
    wide = plots.describe_table([range(9)], ["r"], [*"abcdefghi"], [range(9)])
    assert max(map(len, wide.splitlines())) <= 60
    assert re.findall(r"(\d)\.00 ±", wide) == [*"012345678"]
    for block in wide.split("\n\n"):
        head, line = block.splitlines()
        assert len(head) == len(line) and line.startswith("r ")
    keys = ["a rather long word", "another rather long word", "short"]
    line = in_words.weight_lines([[0.5, 0.3, 0.2]], (["query"], keys), 3)
    assert line == (
        "query -> a rather long word 0.50,\n"
        "         another rather long word 0.30, short 0.20"
    )


# The attention view

SCORES = np.log([[[0.5, 0.5], [0.2, 0.8]], [[1, 1], [1e-300, 1]]])


@pytest.fixture
def front_end(monkeypatch):
    """A JupyterLab that sends the next cell; a list of what it is sent."""
    from helpers.plots import view

    sent = []
    monkeypatch.setattr(view, "has_front_end", lambda: True)
    monkeypatch.setattr("IPython.display.display", sent.append)
    return sent


def view_of(front_end, *args, **options):
    assert plots.attention_view(*args, **options) is None
    return front_end.pop()


def test_view_without_a_front_end_is_a_figure(capsys):
    plots.attention_view(SCORES, AB, ["old", "new"], query=-1)
    assert capsys.readouterr().out == "old -> b 0.80, a 0.20\nnew -> b 1.00\n"
    masked = np.where(np.tri(3), 0.0, -np.inf)
    masked[1] = -np.inf
    plots.attention_view(masked, [*"xyz"], query=2)
    said = "x -> x 1.00\ny -> nothing\nz -> x 0.33, y 0.33, z 0.33\n"
    assert capsys.readouterr().out == said


def test_a_front_end_is_known_by_the_cell_that_it_names(monkeypatch):
    from helpers.plots import view

    for metadata, expected in ({"cellId": "1"}, True), ({}, False):
        shell = SimpleNamespace(get_parent=lambda m=metadata: {"metadata": m})
        monkeypatch.setattr("IPython.get_ipython", lambda s=shell: s)
        assert view.has_front_end() is expected
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    assert not view.has_front_end()


def test_view_is_a_widget_where_there_is_a_front_end(front_end, capsys):
    found = view_of(front_end, np.where(np.tri(2), 0.0, -np.inf), ["a", "A"])
    assert found.maps == {
        "tokens": ["a₁", "A₂"],
        "scores": [[[0.0, None], [0.0, 0.0]]],
    }
    assert (found.names, found.query, found.can_ask) == (["head 1"], 0, False)
    assert found.sentence == "a A"  # to change a word of
    assert found.head == 0 and "attention view" in repr(found)
    assert not capsys.readouterr().out


def test_view_without_anywidget_is_a_figure(front_end, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "helpers.plots.widget", None)
    plots.attention_view(SCORES, AB)
    assert not front_end and "head 2 -> a 0.50" in capsys.readouterr().out


def answers(sentence):
    """As learners write them: some questions end in errors."""
    if sentence == "none":
        raise ValueError("no verb in it")
    if sentence == "odd":
        return {}["odd"]
    if sentence == "one":
        return SCORES[0], AB
    if "again" in sentence:
        return np.zeros((2, 25, 25)), sentence.split()
    return np.zeros((2, 3, 3)), sentence.split()


def test_an_own_sentence_is_answered_or_refused_in_words(front_end):
    found = view_of(front_end, SCORES, AB, query=-1, ask=answers)
    replies = []
    found.send = replies.append
    long = "again " * 25
    for sentence in (
        "none", "odd", "one", "too short", " . ", long, "\ud800 a", "a" * 301
    ):  # fmt: skip
        found._handle_custom_msg({"sentence": sentence}, [])
        assert found.maps["tokens"] == AB and found.sentence == "a b"
    found._handle_custom_msg({"sentence": "x y z"}, [])
    assert (found.maps["tokens"], found.query) == ([*"xyz"], 2)
    assert found.sentence == "x y z"  # the box of a view that is drawn anew
    errors = [reply["error"] for reply in replies]
    assert errors[:2] == ["no verb in it", "KeyError: 'odd'"]
    assert "expected 2 maps, got (1, 2, 2)" in errors[2]
    assert "tokens has 2" in errors[3] and not errors[8]
    assert errors[4:6] == [
        "Type a sentence.",
        "25 words are too many: type at most 24.",
    ]
    assert errors[6:8] == [
        "Half of a character cannot be read.",
        "Type at most 300 characters.",
    ]


# What a figure leaves alone, and what it refuses


def test_own_axes_are_used_returned_and_left_to_their_owner(own_axes, capsys):
    assert plots.show_attention(np.eye(2), AB, ax=own_axes) is own_axes
    assert plots.show_curves([1, 2], {"a": [1, 2]}, ax=own_axes) is own_axes
    assert not hasattr(own_axes.figure, "alt_text")
    assert [t.get_text() for t in own_axes.get_legend().get_texts()] == ["a"]
    assert "a -> a 1.00" in capsys.readouterr().out
    with pytest.raises(TypeError, match="ax"):
        plots.show_attention(np.eye(2), AB, ax="left")


def test_each_run_has_its_own_steps_and_a_ring(capsys):
    runs = {"a": ([0, 5, 10], [3.0, 1.5, 2.0]), "b": ([10, 11], [1.0, 1.2])}
    ax = plots.show_training_runs(runs, {"counting": 1.25}, "loss")
    drawn = {line.get_label(): line.get_xdata() for line in ax.lines}
    assert [*drawn["a"]] == [0, 5, 10] and [*drawn["b"]] == [10, 11]
    assert [*drawn["counting"]] == [0, 1]  # from edge to edge, of the axis
    rings = [line.get_xydata().tolist() for line in ax.lines
             if line.get_markersize() == 13][:2]  # fmt: skip
    assert rings == [[[5, 1.5]], [[10, 1.0]]]
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[2:] == [
        ["5", "kept:", "1.50"],
        ["10", "2.00", "kept:", "1.00"],
        ["11", "1.20"],
    ]


def test_inputs_and_random_state_are_left_alone():
    given = *causal(5), list(BANK), np.array([[1.0, 2.0], [3.0, 4.0]])
    copies = [np.copy(array) for array in given]
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    plots.show_attention(given[0], given[2], mask=given[1])
    plots.show_bars(AB, given[3])
    for array, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_style_puts_all_back_even_after_an_error():
    before = dict(matplotlib.rcParams)
    with pytest.raises(KeyError), plots.style():
        assert matplotlib.rcParams["font.size"] >= 11
        raise KeyError
    assert dict(matplotlib.rcParams) == before


def show_part(**arrays):
    given = dict(projected=(HALF,) * 3, weights=HALF[None], context=HALF[None])
    return plots.show_block(AB, HALF, **given | arrays, output=HALF)


def show_stages(x=HALF, scores=HALF, weights=HALF, context=HALF, **where):
    where = {"query": 0} | where
    return plots.show_pipeline(AB, x, scores, weights, context, **where)


MASK = np.eye(2, dtype=bool)
BAD = [  # each check once, and each figure
    (plots.show_attention, (HALF[None], AB), {}, r"weights.*\(1, 2, 2\)"),
    (plots.show_attention, (HALF * 3, AB), {}, r"weights.*\[0, 1\].*\(2, 2"),
    (plots.show_attention, (HALF / 2, AB), {}, r"weights \(2, 2\).*row 0"),
    (plots.show_attention, (HALF[:1], ["a"]), {}, "key_tokens is needed"),
    (plots.show_attention, (HALF, [1, 2]), {}, "query_tokens.*int"),
    (plots.show_attention, (HALF, AB), {"mask": [[0.0, 0.0]]}, "mask.*bool"),
    (plots.show_attention, (HALF, AB), {"mask": MASK}, r"weights\[0, 1\].*F"),
    (plots.show_attention, (HALF, AB), {"frame": 2}, "frame.*0 to 1.*2"),
    (plots.show_table, (HALF * np.inf, AB, AB), {}, "values.*infinity"),
    (plots.show_heads, (HALF, AB), {"titles": ["a"]}, "titles has 1"),
    (plots.describe_table, (HALF, AB, AB, [[1]]), {}, r"sd.*\(1, 1\)"),
    (plots.show_curves, ([1, 2], {"a": [1]}), {}, r"'a'.*\(1,\).*\(2,\)"),
    (plots.show_curves, ([1], dict.fromkeys("abcd", 1)), {}, "at most 3"),
    (plots.show_curves, ([1], {"a": [1]}), {"seeds": "band"}, "seeds.*band"),
    (plots.show_curves, ([1], {"a": [1]}), {"marks": [1]}, "marks.*dict"),
    (plots.show_curves, ([1], {"a": [1]}), {"spans": {"b": (2, 1)}}, "'b'.*2"),
    (plots.show_curve_panels, ([1], {}), {}, "panels.*1 to 3"),
    (plots.show_training_runs, ({}, {}, "y"), {}, "runs.*1 to 3"),
    (
        plots.show_training_runs,
        ({"a": ([1, 2], [1])}, {}, "y"),
        {},
        r"'a'.*losses.*\(1,\).*\(2,\)",
    ),
    (plots.show_bars, (AB, [[1], [2]]), {"lit": "c"}, r"lit.*\['c'\]"),
    (plots.show_moves, (AB, [1, 2], [1], "x"), {}, r"after.*\(1,\).*\(2,\)"),
    (plots.show_moves, (AB, *HALF, "x"), {"third": {"": [0]}}, "third"),
    (plots.show_arrows, (np.eye(3), [*"abc"]), {}, r"vectors.*\(3, 3\)"),
    (plots.show_arrows, (HALF, AB), {"dimensions": ["a"]}, "dimensions has 1"),
    (plots.show_grids, ([HALF], ["a"]), {"groups": [[4]]}, "groups.*4"),
    (plots.show_grids, ([[[np.inf]]], ["a"]), {}, r"arrays\[0\].*infinity"),
    (plots.show_word_map, (HALF, AB, AB), {"name": ["c"]}, "name.*'c'"),
    (show_stages, (HALF[:1],), {}, r"x has shape \(1, 2\).*2 tokens"),
    (show_stages, (), {"query": 2}, "query.*0 to 1.*2"),
    (show_part, (), {"weights": [np.eye(3)]}, r"weights.*\(1, 3, 3\)"),
    (show_part, (), {"projected": [HALF]}, "projected.* 1 arrays"),
    (plots.show_projections, (AB, *[HALF] * 2, HALF[:1], HALF), {}, "key.*1"),
    (plots.show_exchange, (AB, ["a"], 0, AB), {}, r"tokens"),
    (plots.show_exchange, (AB, AB, 2, AB), {}, r"position"),
    (plots.show_layers, (AB, [HALF]), {"path": [0]}, r"path has 1.*\(1, 2, 2"),
    (plots.show_positions, (np.eye(3),), {}, r"p.*even.*\(3, 3\)"),
    (plots.show_backward, ([("a", [1], [[1]], "")],), {}, r"stages\[0\].*1"),
    (plots.show_beside, ([],), {}, "stages.*0"),
    (plots.attention_view, (HALF[:1], AB), {}, r"scores.*\(1, 2\)"),
    (plots.attention_view, (HALF, AB), {"query": 2}, "query.*-2 to 1.*2"),
    (plots.attention_view, (HALF, AB), {"ask": "x"}, "ask.*str"),
]


@pytest.mark.parametrize(("show", "args", "options", "match"), BAD)
def test_bad_input_names_the_argument(show, args, options, match, capsys):
    with pytest.raises((TypeError, ValueError), match=match):
        show(*args, **options)
    assert not capsys.readouterr().out


def test_a_map_lights_what_its_notebook_is_about(capsys):
    def lit(ax):
        return sorted(
            t.get_text() for t in ax.texts if t.get_color() == "white"
        )

    assert lit(plots.show_map(3)) == ["÷ √d_k"]
    assert lit(plots.show_map(6)) == sorted(
        ["norm", "next word", "norm", "+", "norm", "feed-forward", "+", "mask"]
    )
    assert "  attention: ÷ √d_k" in capsys.readouterr().out
    for wrong in (11, "03"):
        with pytest.raises(ValueError, match=f"notebook: .* got {wrong!r}"):
            plots.show_map(wrong)


def test_points_and_arrows_keep_their_angles_and_mean_scores(capsys):
    ax = draw_asking(kinds=2)
    axes = ax.figure.axes
    tips = [t for t in axes[0].texts if t.arrow_patch and not t.get_text()]
    points = np.vstack([np.transpose(line.get_data()) for line in ax.lines])
    assert len(tips) == 6 and len(points) >= 8
    named = [t.get_text() for t in axes[1].texts if t.get_text()]
    assert 4 <= len(named) <= 8 and not any(
        t.get_text() for t in axes[0].texts
    )
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("mean scores") and "b, verbs of" in said[-3]
    fish = [float(n.replace("−", "-")) for n in said[-2].split()[1:]]
    assert fish[0] > 0 > fish[1]  # its own kind, the other
    with pytest.raises(ValueError, match="kinds: expected two lists, got 1"):
        plots.show_asking({}, AB, AB, [AB])
    with pytest.raises(ValueError, match=r"kinds: expected 1 to 3 of nouns"):
        plots.show_asking({}, AB, AB, [[None, None], AB])
    with pytest.raises(ValueError, match="queries"):
        plots.show_asking({"a": (np.eye(2), np.eye(3))}, AB, AB, [AB, AB])

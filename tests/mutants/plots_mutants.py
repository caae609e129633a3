"""Mistakes in what figures draw, and in the words below them."""

import numpy as np
from planting import mutant

FILE = "test_plots.py::"


@mutant("plots.cells:draw_map", FILE + "test_numbers_are_the_array_in_readable"
        "_ink")  # fmt: skip
def rows_run_upward(right, ax, values, labels, colors, texts=None, *rest):
    texts = None if texts is None else np.array(texts)
    return right(ax, values[::-1], labels, colors, texts, *rest)


@mutant("plots.cells:draw_map", FILE + "test_masked_cells_are_grey_hatched_and"
        "_without_numbers")  # fmt: skip
def hidden_cells_look_like_zeros(
    right, ax, values, labels, colors, texts=None, hidden=None, frame=None
):
    return right(ax, values, labels, colors, texts, None, frame)


@mutant("plots.theme:ink", FILE + "test_ink_reads_on_every_color")
def ink_is_always_black(right, background):
    return "black"


@mutant("plots.view:show_figure", FILE + "test_view_without_a_front_end_is_a"
        "_figure")  # fmt: skip
def the_first_word_always_asks(right, scores, tokens, names, query, title):
    return right(scores, tokens, names, 0, title)


@mutant("plots.widget:to_send", FILE + "test_view_is_a_widget_where_there_is"
        "_a_front_end")  # fmt: skip
def masked_scores_are_sent_as_zeros(right, scores, tokens):
    return right(np.where(scores == -np.inf, 0, scores), tokens)

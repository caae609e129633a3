"""Mistakes in networks that see order, and in texts to copy."""

from dataclasses import replace

import numpy as np
from planting import mutant


@mutant(
    "torch_bridge.positional_network:rotated",
    "test_order.py::test_a_rotation_is_a_product_of_complex_numbers",
)
def all_pairs_turn_at_one_speed(right, x, places, base):
    return right(x, places, 1.0)


@mutant(
    "torch_bridge.positional_network:slopes",
    "test_order.py::test_alibi_takes_its_slope_for_every_word_between",
)
def slopes_are_those_of_eight_heads(right, heads):
    return right(8)[:heads]


@mutant(
    "torch_bridge.length_generalization:weight_beyond",
    "test_order.py::test_far_weights_and_short_readings",
)
def the_word_at_the_border_is_far(right, module, test, words):
    return right(module, test, words - 1)


@mutant(
    "tasks.repetition:repeated_texts",
    "test_tasks.py::test_texts_end_with_a_stretch_that_came_before",
)
def the_source_is_the_word_after(right, *args, **options):
    texts = right(*args, **options)
    return replace(
        texts, source=np.where(texts.source < 0, -1, texts.source + 1)
    )


@mutant(
    "torch_bridge.stored.position_runs:old_distances",
    "test_order.py::test_old_and_new_distances",
)
def a_far_word_leaves_its_place_in_the_phrase(right, words):
    back = right(words)
    return np.where(np.arange(words)[::-1] > 18, back - 1, back)


@mutant(
    "torch_bridge.stored.induction_runs:with_first_weights",
    "test_order.py::test_the_first_layer_can_be_stepped_in",
)
def the_second_layer_is_changed(right, copying, change):
    return copying.with_perfect_weights()

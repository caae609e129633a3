"""Mistakes in embeddings, tasks, experiments and the bridge to torch."""

from dataclasses import replace

import numpy as np
from planting import mutant


@mutant(
    "embeddings.files:data_file",
    "test_embeddings.py::test_a_missing_file_is_named",
)
def damaged_files_are_read(right, name):
    from helpers.embeddings import files

    return files.DATA / name


@mutant("embeddings.lookup:cosine", "test_embeddings.py::test_cosine")
def cosine_is_the_dot_product(right, a, b):
    right(a, b)
    return float(np.dot(a, b))


@mutant("tasks.lexicon:Lexicon.split", "test_tasks.py")
def test_words_were_trained_on(right, self, seed, *args, **options):
    train, _ = right(self, seed, *args, **options)
    return train, train


@mutant(
    "tasks.two_answers:_who_whom",
    "test_tasks.py::test_who_acts_stands_before_the_verb_and_whom_after",
)
def who_acts_and_whom_are_exchanged(right, lexicon, pick):
    words, position, evidence, labels, *tables = right(lexicon, pick)
    return words, position, evidence[::-1], labels[::-1], *tables


@mutant(
    "tasks.agreement:Grammar.parse",
    "test_agreement.py::test_what_is_no_sentence",
)
def the_last_noun_rules_the_verb(right, self, words):
    words = list(words)
    if len(words) > 4:
        words[1], words[-3] = words[-3], words[1]
    return right(self, words)


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
    "tasks.rewordings:_other",
    "test_tasks.py::test_rewordings_say_the_same_or_differ_in_one_thing",
)
def a_look_alike_means_the_same(right, word, pick, words):
    return words[words.index(word) ^ 1]


@mutant(
    "experiments.measures:auc", "test_experiments.py::test_auc_counts_pairs"
)
def ties_count_as_won(right, ours, theirs):
    return float((np.ravel(ours)[:, None] >= np.ravel(theirs)).mean())


@mutant("experiments.runs:Runs.without_heads", "test_experiments.py")
def only_the_last_head_is_switched_off(right, self, *off, count=None):
    return right(self, off[-1], count=count)


@mutant("experiments.runs:run", "test_experiments.py")
def all_seeds_start_from_the_same_weights(right, *args, **options):
    return right(*args, **{"seed": 0} | options)


@mutant("experiments.baselines:_measure", "test_experiments.py::test_measure")
def the_probe_is_fitted_to_the_test(right, features, task, split):
    return right(features, replace(task, train=getattr(task, split)), split)


@mutant(
    "experiments.timing:rounds",
    "test_experiments.py::test_functions_take_turns",
)
def functions_are_timed_one_after_the_other(right, functions, **options):
    return {
        name: right({name: function}, **options)[name]
        for name, function in functions.items()
    }


@mutant(
    "experiments.language:next_word_logits",
    "test_language_model.py::test_causal_loss_by_hand_and_only_the_words_before_are_read",
)
def the_model_sees_the_next_word(right, model, texts):
    return right(model, [[*words, "the"] for words in texts])


@mutant(
    "experiments.encoder_measures:same_sense",
    "test_encoder.py::test_the_nearest_row_of_the_same_word_decides",
)
def rows_of_other_words_count(right, rows, words, senses):
    right(rows, words, senses)
    return right(rows, ["one"] * len(words), senses)


@mutant("checks.predictions:prediction", "checks/test_predictions.py")
def a_guess_is_cut(right, guess, *measured, **options):
    return right(guess if guess is ... else str(guess), *measured, **options)


@mutant(
    "torch_bridge.convert:to_multihead_attention",
    "test_torch_bridge.py::test_layer_differences_sees_a_mask_that_differs",
)
def matrices_are_not_transposed(right, num_heads, arrays):
    flipped = {n: np.transpose(a) for n, a in arrays.items()}
    return right(num_heads, flipped)


@mutant("torch_bridge.comparison:largest_difference", "test_torch_bridge.py")
def differences_have_a_sign(right, a, b):
    from helpers.torch_bridge.convert import to_numpy

    right(a, b)
    return float(np.max(to_numpy(a) - to_numpy(b)))


@mutant("torch_bridge.twins:step", "test_torch_bridge.py")
def gradients_of_all_steps_add_up(right, module, optimizer, batch):
    zero_grad, optimizer.zero_grad = optimizer.zero_grad, lambda: None
    loss = right(module, optimizer, batch)
    optimizer.zero_grad = zero_grad
    return loss


@mutant(
    "torch_bridge.cost:peak_bytes",
    "test_torch_bridge.py::test_peak_bytes_sees_what_was_freed",
)
def only_what_is_held_at_the_end_counts(right, function):
    import tracemalloc

    tracemalloc.start()
    held = function()
    found = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del held
    return found


@mutant(
    "torch_bridge.positional_network:rotated",
    "test_order.py::test_a_rotation_is_a_product_of_complex_numbers",
)
def all_pairs_turn_at_one_speed(right, x, places, base):
    return right(x, places, 1.0)


@mutant("journal:printable", "test_journal.py")
def control_characters_reach_the_terminal(right, text):
    return str(text)


@mutant("records:Record.add_prediction", "test_journal.py")
def old_ids_count_for_other_cells(right, self, *args, old, **pair):
    return right(self, *args, old=False, **pair)


@mutant("guesses:distance", "test_journal.py::test_how_far_a_guess_is_off")
def a_guess_in_percent_is_far_off(right, guess, measured):
    off = right(guess, measured)
    return 1.0 if isinstance(guess, int) and guess > 1 > measured else off


@mutant("claims.words:word", "test_claims.py::test_the_word_follows")
def a_condition_that_fails_is_forgotten(right, parts=None, under=None):
    found = right(parts, under)
    return "True" if found == "True if" else found


@mutant("claims.pairs:Difference.above", "test_claims.py")
def a_difference_counts_however_uncertain(right, self, margin):
    return self.mean > margin


@mutant("claims.numbers:fill", "test_claims.py")
def numbers_without_a_place_are_dropped(right, text, numbers):
    used = {name: n for name, n in numbers.items() if f"{{{name}" in text}
    return right(text, used)


@mutant(
    "chat_model.layers:rotation",
    "test_chat_model.py::test_a_rotation_sees_distances_only",
)
def positions_do_not_rotate(right, positions, size, base):
    return right(0 * np.asarray(positions), size, base)


@mutant(
    "chat_model.file:check", "test_chat_model.py::test_no_other_file_is_read"
)
def any_file_is_taken_for_the_model(right, path):
    pass


@mutant(
    "experiments.scaling_fits:fitted",
    "test_scaling_fits.py::test_the_right_shape_foretells_best",
)
def each_curve_is_a_logarithm(right, shape, sizes, losses):
    return right("logarithm", sizes, losses)

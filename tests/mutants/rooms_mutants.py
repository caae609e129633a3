"""Mistakes in embeddings, tasks, experiments and the bridge to torch."""

from dataclasses import replace

import numpy as np
from planting import mutant

# embeddings


@mutant(
    "embeddings.files:data_file",
    "test_embeddings.py::test_a_missing_file_is_named",
)
def damaged_files_are_read(right, name):
    from helpers.embeddings import files

    return files.DATA / name


@mutant(
    "embeddings.lookup:cosine",
    "test_embeddings.py::test_cosine",
)
def cosine_is_the_dot_product(right, a, b):
    right(a, b)
    return float(np.dot(a, b))


# tasks


@mutant("tasks.lexicon:Lexicon.split", "test_tasks.py")
def test_words_were_trained_on(right, self, seed, *args, **options):
    train, _ = right(self, seed, *args, **options)
    return train, train


@mutant(
    "tasks.datasets:_one_answer",
    "test_tasks.py::test_options_of_which_noun",
)
def reserved_nouns_are_not_used(right, seed, *, reserved=False, **options):
    return right(seed, **options)


@mutant(
    "tasks.datasets:_examples",
    "test_tasks.py::test_positions_are_added_to_words_only",
)
def padding_gets_a_position(right, sentences, table, positions=0.0):
    found = right(sentences, table, positions)
    if positions:
        found.x[~found.mask] += positions
    return found


@mutant(
    "tasks.two_answers:_who_whom",
    "test_tasks.py::test_who_acts_stands_before_the_verb_and_whom_after",
)
def who_acts_and_whom_are_exchanged(right, lexicon, pick):
    words, position, evidence, labels, *tables = right(lexicon, pick)
    return words, position, evidence[::-1], labels[::-1], *tables


@mutant(
    "tasks.two_answers:_subject_and_previous",
    "test_tasks.py::test_the_last_noun_is_two_words_back_and_never_the_one_needed",
)
def the_last_noun_is_the_one_needed(right, lexicon, pick, order):
    words, position, evidence, labels, *tables = right(lexicon, pick, order)
    return words, position, evidence[1:] * 2, labels[1:] * 2, *tables


@mutant(
    "tasks.two_answers:_two_hop",
    "test_tasks.py::test_the_color_stands_before_its_noun_and_all_three_are_there",
)
def the_color_of_the_first_noun(right, lexicon, pick, order, colors, **how):
    words, position, evidence, labels, *tables = right(
        lexicon, pick, order, colors, **how
    )
    return words, position, evidence, [labels[0], colors[0]], *tables


@mutant(
    "tasks.distance:_kinds",
    "test_tasks.py::test_late_sentences",
)
def distance_is_counted_from_the_start(
    right, count, rng, cue, phrases, between
):
    if between is not None:
        between = phrases - 1 - between
    return right(count, rng, cue, phrases, between)


# experiments


@mutant(
    "experiments.measures:auc", "test_experiments.py::test_auc_counts_pairs"
)
def ties_count_as_won(right, ours, theirs):
    return float((np.ravel(ours)[:, None] >= np.ravel(theirs)).mean())


@mutant("experiments.runs:Runs.all_correct", "test_experiments.py")
def one_right_answer_is_enough(right, self):
    return np.array([e.correct.any(axis=1).mean() for e in self.evaluations])


@mutant("experiments.runs:Runs.without_heads", "test_experiments.py")
def only_the_last_head_is_switched_off(right, self, *off, count=None):
    return right(self, off[-1], count=count)


@mutant("experiments.runs:run", "test_experiments.py")
def all_seeds_start_from_the_same_weights(right, *args, **options):
    return right(*args, **{"seed": 0} | options)


@mutant(
    "experiments.head_measures:average_heads",
    "test_experiments.py::test_averaging_equal_heads_changes_nothing",
)
def averaging_spoils_the_model(right, runs):
    from helpers.models import same_rows

    found = right(runs)
    for model in runs.models:
        p = model.parameters
        p["w_o"] = same_rows(p["w_o"], model.heads)
    return found


@mutant(
    "experiments.baselines:_measure",
    "test_experiments.py::test_measure",
)
def the_probe_is_fitted_to_the_test(right, features, task, split):
    return right(features, replace(task, train=getattr(task, split)), split)


@mutant(
    "experiments.baselines:measure_rule",
    "test_experiments.py::test_measure_a_rule",
)
def the_word_before_is_read(right, find, **options):
    return right(lambda words: max(find(words) - 1, 0), **options)


@mutant(
    "experiments.baselines:nonlinear_bag",
    "test_experiments.py::test_a_nonlinear_bag_reads_more_than_lines",
)
def padding_counts_as_words(right, x, position, mask):
    return right(x, position, np.ones_like(mask))


@mutant(
    "plots.schemas:veil",
    "test_plots.py::test_one_stage_of_the_pipeline_is_lit",
)
def no_box_is_pale(right, ax, box):
    return None


@mutant(
    "experiments.measures:normalized_entropy",
    "test_experiments.py::test_entropy_of_known_rows",
)
def entropy_is_not_normalized(right, weights):
    return right(weights) * np.log(np.shape(weights)[-1])


@mutant(
    "experiments.measures:score_spread",
    "test_experiments.py::test_scores_spread_with_the_root_of_the_width",
)
def the_spread_is_a_variance(right, *args, **options):
    return right(*args, **options) ** 2


@mutant(
    "experiments.stored.scaling_runs:SmallSteps.step",
    "test_experiments.py::test_the_root_is_a_smaller_start_and_smaller_steps",
)
def all_steps_are_as_large(right, self, gradients):
    for name in ("w_q", "w_k"):
        gradients[name] = 4 * gradients[name]
    right(self, gradients)


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
    "experiments.scoreboard:mean_sd",
    "test_experiments.py::test_rows_are_printed_with_mean_spread_and_worst",
)
def the_spread_is_left_out(right, values, decimals=None):
    return right(np.full_like(values, np.mean(values)), decimals)


@mutant(
    "experiments.measures:error_bound",
    "test_experiments.py::test_the_bound_of_rounding_errors",
)
def errors_have_a_sign(right, *gaps):
    return right(*[np.maximum(gap, 0) for gap in gaps])


@mutant("checks.predictions:prediction", "checks/test_predictions.py")
def a_guess_is_cut(right, guess, *measured, **options):
    return right(guess if guess is ... else str(guess), *measured, **options)


# torch_bridge


@mutant(
    "torch_bridge.weights:to_multihead_attention",
    "test_torch_bridge.py::test_the_layer_of_torch_is_ours",
)
def matrices_are_not_transposed(right, num_heads, arrays):
    flipped = {n: np.transpose(a) for n, a in arrays.items()}
    return right(num_heads, flipped)


@mutant("torch_bridge.weights:largest_difference", "test_torch_bridge.py")
def differences_have_a_sign(right, a, b):
    from helpers.torch_bridge import to_numpy

    right(a, b)
    return float(np.max(to_numpy(a) - to_numpy(b)))


@mutant(
    "torch_bridge.weights:to_arrays",
    "test_torch_bridge.py::test_a_copy_of_the_weights_is_a_copy",
)
def a_copy_of_the_weights_is_none(right, module):
    return {n: p.detach().numpy() for n, p in module.named_parameters()}


@mutant("torch_bridge.training:step", "test_torch_bridge.py")
def gradients_of_all_steps_add_up(right, module, optimizer, batch):
    zero_grad, optimizer.zero_grad = optimizer.zero_grad, lambda: None
    loss = right(module, optimizer, batch)
    optimizer.zero_grad = zero_grad
    return loss


@mutant(
    "torch_bridge.cost:exponent",
    "test_torch_bridge.py::test_exponent",
)
def the_exponent_of_plain_costs(right, lengths, costs):
    return right(lengths, np.exp(costs / np.max(costs)))


@mutant(
    "torch_bridge.cost:kept_bytes",
    "test_torch_bridge.py::test_kept_bytes_counts_shared_memory_once",
)
def shared_memory_counts_twice(right, function):
    return 2 * right(function)


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
    "torch_bridge.networks:AttentionNetwork.forward",
    "test_torch_bridge.py::test_networks_read_no_padding_and_most_read_order",
)
def the_network_reads_the_padding(right, self, x, position, mask):
    return right(self, x, position, mask | True)


@mutant(
    "torch_bridge.networks:AttentionNetwork.__init__",
    "test_torch_bridge.py::test_networks_read_no_padding_and_most_read_order",
)
def positions_are_always_added(right, self, *args, positions=False, **options):
    right(self, *args, positions=True, **options)


@mutant(
    "torch_bridge.distance_race:_batches",
    "test_torch_bridge.py::test_every_batch_has_one_length_and_no_padding",
)
def batches_are_padded_to_the_longest(right, data, count, seed):
    import torch

    for x, position, mask, labels in right(data, count, seed):
        extra = data[0].shape[1] - x.shape[1]
        x = torch.nn.functional.pad(x, (0, 0, 0, extra))
        yield x, position, torch.nn.functional.pad(mask, (0, extra)), labels

"""Mistakes in the bridge to torch and in distance; see mutants.py."""

WEIGHTS = [
    (
        "weights copied without .T",
        "[arrays[name].T for name in names]",
        "[arrays[name] for name in names]",
        "test_multihead_is_ours",
    ),
    (
        "keys stacked before queries",
        '("w_q", "w_k", "w_v")',
        '("w_k", "w_q", "w_v")',
        "test_multihead_is_ours",
    ),
    (
        "the first difference for the largest",
        "return float(np.max(gaps))",
        "return float(gaps[0])",
        "test_differences_are_found_and_reported",
    ),
    (
        "differences with a sign",
        "gaps.append(np.abs(a - b).max())",
        "gaps.append((b - a).max())",
        "test_differences_are_found_and_reported",
    ),
    (
        "reported, not asserted",
        '    assert gap <= bound, f"{what}: {gap} apart"\n',
        "",
        "test_differences_are_found_and_reported",
    ),
]

TRAINING = [
    (
        "the rate of torch does not fall",
        '        torchs.param_groups[0]["lr"] = ours.rate\n',
        "",
        "test_both_train_alike_and_as_fit_does",
    ),
    (
        "gradients of all steps added up",
        "    optimizer.zero_grad()\n",
        "",
        "test_both_train_alike_and_as_fit_does",
    ),
    (
        "arrays share the memory of the module",
        "parameter.detach().numpy().copy()",
        "parameter.detach().numpy()",
        "test_a_copy_of_the_weights_is_a_copy",
    ),
]

COST = [
    (
        "logarithm of the lengths only",
        "np.polyfit(np.log(lengths), np.log(costs), 1)[0]",
        "np.polyfit(np.log(lengths), costs, 1)[0]",
        "test_exponent",
    ),
    (
        "one way after the other",
        "    for _ in range(rounds):\n"
        "        for name, function in functions.items():\n",
        "    for name, function in functions.items():\n"
        "        for _ in range(rounds):\n",
        "test_functions_take_turns",
    ),
    (
        "of two measurements the disturbed one",
        "np.minimum(t, again[name])",
        "np.maximum(t, again[name])",
        "test_a_disturbed_measurement_is_repeated",
    ),
    (
        "shared memory counted twice",
        "kept[storage.data_ptr()] = storage.nbytes()",
        "kept[len(kept)] = storage.nbytes()",
        "test_kept_bytes_counts_shared_memory_once",
    ),
    (
        "what is held at the end for the most",
        "tracemalloc.get_traced_memory()[1]",
        "tracemalloc.get_traced_memory()[0]",
        "test_peak_bytes_sees_what_was_freed",
    ),
]

READERS = [
    (
        "attention reads the padding",
        "            attn_mask=mask[:, None],\n",
        "",
        "test_readers_do_not_read_the_padding",
    ),
    (
        "the state at the end, padding and all",
        "states[torch.arange(len(x)), query]",
        "states[:, -1]",
        "test_readers_do_not_read_the_padding",
    ),
    (
        "positions always added",
        "LONGEST, d_model, BASE) * positions",
        "LONGEST, d_model, BASE)",
        "test_only_attention_without_positions_is_order_blind",
    ),
]

DISTANCE = [
    (
        "the other noun is lost, not exchanged",
        "        kinds[rows, right] = kinds[:, place]\n",
        "",
        "test_late_sentences",
    ),
    (
        "distance counted from the start",
        "np.arange(count), phrases - 1 - between",
        "np.arange(count), between",
        "test_late_sentences",
    ),
    (
        "one phrase too far",
        "phrases - 1 - between",
        "max(0, phrases - 2 - between)",
        "test_late_sentences",
    ),
    (
        "the first phrase has its preposition",
        "_pick(lexicon.prepositions, draws)] if words else []",
        "_pick(lexicon.prepositions, draws)]",
        "test_early_sentences test_grammar_does_not_tell_which_noun_counts",
    ),
    (
        "labels of the first noun",
        "labels=numbers[rows, right][:, None]",
        "labels=numbers[:, :1]",
        "test_labels_are_the_numbers_of_the_right_nouns",
    ),
    (
        "tested on the words of training",
        "table, [_at(between, test, each_distance, rng, asked)]",
        "table, [_at(between, train, each_distance, rng, asked)]",
        "test_distance_task_holds_nouns_out",
    ),
]

BY_DISTANCE = [
    (
        "the shortest sentences only",
        "rows = alike[_below(len(alike), draw)]",
        "rows = alike[0]",
        "test_every_batch_has_one_length_and_no_padding",
    ),
    (
        "padded to the longest of all",
        "words = int(query[rows[0]]) + 1",
        "words = int(query.max()) + 1",
        "test_every_batch_has_one_length_and_no_padding",
    ),
]

BY_FILE = {
    "helpers/torch_bridge/weights.py": WEIGHTS,
    "helpers/torch_bridge/training.py": TRAINING,
    "helpers/torch_bridge/cost.py": COST,
    "helpers/torch_bridge/readers.py": READERS,
    "helpers/torch_bridge/by_distance.py": BY_DISTANCE,
}

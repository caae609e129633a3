"""Mistakes in heads, positions, layers and their sentences; see mutants.py."""

AUTOGRAD = "test_backward_equals_finite_differences"

GRADIENTS = [
    (
        "heads: the values pass no gradient to x",
        'found = {"x": sum(grads[n] @ matrices[n].T for n in "qkv")}',
        'found = {"x": sum(grads[n] @ matrices[n].T for n in "qk")}',
        AUTOGRAD,
    ),
    (
        "heads: the projection is not transposed on the way back",
        "sum(grads[n] @ matrices[n].T for",
        "sum(grads[n] @ matrices[n].reshape(-1, len(matrices[n])) for",
        AUTOGRAD,
    ),
    (
        "heads: query and key gradients exchanged",
        'for n, g in zip("qkv", grad_heads, strict=True)',
        'for n, g in zip("kqv", grad_heads, strict=True)',
        AUTOGRAD,
    ),
    (
        "heads: the mask is forgotten on the way back",
        "split_heads(grad_merged, num_heads), *heads, **options",
        "split_heads(grad_merged, num_heads), *heads",
        AUTOGRAD + "[causal-True]",
    ),
    (
        "heads: w_o not transposed",
        'grad_merged = grad_output @ matrices["o"].T',
        'grad_merged = grad_output @ matrices["o"].reshape('
        'len(matrices["o"].T), -1)',
        AUTOGRAD,
    ),
    (
        "heads: words averaged, not added up",
        'found[f"w_{n}"] = source.T @ grad',
        'found[f"w_{n}"] = source.T @ grad / len(grad)',
        AUTOGRAD,
    ),
    (
        "heads: bias gradient of one word only",
        'found[f"b_{n}"] = grad.sum(axis=0)',
        'found[f"b_{n}"] = grad[0]',
        AUTOGRAD,
    ),
    (
        "heads: bias left out of the rerun",
        "split_heads(_project(x, matrices[n], biases[n]), num_heads)",
        "split_heads(_project(x, matrices[n], None), num_heads)",
        AUTOGRAD,
    ),
    (
        "heads: grad_output may have any shape",
        '    _same_shape("grad_output", grad_output, "output", output)\n',
        "",
        "test_grad_output_must_fit",
    ),
]

POSITIONS = [
    (
        "positions start at 1",
        "np.arange(length)[:, None]",
        "np.arange(1, length + 1)[:, None]",
        "test_positions_by_hand",
    ),
    (
        "cosine first",
        "np.stack([np.sin(angles), np.cos(angles)], axis=-1)",
        "np.stack([np.cos(angles), np.sin(angles)], axis=-1)",
        "test_positions_by_hand",
    ),
    (
        "faster and faster",
        "base ** (-np.arange(0, d_model, 2) / d_model)",
        "base ** (np.arange(0, d_model, 2) / d_model)",
        "test_positions_by_hand",
    ),
    (
        "base ignored",
        "frequencies = base **",
        "frequencies = 10_000.0 **",
        "test_positions_by_hand",
    ),
    (
        "odd widths pass",
        "    if d_model % 2:",
        "    if False:",
        "test_positions_refuse",
    ),
]

STACK = [
    (
        "no residual",
        "return asks + added if self.residual else added",
        "return added",
        "test_stack_is_multi_head_attention_layer_by_layer",
    ),
    (
        "residual not passed back",
        "        if self.residual:\n            grad_asks",
        "        if False:\n            grad_asks",
        "test_stack_gradients_equal_finite_differences",
    ),
    (
        "padding is seen",
        "shares(scores, mask[:, None, None])",
        "shares(scores, mask[:, None, None] | True)",
        "test_padding_is_never_seen",
    ),
    (
        "layers: scale of the whole width",
        "self.scale = 1 / math.sqrt(d_k)",
        "self.scale = 1 / math.sqrt(heads * d_k)",
        "test_stack_is_multi_head_attention_layer_by_layer",
    ),
    (
        "the asking word is not told",
        "                grad[np.arange(len(grad)), self._query] += "
        "grad_asks[:, 0]\n",
        "                pass\n",
        "test_stack_gradients_equal_finite_differences",
    ),
    (
        "layers: the wrong reshape",
        "x.reshape(*x.shape[:2], self.heads, -1).swapaxes(1, 2)",
        "x.reshape(len(x), self.heads, x.shape[1], -1)",
        "test_stack_is_multi_head_attention_layer_by_layer",
    ),
    (
        "a head that is off still speaks",
        "        if gains is not None:",
        "        if False:",
        "test_head_gain_removes_a_head",
    ),
]

EXPERIMENTS = [
    (
        "one right answer is enough",
        "found.correct.all(axis=1).mean() for found in",
        "found.correct.any(axis=1).mean() for found in",
        "test_joint_accuracy_needs_both_answers",
    ),
    (
        "the other heads are switched off",
        "gain[[*off]] = 0\n",
        "gain = 1 - gain; gain[[*off]] = 1\n",
        "test_a_head_without_rows_in_w_o_is_not_missed",
    ),
    (
        "only the last of two heads is switched off",
        "gain[[*off]] = 0\n",
        "gain[off[-1]] = 0\n",
        "test_without_both_heads_only_the_bias_answers",
    ),
]

PROBES = [
    (
        "averaging spoils the model",
        '        model.arrays["w_o"] = kept\n',
        "",
        "test_averaging_leaves_the_model_as_it_was",
    ),
    (
        "rows that are one learn apart",
        '        grads["w_o"] = _same_rows(grads["w_o"], self.heads)\n',
        "",
        "test_an_averaged_readout_keeps_its_rows_alike",
    ),
    (
        "the reader is told the places, too",
        "[which]  # no positions in it\n",
        "[which] + part.x[np.arange(len(which)), said.targets[:, answer]]\n",
        "test_the_reader_told_the_words_is_not_told_their_places",
    ),
]

GRAMMARS = [
    (
        "the last noun may be the one needed",
        "place = pick((0, 1))  #",
        "place = pick((0, 1, 2))  #",
        "test_the_last_noun_is_two_words_back_and_never_the_one_needed",
    ),
    (
        "who acts may be many",
        "add_noun(kinds[part], pick((0, 1)) * part)",
        "add_noun(kinds[part], pick((0, 1)))",
        "test_who_acts_stands_before_the_verb_and_whom_after",
    ),
    (
        "the color of another noun",
        "labels = [numbers[place], colors[place]]",
        "labels = [numbers[place], colors[0]]",
        "test_the_color_stands_before_its_noun_and_all_three_are_there",
    ),
]

RELATIONS = [
    (
        "test words were trained on",
        "GRAMMARS[name](half, count, rng)",
        "GRAMMARS[name](halves[0], count, rng)",
        "test_task_repeats_and_holds_words_out",
    ),
    (
        "padding gets a position",
        "x += positions * where * mask[..., None]",
        "x += positions * where",
        "test_positions_are_added_to_words_only",
    ),
]

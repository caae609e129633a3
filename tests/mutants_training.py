"""Mistakes in gradients, training and models; see mutants.py."""

GRADIENTS = [
    (
        "p (1 - p) for the softmax",
        "    return weights * (grad_weights - mean)",
        "    return weights * (1 - weights) * grad_weights",
        "test_softmax_backward_of_a_known_row"
        " test_score_gradients_sum_to_zero_in_every_row",
    ),
    (
        "softmax passes gradients through",
        "    return weights * (grad_weights - mean)",
        "    return grad_weights",
        "test_softmax_backward_of_a_known_row",
    ),
    (
        "no mean subtracted",
        "    return weights * (grad_weights - mean)",
        "    return weights * grad_weights",
        "test_score_gradients_sum_to_zero_in_every_row",
    ),
    (
        "plain mean for the weighted one",
        "mean = (weights * grad_weights).sum(axis=axis, keepdims=True)",
        "mean = grad_weights.mean(axis=axis, keepdims=True)",
        "test_softmax_backward_of_a_known_row",
    ),
    (
        "softmax backward along the queries",
        "    return _softmax_backward(grad_weights, weights, axis)",
        "    return _softmax_backward(grad_weights, weights, -2)",
        "test_softmax_backward_of_a_known_row",
    ),
    (
        "no scale on the way back",
        "    grad_scores *= scale\n",
        "",
        "test_attention_backward_equals_finite_differences",
    ),
    (
        "scale argument ignored on the way back",
        "    scale = 1 / math.sqrt(key.shape[-1])"
        " if scale is None else float(scale)\n    # context",
        "    scale = 1 / math.sqrt(key.shape[-1])\n    # context",
        "test_attention_backward_equals_finite_differences[scale-batches0]",
    ),
    (
        "query and key gradients swapped inside",
        "grad_query = grad_scores @ key  # (..., T_q, d_k)\n"
        "    grad_key = grad_scores.swapaxes(-1, -2) @ query",
        "grad_query = grad_scores @ key  # (..., T_q, d_k)\n"
        "    grad_key = grad_scores.swapaxes(-1, -2) @ grad_query",
        "test_attention_backward_equals_finite_differences",
    ),
    (
        "mask forgotten on the way back",
        "        query, key, value, mask=mask, is_causal=is_causal,"
        " scale=scale\n    )\n    query, key, value = validation",
        "        query, key, value, is_causal=is_causal,"
        " scale=scale\n    )\n    query, key, value = validation",
        "test_a_word_that_may_not_be_seen_gets_no_gradient",
    ),
    (
        "broadcast gradients not added up",
        "return gradient.sum(axis=repeated, keepdims=True)",
        "return gradient.mean(axis=repeated, keepdims=True)",
        "test_attention_backward_equals_finite_differences[plain-batches2]",
    ),
    (
        "leading batch axes not added up",
        "gradient = gradient.sum(axis=tuple(range(extra)))",
        "gradient = gradient[(0,) * extra]",
        "test_attention_backward_equals_finite_differences[plain-batches2]",
    ),
]

OPTIMIZERS = [
    (
        "first mean not corrected",
        "filled = 1 - self.beta1**self.steps",
        "filled = 1 - self.beta1",
        "test_adam_by_hand",
    ),
    (
        "second mean not corrected",
        "filled_root = math.sqrt(1 - self.beta2**self.steps)",
        "filled_root = 1",
        "test_adam_by_hand",
    ),
    (
        "corrected with the other rate",
        "math.sqrt(1 - self.beta2**self.steps)",
        "math.sqrt(1 - self.beta1**self.steps)",
        "test_adam_by_hand",
    ),
    (
        "steps counted from 0 and never on",
        "self.steps += 1",
        "self.steps = 1",
        "test_adam_by_hand",
    ),
    (
        "epsilon not corrected",
        "epsilon = self.epsilon * filled_root",
        "epsilon = self.epsilon",
        "test_adam_by_hand",
    ),
    (
        "gradient not squared",
        "(1 - self.beta2) * gradient**2",
        "(1 - self.beta2) * gradient",
        "test_adam_by_hand",
    ),
    (
        "running mean forgets everything",
        "mean *= self.beta1",
        "mean *= 0",
        "test_adam_by_hand",
    ),
    (
        "running mean lets all in",
        "mean += (1 - self.beta1) * gradient",
        "mean += gradient",
        "test_adam_by_hand",
    ),
    (
        "no root of the second mean",
        "(np.sqrt(square) + epsilon)",
        "(square + epsilon)",
        "test_adam_by_hand",
    ),
    (
        "epsilon inside the root",
        "(np.sqrt(square) + epsilon)",
        "np.sqrt(square + epsilon)",
        "test_adam_by_hand",
    ),
    (
        "SGD walks uphill",
        "self.arrays[name] -= self.rate * gradient",
        "self.arrays[name] += self.rate * gradient",
        "test_sgd_by_hand",
    ),
]

TRAINING = [
    (
        "loss gradient not averaged",
        "return loss, grad_logits / len(logits)",
        "return loss, grad_logits",
        "test_cross_entropy_and_its_gradient",
    ),
    (
        "right class not subtracted",
        "    grad_logits[rows, labels] -= 1\n",
        "",
        "test_cross_entropy_and_its_gradient",
    ),
    (
        "log of the share itself",
        "loss = float((np.log(totals[:, 0]) - shifted[rows, labels]).mean())",
        "loss = float(-np.log(shares / totals)[rows, labels].mean())",
        "test_cross_entropy_of_blind_guessing_and_of_huge_logits",
    ),
    (
        "only the last answer counts",
        "total += loss",
        "total = loss",
        "test_several_answers_add_up",
    ),
    (
        "rate does not fall",
        "optimizer.rate = rate * (1 - epoch / epochs)",
        "optimizer.rate = rate",
        "test_the_rate_falls_on_a_straight_line_or_stays",
    ),
    (
        "noise on every batch the same",
        "begin = self.rng.integers(len(self.pool) - x.size)",
        "begin = 0",
        "test_noise_is_normal_with_the_right_size_and_new_in_every_batch",
    ),
    (
        "noise added to the examples themselves",
        "x = examples.x[rows]  #",
        "x = examples.x[start : start + self.batch]  #",
        "test_fit_does_not_change_its_examples",
    ),
    (
        "a loss that is not finite goes unnoticed",
        "if not np.isfinite(logits).all():",
        "if False:",
        "test_a_loss_that_is_not_finite_raises_and_says_when",
    ),
    (
        "the stop button raises",
        "except KeyboardInterrupt:",
        "except EOFError:",
        "test_the_stop_button_keeps_what_was_learned",
    ),
    (
        "stopped is not said",
        "history.stopped = True",
        "history.stopped = False",
        "test_the_stop_button_keeps_what_was_learned",
    ),
]

READOUT = [
    (
        "no scale backward",
        "grad = (grad * self.scale) @ x",
        "grad = grad @ x",
        "test_backward_equals_finite_differences",
    ),
    (
        "no scale forward",
        "shares(scores * self.scale, mask[:, None])",
        "shares(scores, mask[:, None])",
        "test_forward_equals_attention_with_keys_and_values_built",
    ),
    (
        "tied matrix learns from one use only",
        'grads["w_q"] = grad_q + grad_k',
        'grads["w_q"] = grad_q',
        "test_backward_equals_finite_differences",
    ),
    (
        "query and key matrices swapped",
        'q = asks @ self._heads("w_q")',
        "q = asks @ self._keys()",
        "test_forward_equals_attention_with_keys_and_values_built",
    ),
    (
        "heads interleaved",
        "matrix.reshape(len(matrix), self.heads, -1).swapaxes(0, 1)",
        "matrix.reshape(len(matrix), -1, self.heads).transpose(2, 0, 1)",
        "test_forward_equals_attention_with_keys_and_values_built",
    ),
    (
        "frozen matrices learn",
        'in ("learned", "tied"):  #',
        'in ("learned", "tied", "frozen"):  #',
        "test_variants_have_the_arrays_they_promise",
    ),
]

SHARES = [
    (
        "padding attends",
        "scores = np.where(mask, scores, -np.inf)",
        "scores = np.where(mask, scores, 0.0)",
        "test_words_behind_the_mask_change_nothing",
    ),
    (
        "p (1 - p) for the shares",
        "weights * (grad - (weights * grad).sum(axis=-1, keepdims=True))",
        "weights * (1 - weights) * grad",
        "test_backward_equals_finite_differences",
    ),
]

VARIANTS = [
    (
        "gain forgets the keys",
        '    arrays["w_k"] *= gain\n',
        "",
        "test_the_seed_decides_and_gain_scales_query_and_key_alone",
    ),
    (
        "seeds of variants share nothing",
        "for name, shape in _all_shapes(options).items()",
        "for name, shape in reversed(_all_shapes(options).items())",
        "test_first_numbers_of_the_seed",
    ),
]

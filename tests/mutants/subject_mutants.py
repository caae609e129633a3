"""Mistakes in attention, by blocks too, gradients, training and the models."""

import numpy as np
from planting import mutant

HIDDEN = -np.inf


@mutant("attention:_factor", "test_attention.py")
def scores_are_divided_by_d_k_not_its_root(right, scale, key):
    return right(1 / key.shape[-1] if scale is None else scale, key)


@mutant("attention:softmax", "test_attention.py")
def axis_is_ignored(right, scores, axis=-1):
    return right(scores)


@mutant("attention:softmax_in_place", "test_attention.py")
def no_maximum_is_subtracted(right, scores, axis=-1):
    weights = np.exp(scores, out=scores)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights


@mutant("attention:softmax_in_place", "test_attention.py")
def float16_is_counted_in_float16(right, scores, axis=-1):
    weights = right(scores, axis)
    if weights.dtype == np.float16:
        total = np.add.accumulate(weights, axis=axis, dtype=np.float16)
        weights /= total.take([-1], axis=axis)
    return weights


@mutant("attention:softmax_in_place", "test_attention.py")
def no_key_left_gives_nan(right, scores, axis=-1):
    weights = right(scores, axis)
    empty = weights.sum(axis=axis, keepdims=True) == 0
    return np.where(empty, weights.dtype.type(np.nan), weights)


@mutant(
    "attention:softmax",
    "test_attention.py::test_arguments_are_neither_changed_nor_shared",
)
def softmax_overwrites_its_argument(right, scores, axis=-1):
    weights = right(scores, axis)
    if isinstance(scores, np.ndarray) and scores.flags.writeable:
        scores[...] = weights
    return weights


@mutant("attention:_hide", "test_attention.py")
def hidden_scores_are_only_low(right, scores, mask, is_causal):
    scores = right(scores, mask, is_causal)
    return np.maximum(scores, scores.dtype.type(-30))


@mutant("attention:_hide", "test_attention.py::test_any_batch_equals_torch")
def causal_is_aligned_at_the_bottom_right(right, scores, mask, is_causal):
    scores = right(scores, mask, False)
    if is_causal:
        queries, keys = scores.shape[-2:]
        later = ~np.tri(queries, keys, keys - queries, dtype=bool)
        np.copyto(scores, HIDDEN, where=later)
    return scores


@mutant(
    "attention:view_heads",
    "test_attention.py::test_heads_are_column_slices_in_every_batch",
)
def heads_are_interleaved(right, x, num_heads):
    size = x.shape[-1] // num_heads
    heads = x.reshape(*x.shape[:-1], size, num_heads)
    return np.moveaxis(heads, -1, -3)


@mutant(
    "attention:multi_head_attention",
    "test_gradients.py::test_layer_equals_torch_forward_and_backward",
)
def masks_do_not_reach_the_heads(
    right, *args, mask=None, is_causal=False, **biases
):
    return right(*args, **biases)


@mutant("validation:float_array", "test_bad_arguments.py")
def nan_passes(right, name, value, *, finite=True, **options):
    return right(name, value, finite=False, **options)


@mutant(
    "validation:finite_scores",
    "test_bad_arguments.py::test_scores_that_overflow",
)
def overflow_is_not_noticed(right, *args):
    pass


@mutant(
    "validation:attention_mask",
    "test_bad_arguments.py::test_the_kind_of_error_and_what_it_shows",
)
def integer_masks_are_accepted(right, mask, scores):
    array = np.ma.asarray(mask) if np.ma.isMaskedArray(mask) else mask
    if np.asarray(array).dtype.kind in "iu":
        mask = np.asarray(array).astype(bool)
    return right(mask, scores)


@mutant("validation:attention_mask", "test_bad_arguments.py")
def a_mask_may_enlarge_the_scores(right, mask, scores):
    shape = np.broadcast_shapes(np.shape(mask), scores.shape)
    return right(mask, np.broadcast_to(scores, shape))


@mutant("gradients:_softmax_backward", "test_gradients.py")
def softmax_backward_is_p_times_1_minus_p(right, grad, weights, axis=-1):
    return weights * (1 - weights) * grad


@mutant("gradients:scaled_dot_product_attention_backward", "test_gradients.py")
def mask_is_forgotten_on_the_way_back(right, *args, mask=None, **options):
    return right(*args, **options)


@mutant("blockwise:_attend", "test_blockwise.py")
def nothing_is_rescaled(right, query, key, value, context, *options):
    """What was added up before a higher score came keeps its old measure."""
    is_causal, scale, _, columns = options
    scores = query @ key.T * scale
    if is_causal:
        scores[~np.tri(*scores.shape, dtype=bool)] = -np.inf
    total = 0
    for left in range(0, len(key), columns):
        block = scores[:, left : left + columns]
        highest = scores[:, : left + columns].max(axis=-1, keepdims=True)
        weights = np.exp(block - highest)
        total = total + weights.sum(axis=-1, keepdims=True)
        context += weights @ value[left : left + columns]
    context /= total
    return (highest + np.log(total))[:, 0]


@mutant("blockwise:_score_blocks", "test_blockwise.py")
def blocks_of_the_future_are_computed_and_hidden(
    right, query, key, is_causal, *options
):
    for rows, columns, scores in right(query, key, False, *options):
        if is_causal:
            past = np.tri(*scores.shape, rows.start - columns.start)
            scores[past == 0] = -np.inf
        yield rows, columns, scores


@mutant("blockwise:_add_gradients", "test_blockwise.py")
def the_mean_is_forgotten_on_the_way_back(right, *args):
    *before, context, log_sums, is_causal, scale, rows, columns = args
    options = is_causal, scale, rows, columns
    return right(*before, 0 * context, log_sums, *options)


@mutant("blockwise:_add_gradients", "test_blockwise.py")
def the_table_is_built_after_all(right, grads, query, key, *rest):
    return right(grads, query, key, *rest[:-2], len(query), len(key))


@mutant("training:cross_entropy", "test_training.py")
def loss_is_the_log_of_the_weight_itself(right, logits, labels):
    gradient = right(logits, labels)[1]
    with np.errstate(divide="ignore"):
        weights = np.exp(logits - np.max(logits))  # one shift for all rows
        weights /= weights.sum(axis=1, keepdims=True)
        loss = -np.log(weights[np.arange(len(labels)), labels]).mean()
    return float(loss), gradient


@mutant("training:Adam.step", "test_training.py")
def adam_starts_without_correction(right, self, gradients):
    self.steps += 10**6  # as if the means were filled
    right(self, gradients)
    self.steps -= 10**6


@mutant("training:Batches.__iter__", "test_training.py")
def noise_is_the_same_in_every_epoch(right, self):
    state = self.rng.bit_generator.state
    batches = list(right(self))
    self.rng.bit_generator.state = state
    yield from batches


@mutant("training:fit", "test_training.py")
def the_learning_rate_does_not_fall(right, *args, **options):
    return right(*args, **options | {"linear_decay": False})


@mutant("training:fit", "test_training.py")
def the_stop_button_is_not_told(right, *args, **options):
    history = right(*args, **options)
    history.stopped = False
    return history


@mutant("models.attention_layer:AttentionLayer.forward", "test_models.py")
def padding_attends(right, self, x_query, x, mask, head_mask=None):
    return right(self, x_query, x, mask | True, head_mask)


@mutant("models.attention_layer:AttentionLayer.forward", "test_models.py")
def a_head_that_is_off_still_speaks(
    right, self, x_query, x, mask, head_mask=None
):
    return right(self, x_query, x, mask)


@mutant("models.attention_layer:AttentionLayer.backward", "test_models.py")
def the_words_of_a_layer_pass_no_gradient_down(
    right, self, grad_output, *, words
):
    grads, grad_x_query, grad_x = right(self, grad_output, words=words)
    return grads, grad_x_query, 0 * grad_x if words else None

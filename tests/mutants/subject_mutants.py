"""Mistakes in attention, gradients, layers, training and the models."""

import math

import numpy as np
from planting import mutant

HIDDEN = -np.inf

# attention


@mutant("attention:_factor", "test_attention.py")
def scores_are_divided_by_d_k_not_its_root(right, scale, key):
    return right(1 / key.shape[-1] if scale is None else scale, key)


@mutant("attention:_factor", "test_attention.py")
def scale_0_is_taken_for_none(right, scale, key):
    return right(scale or None, key)


@mutant("attention:softmax", "test_attention.py")
def axis_is_ignored(right, scores, axis=-1):
    return right(scores)


@mutant("attention:_softmax", "test_attention.py")
def no_maximum_is_subtracted(right, scores, axis=-1):
    weights = np.exp(scores, out=scores)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights


@mutant("attention:_softmax", "test_attention.py")
def float16_is_counted_in_float16(right, scores, axis=-1):
    weights = right(scores, axis)
    if weights.dtype == np.float16:
        total = np.add.accumulate(weights, axis=axis, dtype=np.float16)
        weights /= total.take([-1], axis=axis)
    return weights


@mutant("attention:_softmax", "test_attention.py")
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


@mutant("attention:_hide", "test_attention.py")
def causal_is_aligned_at_the_bottom_right(right, scores, mask, is_causal):
    scores = right(scores, mask, False)
    if is_causal:
        queries, keys = scores.shape[-2:]
        later = ~np.tri(queries, keys, keys - queries, dtype=bool)
        np.copyto(scores, HIDDEN, where=later)
    return scores


@mutant(
    "attention:scaled_dot_product_attention",
    "test_attention.py::test_callers_numeric_alarms_stay_silent",
)
def callers_numeric_alarms_go_off(right, *args, **options):
    return right.__wrapped__(*args, **options)


@mutant(
    "attention:_split",
    "test_attention.py::test_heads_are_column_slices_in_every_batch",
)
def heads_are_interleaved(right, x, num_heads):
    size = x.shape[-1] // num_heads
    heads = x.reshape(*x.shape[:-1], size, num_heads)
    return np.moveaxis(heads, -1, -3)


@mutant(
    "attention:multi_head_attention",
    "test_attention.py::test_multi_head_attention_equals_torch",
)
def biases_are_dropped(right, *args, mask=None, is_causal=False, **biases):
    return right(*args, mask=mask, is_causal=is_causal)


@mutant(
    "attention:multi_head_attention",
    "test_attention.py::test_multi_head_attention_equals_torch",
)
def masks_do_not_reach_the_heads(
    right, *args, mask=None, is_causal=False, **biases
):
    return right(*args, **biases)


# validation


@mutant(
    "validation:float_array",
    "test_bad_input.py::test_not_finite_or_without_axes",
)
def nan_passes(right, name, value, *, finite=True, **options):
    return right(name, value, finite=False, **options)


@mutant(
    "validation:float_array",
    "test_attention.py::test_softmax_counts_far_in_float16",
)
def everything_becomes_float64(right, name, value, **options):
    return right(name, value, **options).astype(float)


@mutant(
    "validation:finite_scores",
    "test_bad_input.py::test_scores_that_overflow",
)
def overflow_is_not_noticed(right, *args):
    pass


@mutant(
    "validation:attention_mask",
    "test_bad_input.py::test_mask",
)
def integer_masks_are_accepted(right, mask, scores):
    array = np.ma.asarray(mask) if np.ma.isMaskedArray(mask) else mask
    if np.asarray(array).dtype.kind in "iu":
        mask = np.asarray(array).astype(bool)
    return right(mask, scores)


@mutant("validation:attention_mask", "test_bad_input.py")
def a_mask_may_enlarge_the_scores(right, mask, scores):
    shape = np.broadcast_shapes(np.shape(mask), scores.shape)
    return right(mask, np.broadcast_to(scores, shape))


# gradients


@mutant("gradients:_softmax_backward", "test_gradients.py")
def softmax_backward_is_p_times_1_minus_p(right, grad, weights, axis=-1):
    return weights * (1 - weights) * grad


@mutant("gradients:attention_backward", "test_gradients.py test_models.py")
def scale_argument_is_ignored_on_the_way_back(
    right, grad, query, key, value, weights, scale=None
):
    return right(grad, query, key, value, weights)


@mutant("gradients:scaled_dot_product_attention_backward", "test_gradients.py")
def mask_is_forgotten_on_the_way_back(right, *args, mask=None, **options):
    return right(*args, **options)


@mutant("gradients:_sum_to", "test_gradients.py")
def broadcast_gradients_are_averaged(right, shape, gradient):
    size = math.prod(shape) or 1
    return right(shape, gradient) * size / (gradient.size or 1)


@mutant("gradients:weight_gradient", "test_gradients.py")
def words_are_averaged_not_added_up(right, x, grad_output):
    return right(x, grad_output) / max(1, math.prod(x.shape[:-1]))


@mutant("gradients:_like", "test_gradients.py")
def an_outer_gradient_may_have_any_shape(right, name, gradient, other, array):
    gradient = np.broadcast_to(
        np.asarray(gradient, float).flat[0], array.shape
    )
    return right(name, gradient, other, array)


# layers


@mutant("layers:sinusoidal_positions", "test_layers.py")
def positions_start_at_1(right, length, *args, **options):
    if not isinstance(length, int):
        return right(length, *args, **options)
    return right(length + (length > 0), *args, **options)[1:]


# training


@mutant("training:cross_entropy", "test_training.py")
def loss_is_the_log_of_the_weight_itself(right, logits, labels):
    gradient = right(logits, labels)[1]
    with np.errstate(divide="ignore"):
        weights = np.exp(logits - np.max(logits))  # one shift for all rows
        weights /= weights.sum(axis=1, keepdims=True)
        loss = -np.log(weights[np.arange(len(labels)), labels]).mean()
    return float(loss), gradient


@mutant("training:loss_and_gradient", "test_training.py")
def only_the_last_answer_counts(right, logits, labels, classes):
    gradient = right(logits, labels, classes)[1]
    last = logits[:, -classes[-1] :]
    return right(last, labels[:, -1:], classes[-1:])[0], gradient


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


@mutant(
    "validation:real_number",
    "test_training.py::test_a_loss_that_is_nan_is_noticed_whoever_computes_it",
)
def a_number_may_be_nan(right, name, value):
    return value if name == "loss" else right(name, value)


# models


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


@mutant("models.classifier:AttentionClassifier._together", "test_models.py")
def the_query_passes_no_gradient_down(right, self, i, grad_x_query, grad_x):
    return right(self, i, 0 * grad_x_query, grad_x)


@mutant(
    "models.classifier:AttentionClassifier.add_gradients", "test_models.py"
)
def a_tied_matrix_learns_from_one_use(right, self, found, i, grads):
    tied = self.options["scoring"] == "tied"
    return right(self, found | {"w_k": 0} if tied else found, i, grads)


@mutant(
    "models.classifier:AttentionClassifier.add_gradients", "test_models.py"
)
def frozen_matrices_learn(right, self, found, i, grads):
    if self.options["scoring"] == "frozen":
        grads |= {self._name(name, i): g for name, g in found.items()}
    else:
        right(self, found, i, grads)


@mutant(
    "models.classifier:AttentionClassifier._draw",
    "test_models.py::test_the_seed_decides_and_gain_scales_query_and_key_alone",
)
def gain_is_ignored(right, self, rng, gain):
    right(self, rng, gain)
    return right(self, rng, 1.0)


@mutant(
    "models.probe:LinearProbe.predict",
    "test_models.py::test_linear_probe_recovers_a_linear_rule_and_counts",
)
def the_probe_forgets_its_bias(right, self, features):
    kept, self.bias = self.bias, 0 if self.weight is not None else None
    found = right(self, features)
    self.bias = kept
    return found

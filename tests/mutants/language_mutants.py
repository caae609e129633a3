"""Mistakes in layers, the block, the language model and generation."""

import numpy as np
from planting import mutant

GRADIENTS = "test_language_model.py::test_gradients_of_the_language_model"


@mutant("layers:layer_norm", "test_layers.py::test_layer_norm_is_torchs")
def variance_of_a_sample(right, x, gain, bias, eps=1e-5):
    x = np.asarray(x, float)
    centered = x - x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True, ddof=1)
    return centered / np.sqrt(variance + eps) * gain + bias


@mutant(
    "layers:layer_norm_backward", "test_layers.py::test_layer_norm_is_torchs"
)
def mean_and_variance_are_taken_for_constants(
    right, grad_output, x, gain, eps=1e-5
):
    _, grad_gain, grad_bias = right(grad_output, x, gain, eps)
    spread = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return grad_output * gain / spread, grad_gain, grad_bias


@mutant(
    "layers:feed_forward_backward",
    "test_layers.py::test_feed_forward_is_torchs",
)
def relu_lets_everything_back(right, grad_output, x, w_1, b_1, w_2):
    _, *rest = right(grad_output, x, w_1, b_1, w_2)
    return grad_output @ w_2.T @ w_1.T, *rest


@mutant("layers:feed_forward", "test_layers.py::test_feed_forward_is_torchs")
def nothing_is_cut_off_at_0(right, x, w_1, b_1, w_2, b_2):
    return (x @ w_1 + b_1) @ w_2 + b_2


@mutant("layers:embed_backward", "test_layers.py::test_embedding_is_torchs")
def the_last_of_equal_words_counts(right, grad_output, tokens, num_words):
    table = np.zeros((num_words, grad_output.shape[-1]))
    table[tokens] = grad_output
    return table


@mutant(
    "models.block:Block.forward",
    "test_language_model.py::test_block_is_torchs_encoder_layer",
)
def norm_comes_after_the_sum(right, self, x, mask=None, cache=None):
    self.pre_norm = not self.pre_norm
    return right(self, x, mask, cache)


@mutant(
    "models.block:Block.forward",
    "test_language_model.py"
    "::test_block_without_norms_or_residual_is_made_of_torchs_parts",
)
def the_sum_is_made_all_the_same(right, self, x, mask=None, cache=None):
    self.residual = True
    return right(self, x, mask, cache)


@mutant(
    "models.block:check_parameters",
    "test_language_model.py::test_bad_parameters_are_named",
)
def any_shape_is_let_in(right, parameters, d):
    right({}, d)
    return parameters


@mutant("models.block:Block._norm_back", GRADIENTS)
def the_norm_is_passed_over_on_the_way_back(
    right, self, which, x, grad, grads
):
    right(self, which, x, grad, grads)
    return grad


@mutant("models.block:Block.backward", GRADIENTS)
def the_residual_path_carries_no_gradient(right, self, grad):
    found, grads = right(self, grad)
    return found - grad, grads


@mutant(
    "models.language_model:LanguageModel._loss",
    "test_language_model.py::test_loss_is_the_mean_over_the_words_that_are_there",
)
def padding_is_predicted_too(right, self, tokens, noise=0):
    return right(self, np.where(tokens < 0, 0, tokens), noise)


@mutant(
    "models.language_model:LanguageModel._check_cache",
    "test_generation.py::test_nothing_can_be_kept_without_a_causal_mask",
)
def any_cache_will_do(right, self, cache):
    return len(cache)


@mutant(
    "generation:next_word_probabilities",
    "test_generation.py::test_probabilities_by_hand",
)
def temperature_multiplies(right, logits, *, temperature=1.0, top_k=None):
    return right(logits, temperature=1 / temperature, top_k=top_k)


@mutant(
    "generation:KeyValueCache.__len__",
    "test_generation.py::test_the_cache_gives_the_same_numbers",
)
def positions_begin_anew(right, self):
    return 0


@mutant(
    "generation:KeyValueCache.layer",
    "test_generation.py::test_the_cache_gives_the_same_numbers",
)
def layers_share_one_cache(right, self, i):
    return right(self, 0)


@mutant(
    "generation:_check_length", "test_generation.py::test_bad_input_is_named"
)
def too_long_a_prompt_is_let_in(right, given, max_words, max_length):
    return None


@mutant(
    "tasks.agreement:Grammar.entropy",
    "test_agreement.py::test_all_sentences_together_have_probability_1_and_the_entropy",
)
def prepositions_are_forgotten(right, self):
    return right(self) - np.log(len(self.prepositions))


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
    "experiments.language:next_word_logits",
    "test_language_runs.py::test_causal_loss_by_hand_and_only_the_words_before_are_read",
)
def the_model_sees_the_next_word(right, model, texts):
    return right(model, [[*words, "the"] for words in texts])


@mutant(
    "experiments.stored.stack_runs:rate_at",
    "test_inside_block.py::test_the_step_size_rises_and_falls_on_lines",
)
def no_warm_up_is_made(right, step, peak, steps, warm_up):
    return right(step, peak, steps, 0)


@mutant(
    "experiments.token_counting:as_batch",
    "test_inside_block.py"
    "::test_batches_hide_the_asker_unless_it_is_a_reference",
)
def the_asker_is_always_a_key(right, kind, *texts):
    x, position, mask, labels = right(kind, *texts)
    mask[:, 0] = True
    return x, position, mask, labels


@mutant(
    "experiments.stored.mask_after_softmax_runs:MaskAfterSoftmaxBlock.attend_backward",
    "test_inside_block.py::test_gradients_with_the_late_mask",
)
def the_late_mask_is_forgotten_on_the_way_back(right, self, grad_context):
    from helpers.gradients import attention_backward

    return attention_backward(grad_context, *self.heads, self.weights)


@mutant(
    "experiments.stored.verb_table_runs:OwnWordBlock.attend",
    "test_inside_block.py::test_without_mixing_each_word_reads_itself_only",
)
def without_mixing_all_words_are_averaged(
    right, self, query, key, value, mask, is_causal
):
    _, weights = right(self, query, key, value, mask, is_causal)
    return value.mean(axis=-2, keepdims=True) + 0 * value, weights

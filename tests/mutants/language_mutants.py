"""Mistakes in layers, the block, the language model, its text, the encoder."""

import numpy as np
from planting import mutant

from helpers.models.block_variants import PostNormBlock

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
    "models.block:Block.forward",
    "test_language_model.py::test_block_is_torchs_encoder_layer",
)
def norm_comes_after_the_sum(right, self, x, mask=None, cache=None):
    return PostNormBlock.forward(self, x, mask, cache)


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


@mutant("models.encoder:Encoder._batch", "test_encoder.py")
def padding_is_read_as_words(right, self, texts):
    tokens, ids, mask = right(self, texts)
    return tokens, ids, np.ones_like(mask)


@mutant("models.encoder:_hidden", "test_encoder.py")
def nothing_is_hidden(right, hide, mask):
    return np.zeros_like(right(hide, mask))

"""Mistakes in the pretrained encoder and the layers that it needs."""

import numpy as np
from planting import mutant


@mutant("layers:gelu", "test_encoder.py::test_gelu_is_that_of_torch")
def gelu_by_a_hyperbolic_tangent(right, x):
    right(x)
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + np.tanh(inner))


@mutant(
    "models.encoder:encoder_block",
    "test_encoder.py::test_a_head_switched_off_adds_nothing",
)
def the_head_beside_it_is_switched_off(right, x, parameters, **options):
    if options.get("head_mask") is not None:
        options["head_mask"] = np.roll(options["head_mask"], 1)
    return right(x, parameters, **options)


@mutant("models.encoder:Encoder._batch", "test_encoder.py")
def padding_is_read_as_words(right, self, texts):
    tokens, ids, mask = right(self, texts)
    return tokens, ids, np.ones_like(mask)


@mutant("models.encoder:_hidden", "test_encoder.py")
def nothing_is_hidden(right, hide, mask):
    return np.zeros_like(right(hide, mask))

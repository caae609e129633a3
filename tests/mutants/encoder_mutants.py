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


RUNS = "test_encoder_runs.py::test_"


@mutant(
    "experiments.encoder_measures:same_sense",
    RUNS + "the_nearest_row_of_the_same_word_decides",
)
def rows_of_other_words_count(right, rows, words, senses):
    right(rows, words, senses)
    return right(rows, ["one"] * len(words), senses)


@mutant(
    "experiments.encoder_measures:sentence_vectors",
    RUNS + "rows_of_words_and_texts_are_looked_up_by_hand",
)
def padding_is_averaged(right, output):
    return right(output._replace(mask=np.ones_like(output.mask)))


@mutant("tasks.relations:relations", RUNS + "relations_join_the_right_words")
def the_last_noun_is_the_object(right, count, seed):
    texts, pairs = right(count, seed)
    last = [len(text.split()) - 1 for text in texts]
    pairs["verb → object"][:, 2] = last
    pairs["object → verb"][:, 1] = last
    return texts, pairs


@mutant(
    "models.encoder:_head_mask",
    "test_encoder.py::test_a_head_switched_off_adds_nothing",
)
def heads_are_counted_down(right, head_mask):
    found = right(head_mask)
    return found if head_mask is None else found[:, ::-1]

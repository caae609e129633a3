"""Text out of a model, and the cache that changes nothing but the time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.experiments.published import MODELS, cache_bytes
from helpers.generation import KeyValueCache, generate, next_word_probabilities
from helpers.models import LanguageModel

WORDS = (".", "the", "dogs", "eat", "near")


def model(**options):
    vectors = np.random.default_rng(5).standard_normal((5, 8))
    options = dict(hidden=12, num_heads=2, max_length=20, layers=2) | options
    return LanguageModel(WORDS, vectors, **options)


class Fixed:
    """A model by hand: after any word the same logits."""

    vocabulary, max_length = WORDS, None

    def __init__(self, logits):
        self.fixed = np.array(logits, float)

    def ids(self, words):
        return [WORDS.index(word) for word in words]

    def logits(self, tokens):
        return np.tile(self.fixed, (len(tokens), 1))


def test_probabilities_by_hand():
    logits = np.log([1.0, 2.0, 4.0])
    plain = next_word_probabilities(logits)
    assert plain == pytest.approx([1 / 7, 2 / 7, 4 / 7])
    cold = next_word_probabilities(logits, temperature=0.5)
    assert cold == pytest.approx([1 / 21, 4 / 21, 16 / 21])
    two = next_word_probabilities(logits[None], top_k=2)
    assert two[0] == pytest.approx([0, 1 / 3, 2 / 3])
    assert next_word_probabilities([0, 0, 0], top_k=1).tolist() == [1, 0, 0]
    rows = next_word_probabilities([[0, 1], [5000, 5001]], temperature=1e-306)
    assert rows.tolist() == [[0, 1], [0, 1]]
    cold = next_word_probabilities([0, 0.01], temperature=0.005)
    assert cold[1] == pytest.approx(1 / (1 + np.exp(-2)))


def test_words_are_drawn_as_often_as_they_are_probable():
    fixed = Fixed(np.log([0.1, 0.2, 0.3, 0.4, 1e-9]))
    text = generate(fixed, ["the"], max_words=4000, stop=None)
    shares = [np.mean([word == w for word in text]) for w in WORDS]
    assert shares == pytest.approx([0.1, 0.2, 0.3, 0.4, 0], abs=0.03)
    best = generate(fixed, "the dogs", max_words=3, stop=None, top_k=1)
    assert best == ["the", "dogs", "eat", "eat", "eat"]


def test_a_text_ends_with_the_stop_word_or_after_max_words():
    always = Fixed([9.0, -99, -99, -99, -99])
    assert generate(always, "the") == ["the", "."]
    assert len(generate(always, "the", max_words=3, stop="near")) == 4
    longest = generate(model(), "the", max_words=19, stop=None)
    assert len(longest) == model().max_length
    assert generate(model(), "the", seed=3) == generate(model(), "the", seed=3)


def test_the_model_reads_the_start_and_the_prompt_which_stays():
    fixed, prompt, seen = Fixed([0, 0, 9, 0, 0]), ["the", "dogs"], []
    logits = fixed.logits
    fixed.logits = lambda tokens: seen.append([*tokens]) or logits(tokens)
    assert generate(fixed, prompt, max_words=2, top_k=1)[2:] == ["dogs"] * 2
    assert prompt == ["the", "dogs"]
    assert seen == [[0, 1, 2], [0, 1, 2, 2]]  # numbers of ".", "the", …


@pytest.mark.parametrize("shape", [(12,), (3, 12)])
def test_the_cache_gives_the_same_numbers(shape):
    made = model()
    tokens = np.random.default_rng(0).integers(0, 5, shape)
    at_once, cache = made.logits(tokens), KeyValueCache(made)
    pieces = [
        made.logits(tokens[..., start:end], cache=cache)
        for start, end in ((0, 4), (4, 5), (5, 10), (10, 12))
    ]
    together = np.concatenate(pieces, axis=-2)
    assert_allclose(together, at_once, rtol=0, atol=1e-12)
    assert len(cache) == 12
    assert cache.keys[1].shape == (*shape[:-1], 2, 12, 4)


def test_the_cache_draws_the_same_words_and_reads_each_once(monkeypatch):
    made, seen = model(), []
    logits = made.logits
    plain = [generate(made, "the dogs", seed=s) for s in range(30)]

    def watched(tokens, cache=None):
        seen.append(len(tokens))
        return logits(tokens, cache=cache)

    monkeypatch.setattr(made, "logits", watched)
    cached = [
        generate(made, "the dogs", seed=s, use_cache=True) for s in range(30)
    ]
    assert cached == plain
    assert set(seen) == {3, 1}
    assert seen.count(3) == 30


def test_nothing_can_be_kept_without_a_causal_mask():
    open_one = model(is_causal=False)
    with pytest.raises(ValueError, match="model: without a causal mask"):
        KeyValueCache(open_one)
    with pytest.raises(ValueError, match="model: without a causal mask"):
        generate(open_one, "the", use_cache=True)
    made, other = model(), model(seed=1)
    with pytest.raises(ValueError, match="cache: it belongs to another"):
        made.logits([0, 1], cache=KeyValueCache(other))


def test_the_words_in_the_cache_count():
    made = model(max_length=9)
    cache = KeyValueCache(made)
    made.logits([0] * 5, cache=cache)
    with pytest.raises(ValueError, match="tokens: 10 words.* for 9"):
        made.logits([0] * 5, cache=cache)
    assert made.logits([0] * 4, cache=cache).shape == (4, 5)


@pytest.mark.parametrize(("layers", "heads", "words"), [(2, 4, 9), (3, 2, 5)])
def test_bytes_of_a_cache_are_those_of_its_arrays(layers, heads, words):
    made = model(layers=layers, num_heads=heads)
    cache = KeyValueCache(made)
    made.logits(np.zeros(words, int), cache=cache)
    held = sum(array.nbytes for array in cache.keys + cache.values)
    assert cache_bytes(words, layers, heads, 8 // heads, 8) == held


PUBLISHED = {  # numbers in the released files
    "GPT-2 XL": 1_557_611_200,
    "Falcon 7B": 6_921_720_704,
    "Llama 2 7B": 6_738_415_616,
    "Llama 2 70B": 68_976_648_192,
    "Llama 3 8B": 8_030_261_248,
}


def test_the_sizes_of_published_models_give_their_parameters():
    assert MODELS.keys() == PUBLISHED.keys()
    for name, m in MODELS.items():
        assert_allclose(m.parameters, PUBLISHED[name], rtol=0.002)

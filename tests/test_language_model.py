"""The block and the language model against torch and themselves."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch import nn

from helpers.experiments import language
from helpers.generation import next_word_probabilities
from helpers.models import (
    LanguageBatches,
    LanguageModel,
    block_parameters,
    transformer_block,
    transformer_block_backward,
)
from helpers.models.block import Block
from helpers.models.block_variants import (
    BlockWithoutSums,
    ModelWithoutSums,
    PostNormBlock,
    PostNormModel,
)
from helpers.tasks import agreement
from helpers.torch_bridge import convert

X = np.random.default_rng(0).standard_normal((2, 5, 8))
GRAD = np.random.default_rng(1).standard_normal((2, 5, 8))


def parameters():
    """No gain is 1, no bias is 0."""
    rng = np.random.default_rng(2)
    drawn = block_parameters(8, 12)
    return {
        name: array + 0.3 * rng.standard_normal(array.shape)
        for name, array in drawn.items()
    }


def causal(length=5):
    return nn.Transformer.generate_square_subsequent_mask(
        length, dtype=torch.float64
    )


@pytest.mark.parametrize("is_causal", [True, False])
@pytest.mark.parametrize("kind", [Block, PostNormBlock])
def test_block_is_torchs_encoder_layer(is_causal, kind):
    block = kind(parameters(), 2, is_causal=is_causal)
    ours = block.forward(X)
    module = convert.to_encoder_layer(2, parameters())
    module.norm_first = kind is Block
    x = torch.tensor(X, requires_grad=True)
    theirs = module(x, src_mask=causal() if is_causal else None)
    theirs.backward(torch.tensor(GRAD))
    assert_allclose(ours, theirs.detach(), rtol=0, atol=1e-12)
    grad_x, grads = block.backward(GRAD)
    assert_allclose(grad_x, x.grad, rtol=0, atol=1e-12)
    found = dict(module.named_parameters())
    for name, ours in convert.TORCH_NAMES.items():
        expected = found.pop(f"self_attn.{name}").grad
        stacked = np.concatenate([grads.pop(n).T for n in ours])
        assert_allclose(stacked, expected, rtol=0, atol=1e-12)
    for name, ours in convert.LAYER_NAMES.items():
        expected = found.pop(name).grad
        assert_allclose(grads.pop(ours).T, expected, rtol=0, atol=1e-12)
    assert not grads and not found


@pytest.mark.parametrize("is_causal", [True, False])
def test_the_functions_are_the_block(is_causal):
    given, options = (X, parameters(), 2), {"is_causal": is_causal}
    block = Block(*given[1:], **options)
    output, weights = transformer_block(*given, **options)
    assert_allclose(output, block.forward(X), atol=1e-15)
    assert weights.shape == (2, 2, 5, 5)
    assert (np.triu(weights, 1) == 0).all() == is_causal
    grad_x, grads = transformer_block_backward(GRAD, *given, **options)
    expected = block.backward(GRAD)
    assert_allclose(grad_x, expected[0], atol=1e-15)
    assert grads.keys() == expected[1].keys()


@pytest.mark.parametrize("gone", ["w_q", "w_1"])
def test_a_part_that_is_taken_away_adds_nothing(gone):
    left = block_parameters(
        8, 12, attention=gone != "w_q", feed_forward=gone != "w_1"
    )
    silent = block_parameters(8, 12)
    for name in ("w_o", "b_o") if gone == "w_q" else ("w_2", "b_2"):
        silent[name] = silent[name] * 0
    with_part, _ = transformer_block(X, silent, 2)
    without, weights = transformer_block(X, left, 2)
    assert_allclose(without, with_part, rtol=0, atol=1e-12)
    assert (weights is None) == (gone == "w_q")
    grad_with, all_grads = transformer_block_backward(GRAD, X, silent, 2)
    grad_x, grads = transformer_block_backward(GRAD, X, left, 2)
    assert_allclose(grad_x, grad_with, rtol=0, atol=1e-12)
    assert grads.keys() == left.keys() < all_grads.keys()


@pytest.mark.parametrize("kind", [Block, BlockWithoutSums])
@pytest.mark.parametrize("norm", [True, False])
def test_block_without_norms_or_sums_is_made_of_torchs_parts(norm, kind):
    drawn = parameters()
    module = convert.to_encoder_layer(2, drawn)
    if not norm:
        drawn = {n: a for n, a in drawn.items() if n[:2] not in ("ga", "bi")}
        module.norm1 = module.norm2 = nn.Identity()
    x = torch.tensor(X)
    read = module.norm1(x)
    attended, _ = module.self_attn(read, read, read, attn_mask=causal())
    keep = kind is Block
    x = keep * x + attended
    x = keep * x + module._ff_block(module.norm2(x))
    block = kind(drawn, 2, is_causal=True)
    assert_allclose(block.forward(X), x.detach(), rtol=0, atol=1e-12)


WORDS = (".", "the", "dogs", "eat", "near")
TOKENS = np.array([[0, 1, 2, 3, 0], [0, 1, 2, -1, -1]])


def model(kind=LanguageModel, **options):
    vectors = np.random.default_rng(5).standard_normal((5, 8))
    options = dict(hidden=12, num_heads=2, max_length=9, layers=2) | options
    made = kind(WORDS, vectors, **options)
    rng = np.random.default_rng(6)
    for array in made.parameters.values():
        array += 0.3 * rng.standard_normal(array.shape)
    return made


VARIANTS = {
    "two layers": {},
    "no attention": dict(attention=False),
    "no feed-forward": dict(feed_forward=False),
    "without the mask": dict(is_causal=False),
    "post-norm": dict(kind=PostNormModel),
    "no layer norm": dict(norm=False),
    "no residual": dict(kind=ModelWithoutSums),
}


@pytest.mark.parametrize("options", VARIANTS.values(), ids=[*VARIANTS])
def test_gradients_of_the_language_model(options, check_slopes):
    noise = np.random.default_rng(7).standard_normal((2, 4, 8))
    check_slopes(model(**options), TOKENS, noise)


def test_loss_is_the_mean_over_the_words_that_are_there():
    made = model()
    chances = next_word_probabilities(made.logits(TOKENS[0, :4]))
    parts = [chances[i, TOKENS[0, i + 1]] for i in range(4)]
    parts += [chances[i, TOKENS[1, i + 1]] for i in range(2)]
    assert made.loss(TOKENS) == pytest.approx(-np.log(parts).mean())


@pytest.mark.parametrize("is_causal", [True, False])
def test_the_filler_behind_a_sentence_changes_nothing(is_causal):
    made = model(is_causal=is_causal)
    loss, grads = made.loss_and_gradients(TOKENS[1:])
    alone, expected = made.loss_and_gradients(TOKENS[1:, :3])
    assert loss == pytest.approx(alone, abs=1e-12)
    for name, gradient in grads.items():
        assert_allclose(gradient, expected[name], rtol=0, atol=1e-12)


def test_without_norms_there_is_no_last_one():
    assert not model(norm=False).parameters.keys() & {"gain", "bias"}


def test_without_the_mask_a_later_word_moves_all_before_it():
    made = model(is_causal=False)
    one, other = (made.logits([0, 1, 2, last])[:3] for last in (3, 4))
    assert np.abs(one - other).min() > 1e-6


def test_batches_bring_all_sentences_and_new_noise():
    tokens = np.arange(14).reshape(7, 2)
    batches = LanguageBatches(tokens, 3, seed=0, batch_size=4)
    first, second = list(batches), list(batches)
    seen = np.concatenate([tokens for tokens, _ in first])
    assert sorted(seen[:, 0]) == list(range(0, 14, 2))
    assert [noise.shape for _, noise in first] == [(4, 1, 3), (3, 1, 3)]
    assert (first[0][1] != second[0][1]).all()
    assert (first[0][0] != second[0][0]).any()  # in another order
    drawn = [n.std() for _, n in LanguageBatches(tokens, 999, seed=0)]
    assert drawn[0] == pytest.approx(0.5, abs=0.02)


# --- measures, on models whose numbers are known -----------------------------


GRAMMAR = agreement.Grammar(
    nouns={"animate": (("dog", "dogs"),), "plant": (("tree", "trees"),)},
    verbs={"animate": (("eats", "eat"),), "plant": (("grows", "grow"),)},
    prepositions=("near",),
)
FEW = GRAMMAR.words()


class Knows:
    """Gives every word of `chances` its probability, whatever it reads."""

    vocabulary, max_length = FEW, None

    def __init__(self, **chances):
        self.row = np.log([chances.get(word, 1e-12) for word in FEW])
        self.read = []

    def ids(self, words):
        return np.array([FEW.index(word) for word in words])

    def logits(self, tokens):
        self.read += [[FEW[i] for i in row] for row in np.atleast_2d(tokens)]
        return np.broadcast_to(self.row, (*tokens.shape, len(FEW)))


def test_causal_loss_by_hand_and_only_the_words_before_are_read():
    model = Knows(the=0.5, dog=0.25, eats=0.125, near=0.125)
    sentences = ["the dog eats near".split(), ["the", "the"]]
    found = language.causal_loss(model, sentences)
    halvings = 1 + 2 + 3 + 3 + 1 + 1
    assert found == pytest.approx(np.log(2) * halvings / 6)
    texts = sorted(model.read, key=len)
    assert texts[:2] == [["."], ["."]]
    assert texts[-1] == [".", "the", "dog", "eats"]
    assert len(texts) == 6


def test_causal_loss_of_a_causal_model_is_its_loss():
    seed = 3
    grammar, _, vocabulary, _ = language.material(seed)
    vectors = agreement.word_vectors(grammar, vocabulary)
    model = language.LanguageModel(vocabulary, vectors, seed=seed, hidden=8)
    held_out = grammar.sentences(20, 5)
    tokens = agreement.token_array(held_out, vocabulary)
    at_once = model.loss(tokens)
    assert language.causal_loss(model, held_out) == pytest.approx(at_once)


def test_verbs_after_a_text_by_hand():
    singular = Knows(eats=0.3, grows=0.3, eat=0.2, grow=0.1, near=0.1)
    sentences = [
        "the dog eats .".split(),  # right; 0.3 of 0.9
        "the trees near the dog grow .".split(),  # wrong; 0.1 of 0.9
    ]
    number, verb = language.verb_after(singular, GRAMMAR, sentences)
    assert number == 0.5
    assert verb == pytest.approx((1 / 3 + 1 / 9) / 2)


def test_surprises_are_those_of_each_next_word():
    model = language.Bigram([["the", "dog", "."], ["the", "dog"]], FEW, 0.5)
    found = language.surprises(model, ["the", "dog"], "dog", ".")
    shares = np.exp(model.logits(model.ids([".", "the", "dog"])))
    came = model.ids(["the", "dog", "dog", "."])
    wanted = shares[[0, 1, 2, 2], came]
    assert_allclose(np.exp(np.negative(found)), wanted)


def test_bigrams_are_counted():
    model = language.Bigram([["the", "dog", "."], ["the", "dog"]], FEW, 0.5)
    row = np.exp(model.logits(model.ids(["the"])))[0]
    total = 2 + 0.5 * len(FEW)
    assert row[FEW.index("dog")] == pytest.approx(2.5 / total)
    assert row[FEW.index("eat")] == pytest.approx(0.5 / total)
    assert row.sum() == pytest.approx(1)
    after = np.exp(model.logits(model.ids(["dog"])))[0]
    assert after[0] == pytest.approx(1.5 / (1 + 0.5 * len(FEW)))

"""The pretrained encoder against BertModel's stored numbers, and its doors."""

import json

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import safe_open
from safetensors.numpy import load_file
from test_tasks import FITS

from helpers import tasks
from helpers.attention import multi_head_attention
from helpers.embeddings import data_file, vectors
from helpers.experiments import encoder_measures
from helpers.experiments.stored import encoder_runs
from helpers.layers import gelu
from helpers.models import EncoderOutput, encoder_block, load_encoder

REFERENCE = data_file("encoder_reference.safetensors")
TEXT = "we sat on the bank"


@pytest.fixture(scope="module")
def model():
    return load_encoder()


@pytest.fixture(scope="module")
def reading(model):
    return model.read(TEXT)


def test_all_layers_are_those_of_the_reference(model):
    stored = load_file(REFERENCE)
    with safe_open(REFERENCE, "np") as file:
        texts = json.loads(file.metadata()["texts"])
    for i, text in enumerate(texts):
        found = model.read(text)
        assert_array_equal(model.tokenize(text)[1], stored[f"{i}.ids"])
        assert found.hidden.dtype == np.float32
        for name in ("hidden", "weights"):
            expected = stored[f"{i}.{name}"]
            assert_allclose(getattr(found, name), expected, rtol=0, atol=1e-5)


def test_word_rows_are_those_of_the_earlier_notebooks(model):
    ids = model.tokenize("river")[1]
    assert_array_equal(model.words[ids[1:2]], vectors(["river"]))


def test_a_batch_reads_each_text_as_it_is_alone(model, reading):
    both = model.read([TEXT, TEXT + " and watched the water"])
    length = len(reading.tokens)
    assert both.tokens[0] == reading.tokens
    assert_array_equal(both.mask.sum(axis=1), [length, length + 4])
    assert_allclose(both.hidden[:, 0, :length], reading.hidden, atol=1e-5)
    assert both.weights[:, 0, ..., length:].max() == 0


def test_a_hidden_position_gets_no_weight(model, reading):
    found = model.read(TEXT, hide=[0, 2])
    assert found.weights[..., [0, 2]].max() == 0
    assert found.weights.sum(axis=-1) == pytest.approx(1)
    one = np.zeros((2, len(reading.tokens)), bool)
    one[1, 3] = True
    pair = model.read([TEXT, TEXT], hide=one)
    assert pair.weights[:, 1, ..., 3].max() == 0
    assert_allclose(pair.hidden[:, 0], reading.hidden, atol=1e-5)


def test_a_head_switched_off_adds_nothing(model, reading):
    """W_O mixes the contexts joined: a head off is its rows of W_O gone."""
    heads = np.ones((6, 12))
    heads[2, 5] = 0
    found = model.read(TEXT, head_mask=heads)
    assert_array_equal(found.hidden[:3], reading.hidden[:3])
    block = dict(model.blocks[2])
    block["w_o"] = block["w_o"].copy()
    block["w_o"][5 * 32 : 6 * 32] = 0
    expected, _ = encoder_block(reading.hidden[2], block)
    assert_allclose(found.hidden[3], expected, atol=1e-6)
    assert abs(found.hidden[3] - reading.hidden[3]).max() > 0.01


def test_another_attention_can_take_its_place(model, reading):
    calls = []

    def attend(x, *matrices, **options):
        calls.append(x.shape)
        return multi_head_attention(x, *matrices, **options)

    found = model.read(TEXT, attend=attend)
    assert calls == [(1, 7, 384)] * 6
    assert_array_equal(found.hidden, reading.hidden)


def test_gelu_is_that_of_torch():
    x = np.linspace(-9, 9, 2001)
    expected = torch.nn.functional.gelu(torch.from_numpy(x))
    assert_allclose(gelu(x), expected, rtol=0, atol=1e-6)
    assert gelu(x.astype(np.float32)).dtype == np.float32
    with pytest.raises(TypeError, match="x: expected real numbers"):
        gelu("high")


# --- what notebook 09 asks of it ---------------------------------------------


def test_senses_are_eight_sentences_of_each():
    found = tasks.senses()
    words, senses, texts = zip(*found, strict=True)
    assert len({*texts}) == len(texts) == 128
    assert len({*words}) == 8
    for i, (word, sense, text) in enumerate(found):
        assert text.split().count(word) == 1
        assert sense == i // 8 % 2 and word == words[i // 16 * 16]
    tokens = [load_encoder().tokenize(text)[0] for text in texts]
    assert all(t.count(w) == 1 for t, w in zip(tokens, words, strict=True))


def test_relations_join_the_right_words():
    texts, pairs = tasks.relations(60, 3)
    lexicon = tasks.load_lexicon()
    persons = {pair[0] for pair in lexicon.nouns["person"]}
    nouns = {p[0] for pairs in lexicon.nouns.values() for p in pairs}
    assert tuple(pairs) == tasks.RELATIONS
    for name, right in {
        "the → its noun": lambda a, b: a == "the" and b in nouns,
        "verb → subject": lambda a, b: (
            a in lexicon.transitive_verbs and b in persons
        ),
        "verb → object": lambda a, b: (
            a in lexicon.transitive_verbs and b in nouns
        ),
    }.items():
        for i, query, key in pairs[name]:
            words = texts[i].split()
            assert right(words[query], words[key]), (name, texts[i])
    for name, other in [
        ("the → its noun", "noun → its the"),
        ("verb → object", "object → verb"),
        ("verb → subject", "subject → verb"),
    ]:
        assert (pairs[name][:, ::-1][:, :2] == pairs[other][:, 1:]).all()
    verb, target = pairs["verb → object"][:, 1:].T
    between = [
        texts[i].split()[verb[i] + 1 : target[i]] for i in range(len(texts))
    ]
    for words in between:  # the object is the first noun after the verb
        assert words[0] == "the" and {*words[1:]} <= {*lexicon.adjectives}
    assert len(pairs["the → its noun"]) == sum(
        text.split().count("the") for text in texts
    )
    assert tasks.relations(60, 3)[0] == texts != tasks.relations(60, 4)[0]


def test_the_nearest_row_of_the_same_word_decides():
    rows = np.array([[1, 0], [9, 1], [0, 1], [1, 8], [5, 0.1], [0.1, 3]])
    words = ["a", "a", "a", "a", "b", "b"]
    senses = [0, 0, 1, 0, 0, 0]
    found = encoder_measures.same_sense(rows, words, senses)
    assert found.tolist() == [True, True, False, False, True, True]

    def the_next(rows):
        return np.roll(np.arange(len(rows)), -1)

    found = encoder_measures.same_sense(rows, words, senses, the_next)
    assert found.tolist() == [True, False, False, True, True, True]


def test_rows_of_words_and_texts_are_looked_up_by_hand():
    hidden = np.arange(12.0).reshape(1, 2, 3, 2)
    mask = np.array([[True, True, True], [True, True, False]])
    output = EncoderOutput([["[", "a", "]"], ["[", "b"]], hidden, None, mask)
    rows = encoder_measures.word_rows(output, ["]", "b"])
    assert rows.tolist() == [[[4.0, 5.0], [8.0, 9.0]]]
    vectors = encoder_measures.sentence_vectors(output)
    expected = np.array([[2.0, 3.0], [7.0, 8.0]])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors == pytest.approx(expected)


def test_scores_are_scaled_in_a_copy_of_the_model():
    model, text = load_encoder(), "the old nurse calls"
    read = model.read(text)
    flat = encoder_measures.with_scores_times(model, 0).read(text).weights
    assert flat == pytest.approx(np.full_like(flat, 1 / flat.shape[-1]))
    same = encoder_measures.with_scores_times(model, 1).read(text)
    assert (same.hidden == model.read(text).hidden).all()
    scores, tokens = encoder_measures.asking(model, 2)(text)
    assert tokens == read.tokens
    assert np.exp(scores) == pytest.approx(read.weights[1], abs=1e-3)


def test_a_bank_is_compared_with_all_banks_that_are_known():
    model = load_encoder()
    words, senses, texts = zip(*tasks.senses(), strict=True)
    rows = encoder_measures.word_rows(model.read(texts), words)[-1]
    banks = [at for at, word in enumerate(words) if word == "bank"]
    found = encoder_measures.banks(model, texts[banks[3]], rows)
    assert len(found) == len(banks) == 16
    cosine, side, text = found[0]
    assert cosine == pytest.approx(1, abs=1e-5) and text == texts[banks[3]]
    assert side == ("river", "money")[senses[banks[3]]]


def test_rows_of_another_library_are_nearly_the_same():
    hidden = load_encoder().read("we sat on the bank and watched the water")
    rows = [*hidden.hidden.reshape(7, 11, 384)]
    assert encoder_measures.gap_to_reference(rows) < 1e-5
    rows[3] = rows[3] + 1
    assert encoder_measures.gap_to_reference(rows) > 0.5


def test_between_words_nothing_else_gets_weight():
    output = load_encoder().read(["the old nurse calls", "a bat"])
    weights = encoder_measures.between_words(output)
    assert weights.shape == (6, 2, 12, 5, 5)
    assert (weights[:, 0, ..., :4] == output.weights[:, 0, :, 1:, 1:5]).all()
    assert (weights[:, 1, ..., :2] == output.weights[:, 1, :, 1:, 1:3]).all()
    assert not weights[:, 0, ..., 4:].any()
    assert not weights[:, 1, ..., 2:].any()


def test_the_control_of_the_probe_is_a_noun_that_could_be_needed():
    lexicon = tasks.load_lexicon()
    rng = np.random.default_rng(1)
    part = tasks.which_noun(lexicon, 50, rng, balanced=True)
    found = encoder_runs._number_of_another(part)
    rows = zip(
        part.words, part.nouns, part.numbers, part.evidence, strict=True
    )
    for number, (words, places, numbers, needed) in zip(
        found, rows, strict=True
    ):
        could = [
            n
            for place, n in zip(places, numbers, strict=True)
            if place != needed and words[place] in FITS
        ]
        assert len(could) == 2 and number == could[0]


def test_a_text_without_the_word_is_named():
    output = load_encoder().read(["the banks of the river"])
    with pytest.raises(ValueError, match="no token 'bank' in 'the banks of"):
        encoder_measures.word_rows(output, ["bank"])

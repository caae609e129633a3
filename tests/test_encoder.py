"""The pretrained encoder against BertModel's stored numbers, and its doors."""

import json

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import safe_open
from safetensors.numpy import load_file

from helpers.attention import multi_head_attention
from helpers.embeddings import data_file, vectors
from helpers.layers import gelu
from helpers.models import encoder_block, load_encoder

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


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ("", ValueError, "texts is empty"),
        ([], ValueError, "texts is empty"),
        (["a cat", " "], ValueError, r"texts\[1\] is empty"),
        (["a cat", 3], TypeError, r"texts\[1\] must be a string"),
        ("a cat \U0001f600", ValueError, "texts holds '\U0001f600', unknown"),
        ("word " * 511, ValueError, "texts: 513 tokens, .* 512 positions"),
    ],
)
def test_bad_texts_are_named(model, texts, error, message):
    with pytest.raises(error, match=message):
        model.read(texts)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"hide": 7}, ValueError, "hide: positions are 0 to 6, got 7"),
        ({"hide": -1}, ValueError, "hide: positions are 0 to 6"),
        ({"hide": 1.5}, TypeError, "hide: expected positions"),
        ({"hide": [True]}, ValueError, r"hide: expected shape \(1, 7\)"),
        ({"head_mask": np.ones((12, 6))}, ValueError, r"head_mask: .*12, 6"),
        ({"head_mask": "all"}, TypeError, "head_mask"),
    ],
)
def test_bad_options_are_named(model, options, error, message):
    with pytest.raises(error, match=message):
        model.read(TEXT, **options)


def test_gelu_is_that_of_torch():
    x = np.linspace(-9, 9, 2001)
    expected = torch.nn.functional.gelu(torch.from_numpy(x))
    assert_allclose(gelu(x), expected, rtol=0, atol=1e-6)
    assert gelu(x.astype(np.float32)).dtype == np.float32
    with pytest.raises(TypeError, match="x: expected real numbers"):
        gelu("high")

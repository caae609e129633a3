"""What notebook 09 and its trial room measure in the pretrained encoder."""

import numpy as np
import pytest

from helpers import tasks
from helpers.attention import multi_head_attention
from helpers.experiments import (
    encoder_heads,
    encoder_measures,
    sense_controls,
    sink_controls,
    weight_controls,
)
from helpers.models import load_encoder

TEXTS = ["the old nurse calls", "a bat"]


@pytest.fixture(scope="module")
def output():
    return load_encoder().read(TEXTS)


def test_pairs_of_sentences_differ_in_the_clue_alone():
    pairs = tasks.clue_pairs()
    assert len({pair[2:4] for pair in pairs}) == 128
    model = load_encoder()
    for word, clue, sentence, donor, sense in pairs:
        both = sentence.split(), donor.split()
        other = [b for a, b in zip(*both, strict=True) if a != b]
        assert len(other) == 1 and both[0][both[1].index(other[0])] == clue
        assert both[0].count(word) == both[0].count(clue) == 1
        assert sense in (0, 1)
        for words in both:  # one token for each word
            assert model.tokenize(" ".join(words))[0][1:-1] == words
    senses = {(pair[0], pair[1]): pair[4] for pair in pairs}
    assert senses["bank", "river"] == senses["palm", "beach"] == 1


def test_the_nearest_known_row_of_the_same_word_gives_the_sense():
    known = [[1, 0], [0, 1], [1, 1]], ["a", "a", "b"], [0, 1, 0]
    rows = np.array([[3.0, 1.0], [1.0, 9.0], [0.0, 1.0]])
    found = encoder_measures.nearest_sense(rows, ["a", "a", "b"], known)
    assert found.tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match=r"words: no row of \['c'\]"):
        encoder_measures.nearest_sense(rows[:1], ["c"], known)


def test_weight_on_the_right_word_and_on_no_word():
    weights = np.array([[[0.5, 0.25], [0.1, 0.2]], [[0.0, 0.75], [1.0, 0.0]]])
    pairs = np.array([[0, 0, 1], [1, 0, 1]])
    right, nothing = encoder_measures.weight_on(weights, pairs)
    assert right == pytest.approx(0.5)
    assert nothing == pytest.approx(0.25)


def test_a_shuffled_encoder_has_the_numbers_of_the_trained_one():
    model, shuffled = load_encoder(), sense_controls.shuffled_encoder(0)
    assert shuffled.words is model.words
    for name, array in model.blocks[5].items():
        found = shuffled.blocks[5][name]
        assert found.shape == array.shape and (found != array).any()
        assert (np.sort(found, axis=None) == np.sort(array, axis=None)).all()


def test_a_silent_token_keeps_its_weight_and_gives_nothing(output):
    model, token = load_encoder(), np.zeros(output.mask.shape, bool)
    same = model.read(TEXTS, attend=sink_controls.silence(token))
    np.testing.assert_allclose(same.hidden, output.hidden, atol=1e-5)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 3, 4))
    matrices = [rng.normal(size=(4, 4)) for _ in range(4)]
    biases = {name: np.zeros(4) for name in ("b_q", "b_k", "b_v", "b_o")}
    silent = sink_controls.silence(np.array([[True, False, False]]))
    context, weights = silent(x, *matrices, 1, **biases)
    _, expected = multi_head_attention(x, *matrices, 1, **biases)
    np.testing.assert_allclose(weights, expected)
    without = expected[0, 0, :, 1:] @ (x[0] @ matrices[2])[1:] @ matrices[3]
    np.testing.assert_allclose(context[0], without)
    scaled = sink_controls.silence(
        np.array([[True, False, False]]), rescale=True
    )
    context, _ = scaled(x, *matrices, 1, **biases)
    rest = expected[0, 0, :, 1:].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(context[0], without / rest)
    with pytest.raises(TypeError, match=r"token: expected booleans \(B, T\)"):
        sink_controls.silence(np.array([0, 1]))


def test_harm_is_that_of_the_head_that_is_off(output):
    found = encoder_heads.harm(output)
    assert found.shape == (6, 12) and (found > -1e-6).all()
    kept = np.ones((6, 12))
    kept[2, 5] = 0
    changed = load_encoder().read(TEXTS, head_mask=kept)
    cosine = encoder_measures.text_cosine(changed, output)
    assert found[2, 5] == pytest.approx(1 - cosine, abs=1e-5)
    one = encoder_heads.first_texts(output, 1)
    assert one.hidden.shape[1] == len(one.mask) == len(one.tokens) == 1


def test_each_head_is_measured_at_the_relation_that_was_chosen():
    chosen_on = np.zeros((7, 6, 12))
    chosen_on[3, 1, 2] = 1
    measured_on = np.arange(7.0)[:, None, None] * np.ones((7, 6, 12))
    found, relation = encoder_heads.tidiness(chosen_on, measured_on)
    assert found[1, 2] == relation[1, 2] == 3
    assert not np.delete(found.ravel(), 14).any()


def test_norms_add_up_to_the_output_for_one_head_alone(output):
    norms = encoder_heads.norm_added(output)
    p, x, a = load_encoder().blocks[0], output.hidden[0], output.weights[0]
    value = (x @ p["w_v"] + p["b_v"])[..., :32]
    added = np.linalg.norm(a[:, 0] @ value @ p["w_o"][:32], axis=-1)
    assert norms[0, 0] == pytest.approx(added[output.mask].mean(), rel=1e-5)
    on_words = encoder_heads.weight_on_words(output)
    expected = 1 - output.weights[3, :, 4][..., 0][output.mask].mean()
    assert on_words[3, 4] == pytest.approx(expected)


def test_ranks_share_what_is_equal():
    assert encoder_heads.rank_correlation([1, 5, 2, 9], [10, 30, 20, 90]) == 1
    assert encoder_heads.rank_correlation([1, 2, 3], [9, 5, 1]) == -1
    assert encoder_heads._ranks([4, 1, 4, 9]).tolist() == [2.5, 1, 2.5, 4]
    two = np.array([[1, 2, 3], [3, 2, 1]])
    assert encoder_heads.inside_blocks(two, two[:1].repeat(2, axis=0)) == 0


def test_moved_weight_is_counted_once():
    old, new = np.array([[0.5, 0.5, 0.0]]), np.array([[0.0, 0.5, 0.5]])
    assert weight_controls.moved(new, old) == 0.5


def test_the_blind_never_see_the_needed_noun():
    examples = tasks.load("which_noun", 1000).test
    hidden = weight_controls.hide_needed(examples)
    needed = examples.sentences.evidence
    assert not np.take_along_axis(hidden.mask, needed, axis=1).any()
    assert hidden.mask.sum() == examples.mask.sum() - len(needed)
    sentences = examples.sentences
    votes = np.zeros(examples.mask.shape)
    signs = 2.0 * sentences.numbers - 1
    np.put_along_axis(votes, sentences.nouns, signs, axis=1)
    assert weight_controls.rules_without_the_noun(sentences, votes) == (1, 1)

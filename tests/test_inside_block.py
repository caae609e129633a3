"""What trial room 06b trains: stacks, counters, late masks, facts, two_hop."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.attention import softmax
from helpers.experiments import token_counting as counting
from helpers.experiments.stored import mask_after_softmax_runs as late_mask
from helpers.experiments.stored import stack_runs as stacks
from helpers.experiments.stored import two_hop_runs as two_hop
from helpers.experiments.stored import verb_table_runs as verb_table
from helpers.models import (
    LanguageModel,
    block_parameters,
    block_parts,
    transformer_block,
)
from helpers.models.block import Block
from helpers.models.block_variants import ModelWithoutPositions
from helpers.tasks import agreement, load_lexicon
from helpers.tasks.two_answers import COLORS


def test_the_step_size_rises_and_falls_on_lines():
    found = [stacks.rate_at(step, 2.0, 10, 4) for step in range(10)]
    assert found[:4] == pytest.approx([0.4, 0.8, 1.2, 1.6])
    assert found[4:] == pytest.approx([2, 2 * 5 / 6, 8 / 6, 1, 4 / 6, 2 / 6])
    plain = [stacks.rate_at(step, 1.0, 4, 0) for step in range(4)]
    assert plain == pytest.approx([1, 0.75, 0.5, 0.25])


@pytest.mark.parametrize("norm", stacks.NORMS)
def test_stacks_take_as_many_steps_as_asked(norm, monkeypatch):
    *words, sentences = stacks.language.material(5)
    few = *words, sentences[:60]
    monkeypatch.setattr(stacks.language, "material", lambda seed: few)
    model, losses = stacks.train_blocks(norm, 8e-3, seed=5, steps=5, layers=1)
    assert len(losses) == 5  # more than one epoch
    assert model.num_layers == 1 and type(model) is stacks.NORMS[norm]


def test_texts_have_the_number_and_the_fraction():
    is_a, there, number, others = counting.draw([2, 3], [1, 4], 400, 0)
    assert (is_a.sum(axis=1) == number).all()
    assert (there.sum(axis=1) == number * (1 + others)).all()
    assert not (is_a & ~there).any()
    assert set(zip(number.tolist(), others.tolist(), strict=True)) == {
        (2, 1),
        (2, 4),
        (3, 1),
        (3, 4),
    }
    where = is_a[number * (1 + others) == 15].mean(axis=0)
    assert_allclose(where, 3 / 15, atol=0.16)  # mixed


@pytest.mark.parametrize("kind", counting.KINDS)
def test_batches_hide_the_asker_unless_it_is_a_reference(kind):
    texts = counting.draw([1, 2], [1], 50, 1)
    x, position, mask, labels = counting.as_batch(kind, *texts)
    question, reference, _ = counting.KINDS[kind]
    assert (mask[:, 0] == reference).all()
    assert (mask[:, 1:] == texts[1]).all()
    assert (position == 0).all() and (x[:, 0] == x[0, 0]).all()
    wanted = texts[2] - 1 if question == "number" else np.zeros(50)
    assert (labels[:, 0] == wanted).all()


def late_masked(**options):
    vectors = np.random.default_rng(5).standard_normal((5, 8))
    return late_mask.MaskAfterSoftmaxModel(
        [*".abcd"], vectors, hidden=6, num_heads=2, **options
    )


def test_gradients_with_the_late_mask(check_slopes):
    made = late_masked(layers=2, max_length=5)
    check_slopes(made, np.array([[0, 1, 2, 3, 0], [0, 4, 2, -1, -1]]))
    assert (np.triu(made.weights[0], 1) == 0).all()
    sums = made.weights[0].sum(axis=-1)  # (sentences, heads, T)
    assert (sums[0, :, :-1] < 0.999).all()


def test_the_late_mask_hides_the_filler_in_time():
    made = late_masked()
    short, long = np.array([[0, 4, 2]]), np.array([[0, 4, 2, -1, -1]])
    assert made.loss(long) == pytest.approx(made.loss(short), abs=1e-12)


def test_facts_are_one_verb_for_each_noun():
    table = verb_table.verb_table(0)
    counts = np.unique([*table.values()], return_counts=True)[1]
    assert counts.max() - counts.min() <= 1
    assert table != verb_table.verb_table(1)
    drawn = verb_table.sentences(table, 300, 0)
    assert {len(words) for words in drawn} == {4, 7, 10}
    assert all(words[-2] == table[words[1]] for words in drawn)
    assert set(sum(drawn, [])) <= set(agreement.whole().words())


def test_without_mixing_each_word_reads_itself_only():
    x = np.random.default_rng(6).standard_normal((4, 8))
    block = block_parameters(8, 6, seed=7)
    made = verb_table.OwnWordBlock(block, 2, is_causal=True)
    alone = [transformer_block(row[None], block, 2)[0][0] for row in x]
    assert_allclose(made.forward(x), alone, atol=1e-12)
    grammar = agreement.whole()
    vectors = agreement.word_vectors(grammar, grammar.words())
    model = LanguageModel(grammar.words(), vectors, hidden=8)
    verb_table.without(model, "mixing off", 0)
    assert model.block_class is Block  # as before


def test_hops_end_in_the_number_or_the_color_of_the_noun():
    lexicon = load_lexicon()
    texts, labels = two_hop.draw(lexicon, 40, 0)
    last = [words[-1] for words in texts]
    assert {*last} == {*two_hop.NUMBERS, *COLORS}
    for words, word, (number, color) in zip(texts, last, labels, strict=True):
        assert len(words) == 11 and words[-3] == "will"
        assert word in (two_hop.NUMBERS[number], COLORS[color])


def test_a_hop_model_learns_its_last_words_only(check_slopes):
    vectors = np.random.default_rng(8).standard_normal((6, 8))
    model = two_hop.HopModel([*"abcdef"], vectors, hidden=4, num_heads=2)
    assert "gain" not in model.parameters
    tokens = np.array([[0, 1, 2, 3], [0, 2, 1, 4]])
    logits = model.logits(tokens[:, :-1])[:, -1]  # (2, 6)
    by_hand = -np.log(softmax(logits)[[0, 1], [3, 4]]).mean()
    assert model.loss(tokens) == pytest.approx(by_hand)
    check_slopes(model, tokens)


def test_a_block_in_parts_is_the_block():
    rng = np.random.default_rng(4)
    x, own = rng.standard_normal((3, 5, 8)), block_parameters(8, 6, seed=rng)
    norm_1, attend, norm_2, feed_forward = block_parts(own | {"more": x}, 2)
    stream = x + attend(norm_1(x))
    expected, _ = transformer_block(x, own, 2)
    assert_allclose(stream + feed_forward(norm_2(stream)), expected)


def test_without_positions_order_is_lost_at_the_last_word():
    vectors = np.random.default_rng(0).standard_normal((6, 8))
    model = ModelWithoutPositions(list("abcdef"), vectors, feed_forward=False)
    one, other = (
        model.logits(np.array(ids)) for ids in ([0, 1, 2], [1, 0, 2])
    )
    assert_allclose(one[-1], other[-1])
    _, gradients = model.loss_and_gradients(np.array([[0, 1, 2, 3]]))
    assert not gradients["positions"].any()

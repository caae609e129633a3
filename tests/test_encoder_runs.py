"""What notebook 07 asks of the encoder: sentences and measures."""

import numpy as np
import pytest

from helpers import tasks
from helpers.experiments import encoder_measures
from helpers.experiments.stored import encoder_runs
from helpers.models import EncoderOutput, load_encoder


def test_senses_are_eight_sentences_of_each():
    found = tasks.senses()
    words, senses, texts = zip(*found, strict=True)
    assert len({*texts}) == len(texts) == 128
    assert len({*words}) == 8
    for i, (word, sense, text) in enumerate(found):
        assert text.split().count(word) == 1
        assert sense == i // 8 % 2 and word == words[i // 16 * 16]
    tokens = load_encoder().read(texts).tokens
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
    found = encoder_measures.same_sense(rows, words, [0, 0, 1, 0, 0, 0])
    assert found.tolist() == [True, True, False, False, True, True]


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
    kinds = {
        form: name
        for name, categories in tasks.WHO_CAN.items()
        for category in categories
        for pair in lexicon.nouns[category]
        for form in pair
    }
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
            if place != needed and words[place] in kinds
        ]
        assert len(could) == 2 and number == could[0]


def test_a_text_without_the_word_is_named():
    output = load_encoder().read(["the banks of the river"])
    with pytest.raises(ValueError, match="no token 'bank' in 'the banks of"):
        encoder_measures.word_rows(output, ["bank"])

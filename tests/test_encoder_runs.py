"""What notebook 07 asks of the encoder: sentences, measures, stored runs."""

import json

import numpy as np
import pytest
import write_encoder_runs as tool
from rows import write_rows

from helpers import tasks
from helpers.experiments import SEEDS, encoder_runs
from helpers.models import Reading, load_encoder


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
    found = encoder_runs.same_sense(rows, words, [0, 0, 1, 0, 0, 0])
    assert found.tolist() == [True, True, False, False, True, True]


def test_rows_of_words_and_texts_are_looked_up_by_hand():
    hidden = np.arange(12.0).reshape(1, 2, 3, 2)
    mask = np.array([[True, True, True], [True, True, False]])
    reading = Reading([["[", "a", "]"], ["[", "b"]], hidden, None, mask)
    rows = encoder_runs.word_rows(reading, ["]", "b"])
    assert rows.tolist() == [[[4.0, 5.0], [8.0, 9.0]]]
    vectors = encoder_runs.sentence_vectors(reading)
    expected = np.array([[2.0, 3.0], [7.0, 8.0]])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors == pytest.approx(expected)


def test_between_words_nothing_else_gets_weight():
    reading = load_encoder().read(["the old nurse calls", "a bat"])
    weights = encoder_runs.between_words(reading)
    assert weights.shape == (6, 2, 12, 5, 5)
    assert (weights[:, 0, ..., :4] == reading.weights[:, 0, :, 1:, 1:5]).all()
    assert (weights[:, 1, ..., :2] == reading.weights[:, 1, :, 1:, 1:3]).all()
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


def test_stored_runs_come_out_again():
    runs = encoder_runs.load_runs()
    for heads, stored in [
        ([], runs["none"]),
        (encoder_runs.random_heads(12, SEEDS[0]), runs["random"]["12"][0]),
    ]:
        found = encoder_runs.without(heads)
        assert found.shape == (2, 128)
        assert found.mean(axis=1) == pytest.approx(stored, abs=0.012)
    assert np.shape(runs["alone"]) == (6, 12)
    few, many = (f"probe, {count} sentences" for count in encoder_runs.TRAIN)
    assert np.shape(runs[many]["needed"]) == (len(SEEDS), 7)
    for name, found in encoder_runs.probe(SEEDS[0], 300).items():
        assert found == pytest.approx(runs[few][name][0], abs=0.02)


def test_the_words_that_choose_heads_do_not_measure(monkeypatch):
    words = np.array([word for word, *_ in tasks.senses()])
    asked = []

    def without(heads):
        asked.append(list(heads))
        return np.stack([np.arange(128), words == "bank"])

    monkeypatch.setattr(encoder_runs, "without", without)
    alike = np.ones((2, 128, 6, 12))
    alike[1, :32, 0, 0] = 0  # only the first two words need the first head
    alike[1, :32, 5, 11] = 2
    monkeypatch.setattr(tool, "_alike", lambda: alike)
    monkeypatch.setattr(tool, "COUNTS", [71])
    first, second, *_ = tool.rows()["chosen by word"]()[71]
    assert {*words[:32]} == {"bank", "bat"}
    assert first == [79.5, 0] and second[1] == pytest.approx(1 / 6, abs=1e-4)
    assert asked[0][0] == 71 and 0 not in asked[0]
    assert 0 in asked[1] and 71 not in asked[1]


def test_the_tool_writes_what_is_stored(tmp_path, monkeypatch):
    runs = encoder_runs.load_runs()
    of_seed = {seed: i for i, seed in enumerate(SEEDS)}

    def probe(seed, count):
        row = runs[f"probe, {count} sentences"]
        return {name: row[name][of_seed[seed]] for name in row}

    alone = np.tile(runs["alone"], (2, 128, 1, 1))
    for name, fake in {
        "without_each_head": lambda: alone,
        "without": lambda heads: np.tile([[0.5], [0.25]], 128),
        "probe": probe,
    }.items():
        monkeypatch.setattr(encoder_runs, name, fake)
    write_rows(tool.FILE, tool.rows(), folder=tmp_path)
    written = json.loads((tmp_path / "encoder_runs.json").read_text())
    assert written.keys() == runs.keys()
    for name in ("alone", *(n for n in runs if n.startswith("probe"))):
        assert written[name] == runs[name]
    for name, count in {"random": 5, "chosen by word": 4}.items():
        assert written[name]["36"] == [[0.5, 0.25]] * count
    assert encoder_runs.random_heads(60, 1, layers=5).max() == 59


def test_a_text_without_the_word_is_named():
    reading = load_encoder().read(["the banks of the river"])
    with pytest.raises(ValueError, match="no token 'bank' in 'the banks of"):
        encoder_runs.word_rows(reading, ["bank"])

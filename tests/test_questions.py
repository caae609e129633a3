"""Other questions about the same sentences keep the sentences."""

import numpy as np

from helpers import questions, tasks


def test_labeled_nouns_say_what_the_words_are():
    words, kind, number = questions.labeled_nouns(tasks.load_lexicon())
    at = words.index
    assert len(words) == len(set(words)) == len(kind) == len(number)
    for word, name, plural in (
        ("dog", "animate", 0),
        ("trains", "vehicle", 1),
        ("flower", "plant", 0),
        ("guitars", "none", 1),
    ):
        assert questions.KINDS[kind[at(word)]] == name
        assert number[at(word)] == plural


def test_the_other_noun_is_one_that_no_verb_fits():
    task = tasks.load_task(0, train_count=50, test_count=50)
    asked = questions.ask_for_the_other_noun(task.test)
    words, kind, number = questions.labeled_nouns(tasks.load_lexicon())
    for sentence, target, label in zip(
        asked.sentences.words,
        asked.sentences.targets[:, 0],
        asked.sentences.labels[:, 0],
        strict=True,
    ):
        place = words.index(sentence[target])
        assert questions.KINDS[kind[place]] == "none"
        assert number[place] == label
    before = task.test.sentences
    assert not (before.targets == asked.sentences.targets).any()
    np.testing.assert_array_equal(asked.x, task.test.x)
    assert asked.sentences.words == before.words

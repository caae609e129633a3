"""Sentences with two questions say what their labels claim."""

import numpy as np
import pytest

from helpers import embeddings, relations, tasks

GRAMMARS = relations.GRAMMARS.items()


def sentences(name, count=300):
    lexicon, _ = tasks.load_lexicon().split(0)
    grammar = relations.GRAMMARS[name]
    return grammar(lexicon, count, np.random.default_rng(0))


def facts():
    """{noun: (category, number)} of all nouns."""
    return {
        form: (category, number)
        for category, pairs in tasks.load_lexicon().nouns.items()
        for pair in pairs
        for number, form in enumerate(pair)
    }


@pytest.mark.parametrize("name, grammar", GRAMMARS)
def test_places_are_what_they_are_called(name, grammar):
    known, found = facts(), sentences(name)
    classes = relations.CLASSES[name]
    assert found.labels.shape == found.targets.shape == (300, 2)
    assert (found.labels >= 0).all() and (found.labels < classes).all()
    for i, words in enumerate(found.words):
        places = [place for place in found.nouns[i] if place >= 0]
        nouns = [j for j, word in enumerate(words) if word in known]
        assert places == nouns
        numbers = [known[words[place]][1] for place in places]
        assert list(found.numbers[i][: len(places)]) == numbers
        assert (found.numbers[i][len(places) :] == -1).all()
        assert words[found.query[i]] not in known


def test_who_acts_stands_before_the_verb_and_whom_after():
    known, found = facts(), sentences("who_whom")
    verbs = set(tasks.load_lexicon().transitive_verbs)
    for i, words in enumerate(found.words):
        query, (who, whom) = found.query[i], found.targets[i]
        assert words[query] in verbs and who < query < whom
        assert known[words[who]][1] == 0  # one who "calls"
        places = [place for place in found.nouns[i] if place >= 0]
        assert who == places[0]
        assert whom == next(place for place in places if place > query)
        categories = [known[words[place]][0] for place in (who, whom)]
        assert categories == [relations.CATEGORIES[k] for k in found.labels[i]]


@pytest.mark.parametrize("name", ["subject_and_previous", "two_hop"])
def test_the_verb_fits_one_noun_only(name):
    known, found = facts(), sentences(name)
    kinds = tasks.load_lexicon().verbs.items()
    for i, words in enumerate(found.words):
        (kind,) = (k for k, verbs in kinds if words[-1] in verbs)
        assert words[-2] == "will" and found.query[i] == len(words) - 1
        fitting = [
            place
            for place in found.nouns[i]
            if known[words[place]][0] in tasks.WHO_CAN[kind]
        ]
        assert fitting == [found.targets[i, 0]]
        assert found.labels[i, 0] == known[words[fitting[0]]][1]


def test_the_last_noun_is_two_words_back_and_never_the_one_needed():
    known, found = facts(), sentences("subject_and_previous")
    assert (found.targets[:, 1] == found.query - 2).all()
    assert (found.targets[:, 0] < found.targets[:, 1]).all()
    for words, labels in zip(found.words, found.labels, strict=True):
        assert labels[1] == known[words[-3]][1]


def test_the_color_stands_before_its_noun_and_all_three_are_there():
    found = sentences("two_hop")
    assert (found.targets[:, 1] == found.targets[:, 0] - 1).all()
    for words, target, label in zip(
        found.words, found.targets[:, 1], found.labels[:, 1], strict=True
    ):
        assert words[target] == relations.COLORS[label]
        assert sorted(w for w in words if w in relations.COLORS) == sorted(
            relations.COLORS
        )


@pytest.mark.parametrize("name, grammar", GRAMMARS)
def test_answers_are_balanced_and_do_not_tell_each_other(name, grammar):
    labels = sentences(name, 4000).labels
    for answer, classes in enumerate(relations.CLASSES[name]):
        shares = np.bincount(labels[:, answer], minlength=classes) / 4000
        assert np.abs(shares - 1 / classes).max() < 0.03
    agree = labels[:, 0] == labels[:, 1]
    assert abs(agree.mean() - 1 / max(relations.CLASSES[name])) < 0.03


def test_task_repeats_and_holds_words_out():
    first = relations.load_relations("two_hop", 5, train_count=50)
    relations.load_relations.cache_clear()
    again = relations.load_relations("two_hop", 5, train_count=50)
    assert np.array_equal(first.train.x, again.train.x)
    nouns = [
        {w for words in part.sentences.words for w in words} & facts().keys()
        for part in (first.train, first.test)
    ]
    assert not nouns[0] & nouns[1]


def test_nobody_is_asked_what_a_homograph_is():
    forms = {
        form
        for pairs in tasks.load_lexicon().nouns.values()
        for pair in pairs
        for form in pair
        if pair[0] in relations.LEFT_OUT["who_whom"]
    }
    task = relations.load_relations("who_whom", 3)
    for part in (task.train, task.test):
        assert not forms & set().union(*part.sentences.words)


def test_positions_are_added_to_words_only():
    plain = relations.load_relations("who_whom", 3, train_count=9, positions=0)
    where = relations.load_relations("who_whom", 3, train_count=9)
    added = where.train.x - plain.train.x
    assert not added[~where.train.mask].any()
    assert added[0, 0, :4] == pytest.approx([0, 1.5, 0, 1.5])
    assert added[0, 1] == pytest.approx(added[1, 1])


def test_names_and_colors():
    with pytest.raises(ValueError, match="two_hop"):
        relations.load_relations("three_hop", 0)
    assert embeddings.vectors(list(relations.COLORS)).shape == (3, 384)
    with pytest.raises(ValueError, match="count"):
        sentences("two_hop", 0)

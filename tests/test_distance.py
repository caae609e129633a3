"""Sentences with the right noun at a chosen distance."""

import pytest
from numpy.testing import assert_array_equal

from helpers import distance, tasks


@pytest.fixture(scope="module")
def lexicon():
    return tasks.load_lexicon()


@pytest.mark.parametrize("between", [0, 1, 4, 6])
def test_late_sentences(rng, lexicon, between):
    found = distance.noun_phrases(
        lexicon, 60, rng, asked="late", phrases=7, between=between
    )
    classes = {
        word: name
        for name, categories in tasks.WHO_CAN.items()
        for category in categories
        for pair in lexicon.nouns[category]
        for word in pair
    }
    for words, place, query in zip(
        found.words, found.targets[:, 0], found.query, strict=True
    ):
        assert query == len(words) - 1 == place + 3 * between + 2
        assert words[-2] == "will"
        kinds = [classes.get(word) for word in words[:-2]]
        asked = kinds[place]
        assert words[-1] in lexicon.verbs[asked]
        assert sorted(filter(None, kinds)) == sorted(tasks.WHO_CAN)


def test_early_sentences(rng, lexicon):
    found = distance.noun_phrases(lexicon, 20, rng, asked="early", phrases=4)
    assert (found.targets == 1).all() and (found.query == 12).all()
    assert all(words[-2:] == ["will", "be"] for words in found.words)


@pytest.mark.parametrize("asked", ["late", "early"])
def test_grammar_does_not_tell_which_noun_counts(rng, lexicon, asked):
    found = distance.noun_phrases(lexicon, 30, rng, asked=asked, phrases=5)
    for words, nouns in zip(found.words, found.nouns, strict=True):
        assert [words[i - 1] for i in nouns] == ["the"] * 5
        assert all(words[i - 2] in lexicon.prepositions for i in nouns[1:])
        assert words[0] == "the"


def test_labels_are_the_numbers_of_the_right_nouns(rng, lexicon):
    found = distance.noun_phrases(
        lexicon, 80, rng, asked="late", phrases=6, balanced=True
    )
    plurals = {b for pairs in lexicon.nouns.values() for _, b in pairs}
    right = [w[t] for w, t in zip(found.words, found.targets[:, 0])]  # noqa: B905
    said = [int(word in plurals) for word in right]
    assert_array_equal(found.labels[:, 0], said)
    assert (found.numbers.sum(axis=1) == 3).all()
    assert 0.3 < found.labels.mean() < 0.7


@pytest.mark.parametrize(
    "wrong",
    [
        dict(asked="never"),
        dict(phrases=2),
        dict(between=5),
        dict(between=-1),
        dict(count=0),
    ],
    ids=str,
)
def test_impossible_sentences(rng, lexicon, wrong):
    options = dict(count=3, asked="late", phrases=5) | wrong
    with pytest.raises(ValueError, match=next(iter(wrong)) + "|phrases"):
        distance.noun_phrases(lexicon, options.pop("count"), rng, **options)


def test_distance_task_holds_nouns_out():
    task = distance.load_task("late", 2, count=40, each_distance=10)
    plain = {"the", "will", "be"}

    def nouns(examples):
        s = examples.sentences
        return {
            words[i]
            for words, row in zip(s.words, s.nouns, strict=True)
            for i in row[row >= 0]
        }

    assert tuple(task.test) == distance.BETWEEN
    for examples in task.test.values():
        assert not nouns(task.train) & (nouns(examples) | plain)
    assert len(task.train.x) == 40

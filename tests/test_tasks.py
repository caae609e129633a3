"""Sentences say what their labels claim, and test words are never seen."""

import numpy as np
import pytest

from helpers import embeddings, tasks


def test_every_word_is_one_vocabulary_entry():
    lexicon = tasks.load_lexicon()
    words = [*lexicon.words(), *lexicon.adjectives]
    words += lexicon.transitive_verbs
    assert embeddings.vectors(words).shape == (len(words), 384)


def test_no_word_has_two_roles():
    lexicon = tasks.load_lexicon()
    forms = [f for group in lexicon.nouns.values() for p in group for f in p]
    verbs = [verb for group in lexicon.verbs.values() for verb in group]
    words = forms + verbs + list(lexicon.prepositions)
    assert len(words) == len(set(words))


@pytest.mark.parametrize("hold_out_verbs", [False, True])
def test_split_shares_no_noun_and_loses_none(hold_out_verbs):
    lexicon = tasks.load_lexicon()
    train, test = lexicon.split(3, hold_out_verbs=hold_out_verbs)
    for category, pairs in lexicon.nouns.items():
        assert not set(train.nouns[category]) & set(test.nouns[category])
        both = train.nouns[category] + test.nouns[category]
        assert sorted(both) == sorted(pairs)
        assert len(test.nouns[category]) >= 2
    for name, verbs in lexicon.verbs.items():
        if hold_out_verbs:
            both = train.verbs[name] + test.verbs[name]
            assert sorted(both) == sorted(verbs)
        else:
            assert train.verbs[name] == test.verbs[name] == verbs


def number_of(word, lexicon):
    for pairs in lexicon.nouns.values():
        for singular, plural in pairs:
            if word in (singular, plural):
                return int(word == plural)
    raise AssertionError(f"{word} is no noun of this lexicon")


@pytest.mark.parametrize("balanced", [False, True])
def test_labels_are_the_number_of_the_noun_the_verb_needs(balanced):
    lexicon, _ = tasks.load_lexicon().split(0)
    rng = np.random.default_rng(0)
    found = tasks.which_noun(lexicon, 200, rng, balanced=balanced)
    for i, words in enumerate(found.words):
        target = words[found.targets[i, 0]]
        verb = words[found.query[i]]
        assert found.query[i] == len(words) - 1 and words[-2] == "will"
        (kind,) = (k for k, v in lexicon.verbs.items() if verb in v)
        fitting = [
            form
            for category in tasks.WHO_CAN[kind]
            for pair in lexicon.nouns[category]
            for form in pair
        ]
        nouns = [words[place] for place in found.nouns[i]]
        assert [noun for noun in nouns if noun in fitting] == [target]
        numbers = [number_of(noun, lexicon) for noun in nouns]
        assert list(found.numbers[i]) == numbers
        assert found.labels[i, 0] == number_of(target, lexicon)
        assert not balanced or sum(numbers) == 2


def test_sentences_read_as_described():
    """Four times "the noun", all but the subject after a preposition."""
    lexicon = tasks.load_lexicon()
    found = tasks.which_noun(lexicon, 100, np.random.default_rng(0))
    for i, words in enumerate(found.words):
        expected = []
        for place in found.nouns[i]:
            if place != found.targets[i, 0]:
                assert words[place - 2] in lexicon.prepositions
                expected.append(words[place - 2])
            expected += ["the", words[place]]
        assert words == [*expected, "will", words[-1]]


def test_numbers_are_independent_unless_balanced():
    lexicon = tasks.load_lexicon()
    found = tasks.which_noun(lexicon, 400, np.random.default_rng(0))
    plurals = np.bincount(found.numbers.sum(axis=1), minlength=5) / 400
    np.testing.assert_allclose(
        plurals, np.array([1, 4, 6, 4, 1]) / 16, atol=0.06
    )


def test_all_words_are_listed():
    lexicon = tasks.load_lexicon()
    found = tasks.which_noun(lexicon, 2000, np.random.default_rng(0))
    used = {word for words in found.words for word in words}
    assert used <= set(lexicon.words())
    assert {"the", "will", *lexicon.prepositions} <= used
    assert lexicon.words() == sorted(set(lexicon.words()))


def test_nouns_are_taken_out_in_both_forms():
    lexicon = tasks.load_lexicon()
    smaller = lexicon.without(["calf", "tank"])
    gone = set(lexicon.words()) - set(smaller.words())
    assert gone == {"calf", "calves", "tank", "tanks"}
    assert list(smaller.nouns) == list(lexicon.nouns)
    with pytest.raises(ValueError, match=r"singulars: .*\['calves'\]"):
        lexicon.without(["calves", "tank"])


def test_a_split_holds_out_the_share_asked_for():
    lexicon = tasks.load_lexicon()
    for share in (0.01, 0.3, 0.5):
        _, test = lexicon.split(0, held_out=share, hold_out_verbs=True)
        for all_of, held_out in (
            (lexicon.nouns, test.nouns),
            (lexicon.verbs, test.verbs),
        ):
            for name, items in all_of.items():
                count = max(2, round(share * len(items)))
                assert len(held_out[name]) == count


def test_verbs_are_held_out_on_request_only():
    train, test = tasks.load_lexicon().split(0)
    assert train.verbs == test.verbs


def test_a_task_has_the_size_and_balance_of_the_course():
    task = tasks.load_task(0)
    assert len(task.train.sentences) == 4000
    assert len(task.test.sentences) == 1500
    assert (task.test.sentences.numbers.sum(axis=1) == 2).all()
    assert (task.train.sentences.numbers.sum(axis=1) == 4).any()


def test_position_gives_nothing_away():
    test = tasks.load_task(0).test.sentences
    first = test.numbers[:, 0] == test.labels[:, 0]
    nearest = test.numbers[:, -1] == test.labels[:, 0]
    assert abs(first.mean() - 0.5) < 0.05
    assert abs(nearest.mean() - 0.5) < 0.05
    assert abs(test.labels.mean() - 0.5) < 0.05


def test_the_same_seed_gives_the_same_task():
    one = tasks.load_task(5, train_count=20, test_count=10)
    tasks.load_task.cache_clear()
    two = tasks.load_task(5, train_count=20, test_count=10)
    assert one.train.sentences.words == two.train.sentences.words
    np.testing.assert_array_equal(one.test.x, two.test.x)


def test_another_seed_gives_another_task():
    one, two = (
        tasks.load_task(seed, train_count=60, test_count=9) for seed in (5, 6)
    )
    assert (one.train.sentences.numbers != two.train.sentences.numbers).any()
    lexicon = tasks.load_lexicon()
    assert lexicon.split(5)[1].nouns != lexicon.split(6)[1].nouns


@pytest.mark.parametrize("hold_out_verbs", [False, True])
def test_each_part_of_a_task_speaks_its_own_words(hold_out_verbs):
    split = dict(hold_out_verbs=hold_out_verbs)
    lexicons = tasks.load_lexicon().split(7, **split)
    task = tasks.load_task(7, **split)
    for lexicon, part in zip(lexicons, (task.train, task.test), strict=True):
        spoken = {w for words in part.sentences.words for w in words}
        verbs = {words[-1] for words in part.sentences.words}
        assert spoken <= set(lexicon.words())
        assert verbs == {v for group in lexicon.verbs.values() for v in group}
        for category in {
            *sum(tasks.WHO_CAN.values(), ()),
            *tasks.NO_VERB_FITS,
        }:
            assert all(spoken & {*pair} for pair in lexicon.nouns[category])


def test_the_table_is_made_of_training_words_alone():
    train, test = tasks.load_lexicon().split(7)
    words = [pair[0] for pair in test.nouns["plant"]]
    found = tasks.load_task(7).table.vectors(words)
    expected = embeddings.WordTable(train.words()).vectors(words)
    np.testing.assert_array_equal(found, expected)


def test_arrays_hold_the_vectors_of_the_words():
    task = tasks.load_task(5, train_count=20, test_count=10)
    words = task.test.sentences.words[3]
    assert task.test.mask[3].sum() == len(words)
    np.testing.assert_array_equal(
        task.test.x[3, : len(words)], task.table.vectors(words)
    )


def test_sentences_can_be_chosen():
    found = tasks.load_task(5, train_count=20, test_count=10).test.sentences
    plural = found[found.labels[:, 0] == 1]
    assert len(plural) == found.labels.sum()
    assert (plural.labels == 1).all()
    assert found[2:4].words == found.words[2:4]
    with pytest.raises(TypeError, match="rows"):
        found[3]


@pytest.mark.parametrize(
    ("count", "error"), [(0, ValueError), (2.5, TypeError), (True, TypeError)]
)
def test_a_bad_count_is_refused(count, error):
    with pytest.raises(error, match="count"):
        tasks.which_noun(tasks.load_lexicon(), count, np.random.default_rng())


def test_balanced_is_a_flag():
    rng = np.random.default_rng()
    with pytest.raises(TypeError, match="balanced"):
        tasks.which_noun(tasks.load_lexicon(), 3, rng, balanced="no")

"""The grammar to predict word by word: its counts, parser and entropy."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.embeddings import WordTable, tokenize
from helpers.tasks import agreement

SMALL = agreement.Grammar(
    nouns={"animate": (("dog", "dogs"), ("cat", "cats"))}
    | {"vehicle": (("car", "cars"),)},
    verbs={"animate": (("eats", "eat"),), "vehicle": (("parks", "park"),)},
    prepositions=("near", "by"),
)


def all_sentences():
    """Every chain of phrases of SMALL, built without the grammar."""
    nouns = "dog dogs cat cats car cars".split()
    fits = dict(dog="eats", dogs="eat", cat="eats", cats="eat")
    fits |= dict(car="parks", cars="park")
    for count in (1, 2, 3):
        for chosen in itertools.product(nouns, repeat=count):
            for preps in itertools.product(["near", "by"], repeat=count - 1):
                words = ["the", chosen[0]]
                for prep, noun in zip(preps, chosen[1:], strict=True):
                    words += [prep, "the", noun]
                yield [*words, fits[chosen[0]], "."]


def test_all_sentences_together_have_probability_1_and_the_entropy():
    logs = [SMALL.log_probability(words) for words in all_sentences()]
    assert len(logs) == 6 + 6 * 12 + 6 * 12 * 12
    chances = np.exp(logs)
    assert chances.sum() == pytest.approx(1)
    assert -(chances @ logs) == pytest.approx(SMALL.entropy, abs=1e-12)
    lengths = [len(words) for words in all_sentences()]
    assert chances @ lengths == pytest.approx(SMALL.mean_length)
    assert SMALL.floor == pytest.approx(SMALL.entropy / 7)


def test_drawn_sentences_are_as_likely_as_it_says():
    drawn = SMALL.sentences(6000, 0)
    assert all(SMALL.is_grammatical(words) for words in drawn)
    logs = [SMALL.log_probability(words) for words in drawn]
    assert -np.mean(logs) == pytest.approx(SMALL.entropy, abs=0.08)
    share = np.mean([words == ["the", "car", "parks", "."] for words in drawn])
    assert share == pytest.approx(1 / 12, abs=0.01)
    assert drawn == SMALL.sentences(6000, 0) != SMALL.sentences(6000, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "the dog eat .",
        "the dogs eats .",
        "the dog parks .",
        "the dog near the cars eat .",
        "the dog near the car parks .",
        "dog eats .",
        "the eats dog .",
        "the dog eats",
        "the dog near eats .",
        "the dog near the car near the car near the car eats .",
        "the fox eats .",
        "the dog in the car eats .",
        "the dog near a car eats .",
        "the dog eats . .",
    ],
)
def test_what_is_no_sentence(text):
    assert not SMALL.is_grammatical(text.split())
    assert SMALL.log_probability(text.split()) == -math.inf


def test_nouns_are_parsed_in_order():
    words = "the dogs near the car by the cat eat .".split()
    assert SMALL.parse(words) == [("animate", 1), ("vehicle", 0)] + [
        ("animate", 0)
    ]


def test_test_nouns_are_never_trained_on():
    train, test = agreement.load(0)
    both = set(train.words()) & set(test.words())
    verbs = {
        form for pairs in train.verbs.values() for p in pairs for form in p
    }
    assert both == {".", "the", *train.prepositions} | verbs
    whole = agreement.whole().words()
    assert set(whole) == set(train.words()) | set(test.words())
    assert len(set(whole)) == len(whole)  # no word is two
    assert whole[0] == agreement.START
    assert train.floor == pytest.approx(2.2784536)  # the same each seed
    assert agreement.load(5)[0].floor == pytest.approx(train.floor)


def test_third_person():
    verbs = "swim cry pray crash flourish chew".split()
    forms = "swims cries prays crashes flourishes chews".split()
    assert [agreement.third_person(verb) for verb in verbs] == forms


def test_word_vectors_are_those_of_the_table():
    train, _ = agreement.load(0)
    found = agreement.word_vectors(train, ["swims", "swim", "dog"], 20)
    assert found.shape == (3, 20)
    assert (found[0] == found[1]).all()  # "swim" is the first piece
    words = [word for word in train.words() if word == tokenize(word)[0]]
    same = agreement.word_vectors(train, words, 20)
    assert_allclose(same, WordTable(words, 20).vectors(words))


def test_tokens_are_padded_and_start_with_the_start():
    vocabulary = SMALL.words()
    sentences = [["the", "dog"], ["the"]]
    found = agreement.token_array(sentences, vocabulary)
    the, dog = vocabulary.index("the"), vocabulary.index("dog")
    assert found.tolist() == [[0, the, dog], [0, the, -1]]
    with pytest.raises(ValueError, match=r"sentences: .*\['fox'\]"):
        agreement.token_array([["the", "fox"]], vocabulary)

"""Texts of two sentences, and what is asked about their second verb."""

import numpy as np
import pytest

from helpers.tasks import agreement, two_sentences

GRAMMAR = agreement.load(0)[0]
NUMBER = {
    form: number
    for pairs in GRAMMAR.nouns.values()
    for pair in pairs
    for number, form in enumerate(pair)
}


def numbers(words):
    """The numbers of the nouns, in order."""
    return [NUMBER[word] for word in words if word in NUMBER]


@pytest.mark.parametrize("in_front", [False, True])
def test_half_of_the_sentences_have_a_phrase_in_front(in_front):
    texts = two_sentences.texts(GRAMMAR, 200, 3, in_front=in_front)
    ends = [text.index(".") + 1 for text in texts]
    parts = [t[:e] for t, e in zip(texts, ends, strict=True)]
    parts += [t[e:] for t, e in zip(texts, ends, strict=True)]
    fronted = [words[0] != "the" for words in parts]
    assert np.mean(fronted) == pytest.approx(0.5 * in_front, abs=0.08)
    for words, front in zip(parts, fronted, strict=True):
        assert GRAMMAR.is_grammatical(words[3 * front :])


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 2), (2, 1)])
def test_all_other_nouns_have_the_other_number(before, after, same):
    texts, wanted = two_sentences.hard_questions(
        GRAMMAR, 50, 7, before=before, after=after, same=same
    )
    assert {0, 1} == set(wanted.tolist())
    for text, number in zip(texts, wanted.tolist(), strict=True):
        end = text.index(".") + 1
        assert GRAMMAR.is_grammatical(text[:end])
        assert numbers(text[:end])[0] == (number if same else 1 - number)
        nouns = numbers(text[end:])
        assert nouns.pop(before) == number
        assert nouns == [1 - number] * (before + after)


def test_first_sentences_may_be_short():
    texts, _ = two_sentences.hard_questions(
        GRAMMAR, 20, 7, before=0, after=0, same=True, first=4
    )
    assert {len(text) for text in texts} == {6}
